#include "local/node/address_pool.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_address_pool)

using kftrain::local::address_pool;

BOOST_AUTO_TEST_CASE(network_and_node_addresses_are_not_assigned) {
    address_pool pool("10.244");
    BOOST_TEST(pool.take().value() == "10.244.0.2");
    BOOST_TEST(pool.take().value() == "10.244.0.3");
}

BOOST_AUTO_TEST_CASE(a_released_address_is_reused_last) {
    address_pool pool("127.1");
    BOOST_TEST(pool.take().value() == "127.1.0.2");
    pool.release("127.1.0.2");
    BOOST_TEST(pool.take().value() == "127.1.0.3");
}

BOOST_AUTO_TEST_CASE(all_addresses_differ_until_none_is_left) {
    address_pool pool("10.244");
    std::set<std::string> seen;
    while (auto const address = pool.take()) {
        BOOST_REQUIRE_MESSAGE(seen.insert(*address).second, *address << " was handed out twice");
        BOOST_REQUIRE(seen.size() <= 65536U);
    }
    BOOST_TEST(seen.size() == 65536U - 3U);
    for (auto const* reserved : {"10.244.0.0", "10.244.0.1", "10.244.255.255"}) BOOST_TEST(!seen.contains(reserved));
    BOOST_TEST(seen.contains("10.244.255.254"));
    BOOST_TEST(!pool.take());
    pool.release("10.244.7.9");
    BOOST_TEST(pool.take().value() == "10.244.7.9");
    BOOST_TEST(!pool.take());
}

BOOST_AUTO_TEST_CASE(undelivered_objects_can_be_released) {
    address_pool pool("10.244");
    pool.release("10.244.0.2");
    pool.release("nonsense");
    BOOST_TEST(pool.take().value() == "10.244.0.2");
}

BOOST_AUTO_TEST_SUITE_END()
