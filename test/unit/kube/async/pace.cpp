#include "kube/async/pace.hpp"

#include "kube/http/header_fields.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kube_pace)

using kftrain::kube::detail::token_bucket;
using kftrain::kube::detail::user_agent_of;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(a_full_bucket_allows_a_burst_and_then_the_rate) {
    token_bucket::clock::time_point const start{1h};
    token_bucket b(2, 3);
    for (int i = 0; i < 3; ++i) BOOST_TEST(b.take(start));
    BOOST_TEST(!b.take(start));
    BOOST_TEST(!b.take(start + 400ms));
    BOOST_TEST(b.take(start + 500ms));
    for (int i = 0; i < 3; ++i) BOOST_TEST(b.take(start + 1h));
    BOOST_TEST(!b.take(start + 1h));
}

BOOST_AUTO_TEST_CASE(tokens_added_directly_are_capped_at_the_limit) {
    token_bucket::clock::time_point const start{1h};
    token_bucket b(0, 2);
    BOOST_TEST(b.take(start));
    BOOST_TEST(b.take(start));
    for (int i = 0; i < 4; ++i) b.put(0.25, start);
    BOOST_TEST(b.take(start));
    BOOST_TEST(!b.take(start + 1h));
    for (int i = 0; i < 100; ++i) b.put(0.25, start);
    BOOST_TEST(b.take(start));
    BOOST_TEST(b.take(start));
    BOOST_TEST(!b.take(start));
}

BOOST_AUTO_TEST_CASE(later_callers_wait_longer) {
    token_bucket::clock::time_point const start{1h};
    token_bucket b(10, 1);
    BOOST_TEST((b.take_in_turn(start) == 0ms));
    BOOST_TEST((b.take_in_turn(start) == 100ms));
    BOOST_TEST((b.take_in_turn(start) == 200ms));
    BOOST_TEST((b.take_in_turn(start + 250ms) == 50ms));
    BOOST_TEST((b.take_in_turn(start + 1h) == 0ms));
}

BOOST_AUTO_TEST_CASE(a_turn_beyond_the_deadline_takes_no_token) {
    token_bucket::clock::time_point const start{1h};
    token_bucket b(10, 1);
    BOOST_TEST((b.take_in_turn(start) == 0ms));
    BOOST_TEST(!b.take_in_turn(start, 100ms).has_value());
    BOOST_TEST(!b.take_in_turn(start, 50ms).has_value());
    BOOST_TEST((b.take_in_turn(start, 101ms) == 100ms));
    b.put(1, start); // it was given back
    BOOST_TEST((b.take_in_turn(start) == 100ms));
}

BOOST_AUTO_TEST_CASE(a_program_names_itself_before_the_library) {
    BOOST_TEST(user_agent_of("") == "");
    BOOST_TEST(user_agent_of("me/2 (mine)") == "me/2 (mine)");
    BOOST_TEST(user_agent_of("trainer/1.2").starts_with("trainer/1.2 (linux"));
    BOOST_TEST(user_agent_of("trainer/1.2").find(") kftrain/") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
