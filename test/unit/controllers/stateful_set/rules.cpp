#include <kftrain/controllers/stateful_set.hpp>

#include <boost/test/unit_test.hpp>

#include <map>

BOOST_AUTO_TEST_SUITE(controllers_stateful_set)

using namespace kftrain;

// Expected: kubernetes pkg/controller/statefulset/stateful_set_control.go, v1.31.
namespace {

using lines = std::vector<std::string>;

/// A StatefulSet and its pods, and a server that carries out plans.
struct played_stateful_set {
    explicit played_stateful_set(std::int32_t replicas, std::string const& policy = "Parallel") {
        set.metadata.name = "db";
        set.metadata.namespace_ = "team";
        set.metadata.uid = "set-uid";
        set.spec.replicas = replicas;
        set.spec.service_name = "peers";
        set.spec.pod_management_policy = policy;
        set.spec.update_strategy.type = "RollingUpdate";
        set.spec.template_.metadata.labels["app"] = "db";
        set.spec.template_.spec.containers.emplace_back().name = "c";
    }

    /// Runs one pass and returns its steps as lines.
    lines once() {
        rules::world seen;
        std::vector<any_object> all;
        auto const& type = *controller.watches().front().type; // which may decode a part of a pod
        for (auto const& [name, p] : pods) all.emplace_back(type, type.decode(to_json(p)).value());
        seen.add("pods", std::move(all));
        did.clear();
        auto const plan = controller.make_plan(rules::look<apps::stateful_set>(set, seen, nullptr, time_point()));
        for (auto const& step : plan.steps)
            for (auto const& action : step.actions) std::visit([this](auto const& a) { carry_out(a); }, action);
        return did;
    }
    void carry_out(rules::create const& a) {
        pod p = *a.object.get_if<pod>();
        did.push_back("+" + p.metadata.name);
        p.status.phase = "Pending";
        pods.emplace(p.metadata.name, std::move(p));
    }
    void carry_out(rules::remove const& a) {
        did.push_back("-" + a.of.name);
        if (lingering)
            pods.at(a.of.name).metadata.deletion_timestamp = time_point();
        else
            pods.erase(a.of.name);
    }
    void carry_out(rules::write_status const& a) { set.status = a.object.get_if<apps::stateful_set>()->status; }
    void carry_out(rules::emit_event const& a) { events.push_back(a.reason + ": " + a.message); }
    template <class Other> void carry_out(Other const&) { BOOST_ERROR("an action that was not expected"); }

    void make_ready(std::string const& name) {
        auto& p = pods.at(name);
        p.status.phase = "Running";
        p.status.conditions.emplace_back().type = "Ready";
        p.status.conditions.back().status = "True";
    }
    void make_all_ready() {
        for (auto const& [name, p] : pods) make_ready(name);
    }

    apps::stateful_set set;
    std::map<std::string, pod> pods;
    lines did, events;
    bool lingering = false; ///< deleted pods take their time
    controllers::stateful_set_rules controller;
};

} // namespace

BOOST_AUTO_TEST_CASE(pods_are_created_from_the_template) {
    played_stateful_set w(2);
    BOOST_TEST(w.once() == (lines{"+db-0", "+db-1"}));
    auto const& p = w.pods.at("db-1");
    BOOST_TEST(p.metadata.namespace_ == "team");
    BOOST_TEST(p.metadata.labels.at("app") == "db");
    BOOST_TEST(p.metadata.labels.at("statefulset.kubernetes.io/pod-name") == "db-1");
    BOOST_TEST(p.metadata.labels.at("apps.kubernetes.io/pod-index") == "1");
    BOOST_TEST(p.metadata.labels.at("controller-revision-hash") == w.set.status.update_revision);
    BOOST_TEST(p.metadata.owner_references.at(0).kind == "StatefulSet");
    BOOST_TEST(p.spec.hostname == "db-1");
    BOOST_TEST(p.spec.subdomain == "peers");
    BOOST_TEST(w.events.at(0) == "SuccessfulCreate: create Pod db-0 in StatefulSet db successful");
    BOOST_TEST(w.once() == lines{});
    BOOST_TEST(w.set.status.replicas == 2);
    BOOST_TEST(w.set.status.ready_replicas == 0);
    w.make_all_ready();
    w.once();
    BOOST_TEST(w.set.status.ready_replicas == 2);
    BOOST_TEST(w.set.status.available_replicas == 2);
    BOOST_TEST(w.set.status.current_replicas == 2);
    BOOST_TEST(w.set.status.current_revision == w.set.status.update_revision);
}

BOOST_AUTO_TEST_CASE(ordered_creation_waits_for_the_previous_pod) {
    played_stateful_set w(2, "OrderedReady");
    BOOST_TEST(w.once() == lines{"+db-0"});
    BOOST_TEST(w.once() == lines{});
    w.make_ready("db-0");
    BOOST_TEST(w.once() == lines{"+db-1"});
    w.make_ready("db-1");
    w.set.spec.replicas = 0;
    w.lingering = true;
    BOOST_TEST(w.once() == lines{"-db-1"});
    BOOST_TEST(w.once() == lines{});
    w.pods.erase("db-1");
    BOOST_TEST(w.once() == lines{"-db-0"});
}

BOOST_AUTO_TEST_CASE(surplus_pods_are_deleted_from_the_highest_ordinal) {
    played_stateful_set w(3);
    w.once();
    w.set.spec.replicas = 1;
    BOOST_TEST(w.once() == (lines{"-db-2", "-db-1"}));
    BOOST_TEST(w.events.back() == "SuccessfulDelete: delete Pod db-1 in StatefulSet db successful");
    BOOST_TEST(w.once() == lines{});
    BOOST_TEST(w.set.status.replicas == 1);
}

BOOST_AUTO_TEST_CASE(ended_pods_are_created_again) {
    played_stateful_set w(1);
    w.once();
    w.pods.at("db-0").status.phase = "Failed";
    BOOST_TEST(w.once() == lines{"-db-0"});
    BOOST_TEST(w.once() == lines{"+db-0"});
    w.pods.at("db-0").status.phase = "Succeeded";
    w.lingering = true;
    BOOST_TEST(w.once() == lines{"-db-0"});
    BOOST_TEST(w.once() == lines{}); // it is still there
}

BOOST_AUTO_TEST_CASE(a_new_template_replaces_pods_one_by_one) {
    played_stateful_set w(3);
    w.once();
    w.make_all_ready();
    w.once();
    auto const before = w.set.status.current_revision;
    w.set.spec.template_.spec.containers[0].image = "new";
    BOOST_TEST(w.once() == lines{"-db-2"});
    BOOST_TEST(w.once() == lines{"+db-2"});
    BOOST_TEST(w.once() == lines{}); // not ready
    BOOST_TEST(w.set.status.updated_replicas == 1);
    BOOST_TEST(w.set.status.current_revision == before);
    w.make_ready("db-2");
    w.set.spec.update_strategy.rolling_update.emplace().partition = 1;
    BOOST_TEST(w.once() == lines{"-db-1"});
    w.once();
    w.make_ready("db-1");
    BOOST_TEST(w.once() == lines{}); // db-0 is below the partition
    w.set.spec.update_strategy.type = "OnDelete";
    BOOST_TEST(w.once() == lines{});
    w.set.spec.update_strategy.type = "RollingUpdate";
    w.set.spec.update_strategy.rolling_update = {};
    BOOST_TEST(w.once() == lines{"-db-0"});
    w.once();
    w.make_ready("db-0");
    w.once();
    BOOST_TEST(w.set.status.current_revision != before);
    BOOST_TEST(w.set.status.current_revision == w.set.status.update_revision);
}

BOOST_AUTO_TEST_CASE(pods_with_other_names_are_kept) {
    played_stateful_set w(1);
    for (auto const* name : {"db-x", "other-0", "db-00", "db-"}) w.pods[name].metadata.name = name;
    BOOST_TEST(w.once() == lines{"+db-0"});
    BOOST_TEST(w.set.status.replicas == 0); // seen in the next pass
    w.once();
    BOOST_TEST(w.set.status.replicas == 1);
}

BOOST_AUTO_TEST_CASE(sets_with_volume_claims_or_in_deletion_get_no_pods) {
    played_stateful_set w(1);
    w.set.spec.volume_claim_templates.emplace_back();
    BOOST_TEST(w.once() == lines{});
    BOOST_TEST(w.events == lines{"FailedCreate: volumeClaimTemplates are not served by this controller"});
    played_stateful_set gone(1);
    gone.set.metadata.deletion_timestamp = time_point();
    BOOST_TEST(gone.once() == lines{});
}

BOOST_AUTO_TEST_SUITE_END()
