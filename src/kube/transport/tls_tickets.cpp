#include "kube/transport/tls_tickets.hpp"

#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <algorithm>
#include <new>
#include <utility>

namespace kftrain::kube::detail {
namespace {

using wall_clock = tls_ticket::clock;

/// So many are kept: most connections of a burst come when there is one yet.
constexpr std::size_t most_tickets = 4;
/// So long after its certificate was looked at, a server must show it again.
constexpr std::chrono::hours longest_trust(1);

/// When the first certificate of the chain expires that the server was believed for.
wall_clock::time_point end_of_chain(SSL* handle, wall_clock::time_point now) {
    auto end = wall_clock::time_point::max();
    STACK_OF(X509) const* const chain = SSL_get0_verified_chain(handle);
    int const count = chain == nullptr ? 0 : sk_X509_num(chain);
    if (count <= 0) return now;
    for (int i = 0; i < count; ++i) {
        int days = 0, rest = 0;
        if (ASN1_TIME_diff(&days, &rest, nullptr, X509_get0_notAfter(sk_X509_value(chain, i))) != 1) return now;
        end = std::min(end, now + std::chrono::hours(24) * std::min(days, 1000) + std::chrono::seconds(rest));
    }
    return end;
}

/// OpenSSL gives a session up when a connection that uses it ends without a farewell.
std::unique_ptr<SSL_SESSION, tls_ticket::deleter> copy(SSL_SESSION* session) {
    return std::unique_ptr<SSL_SESSION, tls_ticket::deleter>(SSL_SESSION_dup(session));
}

} // namespace

void tls_ticket::deleter::operator()(SSL_SESSION* p) const noexcept { SSL_SESSION_free(p); }

void tls_tickets::collect(SSL_CTX* context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context, &tls_resumption::keep);
}

bool tls_tickets::empty() {
    auto const now = wall_clock::now();
    std::erase_if(tickets_, [&](tls_ticket const& t) {
        return t.good_until <= now || SSL_SESSION_is_resumable(t.session.get()) != 1;
    });
    return tickets_.empty();
}

tls_ticket tls_tickets::take() {
    tls_ticket t;
    if (empty()) return t;
    if (tickets_.size() > 1) {
        t = std::move(tickets_.back());
        tickets_.pop_back();
    } else {
        t.session = copy(tickets_.back().session.get());
        t.good_until = tickets_.back().good_until;
    }
    return t;
}

void tls_tickets::put(tls_ticket t) {
    bool const first = tickets_.empty();
    tickets_.push_back(std::move(t));
    if (tickets_.size() > most_tickets) tickets_.pop_front();
    if (first && on_first_) on_first_();
}

tls_resumption::tls_resumption(SSL* handle, std::shared_ptr<tls_tickets> tickets) : tickets_(std::move(tickets)) {
    SSL_set_app_data(handle, this);
    auto const t = tickets_->take();
    offered_ = t.session && SSL_set_session(handle, t.session.get()) == 1;
    good_until_ = t.good_until;
}

wall_clock::time_point tls_resumption::limit(SSL* handle) const {
    // Of what a resumed session brings the certificate was looked at when the first one began.
    if (SSL_session_reused(handle) == 1) return good_until_;
    auto const now = wall_clock::now();
    return std::min(now + longest_trust, end_of_chain(handle, now));
}

int tls_resumption::keep(SSL* handle, SSL_SESSION* session) {
    auto* const self = static_cast<tls_resumption*>(SSL_get_app_data(handle));
    if (self == nullptr || SSL_get_verify_result(handle) != X509_V_OK || SSL_SESSION_is_resumable(session) != 1)
        return 0;
    try {
        tls_ticket t;
        t.good_until = self->limit(handle);
        t.session = copy(session);
        if (t.session && t.good_until > wall_clock::now()) self->tickets_->put(std::move(t));
        return 0;
    } catch (std::bad_alloc const&) { // which must not pass through C
        return 0;
    }
}

} // namespace kftrain::kube::detail
