#include "kube/async/run_scope.hpp"

#include <kftrain/kube/then_complete.hpp>

#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/test/unit_test.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(async_run_scope)

using namespace kftrain;
using namespace kftrain::kube;

namespace {

error_code const aborted = asio::error::operation_aborted;

/// Counts what it gives out.
template <class T> struct counting_allocator {
    using value_type = T;

    explicit counting_allocator(int& n) : count(&n) {}
    template <class U> counting_allocator(counting_allocator<U> const& o) : count(o.count) {}
    T* allocate(std::size_t n) {
        ++*count;
        return std::allocator<T>().allocate(n);
    }
    void deallocate(T* p, std::size_t n) { std::allocator<T>().deallocate(p, n); }
    template <class U> bool operator==(counting_allocator<U> const& o) const { return count == o.count; }

    int* count;
};

using part = any_handler<void(error_code)>;

struct parts_of_a_run {
    void poll() {
        io.restart();
        io.poll();
    }
    auto note() {
        return asio::bind_cancellation_slot(stop.slot(), [this](error_code ec) { ended.push_back(ec); });
    }
    /// Begins a part that ends when the test says so, or is cancelled.
    void add(run_scope& s) {
        s.add([this](part h) {
            auto slot = asio::get_associated_cancellation_slot(h);
            auto const at = parts.size();
            parts.push_back(std::make_unique<part>(std::move(h)));
            slot.assign([this, at](asio::cancellation_type) { finish(at, aborted); });
        });
    }
    void finish(std::size_t i, error_code ec) {
        if (parts[i]) asio::post(io, asio::append(std::move(*std::exchange(parts[i], nullptr)), ec));
    }

    asio::io_context io;
    asio::cancellation_signal stop;
    std::vector<std::unique_ptr<part>> parts;
    std::vector<error_code> ended;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_closed_scope_starts_no_run) {
    parts_of_a_run w;
    run_scope s(w.io.get_executor());
    s.close();
    BOOST_TEST(!s.begin(w.note()));
    BOOST_TEST(w.ended.empty());
    w.poll();
    BOOST_TEST((w.ended == std::vector{aborted}));
}

BOOST_AUTO_TEST_CASE(the_end_of_one_part_ends_the_run) {
    parts_of_a_run w;
    run_scope s(w.io.get_executor());
    for (int run = 0; run < 2; ++run) { // the second knows nothing of the first
        w.parts.clear();
        w.ended.clear();
        BOOST_TEST(s.begin(w.note()));
        w.add(s);
        w.add(s);
        w.finish(1, run == 0 ? errc::timeout : errc::deleted);
        w.poll();
        BOOST_REQUIRE(w.ended.size() == 1);
        BOOST_TEST(w.ended[0] == make_error_code(run == 0 ? errc::timeout : errc::deleted));
        BOOST_TEST(!s.going());
        BOOST_TEST(!s.has_parts());
    }
}

BOOST_AUTO_TEST_CASE(a_late_cancellation_does_not_affect_the_next_run) {
    parts_of_a_run w;
    run_scope s(w.io.get_executor());
    s.begin(w.note());
    s.end(errc::timeout); // and the handler is not called yet
    std::vector<error_code> next;
    bool cancelled = false;
    s.begin([&](error_code ec) { next.push_back(ec); }, [&] { cancelled = true; });
    w.stop.emit(asio::cancellation_type::terminal);
    w.poll();
    BOOST_REQUIRE(w.ended.size() == 1);
    BOOST_TEST(w.ended[0] == make_error_code(errc::timeout));
    BOOST_TEST(!cancelled);
    BOOST_TEST(next.empty());
}

BOOST_AUTO_TEST_CASE(a_cancellation_is_handled_on_the_executor) {
    parts_of_a_run w;
    run_scope s(w.io.get_executor());
    bool cancelled = false;
    s.begin(w.note(), [&] { cancelled = w.io.get_executor().running_in_this_thread(); });
    w.stop.emit(asio::cancellation_type::total);
    BOOST_TEST(!cancelled);
    w.poll();
    BOOST_TEST(cancelled);
}

BOOST_AUTO_TEST_CASE(parts_that_end_after_the_scope_is_destroyed_are_ignored) {
    parts_of_a_run w;
    bool reported = false;
    {
        run_scope s(w.io.get_executor(), [&](error_code) { reported = true; });
        s.begin(w.note());
        w.add(s);
    }
    w.poll();
    BOOST_TEST(!reported);
    BOOST_REQUIRE(w.ended.size() == 1);
    BOOST_TEST(w.ended[0] == aborted);
}

BOOST_AUTO_TEST_CASE(a_run_without_a_handler_keeps_the_io_context_running) {
    parts_of_a_run w;
    run_scope s(w.io.get_executor());
    BOOST_TEST(s.begin({}));
    w.poll();
    BOOST_TEST(!w.io.stopped());
    s.end(aborted);
    w.poll();
    BOOST_TEST(w.io.stopped());
}

BOOST_AUTO_TEST_CASE(a_substitute_handler_keeps_executor_and_cancellation) {
    asio::io_context io, other;
    asio::cancellation_signal stop;
    int allocations = 0;
    std::vector<int> got;
    any_handler<void(error_code, int)> caller = asio::bind_cancellation_slot(
        stop.slot(),
        asio::bind_allocator(counting_allocator<void>(allocations),
                             asio::bind_executor(other.get_executor(), [&](error_code, int n) { got.push_back(n); })));
    kube::detail::then_complete stand_in(std::move(caller),
                                         [](any_handler<void(error_code, int)> h, error_code ec, char const* text) {
                                             std::move(h)(ec, std::stoi(text));
                                         });
    BOOST_TEST((asio::get_associated_executor(stand_in, asio::any_completion_executor(io.get_executor())) ==
                asio::any_completion_executor(other.get_executor())));
    bool cancelled = false;
    asio::get_associated_cancellation_slot(stand_in).assign([&](asio::cancellation_type) { cancelled = true; });
    stop.emit(asio::cancellation_type::total);
    BOOST_TEST(cancelled);
    int const before = allocations;
    any_handler<void(error_code, char const*)> inner = std::move(stand_in);
    BOOST_TEST(allocations == before, "made with the allocator of a handler that may go first");
    asio::dispatch(asio::append(std::move(inner), error_code(), "42"));
    BOOST_TEST(got.empty());
    other.poll();
    BOOST_REQUIRE(got.size() == 1);
    BOOST_TEST(got[0] == 42);
}

BOOST_AUTO_TEST_CASE(a_handler_without_an_executor_gets_that_of_the_operation) {
    asio::io_context io;
    kube::detail::then_complete const plain(any_handler<void(error_code)>([](error_code) {}),
                                            [](any_handler<void(error_code)>, error_code) {});
    asio::any_completion_executor const own(io.get_executor());
    BOOST_TEST((asio::get_associated_executor(plain, own) == own));
}

BOOST_AUTO_TEST_SUITE_END()
