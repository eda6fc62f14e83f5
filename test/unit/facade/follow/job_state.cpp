#include "unit/facade/follow/pods_of_job.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

BOOST_AUTO_TEST_SUITE(facade_job_state)

using namespace pods_of_job;
using sample::at;

namespace {

pytorch_job job_with_condition(std::string type, std::string reason = "") {
    auto j = sample::job(1, 2);
    j.metadata.creation_timestamp = at(0);
    j.metadata.resource_version = "7";
    auto& c = j.status.conditions.emplace_back();
    c.type = std::move(type);
    c.status = "True";
    c.reason = std::move(reason);
    c.message = "m";
    c.last_transition_time = at(20);
    return j;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_job_without_pods_has_all_its_ranks_absent) {
    any_job const job(sample::job(1, 2));
    auto const s = job_state_of(job, {});
    BOOST_TEST(s.ranks.size() == 3U);
    for (auto const& r : s.ranks) BOOST_TEST((r.phase == rank_phase::absent));
    BOOST_TEST((s.ranks[0].member == job.members().members[0]));
    BOOST_TEST(s.roles.size() == 2U);
    BOOST_TEST(s.roles[1].role == "Worker");
    BOOST_TEST(s.roles[1].wanted == 2);
    BOOST_TEST(!s.all_ready());
    BOOST_TEST(s.to_string() == "Created, Master 0/1, Worker 0/2 ready");
    BOOST_TEST((s.job == job_reference(job)));
}

BOOST_AUTO_TEST_CASE(members_are_counted_by_role) {
    any_job const job(sample::job(1, 5));
    auto pods = made(job);
    run(pods[0]);
    run(pods[1]);
    run(pods[2], false);
    change(pods[3], [](pod& p) {
        p.status.phase = "Failed";
        container(p).restart_count = 2;
    });
    change(pods[4], [](pod& p) { p.status.phase = "Succeeded"; });
    auto const s = job_state_of(job, pods);
    auto const& w = s.roles[1];
    BOOST_TEST(w.wanted == 5);
    BOOST_TEST(w.ready == 1);
    BOOST_TEST(w.running == 2);
    BOOST_TEST(w.failed == 1);
    BOOST_TEST(w.succeeded == 1);
    BOOST_TEST(w.pending == 1);
    BOOST_TEST(s.restarts == 2);
    BOOST_TEST(s.to_string() ==
               "Created, Master 1/1, Worker 1/5 ready, 1 Worker succeeded, 1 Worker failed, 2 restarts");
    for (auto& p : pods) run(p);
    BOOST_TEST(job_state_of(job, pods).all_ready());
}

BOOST_AUTO_TEST_CASE(the_text_names_the_first_unhealthy_member) {
    any_job const job(sample::job(1, 2));
    auto pods = made(job);
    run(pods[0]);
    change(pods[2], [](pod& p) { container(p).state.waiting.emplace().reason = "ImagePullBackOff"; });
    BOOST_TEST(job_state_of(job, pods).to_string() ==
               "Created, Master 1/1, Worker 0/2 ready, Worker 1 Pending: ImagePullBackOff");
}

BOOST_AUTO_TEST_CASE(pods_of_other_jobs_are_ignored) {
    any_job const job(sample::job(1, 1));
    auto const all_absent = [&](auto const& how) {
        auto pods = made(job);
        for (auto& p : pods) change(p, how);
        for (auto const& r : job_state_of(job, pods).ranks)
            if (r.phase != rank_phase::absent) return false;
        return true;
    };
    BOOST_TEST(!all_absent([](pod&) {}));
    BOOST_TEST(all_absent([](pod& p) { p.metadata.namespace_ = "other"; }));
    BOOST_TEST(all_absent([](pod& p) { p.metadata.labels.clear(); }));
    BOOST_TEST(all_absent([](pod& p) { p.metadata.name += "-copy"; }));
    // An earlier job of the name, and a controller of another kind.
    BOOST_TEST(all_absent([](pod& p) { p.metadata.owner_references[0].uid = "earlier"; }));
    BOOST_TEST(all_absent([](pod& p) {
        p.metadata.owner_references[0].kind = "ReplicaSet";
        p.metadata.owner_references[0].uid = "other";
    }));
    // An operator adopts pods without an owner.
    BOOST_TEST(!all_absent([](pod& p) { p.metadata.owner_references.clear(); }));
}

BOOST_AUTO_TEST_CASE(pods_beyond_the_replicas_do_not_count) {
    auto const wide = made(any_job(sample::job(1, 4)));
    auto const s = job_state_of(any_job(sample::job(1, 2)), wide);
    BOOST_TEST(s.ranks.size() == 3U);
    BOOST_TEST(s.roles[1].pending == 2);
}

/// Several pods of a member are there while one replaces the other.
BOOST_AUTO_TEST_CASE(the_newest_pod_that_is_not_terminating_is_used) {
    any_job const job(sample::job(1, 0));
    auto const old_one = made(job)[0];
    auto const seen = [&](auto const& change_old, auto const& change_new) {
        auto first = old_one;
        auto second = old_one;
        change(first, change_old);
        change(second, change_new);
        change(second, [](pod& p) { p.spec.node_name = "new"; });
        auto const forth = job_state_of(job, pod_list{first, second}).ranks[0].node;
        auto const back = job_state_of(job, pod_list{second, first}).ranks[0].node;
        BOOST_TEST(forth == back);
        return forth;
    };
    auto const nothing = [](pod&) {};
    BOOST_TEST(seen([](pod& p) { p.metadata.creation_timestamp = at(1); },
                    [](pod& p) { p.metadata.creation_timestamp = at(2); }) == "new");
    BOOST_TEST(seen([](pod& p) { p.metadata.creation_timestamp = at(3); },
                    [](pod& p) { p.metadata.creation_timestamp = at(2); }) == "");
    BOOST_TEST(seen(
                   [](pod& p) {
                       p.metadata.creation_timestamp = at(3);
                       p.metadata.deletion_timestamp = at(4);
                   },
                   [](pod& p) { p.metadata.creation_timestamp = at(2); }) == "new");
    BOOST_TEST(seen([](pod& p) { p.status.phase = "Failed"; }, nothing) == "new"); // within the same second
    BOOST_TEST(seen([](pod& p) { p.metadata.resource_version = "9"; },
                    [](pod& p) { p.metadata.resource_version = "10"; }) == "new");
}

BOOST_AUTO_TEST_CASE(the_last_condition_and_the_times_are_reported) {
    auto j = job_with_condition("Running", "PyTorchJobRunning");
    auto const& earlier = *j.status.conditions.emplace(j.status.conditions.begin());
    BOOST_TEST(earlier.type == "");
    auto const s = job_state_of(any_job(j), {});
    BOOST_TEST((s.phase == job_phase::running));
    BOOST_TEST(s.reason == "PyTorchJobRunning");
    BOOST_TEST(s.message == "m");
    BOOST_TEST(s.resource_version == "7");
    BOOST_TEST((s.created == at(0)));
    BOOST_TEST((s.started == at(20)));
    BOOST_TEST(!s.finished.has_value());
    j.status.start_time = at(10);
    BOOST_TEST((job_state_of(any_job(j), {}).started == at(10)));

    auto ended = job_with_condition("Failed");
    BOOST_TEST((job_state_of(any_job(ended), {}).finished == at(20)));
    ended.status.completion_time = at(19);
    BOOST_TEST((job_state_of(any_job(ended), {}).finished == at(19)));
    BOOST_TEST(job_state_of(any_job(ended), {}).to_string() == "Failed, Master 0/1, Worker 0/2 succeeded");
}

BOOST_AUTO_TEST_CASE(suspension_and_deletion_are_part_of_the_state) {
    auto j = sample::job(1, 1);
    j.spec.run_policy.suspend = true;
    j.metadata.deletion_timestamp = at(3);
    auto const s = job_state_of(any_job(j), {});
    BOOST_TEST(s.suspended);
    BOOST_TEST(s.deleting);
    BOOST_TEST(s.to_string() == "Created, being deleted, suspended, Master 0/1, Worker 0/1 ready");
}

/// Servers without a webhook keep them; laid out, this one would take all memory.
BOOST_AUTO_TEST_CASE(a_job_that_breaks_its_rules_has_no_ranks) {
    auto j = sample::job(1, 2'000'000'000);
    j.spec.pytorch_replica_specs["Master"].replicas = 2;
    auto const s = job_state_of(any_job(j), {});
    BOOST_TEST(s.ranks.empty());
    BOOST_TEST(s.roles.empty());
    BOOST_TEST(!s.all_ready());
    BOOST_TEST(s.to_string() == "Created");
}

BOOST_AUTO_TEST_CASE(the_order_of_pods_makes_no_difference) {
    any_job const job(sample::job(1, 6));
    auto pods = made(job);
    for (std::size_t i = 0; i != 4; ++i) run(pods[i], i % 2 == 0);
    auto more = pods[2];
    change(more, [](pod& p) { p.metadata.creation_timestamp = at(9); });
    pods.push_back(more);
    auto const s = job_state_of(job, pods);
    std::minstd_rand random(1);
    for (int i = 0; i != 20; ++i) {
        std::shuffle(pods.begin(), pods.end(), random);
        BOOST_TEST((job_state_of(job, pods) == s));
    }
}

BOOST_AUTO_TEST_SUITE_END()
