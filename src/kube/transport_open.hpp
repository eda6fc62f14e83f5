#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_OPEN_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_OPEN_HPP

#include "kube/certificate_source.hpp"
#include "kube/credential_source.hpp"
#include "kube/redaction.hpp"
#include "kube/transport_connection.hpp"
#include "kube/transport_request.hpp"

#include <kftrain/kube/transport.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kftrain::kube::detail {

/// What the requests of one transport share.
struct link_state {
    link_state(std::shared_ptr<connection_pool> p, server_url s, std::unique_ptr<credential_source> who,
               std::optional<certificate_source> trust, config const& c, https_options const& o)
        : pool(std::move(p)),
          server(std::move(s)),
          credentials(std::move(who)),
          certificates(std::move(trust)),
          options(o) {
        hidden.add(c.token);
        hidden.add(c.password);
        hidden.add(c.client_key_pem);
        if (c.oidc)
            for (auto const* secret : {&c.oidc->client_secret, &c.oidc->id_token, &c.oidc->refresh_token})
                hidden.add(*secret);
    }

    /// Whether refused() may ever be true.
    bool may_change() const { return credentials->may_change() || (certificates && certificates->is_watching()); }
    /// The server refused the credentials of this number, or the certificate. True if there may be others now.
    bool refused(std::uint64_t number) {
        bool const others = credentials->refused(number);
        return (certificates && certificates->look(*pool, true)) || others;
    }
    std::string redact(std::string text) const {
        auto all = hidden;
        credentials->add_to(all);
        if (certificates) certificates->add_to(all);
        return all.hide(std::move(text));
    }

    std::shared_ptr<connection_pool> pool;
    server_url server;
    std::unique_ptr<credential_source> credentials;
    std::optional<certificate_source> certificates; ///< nothing without TLS
    https_options options;
    http_fields impersonated;
    secrets hidden;
};

/// What transport::async_open() does.
void open(std::shared_ptr<link_state> link, http_request request,
          any_handler<void(error_code, streamed_response)> handler);

} // namespace kftrain::kube::detail

#endif
