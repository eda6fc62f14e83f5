#include "control/plans/plan_executor.hpp"
#include "async/control/operator_cluster.hpp"

#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <boost/asio/co_spawn.hpp>

BOOST_AUTO_TEST_SUITE(async_plan_executor)

using namespace operator_tests;

namespace {

/// A server that knows both kinds of PodGroups, and a job in it; its operator is the test.
struct executed : operator_cluster {
    executed() {
        start_gang_operator("volcano");
        start_gang_operator("gangs");
        op.reset();
        run(50ms);
        submit(sample(1));
    }

    failure carry_out(rules::plan const& todo) {
        auto const stored = job();
        any_object const about(stored);
        control::event_recorder recorder(user, "test", [] { return time_point(); });
        std::optional<failure> outcome;
        asio::co_spawn(io, control::carry_out(user, recorder, about, todo, written, budget),
                       [&](std::exception_ptr e, control::plan_outcome o) {
                           BOOST_TEST(!e);
                           outdated = o.outdated;
                           outcome = std::move(o.problem);
                       });
        until([&] { return outcome.has_value(); });
        calm();
        return *outcome;
    }

    std::shared_ptr<control::pending_writes> written = std::make_shared<control::pending_writes>();
    std::shared_ptr<control::write_budget> budget = std::make_shared<control::write_budget>(16);
    bool outdated = false; ///< the last plan
};

template <resource K> K named(std::string name) {
    K object;
    object.metadata.name = std::move(name);
    object.metadata.namespace_ = "corpus";
    return object;
}

rules::plan one(rules::action a) {
    rules::plan p;
    p.steps.emplace_back().actions.push_back(std::move(a));
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(pending_writes_are_tracked_by_resource_and_group) {
    executed w;
    rules::plan todo;
    auto& actions = todo.steps.emplace_back().actions;
    actions.emplace_back(rules::create(named<volcano::pod_group>("pt")));
    actions.emplace_back(rules::create(named<coscheduling::pod_group>("pt")));
    BOOST_TEST(!w.carry_out(todo).code);
    BOOST_REQUIRE(w.written->versions.size() == 2U);
    auto const& volcano = w.written->versions.at("podgroups.scheduling.volcano.sh");
    auto const& plugins = w.written->versions.at("podgroups.scheduling.x-k8s.io");
    BOOST_TEST(!volcano.empty());
    BOOST_TEST(volcano != plugins);
    kube::api<volcano::pod_group> groups(w.user, "corpus");
    auto const stored = w.all(groups).front().metadata;
    BOOST_TEST(!w.carry_out(one(rules::remove(rules::target(volcano::pod_group::resource, stored)))).code);
    BOOST_REQUIRE(w.written->deleted.size() == 1U);
    BOOST_TEST(w.written->deleted.at("podgroups.scheduling.volcano.sh").at(stored.uid).name == "pt");
}

BOOST_AUTO_TEST_CASE(a_replaced_object_that_was_deleted_meanwhile_is_outdated) {
    executed w;
    auto group = named<volcano::pod_group>("deleted");
    BOOST_TEST(is_not_found(w.carry_out(one(rules::replace(group))).code));
    BOOST_TEST(!w.outdated); // without a version it was never read
    group.metadata.resource_version = "1";
    BOOST_TEST(is_not_found(w.carry_out(one(rules::replace(group))).code));
    BOOST_TEST(w.outdated);
}

BOOST_AUTO_TEST_CASE(failures_contain_the_action_the_object_and_the_response) {
    executed w;
    auto const same = [](failure const& f, std::string const& expected) {
        BOOST_TEST(bool(f.code), expected);
        BOOST_TEST(f.to_string() == expected);
    };
    auto const group = named<volcano::pod_group>("gone");
    auto absent = w.carry_out(one(rules::replace(group)));
    BOOST_TEST(is_not_found(absent.code));
    same(absent, "replacing PodGroup corpus/gone (scheduling.volcano.sh/v1beta1): "
                 "podgroups.scheduling.volcano.sh \"gone\" not found");
    BOOST_TEST(!w.carry_out(one(rules::create(group))).code);
    same(w.carry_out(one(rules::create(group))), "creating PodGroup corpus/gone (scheduling.volcano.sh/v1beta1): "
                                                 "podgroups.scheduling.volcano.sh \"gone\" already exists");
    auto meta = group.metadata;
    meta.uid = "another";
    auto const kept = w.carry_out(one(rules::remove(rules::target(volcano::pod_group::resource, meta))));
    BOOST_TEST(kept.to_string().starts_with("deleting PodGroup corpus/gone (scheduling.volcano.sh/v1beta1): "),
               kept.to_string());
    BOOST_TEST(kept.to_string().find("another") != std::string::npos, kept.to_string());
    auto stale = w.job();
    stale.metadata.name = "nobody";
    auto const status = w.carry_out(one(rules::write_status(stale)));
    BOOST_TEST(status.to_string().starts_with("writing the status of PyTorchJob corpus/nobody (kubeflow.org/v1): "),
               status.to_string());
    // Both failures are reported.
    auto twice = one(rules::replace(named<volcano::pod_group>("nowhere")));
    twice.steps[0].refused = rules::write_status(stale);
    auto const both = w.carry_out(twice).to_string();
    BOOST_TEST(both.starts_with("replacing PodGroup corpus/nowhere "), both);
    BOOST_TEST(both.find("; then writing the status of PyTorchJob corpus/nobody ") != std::string::npos, both);
}

BOOST_AUTO_TEST_SUITE_END()
