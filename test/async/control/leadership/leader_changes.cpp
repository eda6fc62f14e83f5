#include "async/control/leadership/leader_cluster.hpp"

BOOST_AUTO_TEST_SUITE(async_leader_changes)

using namespace leader_tests;
using test::fault;

// A deleted Lease, and the callbacks for new holders.

BOOST_AUTO_TEST_CASE(the_holder_of_a_deleted_lease_keeps_it_until_its_expiry) {
    leader_cluster w;
    w.write(R"({"holderIdentity":"","leaseTransitions":7})");
    auto const a = w.started("a");
    auto const b = std::make_unique<contender>(w.time, w.server.transport(), "b");
    b->run();
    w.time->advance(0ms);
    BOOST_TEST(a->leads());
    w.link->judge = [](kube::http_request const&) { return std::optional(fault::error(errc::unreachable)); };
    w.remove_lease();
    w.time->each = [&] { BOOST_TEST(!(a->leads() && b->leads())); };
    w.time->advance(14999ms);
    BOOST_TEST(!b->leads());
    w.time->advance(1ms + 4400ms);
    BOOST_TEST(b->leads());
    BOOST_TEST(w.stored().spec.lease_transitions.value() == 9); // what was handed to other systems stays in order
    w.time->each = {};
}

BOOST_AUTO_TEST_CASE(a_leader_creates_its_deleted_lease_again_without_a_transition) {
    leader_cluster w;
    w.write(R"({"holderIdentity":"","leaseTransitions":7})");
    auto const a = w.started("a");
    auto const b = w.started("b");
    w.remove_lease();
    w.time->advance(20s);
    BOOST_TEST((a->reported == std::vector<bool>{true}));
    BOOST_TEST(b->reported.empty());
    BOOST_TEST(w.holder() == "a");
    BOOST_TEST(w.stored().spec.lease_transitions.value() == 8);
    BOOST_TEST(a->elector->transitions() == 8);
    a->cancel();
    w.time->advance(0ms);
    w.remove_lease(); // of which "b" has not seen that it was given back
    w.time->advance(15s + 4400ms);
    BOOST_TEST(b->leads());
    BOOST_TEST(w.stored().spec.lease_transitions.value() >= 8);
}

BOOST_AUTO_TEST_CASE(the_on_change_callback_can_cancel_or_destroy_the_elector) {
    for (bool const destroyed : {false, true}) BOOST_TEST_CONTEXT(destroyed) {
            leader_cluster w;
            auto const a = w.started("a");
            auto const b = w.make("b");
            auto options = b->elector->options();
            options.on_change = [&](std::string const& who) {
                b->seen.push_back(who);
                if (who == "a") return;
                if (destroyed)
                    b->elector.reset();
                else
                    b->cancel();
            };
            b->elector.emplace(kube::client(w.link), options);
            b->run();
            w.time->advance(0ms);
            a->cancel();
            w.time->advance(4400ms);
            BOOST_TEST_REQUIRE(b->ended.has_value());
            BOOST_TEST(*b->ended == asio::error::operation_aborted);
            BOOST_TEST(!b->leads());
            if (!destroyed) BOOST_TEST(w.holder() == ""); // and does not take it afterwards
            BOOST_TEST((b->seen.size() >= 2 && b->seen[1].empty()));
        }
}

BOOST_AUTO_TEST_SUITE_END()
