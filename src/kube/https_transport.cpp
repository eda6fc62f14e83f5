#include <kftrain/kube/https_transport.hpp>

#include "kube/kubeconfig.hpp"
#include "kube/transport_open.hpp"

#include <utility>

namespace kftrain::kube {
namespace detail {
namespace {

class https_transport final : public transport {
public:
    explicit https_transport(std::shared_ptr<link_state> s) : state_(std::move(s)) {}

    asio::any_io_executor get_executor() const noexcept override { return state_->pool->executor(); }
    void async_open(http_request request, any_handler<void(error_code, streamed_response)> handler) override {
        open(state_, std::move(request), std::move(handler));
    }

    std::string redact(std::string text) const override {
        auto hidden = state_->hidden;
        state_->token->add_to(hidden);
        return hidden.hide(std::move(text));
    }

private:
    std::shared_ptr<link_state> state_;
};

/// What a configuration may say and this transport cannot do.
result<void> refuse_unsupported(config const& c) {
    for (auto const& [field, set] : {std::pair{"exec", c.exec.has_value()}, std::pair{"oidc", c.oidc.has_value()},
                                     std::pair{"proxy_url", !c.proxy_url.empty()},
                                     std::pair{"username", !c.username.empty()}, std::pair{"as", !c.as.empty()}})
        if (set) return config_fault(field, "is not supported by this transport", errc::not_supported);
    return {};
}

} // namespace
} // namespace detail

result<std::shared_ptr<transport>> make_https_transport(asio::any_io_executor executor, config const& c,
                                                        https_options const& options) {
    if (auto ok = detail::refuse_unsupported(c); !ok) return ok.error();
    bool const secrets = !c.ca_pem.empty() || !c.client_certificate_pem.empty() || c.insecure_skip_tls_verify;
    auto server = detail::parse_server_url(c.server, secrets);
    if (!server) return server.error();
    auto factory = server->tls ? detail::make_tls_factory(c, server->host) : detail::make_tcp_factory();
    if (!factory) return factory.error();
    // A token must not travel in the open.
    auto token = server->tls ? detail::make_bearer(c.token, c.token_file) : detail::make_bearer({}, {});
    if (!token) return token.error();
    auto pool = std::make_shared<detail::connection_pool>(std::move(executor), server->host, server->port,
                                                          std::move(*factory), options);
    auto state =
        std::make_shared<detail::link_state>(std::move(pool), std::move(*server), std::move(*token), c, options);
    return std::shared_ptr<transport>(std::make_shared<detail::https_transport>(std::move(state)));
}

} // namespace kftrain::kube
