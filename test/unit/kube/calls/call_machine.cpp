#include "unit/kube/calls/call_script.hpp"

BOOST_AUTO_TEST_SUITE(kube_call_machine)

using namespace call_script;

BOOST_AUTO_TEST_CASE(a_successful_answer_is_read_to_its_end) {
    script s(get());
    BOOST_TEST(s.start() == "send");
    BOOST_TEST(s.opens(200) == "read");
    BOOST_TEST(s.piece(pod_text.substr(0, 20)) == "read");
    BOOST_TEST(s.piece(pod_text.substr(20)) == "read");
    BOOST_TEST(s.ends() == "done");
    BOOST_TEST(!s.ended_with);
    BOOST_TEST(s.machine.take_text() == pod_text);
    BOOST_TEST(s.machine.status() == 200U);
}

/// Which statuses are retried, with which delay, for a read and for a write.
BOOST_AUTO_TEST_CASE(the_status_and_the_method_decide_about_a_retry) {
    struct row {
        unsigned code;
        std::string retry_after;
        std::string read;
        std::string write;
    };
    for (auto const& r : std::vector<row>{{301, "", "done", "done"},
                                          {400, "", "done", "done"},
                                          {401, "", "done", "done"},
                                          {403, "1", "done", "done"},
                                          {404, "", "done", "done"},
                                          {408, "", "done", "done"},
                                          {409, "1", "done", "done"},
                                          {410, "", "done", "done"},
                                          {429, "", "rest 100", "rest 100"},
                                          {429, "0", "rest 100", "rest 100"},
                                          {429, "7", "rest 7000", "rest 7000"},
                                          {500, "", "rest 100", "done"},
                                          {500, "7", "rest 7000", "done"},
                                          {501, "", "done", "done"},
                                          {502, "", "rest 100", "done"},
                                          {503, "", "rest 100", "done"},
                                          {503, "0", "rest 100", "rest 100"},
                                          {503, "7", "rest 7000", "rest 7000"},
                                          {504, "", "rest 100", "done"},
                                          {504, "7", "rest 7000", "done"},
                                          {505, "", "done", "done"}})
        for (bool const reads : {true, false}) {
            script s(reads ? get() : create());
            s.start();
            auto const next = s.answers(r.code, "", r.retry_after);
            BOOST_TEST(next.substr(0, next.find(':')) == (reads ? r.read : r.write), r.code << " " << r.retry_after);
            BOOST_TEST(s.machine.status() == r.code);
            if (!next.starts_with("rest")) continue;
            BOOST_TEST(s.rested() == "send");
            BOOST_TEST(s.answers(reads ? 200 : 201, reads ? pod_text : "{}") == "done");
        }
}

/// A redirect is not followed: credentials would go to another server.
BOOST_AUTO_TEST_CASE(a_redirect_is_an_error) {
    script s(get());
    s.start();
    BOOST_TEST(s.opens(302, {{"Location", "https://other/"}}) == "read");
    BOOST_TEST(s.ends() == "done: GET /api/v1/namespaces/d/pods/a: HTTP status 302");
    BOOST_TEST(bool(s.ended_with));
}

BOOST_AUTO_TEST_CASE(which_failed_connections_are_retried) {
    struct row {
        error_code ec;
        bool again;
    };
    for (auto const& r : std::vector<row>{{refused, true},
                                          {errc::unreachable, true},
                                          {make_error_code(boost::system::errc::host_unreachable), true},
                                          {errc::connection_lost, false}, // the request may have been carried out
                                          {errc::protocol, false},
                                          {errc::timeout, false},
                                          {errc::tls_failed, false},
                                          {reason::unauthorized, false},
                                          {aborted, false}})
        for (auto const& request : {get(), create()}) {
            script s(request);
            s.start();
            BOOST_TEST(s.fails(r.ec).starts_with(r.again ? "rest 100" : "done: "), r.ec);
        }
}

BOOST_AUTO_TEST_CASE(a_failed_connection_is_described) {
    script s(get());
    s.start();
    BOOST_TEST(s.fails(errc::protocol, ": cause: more") ==
               "done: GET /api/v1/namespaces/d/pods/a: " + make_error_code(errc::protocol).message() + ": cause: more");
}

BOOST_AUTO_TEST_CASE(delays_double_up_to_ten_seconds_and_are_multiplied_by_the_jitter) {
    script s(get(), timeout(0ms));
    s.start();
    std::vector<std::string> delays;
    for (int i = 0; i < 9; ++i) {
        delays.push_back(s.answers(429));
        BOOST_TEST(s.rested() == "send");
    }
    std::vector<std::string> const wanted{"rest 100",  "rest 200",  "rest 400",   "rest 800",  "rest 1600",
                                          "rest 3200", "rest 6400", "rest 10000", "rest 10000"};
    BOOST_TEST(delays == wanted, boost::test_tools::per_element());
    BOOST_TEST(s.answers(429).starts_with("done")); // the tenth attempt is the last
    script t(get());
    t.jitter = 0.25;
    t.start();
    BOOST_TEST(t.answers(500) == "rest 25");
    t.rested();
    BOOST_TEST(t.answers(500) == "rest 50");
}

BOOST_AUTO_TEST_CASE(attempts_have_a_limit_and_unreached_servers_a_lower_one) {
    auto const attempts = [](client_options o, bool reached) {
        script s(get(), timeout(0ms), std::move(o));
        s.start();
        for (int n = 1;; ++n) {
            auto const next = reached ? s.answers(500) : s.fails(refused);
            if (!next.starts_with("rest")) return n;
            BOOST_TEST(s.rested() == "send");
        }
    };
    BOOST_TEST(attempts({}, true) == 10);
    BOOST_TEST(attempts({}, false) == 5);
    BOOST_TEST(attempts(client_options().with_max_attempts(2), true) == 2);
    BOOST_TEST(attempts(client_options().with_max_attempts(2), false) == 2);
    BOOST_TEST(attempts(client_options().with_max_connect_attempts(3), false) == 3);
}

BOOST_AUTO_TEST_CASE(neither_a_stream_nor_a_call_without_retry_is_repeated) {
    script once(get(), call_options().with_retry(false));
    once.start();
    BOOST_TEST(once.answers(429).starts_with("done"));
    script stream(pod_log(), {}, {}, true);
    stream.start();
    BOOST_TEST(stream.answers(429).starts_with("done"));
    script unreached(pod_log(), {}, {}, true);
    unreached.start();
    BOOST_TEST(unreached.fails(refused).starts_with("done"));
}

BOOST_AUTO_TEST_CASE(a_delay_beyond_the_deadline_is_not_begun) {
    script s(get(), timeout(10s));
    s.start();
    BOOST_TEST(s.answers(429, "", "9") == "rest 9000");
    s.now += 9s;
    BOOST_TEST(s.rested() == "send");
    BOOST_TEST(s.answers(429, status("TooManyRequests", 429), "1") == "done: no"); // ends as the last attempt did
    BOOST_TEST(is_too_many_requests(s.ended_with));
    script hour(get(), timeout(0ms));
    hour.start();
    BOOST_TEST(hour.answers(429, "", "99999999999999999999") == "rest 3600000");
}

BOOST_AUTO_TEST_CASE(the_retry_budget_of_the_client_is_shared) {
    auto const options = client_options().with_retry_reserve(1).with_retry_share(0.5);
    script s(get(), {}, options);
    s.start();
    BOOST_TEST(s.answers(429) == "rest 100");
    s.rested();
    BOOST_TEST(s.answers(429).ends_with("HTTP status 429 (no budget)"));
    s.now += 1s; // one more in a second
    BOOST_TEST(s.repetitions.take(s.now));
    BOOST_TEST(!s.repetitions.take(s.now));
}

BOOST_AUTO_TEST_CASE(the_first_attempt_of_a_call_adds_its_share_to_the_budget) {
    script s(get(), {}, client_options().with_retry_reserve(1).with_retry_share(1));
    BOOST_TEST(s.repetitions.take(s.now));
    s.start();
    BOOST_TEST(s.answers(429) == "rest 100");
    s.rested(); // adds nothing
    BOOST_TEST(s.answers(429).ends_with("(no budget)"));
}

BOOST_AUTO_TEST_CASE(a_disruption_budget_refusal_is_not_retried) {
    script s(create());
    s.start();
    BOOST_TEST(s.answers(429, status("TooManyRequests", 429,
                                     R"(,"details":{"causes":[{"reason":"DisruptionBudget","message":"b"}]})")) ==
               "done: no");
}

BOOST_AUTO_TEST_CASE(the_delay_in_a_status_counts_as_retry_after) {
    script s(create());
    s.start();
    BOOST_TEST(s.answers(503, status("ServiceUnavailable", 503, R"(,"details":{"retryAfterSeconds":3})")) ==
               "rest 3000");
}

BOOST_AUTO_TEST_CASE(above_the_rate_limit_a_call_waits_for_its_turn) {
    auto const options = client_options().with_requests_per_second(2).with_burst(1);
    script s(get(), {}, options);
    BOOST_TEST(s.start() == "send");
    BOOST_TEST(s.answers(429) == "rest 100");
    s.now += 100ms;
    BOOST_TEST(s.rested() == "rest 400"); // a retry needs a turn, too
    BOOST_TEST(s.rested() == "send");
    script urgent(get(), call_options().with_urgent(), client_options(options).with_burst(0));
    BOOST_TEST(urgent.start() == "send");
    script stream(pod_log(), {}, client_options(options).with_burst(0), true);
    BOOST_TEST(stream.start() == "send");
    script late(get(), timeout(100ms), client_options(options).with_burst(0));
    BOOST_TEST(late.start() == "done: GET /api/v1/namespaces/d/pods/a: the client-side rate limit would delay the "
                               "request past its deadline");
    BOOST_TEST(late.ended_with == make_error_code(errc::timeout));
}

BOOST_AUTO_TEST_CASE(a_call_that_is_cancelled_before_its_turn_gives_the_turn_back) {
    script s(get(), {}, client_options().with_requests_per_second(1).with_burst(0));
    BOOST_TEST(s.start() == "rest 1000");
    BOOST_TEST(s.cancelled() == "done");
    BOOST_TEST(s.ended_with == aborted);
    BOOST_TEST((s.pace.take_in_turn(s.now) == std::chrono::nanoseconds(1s)));
}

BOOST_AUTO_TEST_CASE(a_call_can_be_cancelled_in_each_state) {
    script sending(get());
    sending.start();
    BOOST_TEST(sending.cancelled() == "done");
    BOOST_TEST(sending.ended_with == aborted);
    for (unsigned const code : {200U, 404U}) {
        script reading(get());
        reading.start();
        reading.opens(code);
        BOOST_TEST(reading.piece("x") == "read");
        BOOST_TEST(reading.cancelled() ==
                   (code == 200 ? "done: GET /api/v1/namespaces/d/pods/a: " + aborted.message() : "done"));
        BOOST_TEST(reading.ended_with == aborted);
    }
    script page(get());
    page.start();
    page.opens(200, {{"Content-Type", "text/html"}});
    page.cancelled();
    BOOST_TEST(page.ended_with == aborted);
    script resting(get());
    resting.start();
    resting.answers(429);
    BOOST_TEST(resting.cancelled() == "done");
    BOOST_TEST(resting.ended_with == aborted);
    script beginning(pod_log(), {}, {}, true);
    beginning.start();
    BOOST_TEST(beginning.opens(200, {{"Content-Type", "application/json"}}) == "read");
    BOOST_TEST(beginning.cancelled() == "done");
    BOOST_TEST(beginning.ended_with == aborted);
}

BOOST_AUTO_TEST_CASE(each_attempt_starts_with_an_empty_report) {
    script s(get());
    s.start();
    s.answers(429, status("TooManyRequests", 429), "7");
    BOOST_TEST((s.machine.report().retry_after == 7s));
    s.now += 7s;
    s.rested();
    BOOST_TEST(s.why() == "");
    BOOST_TEST(s.answers(500) == "rest 200");
}

BOOST_AUTO_TEST_SUITE_END()
