#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_OPEN_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_TRANSPORT_OPEN_HPP

#include "kube/credentials/credential_source.hpp"
#include "kube/http/proxy_address.hpp"
#include "kube/http/redaction.hpp"
#include "kube/http/transport_request.hpp"
#include "kube/transport/certificate_source.hpp"
#include "kube/transport/connection_pool.hpp"

#include <kftrain/kube/transport.hpp>

#include <boost/asio/dispatch.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace kftrain::kube::detail {

/// The state that the requests of one transport share.
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
        if (!c.proxy_url.empty())
            if (auto const proxy = parse_proxy_url(c.proxy_url)) hidden.add(proxy->password);
        remember();
    }
    link_state(link_state const&) = delete;
    link_state& operator=(link_state const&) = delete;
    /// The last owner may run on another thread than the operations of the credentials.
    ~link_state() {
        if (!credentials->works_beside()) return;
        try {
            asio::dispatch(pool->executor(), [ended = std::move(credentials)] {});
        } catch (std::bad_alloc const&) {
            credentials.reset(); // then it ends here
        }
    }

    /// Whether refused() may ever be true.
    bool may_change() const { return credentials->may_change() || (certificates && certificates->is_watching()); }
    /// The server refused the credentials of this number, or the certificate of connections of this generation. Returns
    /// whether there may be others now.
    bool refused(std::uint64_t number, std::uint64_t generation) {
        bool const others = credentials->refused(number);
        if (certificates) certificates->look(*pool, true);
        return pool->generation() != generation || others;
    }
    /// Hides from now on what the credentials are by now. On the executor.
    void remember() {
        auto all = std::make_shared<secrets>(hidden);
        credentials->add_to(*all);
        if (certificates) certificates->add_to(*all);
        std::lock_guard const lock(guard_);
        shown_ = std::move(all);
    }
    /// The same, if they are others than before.
    void remember_news(std::uint64_t number) {
        std::pair const now(number, certificates ? certificates->number() : 0);
        if (std::exchange(remembered_, now) != now) remember();
    }
    /// On any thread: answers go to handlers that run elsewhere.
    std::string redact(std::string text) const {
        std::unique_lock lock(guard_);
        auto const all = shown_;
        lock.unlock();
        return all->hide(std::move(text));
    }

    std::shared_ptr<connection_pool> pool;
    server_url server;
    std::unique_ptr<credential_source> credentials;
    std::optional<certificate_source> certificates; ///< nothing without TLS
    https_options options;
    http_fields impersonated;
    secrets hidden; ///< of the configuration itself

private:
    mutable std::mutex guard_; // of the pointer; what it leads to does not change
    std::shared_ptr<secrets const> shown_;
    std::pair<std::uint64_t, std::uint64_t> remembered_;
};

/// Implements transport::async_open().
void open(std::shared_ptr<link_state> link, http_request request,
          any_handler<void(error_code, streamed_response)> handler);

} // namespace kftrain::kube::detail

#endif
