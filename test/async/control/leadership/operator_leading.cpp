#include "async/control/leadership/leading_operators.hpp"

BOOST_AUTO_TEST_SUITE(async_operator_leading)

using namespace leading_tests;

// Operators that work while they lead, and how they end.

BOOST_AUTO_TEST_CASE(only_the_leader_writes_and_releases_the_lease_last) {
    without_operator w;
    candidate a(w, candidate::standing("a", w.time));
    w.time->advance(0ms);
    candidate b(w, candidate::standing("b", w.time));
    w.submit(sample(2));
    w.until_conditions("Created=True");
    BOOST_TEST(b.link->acknowledged.empty());
    a.cancel();
    w.until([&] { return a.has_ended(); });
    a.expect_end(cancelled);
    BOOST_TEST(a.link->acknowledged.back() == "PUT /apis/coordination.k8s.io/v1/namespaces/default/leases/operator");
    auto const before = a.link->acknowledged.size();
    w.time->advance(4400ms);
    w.submit(sample(1, "Never", "next"));
    w.until([&] { return w.conditions("next") == "Created=True"; });
    BOOST_TEST(a.link->acknowledged.size() == before);
    for (auto const& p : three) w.set(p, "Running"); // what the first began, the second goes on with
    w.until_conditions("Created=True Running=True");
    BOOST_TEST(w.names_of(w.pods).size() == 5U);
}

BOOST_AUTO_TEST_CASE(nothing_is_written_after_leadership_is_lost) {
    without_operator w;
    candidate a(w, candidate::standing("a", w.time));
    w.time->advance(0ms);
    a.hold_pods();
    w.submit(sample(2));
    w.until([&] { return a.link->under_way() != 0; });
    for (auto const* name : {"b", "c"}) w.submit(sample(2, "Never", name)); // these wait, or are begun
    a.link->holds = &test::faulty_transport::every_write;                   // nor does the server renew
    w.time->advance(9999ms);
    BOOST_TEST(!a.has_ended());
    auto const before = w.server.store().version();
    std::size_t const sent = a.link->sent.size();
    w.time->advance(1ms);
    w.until([&] { return a.has_ended(); });
    a.expect_end(errc::leadership_lost);
    a.link->holds = {};
    w.run(100ms);
    BOOST_TEST(a.link->sent.size() == sent); // no repetition, no event
    BOOST_TEST(w.server.store().version() == before);
    a.link->drop();

    a.run(); // may stand again, and does what was left
    w.time->advance(2s);
    for (auto const* name : {"pt", "b", "c"}) w.until([&] { return w.conditions(name) == "Created=True"; });
    BOOST_TEST(w.names_of(w.pods).size() == 9U);
}

BOOST_AUTO_TEST_CASE(writes_are_blocked_after_the_lease_has_expired_by_the_clock) {
    without_operator w;
    auto options = candidate::standing("a", w.time);
    auto const clock = std::static_pointer_cast<process_clock>(options.leader_election->clock);
    candidate a(w, std::move(options));
    w.time->advance(0ms);
    w.submit(sample(2));
    w.until_conditions("Created=True");
    clock->stopped_until = w.time->now() + 1h; // nobody wakes it
    w.time->advance(2s);                       // the timer that was set before
    w.time->advance(20s);
    auto const before = a.link->acknowledged.size();
    w.submit(sample(1, "Never", "late"));
    w.run(100ms);
    BOOST_TEST(a.link->acknowledged.size() == before);
    BOOST_TEST(!a.has_ended());
}

BOOST_AUTO_TEST_CASE(operators_of_a_process_can_share_an_elector) {
    without_operator w;
    auto const elector =
        std::make_shared<leader_elector>(kube::client(w.server.transport()), for_election("a", w.time));
    candidate first(w, candidate::sharing(elector));
    auto options = candidate::sharing(elector);
    options.namespace_ = "elsewhere";
    candidate second(w, std::move(options));
    w.submit(sample(2));
    w.run(100ms);
    BOOST_TEST(w.names_of(w.pods).empty()); // nobody leads yet
    std::optional<error_code> ended;
    asio::cancellation_signal stop;
    elector->async_run(asio::bind_cancellation_slot(stop.slot(), [&](error_code ec) { ended = ec; }));
    w.until_conditions("Created=True");
    candidate third(w, candidate::sharing(elector)); // finds that it leads already
    third.cancel();
    w.until([&] { return third.has_ended(); });
    third.expect_end(cancelled);
    BOOST_TEST(elector->is_leader());

    first.hold_pods();
    w.submit(sample(2, "Never", "b"));
    w.until([&] { return first.link->under_way() != 0; });
    stop.emit(asio::cancellation_type::terminal); // its owner does not ask the operators first
    w.until([&] { return ended && first.has_ended() && second.has_ended(); });
    first.expect_end(errc::leadership_lost);
    second.expect_end(errc::leadership_lost);
    BOOST_TEST(*ended == cancelled);
    BOOST_TEST(elector->leader() == "");
}

BOOST_AUTO_TEST_CASE(cancellation_finishes_started_plans_and_writes_their_events) {
    for (bool const elected : {false, true}) BOOST_TEST_CONTEXT(elected) {
            without_operator w;
            candidate a(w, elected ? candidate::standing("a", w.time) : candidate::options_type());
            w.time->advance(0ms);
            a.hold_pods();
            w.submit(sample(2));
            w.until([&] { return a.link->under_way() != 0; });
            a.cancel();
            w.run(50ms);
            BOOST_TEST(!a.has_ended());
            w.submit(sample(2, "Never", "later")); // which is not begun
            a.link->holds = [](kube::http_request const& r) {
                return is_create_of(r, "/pods") || is_create_of(r, "/events");
            };
            w.until([&] {
                if (a.link->under_way() != 0) a.link->answer();
                return w.names_of(w.pods).size() == 3U;
            });
            w.run(20ms);
            BOOST_TEST(!a.has_ended()); // the event of the last pod has not arrived yet
            w.until([&] {
                if (a.link->under_way() != 0) a.link->answer();
                return a.has_ended();
            });
            a.expect_end(cancelled);
            expect(w.names_of(w.pods), three);
            expect(w.creations(), created_three);
            BOOST_TEST(w.conditions("pt") == "Created=True");
            if (elected) BOOST_TEST(is_of_lease(a.link->acknowledged.back()));
        }
}

BOOST_AUTO_TEST_CASE(cancellation_waits_at_most_for_the_grace_period) {
    without_operator w;
    candidate::options_type options;
    options.shutdown_grace = 30ms;
    candidate a(w, std::move(options));
    a.hold_pods();
    w.submit(sample(2));
    w.until([&] { return a.link->under_way() != 0; });
    a.cancel();
    w.until([&] { return a.has_ended(); });
    a.expect_end(cancelled);
    auto const sent = a.link->sent.size();
    w.run(50ms);
    BOOST_TEST(a.link->sent.size() == sent);
}

BOOST_AUTO_TEST_CASE(a_second_cancellation_of_an_operator_has_no_effect) {
    without_operator w;
    candidate a(w, {});
    a.hold_pods();
    w.submit(sample(1));
    w.until([&] { return a.link->under_way() != 0; });
    for (int i = 0; i < 3; ++i) { // as those see it that are parts of something larger
        a.cancel();
        w.run(10ms);
        BOOST_TEST(!a.has_ended());
    }
    for (int i = 0; i < 2; ++i) {
        w.until([&] { return a.link->under_way() != 0; });
        a.link->answer();
    }
    w.until([&] { return a.has_ended(); });
    a.expect_end(cancelled);
    BOOST_TEST(w.conditions() == "Created=True");
}

BOOST_AUTO_TEST_CASE(an_operator_can_be_destroyed_at_any_step_of_an_election) {
    for (int turns = 0; turns < 40; turns += 3) {
        without_operator w;
        w.submit(sample(2));
        candidate a(w, candidate::standing("a", w.time));
        for (int i = 0; i < turns; ++i) w.io.poll_one();
        a.op.reset();
        w.until([&] { return a.has_ended(); });
        a.expect_end(cancelled);
    }
}

BOOST_AUTO_TEST_CASE(destroying_an_operator_does_not_wait_for_the_grace_period) {
    without_operator w;
    candidate::options_type options;
    options.shutdown_grace = 1h;
    candidate a(w, std::move(options));
    a.hold_pods();
    w.submit(sample(2));
    w.until([&] { return a.link->under_way() != 0; });
    a.cancel();
    w.run(5ms);
    a.op.reset();
    a.link->drop();
    w.run(5s);
    BOOST_TEST(w.io.stopped());
}

BOOST_AUTO_TEST_CASE(an_elector_and_election_options_together_are_rejected) {
    without_operator w;
    auto options = candidate::standing("a", w.time);
    kube::client const client(w.server.transport());
    options.elector = std::make_shared<leader_elector>(client, for_election("a", w.time));
    BOOST_CHECK_THROW(control::job_operator<pytorch_job>(client, options), std::invalid_argument);
    options.elector.reset();
    options.leader_election->renew_deadline = options.leader_election->lease_duration;
    BOOST_CHECK_THROW(control::job_operator<pytorch_job>(client, options), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(simultaneous_pod_starts_cause_one_status_write) {
    static constexpr int workers = 40;
    auto const writes = [](std::chrono::milliseconds gather) {
        without_operator w;
        candidate::options_type options;
        options.gather = gather;
        options.controller.clock = std::make_shared<process_clock>(w.time);
        candidate a(w, std::move(options));
        w.submit(sample(workers));
        for (int i = 0; i < 20; ++i) w.time->advance(1s);
        BOOST_TEST(w.conditions() == "Created=True");
        auto const before = a.link->acknowledged.size();
        for (auto const& p : w.names_of(w.pods)) w.set(p, "Running");
        w.time->advance(0ms);
        w.time->advance(1s);
        w.time->advance(1s);
        BOOST_TEST(w.conditions() == "Created=True Running=True");
        BOOST_TEST(w.job().status.replica_statuses.at("Worker").active == workers);
        return a.link->acknowledged.size() - before;
    };
    auto const one_by_one = writes(0ms);
    auto const gathered = writes(10ms);
    BOOST_TEST_MESSAGE("writes: " << one_by_one << " without gathering, " << gathered << " with it");
    BOOST_TEST(one_by_one > 30U);
    BOOST_TEST(gathered <= 4U);
}

BOOST_AUTO_TEST_SUITE_END()
