#include "async/control/leadership/leader_cluster.hpp"
#include "support/scripted_transport.hpp"

BOOST_AUTO_TEST_SUITE(async_leader_election)

using namespace leader_tests;
using test::fault;

namespace {

constexpr char const* path = "/apis/coordination.k8s.io/v1/namespaces/default/leases/operator";

} // namespace

// The time in which each candidate leads.

BOOST_AUTO_TEST_CASE(a_cancelled_leader_hands_over_the_lease) {
    leader_cluster w;
    auto const a = w.started("a");
    auto const b = w.started("b");
    BOOST_TEST(a->leads());
    w.time->advance(60s);
    BOOST_TEST(a->leads());
    BOOST_TEST(!b->leads());
    BOOST_TEST(b->elector->leader() == "a");
    BOOST_TEST(w.stored().spec.lease_transitions.value() == 0);
    a->cancel();
    w.time->advance(0ms);
    BOOST_TEST(!a->leads());
    BOOST_TEST_REQUIRE(a->ended.has_value());
    BOOST_TEST(*a->ended == asio::error::operation_aborted);
    BOOST_TEST(w.holder() == "");
    BOOST_TEST(w.stored().spec.lease_duration_seconds.value() == 1);
    w.time->advance(4400ms); // the longest time between two tries
    BOOST_TEST(b->leads());
    BOOST_TEST(w.stored().spec.lease_transitions.value() == 1);
    BOOST_TEST(b->elector->transitions() == 1);
    BOOST_TEST((b->seen == std::vector<std::string>{"a", "", "b"} || b->seen == std::vector<std::string>{"a", "b"}));
    BOOST_TEST((a->reported == std::vector<bool>{true, false}));
}

BOOST_AUTO_TEST_CASE(an_expired_lease_is_taken_by_the_local_clock) {
    leader_cluster w;
    auto a = w.started("a");
    auto const b = w.started("b");
    w.time->advance(1s); // nobody has renewed yet
    a.reset();
    auto const before = w.stored().spec;
    w.time->advance(13999ms);
    BOOST_TEST(!b->leads());
    w.time->advance(1ms + 4400ms);
    BOOST_TEST(b->leads());
    auto const after = w.stored().spec;
    BOOST_TEST(after.holder_identity.value() == "b");
    BOOST_TEST(after.lease_transitions.value() == 1);
    BOOST_TEST((after.acquire_time.value() > before.acquire_time.value()));
}

BOOST_AUTO_TEST_CASE(a_renewal_keeps_other_fields_of_the_lease) {
    leader_cluster w;
    w.write(R"({"holderIdentity":"","preferredHolder":"p","leaseTransitions":7,"later":"x"})");
    auto const a = w.started("a");
    BOOST_TEST_REQUIRE(a->leads());
    auto const first = w.stored();
    w.time->advance(20s);
    auto const last = w.stored();
    BOOST_TEST(first.spec.lease_transitions.value() == 8);
    BOOST_TEST(last.spec.lease_transitions.value() == 8);
    BOOST_TEST((last.spec.acquire_time.value() == first.spec.acquire_time.value()));
    BOOST_TEST((last.spec.renew_time.value() > first.spec.renew_time.value()));
    BOOST_TEST(last.spec.lease_duration_seconds.value() == 15);
    BOOST_TEST(last.spec.preferred_holder.value() == "p");
    BOOST_TEST(last.metadata.labels.at("app") == "x");
}

BOOST_AUTO_TEST_CASE(a_leader_that_reads_another_holder_stops_leading) {
    leader_cluster w;
    auto const a = w.started("a");
    w.write(R"({"holderIdentity":"thief","leaseDurationSeconds":15})");
    w.time->advance(2s); // the next renewal
    BOOST_TEST(!a->leads());
    BOOST_TEST_REQUIRE(a->ended.has_value());
    BOOST_TEST(*a->ended == make_error_code(errc::leadership_lost));
    BOOST_TEST((a->reported == std::vector<bool>{true, false}));
    BOOST_TEST(w.holder() == "thief");
    a->run(); // again
    w.time->advance(14s);
    BOOST_TEST(!a->leads());
    w.time->advance(1s + 4400ms);
    BOOST_TEST(a->leads());
}

BOOST_AUTO_TEST_CASE(leadership_ends_at_the_renew_deadline_despite_pending_renewals) {
    std::map<std::string, fault> const faults{
        {"forbidden", fault::answer(403, "Forbidden", "leases are forbidden")},
        {"unavailable", fault::answer(503, "ServiceUnavailable", "etcd")},
        {"unreachable", fault::error(errc::unreachable)},
        {"nonsense", fault::answer(200, "", "no lease")},
        {"conflicts that say nothing", fault::answer(409, "Conflict", "modified")},
        {"silence", fault()},
    };
    for (auto const& [what, f] : faults) BOOST_TEST_CONTEXT(what) {
            leader_cluster w;
            auto const a = w.started("a");
            w.time->advance(2s); // the last renewal that succeeds
            w.link->judge = [&](kube::http_request const&) { return std::optional(f); };
            auto silent = std::make_shared<test::scripted_transport>(w.io.get_executor());
            for (auto const* method : {"PUT", "GET"}) silent->expect(method, path).hangs();
            if (what == "silence") {
                w.link->inner = silent;
                w.link->judge = {};
            }
            w.time->advance(9999ms);
            BOOST_TEST(a->leads());
            BOOST_TEST(!a->ended.has_value());
            w.time->advance(1ms);
            BOOST_TEST(!a->leads());
            BOOST_TEST_REQUIRE(a->ended.has_value());
            BOOST_TEST(*a->ended == make_error_code(errc::leadership_lost));
            BOOST_TEST((a->reported == std::vector<bool>{true, false}));
            BOOST_TEST(silent->surprises().empty());
        }
}

BOOST_AUTO_TEST_CASE(one_missing_response_does_not_end_leadership) {
    leader_cluster w;
    auto const a = w.started("a");
    auto const silent = std::make_shared<test::scripted_transport>(w.io.get_executor());
    silent->expect("PUT", path).hangs();
    w.link->inner = silent;
    w.time->advance(2s);
    BOOST_TEST(silent->requests().size() == 1U);
    w.link->inner = w.server.transport();
    w.time->advance(60s);
    BOOST_TEST(a->leads());
    BOOST_TEST((a->reported == std::vector<bool>{true}));
}

BOOST_AUTO_TEST_CASE(a_candidate_takes_over_any_unusual_lease) {
    std::map<std::string, std::string> const specs{
        {"nothing", "{}"},
        {"no holder", R"({"holderIdentity":"","leaseDurationSeconds":15})"},
        {"no times", R"({"holderIdentity":"x"})"},
        {"no duration", R"({"holderIdentity":"x","renewTime":"2020-01-01T00:00:00.000000Z"})"},
        {"a duration of 0", R"({"holderIdentity":"x","leaseDurationSeconds":0})"},
        {"a negative duration", R"({"holderIdentity":"x","leaseDurationSeconds":-5})"},
        {"times to come",
         R"({"holderIdentity":"x","leaseDurationSeconds":15,"renewTime":"2999-01-01T00:00:00.000000Z"})"},
        {"negative transitions", R"({"holderIdentity":"x","leaseDurationSeconds":15,"leaseTransitions":-3})"},
        {"all transitions", R"({"holderIdentity":"x","leaseDurationSeconds":15,"leaseTransitions":2147483647})"},
    };
    for (auto const& [what, spec] : specs) BOOST_TEST_CONTEXT(what) {
            leader_cluster w;
            w.write(spec);
            auto const a = w.started("a");
            bool const held = spec.find(R"("x")") != std::string::npos;
            w.time->advance(14999ms);
            BOOST_TEST(a->leads() == !held);
            w.time->advance(1ms + 4400ms);
            BOOST_TEST(a->leads());
            BOOST_TEST(w.stored().spec.lease_transitions.value() >= 1);
        }
}

BOOST_AUTO_TEST_CASE(only_a_change_of_the_spec_extends_a_lease) {
    leader_cluster w;
    w.write(R"({"holderIdentity":"x","leaseDurationSeconds":15})");
    auto const a = w.started("a");
    for (int i = 0; i < 5; ++i) { // others may label it as they like
        w.time->advance(3s);
        auto seen = w.stored();
        seen.metadata.labels["n"] = std::to_string(i);
        w.user.async_call(kube::request::replace(lease::resource, "default", "operator", to_json(seen)),
                          [](error_code ec, std::string const&) { BOOST_TEST(!ec); });
    }
    w.time->advance(4400ms);
    BOOST_TEST(a->leads());
}

BOOST_AUTO_TEST_CASE(requests_of_an_elector_bypass_the_rate_limit) {
    leader_cluster w;
    auto const slow = kube::client_options().with_requests_per_second(0.0001).with_burst(1);
    auto const a = w.make("a", slow);
    a->run();
    w.time->advance(60s);
    BOOST_TEST(a->leads());
}

BOOST_AUTO_TEST_CASE(the_lease_is_released_after_the_work_has_ended) {
    leader_cluster w;
    auto const a = w.started("a");
    auto work = a->elector->hold();
    auto same = a->elector->hold();
    a->cancel();
    w.time->advance(1s);
    BOOST_TEST(!a->leads());
    BOOST_TEST(!a->ended.has_value());
    BOOST_TEST(w.holder() == "a");
    work.reset();
    same.reset();
    w.time->advance(0ms);
    BOOST_TEST(a->ended.has_value());
    BOOST_TEST(w.holder() == "");
}

BOOST_AUTO_TEST_CASE(a_lease_that_may_be_lost_is_not_released) {
    leader_cluster w;
    auto const a = w.started("a");
    auto const work = a->elector->hold();
    a->cancel();
    w.time->advance(10s);
    BOOST_TEST_REQUIRE(a->ended.has_value());
    BOOST_TEST(*a->ended == asio::error::operation_aborted);
    BOOST_TEST(w.holder() == "a");
}

BOOST_AUTO_TEST_CASE(a_second_cancellation_of_an_elector_has_no_effect) {
    leader_cluster w;
    auto const a = w.started("a");
    auto work = a->elector->hold();
    for (int i = 0; i < 2; ++i) {
        a->cancel();
        w.time->advance(0ms);
        BOOST_TEST(!a->ended.has_value());
    }
    work.reset();
    a->cancel();
    w.time->advance(0ms);
    BOOST_TEST(a->ended.has_value());
    BOOST_TEST(w.holder() == "");
}

BOOST_AUTO_TEST_CASE(a_release_is_retried_after_a_conflict_unless_another_holds_the_lease) {
    for (bool const stolen : {false, true}) {
        leader_cluster w;
        auto const a = w.started("a");
        int puts = 0;
        w.link->judge = [&](kube::http_request const& r) -> std::optional<fault> {
            if (r.method != "PUT" || ++puts != 1) return {};
            if (stolen) w.send(R"({"holderIdentity":"b","leaseDurationSeconds":15})");
            return fault::answer(409, "Conflict", "modified");
        };
        a->cancel();
        w.time->advance(0ms);
        w.time->advance(0ms);
        BOOST_TEST(a->ended.has_value());
        BOOST_TEST(w.holder() == (stolen ? "b" : ""));
        BOOST_TEST(puts == (stolen ? 1 : 2));
    }
}

BOOST_AUTO_TEST_CASE(a_cancelled_candidate_releases_a_lease_it_may_have_written) {
    leader_cluster w;
    w.link->judge = [&](kube::http_request const& r) {
        return r.method == "POST" ? std::optional(fault::lost_answer()) : std::nullopt;
    };
    auto const a = w.started("a");
    BOOST_TEST(!a->leads()); // the callback was not called
    BOOST_TEST(w.holder() == "a");
    a->cancel();
    w.time->advance(0ms);
    BOOST_TEST(a->ended.has_value());
    BOOST_TEST(w.holder() == "");
}

BOOST_AUTO_TEST_CASE(an_elector_without_release_on_cancel_keeps_the_lease) {
    leader_cluster w;
    auto c = w.make("a");
    auto const options = control::leader_election_options(c->elector->options()).with_release_on_cancel(false);
    c->elector.reset();
    c->elector.emplace(kube::client(w.link), options);
    c->run();
    w.time->advance(0ms);
    c->cancel();
    w.time->advance(0ms);
    BOOST_TEST(c->ended.has_value());
    BOOST_TEST(w.holder() == "a");
}

BOOST_AUTO_TEST_SUITE_END()
