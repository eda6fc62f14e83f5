#include "async/control/leadership/leading_operators.hpp"

BOOST_AUTO_TEST_SUITE(async_operator_ends)

using namespace leading_tests;

// Requests that are under way when an operator ends.

BOOST_AUTO_TEST_CASE(a_destroyed_operator_writes_nothing_while_its_elector_leads) {
    without_operator w;
    auto const elector =
        std::make_shared<leader_elector>(kube::client(w.server.transport()), for_election("a", w.time));
    candidate a(w, candidate::sharing(elector));
    elector->async_run([](error_code) {});
    a.hold_pods();
    w.submit(sample(2));
    w.until([&] { return a.link->under_way() != 0; });
    auto const sent = a.link->sent.size();
    auto const before = a.link->acknowledged.size();
    a.op.reset();
    while (a.link->under_way() != 0) a.link->answer();
    w.run(100ms);
    BOOST_TEST(elector->is_leader());
    BOOST_TEST(a.link->sent.size() == sent);
    BOOST_TEST(a.link->acknowledged.size() <= before + 1); // what was under way arrived all the same
}

BOOST_AUTO_TEST_CASE(requests_that_wait_for_a_retry_do_not_block_others) {
    auto const slow = kube::client_options().with_requests_per_second(0.01).with_burst(8);
    for (bool const with_retry_after : {true, false})
        for (bool const lost : {true, false})
            BOOST_TEST_CONTEXT("Retry-After: " << with_retry_after << ", lost: " << lost) {
                without_operator w;
                auto options = lost ? candidate::standing("a", w.time) : candidate::options_type();
                options.shutdown_grace = 30ms;
                candidate a(w, std::move(options), with_retry_after ? kube::client_options() : slow);
                w.time->advance(0ms);
                int refused = 0;
                a.link->judge = [&](kube::http_request const& r) -> std::optional<test::fault> {
                    if (!with_retry_after || !is_create_of(r, "/pods")) return {};
                    ++refused;
                    return test::fault::answer(429, "TooManyRequests", "busy").field("Retry-After", "60");
                };
                w.submit(sample(20));
                w.run(100ms);
                BOOST_TEST((refused != 0) == with_retry_after);
                BOOST_TEST(w.names_of(w.pods).size() < 21U);
                if (lost)
                    a.link->judge = [](kube::http_request const&) {
                        return std::optional(test::fault::error(errc::unreachable));
                    };
                else
                    a.cancel();
                w.time->advance(lost ? 10s : 0s);
                w.until([&] { return a.has_ended(); });
                a.expect_end(lost ? make_error_code(errc::leadership_lost) : cancelled);
            }
}

BOOST_AUTO_TEST_CASE(waits_of_an_ended_run_do_not_end_the_next_run) {
    without_operator w;
    candidate::options_type options;
    options.shutdown_grace = 30ms;
    candidate a(w, std::move(options));
    a.link->holds = [](kube::http_request const& r) { return is_create_of(r, "/events"); };
    w.submit(sample(40));
    w.until_conditions("Created=True");
    a.cancel();
    w.operator_cluster::time.run_freely();
    w.io.restart();
    while (!a.has_ended()) w.io.run_one(); // the events are not dropped yet
    w.operator_cluster::time.run_freely(false);
    a.expect_end(cancelled);
    a.link->holds = {};
    a.run();
    w.run(200ms);
    BOOST_TEST(!a.has_ended());
}

BOOST_AUTO_TEST_SUITE_END()
