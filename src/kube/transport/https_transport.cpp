#include <kftrain/kube/https_transport.hpp>

#include "base/in_quotes.hpp"
#include "kube/http/header_fields.hpp"
#include "kube/http/proxy_address.hpp"
#include "kube/transport/transport_open.hpp"

#include <optional>
#include <utility>

namespace kftrain::kube {
namespace detail {
namespace {

std::string user_of(config const& c) {
    auto const& name = c.context_user.empty() ? c.username : c.context_user;
    return name.empty() ? std::string() : ", user " + in_quotes(name);
}

class https_transport final : public transport {
public:
    https_transport(std::shared_ptr<link_state> s, config const& c)
        : state_(std::move(s)),
          description_(state_->pool->place() + user_of(c)),
          compression_(!c.disable_compression) {}

    asio::any_io_executor get_executor() const noexcept override { return state_->pool->executor(); }
    void async_open(http_request request, any_handler<void(error_code, streamed_response)> handler) override {
        open(state_, std::move(request), std::move(handler));
    }

    std::string redact(std::string text) const override { return state_->redact(std::move(text)); }
    std::string describe() const override { return description_; }
    bool allows_compression() const noexcept override { return compression_; }

private:
    std::shared_ptr<link_state> state_;
    std::string description_;
    bool compression_;
};

} // namespace
} // namespace detail

result<std::shared_ptr<transport>> make_https_transport(asio::any_io_executor executor, config const& c,
                                                        https_options const& options) {
    bool const secrets = !c.ca_pem.empty() || !c.client_certificate_pem.empty() || c.insecure_skip_tls_verify;
    auto server = detail::parse_server_url(c.server, secrets);
    if (!server) return server.error();
    std::optional<detail::proxy_address> proxy;
    if (!c.proxy_url.empty()) {
        auto parsed = detail::parse_proxy_url(c.proxy_url);
        if (!parsed) return parsed.error();
        proxy = std::move(*parsed);
    }
    std::optional<detail::certificate_source> certificates;
    if (server->tls) certificates.emplace(detail::time_source::of(executor), c, server->host, options.file_interval);
    auto factory = certificates ? certificates->make() : detail::make_tcp_factory();
    if (!factory) return factory.error();
    // Credentials must not travel in the open.
    auto credentials = detail::make_credential_source(executor, server->tls ? c : config(), options);
    if (!credentials) return credentials.error();
    http_fields impersonated;
    if (auto ok = detail::add_impersonation(c.as, impersonated); !ok) return ok.error();
    auto pool = std::make_shared<detail::connection_pool>(std::move(executor), server->host, server->port,
                                                          std::move(*factory), options, std::move(proxy), c.context);
    auto state = std::make_shared<detail::link_state>(std::move(pool), std::move(*server), std::move(*credentials),
                                                      std::move(certificates), c, options);
    state->impersonated = std::move(impersonated);
    return std::shared_ptr<transport>(std::make_shared<detail::https_transport>(std::move(state), c));
}

} // namespace kftrain::kube
