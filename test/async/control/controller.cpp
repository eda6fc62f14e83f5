#include "async/control/stepped_controller.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <stdexcept>

BOOST_AUTO_TEST_SUITE(async_controller)

using namespace controller_tests;

namespace {

/// Stands still until the test sets it forward.
struct still_clock final : controller_clock {
    instant now() override { return time; }
    void wake_at(instant when, std::function<void()> f) override {
        due = when;
        wake = std::move(f);
    }
    void cancel() override { wake = nullptr; }

    instant time{};
    instant due{};
    std::function<void()> wake;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_failure_is_logged_with_kind_key_and_error) {
    std::vector<std::string> records;
    auto o = stepped_controller::quick();
    o.name = "PyTorchJob";
    o.logger = logger([&](log_level, std::string_view message, std::initializer_list<log_field> fields) {
        std::string line(message);
        for (auto const& [key, value] : fields) line.append(" ").append(key).append("=").append(value);
        records.push_back(std::move(line));
    });
    stepped_controller w(o);
    w.start();
    w.c->enqueue("team/a");
    w.poll();
    reconcile_result r;
    r.why.message = "replacing PodGroup team/a: not today";
    --w.in_work["team/a"]; // which is tried again at once if the machine is busy
    std::move (*w.open.front().second)(errc::timeout, r);
    w.poll();
    BOOST_TEST_REQUIRE(records.size() == 1U);
    BOOST_TEST(records[0] == "reconcile failed kind=PyTorchJob key=team/a error=replacing PodGroup team/a: not today");
}

BOOST_AUTO_TEST_CASE(no_key_is_processed_before_the_controller_runs) {
    stepped_controller w;
    w.c->enqueue("a");
    w.poll();
    BOOST_TEST(w.begun.empty());
    w.start();
    BOOST_TEST(w.begun.size() == 1);
}

BOOST_AUTO_TEST_CASE(a_key_is_processed_by_one_worker_at_a_time_and_again_after_a_change) {
    controller_options o = stepped_controller::quick();
    o.workers = 3;
    stepped_controller w(o);
    w.start();
    for (int i = 0; i < 5; ++i) w.c->enqueue("a");
    w.poll();
    BOOST_TEST(w.begun.size() == 1);
    w.c->enqueue("a");
    w.c->enqueue("a");
    w.poll();
    BOOST_TEST(w.begun.size() == 1);
    w.finish();
    BOOST_TEST(w.begun.size() == 2);
    w.finish();
    w.run_for(20ms);
    BOOST_TEST(w.begun.size() == 2);
}

BOOST_AUTO_TEST_CASE(the_number_of_workers_limits_concurrent_keys) {
    controller_options o = stepped_controller::quick();
    o.workers = 2;
    stepped_controller w(o);
    w.start();
    for (char key : std::string("abcde")) w.c->enqueue(std::string(1, key));
    w.poll();
    BOOST_TEST(w.open.size() == 2);
    while (!w.open.empty()) w.finish();
    BOOST_TEST(w.begun.size() == 5);
    BOOST_TEST(w.most == 2);
}

BOOST_AUTO_TEST_CASE(a_failed_key_is_retried_after_a_delay) {
    stepped_controller w;
    w.start();
    w.c->enqueue("a");
    w.poll();
    for (int i = 0; i < 3; ++i) {
        w.finish(errc::timeout);
        w.run_for(30ms);
        BOOST_REQUIRE(w.open.size() == 1);
    }
    w.finish();
    w.run_for(20ms);
    BOOST_TEST(w.begun.size() == 4);
}

BOOST_AUTO_TEST_CASE(a_successful_reconcile_can_request_a_requeue) {
    stepped_controller w;
    w.start();
    w.c->enqueue("a");
    w.poll();
    w.finish({}, 20ms);
    w.run_for(2ms);
    BOOST_TEST(w.begun.size() == 1);
    w.run_for(60ms);
    BOOST_TEST(w.begun.size() == 2);
}

BOOST_AUTO_TEST_CASE(a_delayed_key_does_not_delay_an_earlier_one) {
    stepped_controller w;
    w.start();
    w.c->enqueue_after("late", 40ms);
    w.c->enqueue_after("soon", 5ms);
    w.poll();
    BOOST_TEST(w.begun.empty());
    w.run_for(20ms);
    BOOST_REQUIRE(w.begun.size() == 1);
    BOOST_TEST(w.begun[0] == "soon");
    w.finish();
    w.run_for(100ms);
    BOOST_TEST(w.begun.size() == 2);
}

BOOST_AUTO_TEST_CASE(an_exception_of_the_reconciler_is_a_failure) {
    asio::io_context io;
    auto& time = test::simulated_time::install(io);
    int calls = 0;
    controller c(
        io.get_executor(),
        [&](std::string, done h) {
            if (++calls < 3) throw std::runtime_error("broken");
            asio::post(io, [h = std::move(h)]() mutable { std::move(h)(error_code(), reconcile_result()); });
        },
        stepped_controller::quick());
    c.async_run([](error_code) {});
    c.enqueue("a");
    time.advance(60ms);
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(delays_use_the_given_clock) {
    auto const clock = std::make_shared<still_clock>();
    controller_options o = stepped_controller::quick();
    o.clock = clock;
    stepped_controller w(o);
    w.start();
    w.c->enqueue_after("a", 1h);
    w.c->enqueue("b");
    w.poll();
    BOOST_TEST(w.begun == std::vector<std::string>{"b"}, boost::test_tools::per_element());
    w.finish({}, 30min);
    BOOST_TEST((clock->due == still_clock::instant(30min)));
    w.run_for(20ms);
    BOOST_TEST(w.begun.size() == 1);
    clock->time += 30min;
    std::exchange(clock->wake, nullptr)();
    w.poll();
    BOOST_TEST(w.begun.size() == 2);
    w.finish(errc::invalid_argument); // comes again after the first waiting time of the retry policy
    BOOST_TEST((clock->due == still_clock::instant(30min + 1ms)));
    w.cancel();
    BOOST_TEST(!clock->wake);
    BOOST_TEST((w.ended == asio::error::operation_aborted));
}

BOOST_AUTO_TEST_SUITE_END()
