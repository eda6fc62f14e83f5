#include "facade/logs/log_retry.hpp"

#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

// How long the request for an unreadable log is repeated.

BOOST_AUTO_TEST_SUITE(unit_facade_log_retry)

using namespace kftrain;
using namespace std::chrono_literals;

namespace {

/// Attempts that all fail so, each at once, in a time that the test owns.
struct failing {
    explicit failing(log_fault f) : fault(f) {}

    /// For so long, or until the log is given up. True: the request is still repeated.
    bool lasts(std::chrono::milliseconds time, bool over) {
        for (auto const end = now + time; now < end;) {
            auto const pause = retry.next(fault, over, now, 1);
            ++attempts;
            if (!pause) return false;
            BOOST_TEST(pause->count() > 0);
            longest = std::max(longest, *pause);
            now += *pause;
        }
        return true;
    }

    log_fault fault;
    log_retry retry;
    log_retry::clock::time_point now{1h};
    std::chrono::milliseconds longest{0};
    int attempts = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(an_unreachable_server_is_retried_without_limit) {
    for (auto const outage : {1s, 5s, 30s, 36'000s})
        for (bool const over : {false, true}) {
            failing server(log_fault::server_away);
            BOOST_TEST(server.lasts(outage, over), outage.count());
            BOOST_TEST(server.longest.count() <= log_retry::longest_pause.count());
        }
}

BOOST_AUTO_TEST_CASE(a_node_is_retried_while_the_run_can_continue) {
    failing node(log_fault::node_away);
    BOOST_TEST(node.lasts(1h, false));
}

BOOST_AUTO_TEST_CASE(a_node_is_retried_for_a_minute_after_the_run) {
    failing node(log_fault::node_away);
    BOOST_TEST(node.lasts(10min, false));
    BOOST_TEST(node.lasts(log_retry::node_patience - 1s, true));
    BOOST_TEST(!node.lasts(10s, true));
}

BOOST_AUTO_TEST_CASE(the_retry_time_of_a_node_restarts_after_an_outage_or_new_lines) {
    for (bool const lines : {false, true}) {
        failing node(log_fault::node_away);
        BOOST_TEST(node.lasts(log_retry::node_patience - 6s, true));
        if (lines)
            node.retry.progress();
        else
            (void)node.retry.next(log_fault::server_away, true, node.now, 1);
        BOOST_TEST(node.lasts(log_retry::node_patience - 6s, true));
    }
}

BOOST_AUTO_TEST_CASE(a_rejection_is_final_after_a_few_attempts) {
    failing refusing(log_fault::refused);
    BOOST_TEST(!refusing.lasts(1min, false));
    BOOST_TEST(refusing.attempts == static_cast<int>(log_retry::most_refusals));
}

BOOST_AUTO_TEST_CASE(an_outage_between_refusals_resets_their_count) {
    log_retry retry;
    log_retry::clock::time_point const now{1h};
    for (unsigned i = 0; i != 3 * log_retry::most_refusals; ++i) {
        auto const fault = i % 2 == 0 ? log_fault::refused : log_fault::server_away;
        BOOST_TEST(retry.next(fault, false, now, 1).has_value());
    }
}

BOOST_AUTO_TEST_CASE(progress_resets_the_delays) {
    failing server(log_fault::server_away);
    BOOST_TEST(server.lasts(30s, false));
    server.retry.progress();
    BOOST_TEST(server.retry.next(log_fault::server_away, false, server.now, 1)->count() ==
               log_retry::first_pause.count());
}

BOOST_AUTO_TEST_CASE(outages_and_refusals_are_distinguished) {
    auto const status = [](unsigned s) {
        diagnostics d;
        d.http_status = s;
        return d;
    };
    for (unsigned const s : {429U, 500U, 502U, 503U, 504U, 599U}) BOOST_TEST(is_outage(to_reason("", s), status(s)), s);
    for (unsigned const s : {400U, 401U, 403U, 404U, 409U, 410U, 422U})
        BOOST_TEST(!is_outage(to_reason("", s), status(s)), s);
    for (auto const e : {errc::unreachable, errc::connection_lost, errc::timeout, errc::protocol})
        BOOST_TEST(is_outage(e, diagnostics()), error_code(e).message());
    BOOST_TEST(is_outage(boost::asio::error::connection_refused, diagnostics()));
    BOOST_TEST(is_outage(boost::asio::error::connection_reset, diagnostics()));
    BOOST_TEST(is_outage(boost::asio::error::host_not_found, diagnostics()));
    for (auto const e : {errc::invalid_argument, errc::incomplete, errc::helper_failed})
        BOOST_TEST(!is_outage(e, diagnostics()), error_code(e).message());
}

BOOST_AUTO_TEST_SUITE_END()
