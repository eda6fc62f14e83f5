#include "base/ascii.hpp"
#include "kube/credentials/oidc_token.hpp"
#include "kube/http/config_text.hpp"
#include "kube/http/redaction.hpp"

#include <kftrain/kube/client.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <utility>

namespace kftrain::kube::detail {
namespace {

constexpr std::chrono::seconds longest_exchange{30};
constexpr std::size_t longest_answer = std::size_t(1024) * 1024;

/** Tokens of an OpenID Connect provider: the token of the configuration while it is valid, then tokens from its refresh
    token. They are kept in memory only. */
class oidc_source final : public renewed_source {
public:
    oidc_source(asio::any_io_executor const& executor, config const& c, https_options const& options)
        : renewed_source(executor),
          provider_(*c.oidc),
          proxy_url_(c.oidc->proxy_url.value_or(c.proxy_url)),
          options_(options) {
        session_->owner = this;
        if (provider_.id_token.empty()) return;
        show(credential_of(provider_.id_token));
        accepted(current().number); // once it was, or kubectl would not have kept it
    }
    oidc_source(oidc_source const&) = delete;
    oidc_source& operator=(oidc_source const&) = delete;
    ~oidc_source() override {
        session_->owner = nullptr;
        session_->stop.emit(asio::cancellation_type::terminal);
    }

    void add_to(secrets& all) const override {
        renewed_source::add_to(all);
        all.add(provider_.refresh_token);
    }

private:
    /// The state of a running call, which may outlive the source.
    struct session {
        oidc_source* owner = nullptr;
        asio::cancellation_signal stop;
        diagnostics detail;
    };
    using next_step = void (oidc_source::*)(std::string const& body);

    static obtained_credential credential_of(std::string const& id_token) {
        obtained_credential o;
        o.token = id_token;
        o.expires = expiry_of(id_token);
        return o;
    }

    void begin() override {
        if (provider_.refresh_token.empty())
            return refuse("provided a token that has expired or was rejected, and no refresh-token is configured");
        http_request r;
        r.method = "GET";
        r.target = "/.well-known/openid-configuration";
        call(provider_.issuer_url, std::move(r), &oidc_source::described);
    }

    void described(std::string const& body) {
        auto const where = read_discovery(body);
        if (!where) return refuse(where.error().detail.message);
        call(where->server, refresh_request(*where, provider_), &oidc_source::renewed);
    }

    void renewed(std::string const& body) {
        auto const tokens = read_renewed_tokens(body);
        if (!tokens) return refuse(tokens.error().detail.message);
        if (!tokens->refresh_token.empty()) provider_.refresh_token = tokens->refresh_token;
        finish(credential_of(tokens->id_token));
    }

    void call(std::string const& server, http_request r, next_step next) {
        config c;
        c.server = server;
        c.ca_pem = provider_.ca_pem;
        c.proxy_url = proxy_url_;
        auto link = make_https_transport(executor(), c, options_);
        if (!link) return refuse("cannot be reached: " + link.error().to_string());
        auto const settings =
            call_options().with_timeout(longest_exchange).with_retry(false).with_detail(session_->detail);
        client(std::move(*link), client_options().with_body_limit(longest_answer))
            .async_call(std::move(r), settings,
                        asio::bind_cancellation_slot(
                            session_->stop.slot(), [s = session_, next](error_code ec, std::string const& body) {
                                if (s->owner == nullptr) return;
                                if (ec) return s->owner->refuse("did not answer: " + s->detail.message);
                                (s->owner->*next)(body);
                            }));
    }

    void refuse(std::string const& what) {
        diagnostics d;
        d.message = "OIDC provider " + in_quotes(without_userinfo(provider_.issuer_url)) + " " + what;
        finish(failure(reason::unauthorized, std::move(d)));
    }

    oidc_provider provider_;
    std::string proxy_url_;
    https_options options_;
    std::shared_ptr<session> session_ = std::make_shared<session>();
};

} // namespace

result<std::unique_ptr<credential_source>> make_oidc_source(asio::any_io_executor const& executor, config const& c,
                                                            https_options const& options) {
    if (!to_lower(c.oidc->issuer_url).starts_with("https://"))
        return config_fault("oidc.issuer_url",
                            "expected an https URL, got " + in_quotes(without_userinfo(c.oidc->issuer_url)));
    return std::unique_ptr<credential_source>(std::make_unique<oidc_source>(executor, c, options));
}

} // namespace kftrain::kube::detail
