#include "apiserver/http/connection_places.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_connection_places)

using kftrain::apiserver::connection_places;

BOOST_AUTO_TEST_CASE(the_oldest_unauthenticated_connection_is_closed) {
    connection_places p(10, 2);
    BOOST_TEST(!p.oldest_stranger().has_value());
    auto const first = p.take(), second = p.take();
    BOOST_TEST(p.is_full()); // for strangers, although most places are free
    BOOST_TEST(p.oldest_stranger().value() == first);
    p.leave(first);
    BOOST_TEST(!p.is_full());
    p.leave(first);
    BOOST_TEST(p.oldest_stranger().value() == second);
}

BOOST_AUTO_TEST_CASE(authenticated_connections_are_never_closed_and_free_a_slot) {
    connection_places p(4, 2);
    for (int i = 0; i < 4; ++i) {
        BOOST_TEST(!p.is_full());
        p.know(p.take());
    }
    BOOST_TEST(p.is_full());
    BOOST_TEST(!p.oldest_stranger().has_value());
}

BOOST_AUTO_TEST_CASE(the_only_unauthenticated_connection_is_closed_when_full) {
    connection_places p(4, 2);
    for (int i = 0; i < 3; ++i) p.know(p.take());
    auto const stranger = p.take();
    BOOST_TEST(p.is_full());
    BOOST_TEST(p.oldest_stranger().value() == stranger);
}

BOOST_AUTO_TEST_CASE(a_closed_connection_cannot_become_authenticated) {
    connection_places p(4, 2);
    auto const n = p.take();
    p.leave(n);
    p.know(n);
    BOOST_TEST(p.taken() == 0u);
}

BOOST_AUTO_TEST_CASE(unauthenticated_connections_use_at_most_half_and_at_least_one_slot) {
    connection_places half(8, 100);
    for (int i = 0; i < 4; ++i) half.take();
    BOOST_TEST(half.is_full());
    for (std::size_t limit : {0u, 1u}) {
        connection_places one(limit, 0);
        BOOST_TEST(!one.is_full());
        one.take();
        BOOST_TEST(one.is_full());
    }
}

BOOST_AUTO_TEST_SUITE_END()
