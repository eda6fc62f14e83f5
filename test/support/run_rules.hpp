#ifndef KFTRAIN_TEST_SUPPORT_RUN_RULES_HPP
#define KFTRAIN_TEST_SUPPORT_RUN_RULES_HPP

#include <kftrain/base/error.hpp>
#include <kftrain/kube/transport.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

/// Checks the rules of src/kube/async/run_scope.hpp on each class that has an async_run().
namespace run_rules {

using namespace kftrain;
namespace asio = boost::asio;

using run_handler = kube::any_handler<void(error_code)>;

/// The object under test. It is destroyed before its io_context, together with what it uses.
struct subject {
    subject() = default;
    subject(subject const&) = delete;
    subject& operator=(subject const&) = delete;
    virtual ~subject() = default;

    virtual void run(run_handler handler) = 0;
    /// Destroys what runs, and leaves what that uses.
    virtual void destroy() = 0;
};

/// Makes one that could run. What it keeps keeps the token, which counts.
using maker = std::function<std::unique_ptr<subject>(asio::io_context&, std::shared_ptr<int> const& token)>;

/// A handler that waits for the end of a run on an io_context of its own.
class waiter {
public:
    run_handler handler(asio::io_context& where, std::shared_ptr<int> token = {}) {
        return asio::bind_cancellation_slot(
            said_->stop.slot(),
            asio::bind_executor(where.get_executor(), [s = said_, &where, t = std::move(token)](error_code ec) {
                BOOST_TEST(where.get_executor().running_in_this_thread(), "the handler was called elsewhere");
                ++s->calls;
                s->ec = ec;
            }));
    }
    void cancel(asio::cancellation_type type = asio::cancellation_type::terminal) { said_->stop.emit(type); }
    bool called() const { return said_->calls != 0; }
    void check(error_code expected) const {
        BOOST_TEST(said_->calls == 1);
        BOOST_TEST(said_->ec == expected, said_->ec.message() << ", expected " << expected.message());
    }

private:
    struct state {
        int calls = 0;
        error_code ec;
        asio::cancellation_signal stop;
    };
    std::shared_ptr<state> said_ = std::make_shared<state>();
};

/// One that runs, and its handler's io_context.
struct trial {
    explicit trial(maker const& make) : it(make(*own, token)) {}
    trial(trial const&) = delete;
    trial& operator=(trial const&) = delete;
    ~trial() {
        it.reset();
        own.reset();
        elsewhere.reset();
        BOOST_TEST(token.use_count() == 1, "objects or handlers are left");
    }

    void run() { it->run(first.handler(*elsewhere, token)); }
    void turn(int turns = 60) {
        for (int i = 0; i < turns; ++i) {
            own->restart();
            own->poll_one();
        }
    }
    void turn_elsewhere() {
        elsewhere->restart();
        elsewhere->poll();
    }
    template <class Done> bool until(Done const& done) {
        auto const limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!done() && std::chrono::steady_clock::now() < limit) {
            own->restart();
            own->run_one_for(std::chrono::milliseconds(5));
            turn_elsewhere();
        }
        return done();
    }
    bool until_called(waiter const& w) {
        return until([&w] { return w.called(); });
    }
    static bool has_work(asio::io_context& io) {
        io.restart();
        io.poll();
        return !io.stopped();
    }

    std::shared_ptr<int> token = std::make_shared<int>();
    waiter first;
    std::unique_ptr<asio::io_context> elsewhere = std::make_unique<asio::io_context>();
    std::unique_ptr<asio::io_context> own = std::make_unique<asio::io_context>();
    std::unique_ptr<subject> it;
};

inline error_code const aborted = asio::error::operation_aborted;

/// Rule 1.
inline void runs_once_at_a_time(maker const& make) {
    for (int const turns : {0, 60}) {
        trial t(make);
        t.run();
        t.turn(turns);
        waiter second;
        t.it->run(second.handler(*t.elsewhere));
        t.turn_elsewhere();
        BOOST_TEST(!second.called(), "refused from inside");
        BOOST_REQUIRE(t.until_called(second));
        second.check(errc::already_running);
        BOOST_TEST(!t.first.called(), "the first run has ended");
        t.first.cancel();
        BOOST_REQUIRE(t.until_called(t.first));
        t.first.check(aborted);
    }
}

/// Rule 2.
inline void runs_again(maker const& make, bool again) {
    trial t(make);
    t.run();
    t.turn();
    t.first.cancel();
    BOOST_REQUIRE(t.until_called(t.first));
    waiter second;
    t.it->run(second.handler(*t.elsewhere));
    t.first.cancel(); // which says nothing any more
    t.turn();
    t.turn_elsewhere();
    BOOST_TEST(second.called() != again);
    if (again) second.cancel();
    BOOST_REQUIRE(t.until_called(second));
    second.check(again ? aborted : make_error_code(errc::ended));
    t.first.check(aborted);
}

/// Rule 3.
inline void keeps_both_at_work(maker const& make) {
    trial t(make);
    t.run();
    for (int const turns : {0, 1, 60}) {
        t.turn(turns);
        BOOST_TEST(trial::has_work(*t.own), "the executor ran out after " << turns << " turns");
        BOOST_TEST(trial::has_work(*t.elsewhere), "the handler's executor ran out after " << turns << " turns");
    }
    t.first.cancel();
    BOOST_REQUIRE(t.until_called(t.first));
    BOOST_TEST(!trial::has_work(*t.elsewhere), "the handler's executor is kept after the end");
}

/// Rule 4.
inline void ends_when_destroyed(maker const& make) {
    for (int const turns : {0, 1, 2, 60}) {
        trial t(make);
        t.run();
        t.turn(turns);
        t.it->destroy();
        t.turn_elsewhere();
        BOOST_TEST(!t.first.called(), "called from the destructor");
        BOOST_REQUIRE(t.until_called(t.first));
        t.first.check(aborted);
    }
    trial t(make);
    bool called = false;
    t.it->run([&called](error_code) { called = true; });
    t.turn();
    bool const before = called;
    bool inside = false;
    asio::post(*t.own, [&] {
        t.it->destroy();
        inside = called;
    });
    BOOST_TEST(t.until([&called] { return called; }), "not called after the destructor");
    BOOST_TEST(!before);
    BOOST_TEST(!inside, "called from the destructor, on the executor");
}

/// Rule 5.
inline void ends_when_cancelled(maker const& make) {
    using type = asio::cancellation_type;
    for (auto const how : {type::total, type::partial, type::terminal}) {
        for (int const turns : {0, 60}) {
            trial t(make);
            t.run();
            t.turn(turns);
            t.first.cancel(how);
            t.turn_elsewhere();
            BOOST_TEST(!t.first.called(), "called from inside the signal");
            BOOST_REQUIRE(t.until_called(t.first));
            t.first.check(aborted);
        }
    }
}

/// Rule 6; the trial's destructor looks.
inline void leaves_nothing(maker const& make) {
    for (int const turns : {0, 1, 2, 5, 60}) {
        for (int const what : {0, 1, 2}) {
            BOOST_TEST_INFO_SCOPE(turns << " turns, " << what);
            trial t(make);
            t.run();
            t.turn(turns);
            if (what == 1) t.first.cancel();
            if (what == 2) t.it->destroy();
        }
    }
}

} // namespace run_rules

#endif
