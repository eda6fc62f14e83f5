#include "unit/facade/explain/explained_job.hpp"

#include <kftrain/facade/job_state.hpp>
#include <kftrain/kinds/volcano_job.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(facade_explain_every_kind)

using namespace explained;

namespace {

/// A cluster in which this cause occurs.
explained_job case_of(cause_kind kind) {
    explained_job w(2, [&](pytorch_job& j) {
        if (kind == cause_kind::suspended) j.spec.run_policy.suspend = true;
        if (kind == cause_kind::invalid) j.spec.pytorch_replica_specs["Worker"].template_.spec.containers.clear();
    });
    auto const broken = [&] { w.fail(); };
    switch (kind) {
    case cause_kind::invalid:
    case cause_kind::suspended:
    case cause_kind::starting: break;
    case cause_kind::no_operator: w.job.status.conditions.clear(); break;
    case cause_kind::out_of_memory: w.ended("worker-0", 137, "11:30:00", "OOMKilled"), broken(); break;
    case cause_kind::command_not_found: w.ended("worker-0", 127), broken(); break;
    case cause_kind::exited: w.ended("worker-0", 1), broken(); break;
    case cause_kind::evicted: w.ended("worker-0", 137).status.reason = "Evicted", broken(); break;
    case cause_kind::image_not_found: w.waiting("worker-0", "ErrImagePull", "not found"); break;
    case cause_kind::config_missing:
        w.waiting("worker-0", "CreateContainerConfigError", "secret \"t\" not found");
        break;
    case cause_kind::quota: w.refuse("exceeded quota: q, requested: cpu=1, used: cpu=1, limited: cpu=1"); break;
    case cause_kind::refused: w.refuse("admission webhook \"w\" denied the request: no"); break;
    case cause_kind::name_too_long: w.refuse("must be no more than 63 characters"); break;
    case cause_kind::unschedulable: w.unplaced("worker-0", "0/1 nodes are available: 1 Insufficient cpu."); break;
    case cause_kind::gang: w.unplaced("worker-0", "pod group is not ready, 3 Pending, 3 minAvailable"); break;
    case cause_kind::crash_loop: {
        auto& c = w.waiting("worker-0", "CrashLoopBackOff").status.container_statuses[0];
        c.last_state.terminated.emplace().exit_code = 1;
        break;
    }
    case cause_kind::backoff_limit: w.fail("it has reached the specified backoff limit"); break;
    case cause_kind::deadline: w.fail("it was active longer than specified deadline"); break;
    case cause_kind::rendezvous: w.running("master-0"); break;
    case cause_kind::stalled: w.all_run(), w.log("master-0", {"step"}, "11:00:10"); break;
    case cause_kind::healthy: w.all_run(); break;
    case cause_kind::deleted:
        w.all_run();
        w.pods.front().metadata.deletion_timestamp = at("11:59:50");
        break;
    case cause_kind::sidecar: w.with_sidecar("istio-proxy"); break;
    case cause_kind::still_running: w.ended("worker-0", 1), w.running("master-0"), broken(); break;
    }
    return w;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_cause_is_found_with_a_name_and_advice) {
    std::set<std::string> names;
    for (int i = 0; i <= static_cast<int>(cause_kind::still_running); ++i) {
        auto const kind = static_cast<cause_kind>(i);
        auto const name = std::string(to_string(kind));
        BOOST_TEST(names.insert(name).second, name);
        auto w = case_of(kind);
        bool found = false;
        for (auto const& c : w.explain().causes) {
            if (c.kind != kind) continue;
            found = true;
            BOOST_TEST(!c.summary.empty(), name);
            bool const fine = kind == cause_kind::healthy;
            BOOST_TEST(c.advice.empty() == fine, name);
            BOOST_TEST((c.advice.empty() || c.advice.ends_with('.')), c.advice);
            BOOST_TEST(!c.summary.ends_with('.'), c.summary);
            BOOST_TEST(c.affected >= static_cast<std::int64_t>(c.members.size()), name);
        }
        BOOST_TEST(found, name << ": " << w.kinds());
    }
}

BOOST_AUTO_TEST_CASE(causes_are_ordered_and_there_is_at_least_one) {
    for (int i = 0; i <= static_cast<int>(cause_kind::still_running); ++i) {
        auto w = case_of(static_cast<cause_kind>(i));
        auto const e = w.explain();
        BOOST_TEST_REQUIRE(!e.causes.empty());
        for (std::size_t k = 1; k < e.causes.size(); ++k)
            BOOST_TEST((e.causes[k - 1].kind <= e.causes[k].kind), w.kinds());
        for (auto const& c : e.causes) BOOST_TEST((c.kind != cause_kind::healthy || e.causes.size() == 1), w.kinds());
    }
}

BOOST_AUTO_TEST_CASE(a_job_of_many_members_is_explained_in_few_lines) {
    explained_job w(3000);
    any_job const any(w.job);
    auto const layout = any.members();
    core::pod p;
    p.metadata.namespace_ = w.job.metadata.namespace_;
    p.status.phase = "Failed";
    auto& t = w.container(p).state.terminated.emplace();
    t.exit_code = 1;
    t.finished_at = at("11:30:00");
    for (auto const& m : layout.members) {
        auto const role = std::ranges::find(layout.roles, m.role, &kftrain::role::name);
        p.metadata.labels = role->labels;
        p.metadata.labels.insert_or_assign(std::string(role->index_label), std::to_string(m.index));
        p.metadata.name = m.pod_name;
        w.pods.push_back(p);
    }
    w.fail();
    auto const e = w.explain();
    BOOST_TEST_REQUIRE(e.causes.size() == 1);
    BOOST_TEST(e.causes[0].affected == 3001);
    BOOST_TEST(e.causes[0].members.size() == 16);
    BOOST_TEST(e.causes[0].evidence.size() <= 12);
    BOOST_TEST(e.causes[0].summary.size() < 300);
}

/// The operator has written the name of its claim into the spec, and not yet into the status.
BOOST_AUTO_TEST_CASE(an_explanation_accepts_the_same_stored_jobs_as_a_watch) {
    volcano_job job;
    job.metadata.name = "j";
    job.metadata.namespace_ = "team-a";
    auto& task = job.spec.tasks.emplace_back();
    task.name = "worker";
    task.replicas = 2;
    auto& c = task.template_.spec.containers.emplace_back();
    c.name = "main";
    c.image = "a:1";
    auto& volume = job.spec.volumes.emplace_back();
    volume.mount_path = "/data";
    volume.volume_claim.emplace().access_modes = {"ReadWriteOnce"};
    volume.volume_claim_name = "j-volume-12345";
    explaining::job_evidence evidence;
    evidence.job = prepared_job::stored(job);
    auto const e = explaining::explain(evidence, at("12:00:00"));
    BOOST_TEST(job_state_of(job, {}).ranks.size() == 2U);
    BOOST_TEST(e.state.ranks.size() == 2U);
    for (auto const& cause : e.causes) BOOST_TEST((cause.kind != cause_kind::invalid), cause.summary);
}

BOOST_AUTO_TEST_SUITE_END()
