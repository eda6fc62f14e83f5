#ifndef KFTRAIN_SRC_KUBE_TRANSPORT_TLS_TICKETS_HPP
#define KFTRAIN_SRC_KUBE_TRANSPORT_TLS_TICKETS_HPP

#include <openssl/ssl.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>

namespace kftrain::kube::detail {

/// A TLS session that can be resumed, and until when: certificates and the limits below are dated in civil time.
struct tls_ticket {
    struct deleter {
        void operator()(SSL_SESSION* p) const noexcept;
    };
    using clock = std::chrono::system_clock;

    std::unique_ptr<SSL_SESSION, deleter> session;
    clock::time_point good_until;
};

/** The tickets of one server, newest last: they resume sessions without certificate and signature. They belong to one
    context and one name, which the server proved to this context in a handshake. */
class tls_tickets {
public:
    /// Makes the connections of `context`, which verifies, hand over what they are given; each names its part in it.
    static void collect(SSL_CTX* context);

    /// To be called when a ticket comes and there was none.
    void on_first(std::function<void()> f) { on_first_ = std::move(f); }

    bool empty();
    /// The newest. It is used once, unless it is the last: then others may have to use it as well.
    tls_ticket take();
    void put(tls_ticket t);
    void forget() noexcept { tickets_.clear(); }

private:
    std::deque<tls_ticket> tickets_;
    std::function<void()> on_first_;
};

/// The part of one connection in the tickets. Must not be moved, and outlives its SSL.
class tls_resumption {
public:
    tls_resumption(SSL* handle, std::shared_ptr<tls_tickets> tickets);
    tls_resumption(tls_resumption const&) = delete;
    tls_resumption& operator=(tls_resumption const&) = delete;

    /// Whether the handshake offers a ticket.
    bool is_offered() const noexcept { return offered_; }

private:
    friend class tls_tickets;

    static int keep(SSL* handle, SSL_SESSION* session);
    tls_ticket::clock::time_point limit(SSL* handle) const;

    std::shared_ptr<tls_tickets> tickets_;
    tls_ticket::clock::time_point good_until_; // of the ticket that was offered
    bool offered_ = false;
};

} // namespace kftrain::kube::detail

#endif
