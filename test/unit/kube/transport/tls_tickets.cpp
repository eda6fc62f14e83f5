#include "kube/transport/tls_tickets.hpp"

#include <boost/test/unit_test.hpp>

#include <openssl/ssl.h>

BOOST_AUTO_TEST_SUITE(kube_tls_tickets)

using namespace kftrain::kube::detail;
using namespace std::chrono_literals;

namespace {

tls_ticket ticket(unsigned char id, std::chrono::seconds left) {
    tls_ticket t;
    t.session.reset(SSL_SESSION_new());
    SSL_SESSION_set1_id(t.session.get(), &id, 1); // without one there is nothing to resume
    t.good_until = tls_ticket::clock::now() + left;
    return t;
}

int id_of(tls_ticket const& t) {
    if (!t.session) return -1;
    unsigned size = 0;
    unsigned char const* const id = SSL_SESSION_get_id(t.session.get(), &size);
    return size == 1 ? *id : -1;
}

} // namespace

BOOST_AUTO_TEST_CASE(newest_tickets_are_used_first_and_the_last_is_reused) {
    tls_tickets all;
    BOOST_TEST(all.empty());
    BOOST_TEST(id_of(all.take()) == -1);
    for (unsigned char id = 1; id <= 6; ++id) all.put(ticket(id, 1h));
    for (int const id : {6, 5, 4, 3, 3, 3}) BOOST_TEST(id_of(all.take()) == id); // no more than four are kept
    all.forget();
    BOOST_TEST(all.empty());
}

BOOST_AUTO_TEST_CASE(expired_and_unusable_tickets_are_dropped) {
    tls_tickets all;
    all.put(ticket(1, 1h));
    all.put(ticket(2, -1s));
    tls_ticket bare;
    bare.session.reset(SSL_SESSION_new());
    bare.good_until = tls_ticket::clock::now() + 1h;
    all.put(std::move(bare));
    BOOST_TEST(id_of(all.take()) == 1);
    BOOST_TEST(id_of(all.take()) == 1);

    tls_tickets old;
    old.put(ticket(1, -1s));
    BOOST_TEST(old.empty());
}

BOOST_AUTO_TEST_CASE(the_first_ticket_calls_the_callback) {
    tls_tickets all;
    int reported = 0;
    all.on_first([&] { ++reported; });
    all.put(ticket(1, 1h));
    all.put(ticket(2, 1h));
    BOOST_TEST(reported == 1);
    all.forget();
    all.put(ticket(3, 1h));
    BOOST_TEST(reported == 2);
}

BOOST_AUTO_TEST_SUITE_END()
