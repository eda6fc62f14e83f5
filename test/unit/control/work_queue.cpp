#include <kftrain/control/work_queue.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(control_work_queue)

using kftrain::control::retry_policy;
using kftrain::control::work_queue;
using namespace std::chrono_literals;

namespace {

work_queue::instant at(std::chrono::milliseconds t) { return work_queue::instant() + t; }

/// When the queue will hand out the key next.
std::chrono::milliseconds next(work_queue const& q) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(q.next_ready().value().time_since_epoch());
}

} // namespace

BOOST_AUTO_TEST_CASE(keys_come_in_the_order_in_which_they_were_added) {
    work_queue q;
    BOOST_TEST(!q.take(at(0ms)));
    q.add("b");
    q.add("a");
    BOOST_TEST(q.ready() == 2);
    BOOST_TEST(q.take(at(0ms)).value() == "b");
    BOOST_TEST(q.take(at(0ms)).value() == "a");
    BOOST_TEST(!q.take(at(0ms)));
    BOOST_TEST(q.in_work() == 2);
}

BOOST_AUTO_TEST_CASE(equal_keys_are_merged) {
    work_queue q;
    for (int i = 0; i < 3; ++i) q.add("a");
    BOOST_TEST(q.ready() == 1);
    BOOST_TEST(q.take(at(0ms)).value() == "a");
    BOOST_TEST(!q.take(at(0ms)));
}

BOOST_AUTO_TEST_CASE(a_key_in_process_is_not_returned_again_before_done) {
    work_queue q;
    q.add("a");
    BOOST_TEST(q.take(at(0ms)).value() == "a");
    q.add("a");
    q.add("a");
    BOOST_TEST(!q.take(at(0ms)));
    q.done("a");
    BOOST_TEST(q.take(at(0ms)).value() == "a");
    q.done("a");
    BOOST_TEST(!q.take(at(0ms)));
    BOOST_TEST(q.in_work() == 0);
}

BOOST_AUTO_TEST_CASE(a_key_added_during_processing_is_queued_last) {
    work_queue q;
    q.add("a");
    BOOST_TEST(q.take(at(0ms)).value() == "a");
    q.add("a");
    q.add("b");
    q.done("a");
    BOOST_TEST(q.take(at(0ms)).value() == "b");
    BOOST_TEST(q.take(at(0ms)).value() == "a");
}

BOOST_AUTO_TEST_CASE(done_for_a_key_that_was_not_taken_has_no_effect) {
    work_queue q;
    q.add("a");
    q.done("a");
    q.done("b");
    BOOST_TEST(q.ready() == 1);
    BOOST_TEST(q.take(at(0ms)).value() == "a");
    BOOST_TEST(!q.take(at(0ms)));
}

BOOST_AUTO_TEST_CASE(a_delayed_key_is_available_after_its_delay) {
    work_queue q;
    q.add_at("a", at(10ms));
    BOOST_TEST(!q.take(at(9ms)));
    BOOST_TEST(next(q).count() == 10);
    BOOST_TEST(q.take(at(10ms)).value() == "a");
    BOOST_TEST(!q.next_ready());
}

BOOST_AUTO_TEST_CASE(the_earliest_of_several_delays_applies) {
    work_queue q;
    q.add_at("a", at(10ms));
    q.add_at("b", at(10ms));
    q.add_at("a", at(20ms));
    BOOST_TEST(next(q).count() == 10);
    q.add_at("a", at(5ms));
    BOOST_TEST(next(q).count() == 5);
    BOOST_TEST(q.take(at(5ms)).value() == "a");
    q.done("a");
    BOOST_TEST(q.take(at(30ms)).value() == "b");
    BOOST_TEST(!q.take(at(30ms)));
}

BOOST_AUTO_TEST_CASE(a_delay_that_ends_during_processing_requeues_the_key) {
    work_queue q;
    q.add("a");
    BOOST_TEST(q.take(at(0ms)).value() == "a");
    q.add_at("a", at(1ms));
    BOOST_TEST(!q.take(at(2ms)));
    q.done("a");
    BOOST_TEST(q.take(at(2ms)).value() == "a");
}

// client-go's default: 5 ms, doubled per failure, at most 1000 s there; here the limit is part of the policy.
BOOST_AUTO_TEST_CASE(the_wait_doubles_with_each_failure_up_to_the_limit) {
    retry_policy policy;
    policy.first = 5ms;
    policy.limit = 100ms;
    work_queue q(policy);
    for (int expected : {5, 10, 20, 40, 80, 100, 100}) {
        q.add_failed("a", at(0ms));
        BOOST_TEST(next(q).count() == expected);
        BOOST_TEST(q.take(at(std::chrono::milliseconds(expected))).value() == "a");
        q.done("a");
    }
    q.forget("a");
    q.add_failed("a", at(0ms));
    BOOST_TEST(next(q).count() == 5);
}

BOOST_AUTO_TEST_CASE(failures_are_counted_per_key_and_never_overflow) {
    work_queue q;
    for (int i = 0; i < 100; ++i) {
        q.add_failed("a", at(0ms));
        BOOST_TEST(q.take(at(300'000ms)).value() == "a");
        q.done("a");
    }
    q.add_failed("a", at(0ms));
    BOOST_TEST(next(q).count() == 300'000);
    q.add_failed("b", at(0ms));
    BOOST_TEST(next(q).count() == 5);
}

BOOST_AUTO_TEST_SUITE_END()
