#include <kftrain/control/controller.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <map>
#include <stdexcept>

using namespace kftrain;
using namespace kftrain::control;
using namespace std::chrono_literals;

namespace {

using done = any_handler<void(error_code, reconcile_result)>;

/// Keeps the handlers of reconciles so that the test decides when and how they end.
struct world {
    explicit world(controller_options o = quick())
        : c(std::make_unique<controller>(io.get_executor(), work(), std::move(o))) {}

    static controller_options quick() {
        controller_options o;
        o.retry.first = 1ms;
        o.retry.limit = 4ms;
        return o;
    }
    reconcile_function work() {
        return [this](std::string key, done h) {
            BOOST_TEST(++in_work[key] == 1, key << " is in work twice at once");
            most = std::max(most, ++all_in_work);
            begun.push_back(key);
            open.emplace_back(std::move(key), std::make_unique<done>(std::move(h)));
        };
    }
    void start() {
        c->async_run(asio::bind_cancellation_slot(stop.slot(), [this](error_code ec) {
            BOOST_TEST(!ended.has_value());
            ended = ec;
        }));
        poll();
    }
    void poll() {
        io.restart();
        io.poll();
    }
    void run_for(std::chrono::milliseconds t) {
        io.restart();
        io.run_for(t);
    }
    void cancel() {
        stop.emit(asio::cancellation_type::terminal);
        poll();
    }
    /// Ends the reconcile that began first.
    void finish(error_code ec = {}, std::optional<std::chrono::milliseconds> again = {}) {
        auto [key, handler] = std::move(open.front());
        open.pop_front();
        --in_work[key];
        --all_in_work;
        reconcile_result r;
        r.requeue_after = again;
        std::move (*handler)(ec, r);
        poll();
    }

    asio::io_context io;
    std::map<std::string, int> in_work;
    int all_in_work = 0;
    int most = 0;
    std::vector<std::string> begun;
    std::deque<std::pair<std::string, std::unique_ptr<done>>> open;
    asio::cancellation_signal stop;
    std::optional<error_code> ended;
    std::unique_ptr<controller> c;
};

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

BOOST_AUTO_TEST_SUITE(async_controller)

BOOST_AUTO_TEST_CASE(a_failure_is_logged_with_kind_key_and_what_went_wrong) {
    std::vector<std::string> records;
    auto o = world::quick();
    o.name = "PyTorchJob";
    o.logger = logger([&](log_level, std::string_view message, std::initializer_list<log_field> fields) {
        std::string line(message);
        for (auto const& [key, value] : fields) line.append(" ").append(key).append("=").append(value);
        records.push_back(std::move(line));
    });
    world w(o);
    w.start();
    w.c->enqueue("team/a");
    w.poll();
    reconcile_result r;
    r.why.message = "replacing PodGroup team/a: not today";
    std::move (*w.open.front().second)(errc::timeout, r);
    w.poll();
    BOOST_TEST_REQUIRE(records.size() == 1U);
    BOOST_TEST(records[0] == "reconcile failed kind=PyTorchJob key=team/a error=replacing PodGroup team/a: not today");
}

BOOST_AUTO_TEST_CASE(nothing_is_done_before_it_runs) {
    world w;
    w.c->enqueue("a");
    w.poll();
    BOOST_TEST(w.begun.empty());
    w.start();
    BOOST_TEST(w.begun.size() == 1);
}

BOOST_AUTO_TEST_CASE(a_key_is_never_in_work_twice_at_once_and_comes_again_when_it_changed) {
    controller_options o = world::quick();
    o.workers = 3;
    world w(o);
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

BOOST_AUTO_TEST_CASE(no_more_keys_than_workers_are_in_work) {
    controller_options o = world::quick();
    o.workers = 2;
    world w(o);
    w.start();
    for (char key : std::string("abcde")) w.c->enqueue(std::string(1, key));
    w.poll();
    BOOST_TEST(w.open.size() == 2);
    while (!w.open.empty()) w.finish();
    BOOST_TEST(w.begun.size() == 5);
    BOOST_TEST(w.most == 2);
}

BOOST_AUTO_TEST_CASE(a_failure_comes_again_after_a_while) {
    world w;
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

BOOST_AUTO_TEST_CASE(success_can_ask_to_come_again) {
    world w;
    w.start();
    w.c->enqueue("a");
    w.poll();
    w.finish({}, 20ms);
    w.run_for(2ms);
    BOOST_TEST(w.begun.size() == 1);
    w.run_for(60ms);
    BOOST_TEST(w.begun.size() == 2);
}

BOOST_AUTO_TEST_CASE(a_delayed_key_comes_later_and_an_earlier_one_is_not_held_back) {
    world w;
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

BOOST_AUTO_TEST_CASE(an_exception_counts_as_a_failure) {
    asio::io_context io;
    int calls = 0;
    controller c(
        io.get_executor(),
        [&](std::string, done h) {
            if (++calls < 3) throw std::runtime_error("broken");
            asio::post(io, [h = std::move(h)]() mutable { std::move(h)(error_code(), reconcile_result()); });
        },
        world::quick());
    c.async_run([](error_code) {});
    c.enqueue("a");
    io.run_for(60ms);
    BOOST_TEST(calls == 3);
}

BOOST_AUTO_TEST_CASE(cancellation_waits_for_the_work_in_hand_and_takes_nothing_new) {
    world w;
    w.start();
    w.c->enqueue("a");
    w.c->enqueue("b");
    w.poll();
    w.cancel();
    BOOST_TEST(!w.ended.has_value());
    w.c->enqueue("c");
    w.poll();
    BOOST_TEST(w.begun.size() == 1);
    w.finish();
    BOOST_REQUIRE(w.ended.has_value());
    BOOST_TEST(*w.ended == asio::error::operation_aborted);
    BOOST_TEST(w.begun.size() == 1);
}

BOOST_AUTO_TEST_CASE(an_idle_one_ends_at_once_and_can_run_again) {
    world w;
    w.start();
    w.cancel();
    BOOST_REQUIRE(w.ended.has_value());
    w.ended.reset();
    w.c->enqueue("a");
    w.start();
    BOOST_TEST(w.begun.size() == 1);
    BOOST_TEST(!w.ended.has_value());
}

BOOST_AUTO_TEST_CASE(it_keeps_the_io_context_running_until_it_ends) {
    world w;
    w.start();
    BOOST_TEST(!w.io.stopped());
    w.cancel();
    BOOST_TEST(w.io.stopped());
}

BOOST_AUTO_TEST_CASE(only_one_run_at_a_time) {
    world w;
    w.start();
    std::optional<error_code> second;
    w.c->async_run([&](error_code ec) { second = ec; });
    BOOST_TEST(!second.has_value());
    w.poll();
    BOOST_REQUIRE(second.has_value());
    BOOST_TEST(*second == make_error_code(errc::invalid_argument));
    BOOST_TEST(!w.ended.has_value());
}

BOOST_AUTO_TEST_CASE(destroying_it_ends_the_run_and_does_not_wait_for_work) {
    world w;
    w.start();
    w.c->enqueue("a");
    w.c->enqueue_after("b", 1ms);
    w.poll();
    w.c.reset();
    BOOST_TEST(!w.ended.has_value());
    w.poll();
    BOOST_REQUIRE(w.ended.has_value());
    BOOST_TEST(*w.ended == asio::error::operation_aborted);
    w.finish(errc::timeout); // what was in work may still end
    w.run_for(20ms);
    BOOST_TEST(w.begun.size() == 1);
}

BOOST_AUTO_TEST_CASE(a_clock_of_the_callers_own_tells_when_keys_are_due) {
    auto const clock = std::make_shared<still_clock>();
    controller_options o = world::quick();
    o.clock = clock;
    world w(o);
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
