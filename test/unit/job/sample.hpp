#ifndef KFTRAIN_TEST_UNIT_JOB_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_JOB_SAMPLE_HPP

#include "job/v1/replica_job.hpp"
#include "support/job_plan.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/kinds/pytorch_job.hpp>

#include <string>
#include <vector>

/// Jobs, pods and plans for the tests of the rules.
namespace sample {

using namespace kftrain;
using namespace kftrain::kubeflow_v1;

inline time_point at(int seconds) { return time_point(std::chrono::seconds(1767225600 + seconds)); }

inline replica_spec replicas(std::optional<std::int32_t> count, std::string policy = "") {
    replica_spec spec;
    spec.replicas = count;
    spec.restart_policy = std::move(policy);
    core::container c;
    c.name = "pytorch";
    c.image = "example.com/train:1";
    spec.template_.spec.containers.push_back(std::move(c));
    return spec;
}

/// A job with a master, unless `masters` is 0, and workers, unless `workers` is 0.
inline pytorch_job job(std::int32_t masters, std::int32_t workers, std::string const& policy = "") {
    pytorch_job j;
    j.metadata.name = "pt";
    j.metadata.namespace_ = "team";
    j.metadata.uid = "uid-of-pt";
    if (masters > 0) j.spec.pytorch_replica_specs["Master"] = replicas(masters, policy);
    if (workers > 0) j.spec.pytorch_replica_specs["Worker"] = replicas(workers, policy);
    return j;
}

/// The world of a job in which every pod and service exists and the pods are in this phase.
inline observed world_of(pytorch_job const& j, std::string const& phase) {
    observed world;
    int serial = 0;
    for (auto const& c : any_job(j).render()) {
        if (auto const* p = c.get_if<pod>()) {
            pod stored = *p;
            stored.metadata.uid = "uid-" + std::to_string(++serial);
            stored.status.phase = phase;
            world.pods.push_back(std::make_shared<pod const>(std::move(stored)));
        } else if (c.is<service>()) {
            service stored = *c.get_if<service>();
            stored.metadata.uid = "uid-" + std::to_string(++serial);
            world.services.push_back(std::make_shared<service const>(std::move(stored)));
        }
    }
    return world;
}

/// Changes one pod of the world.
template <class Change> void change(observed& world, std::string_view name, Change change_pod) {
    for (auto& p : world.pods) {
        if (p->metadata.name != name) continue;
        pod next = *p;
        change_pod(next);
        p = std::make_shared<pod const>(std::move(next));
    }
}

inline void fail(observed& world, std::string_view name, std::optional<std::int32_t> code = {}) {
    change(world, name, [&](pod& p) {
        p.status.phase = "Failed";
        if (!code) return;
        core::container_status c;
        c.name = "pytorch";
        c.state.terminated.emplace();
        c.state.terminated->exit_code = *code;
        p.status.container_statuses.push_back(std::move(c));
    });
}

/// All actions of all steps.
inline std::vector<rules::action> actions_of(rules::plan const& p) {
    std::vector<rules::action> all;
    for (auto const& s : p.steps) all.insert(all.end(), s.actions.begin(), s.actions.end());
    return all;
}

struct teller {
    std::string operator()(rules::create const& a) const {
        return "create " + std::string(a.object.resource().plural) + " " + a.object.metadata().name;
    }
    std::string operator()(rules::replace const& a) const {
        return "replace " + std::string(a.object.resource().plural) + " " + a.object.metadata().name;
    }
    std::string operator()(rules::remove const& a) const {
        if (a.of.type->group == "kubeflow.org") return "delete job";
        return "delete " + std::string(a.of.type->plural) + " " + a.of.name;
    }
    std::string operator()(rules::emit_event const& a) const { return "event " + a.type + " " + a.reason; }
    std::string operator()(rules::write_status const&) const { return "status"; }
    template <class Other> std::string operator()(Other const&) const { return "(none that jobs of v1 need)"; }
};

/// The plan in words, e.g. `delete pod pt-worker-1`, `event Warning PyTorchJobRestarting`.
inline std::vector<std::string> reported(rules::plan const& p) {
    std::vector<std::string> lines;
    for (auto const& a : actions_of(p)) lines.push_back(std::visit(teller(), a));
    return lines;
}

/// The status that the plan writes, or the present one.
inline job_status status_after(pytorch_job const& j, rules::plan const& p) {
    for (auto const& a : actions_of(p))
        if (auto const* w = std::get_if<rules::write_status>(&a)) return w->object.get_if<pytorch_job>()->status;
    return j.status;
}

/// `Created=True Running=False ...`
inline std::string conditions(job_status const& s) {
    std::string text;
    for (auto const& c : s.conditions) text += (text.empty() ? "" : " ") + c.type + "=" + c.status;
    return text;
}

inline rules::plan make_plan(pytorch_job const& j, observed const& world, time_point now) {
    return plan_of(j, world, now);
}

/// The job after it was created, its pods were seen running and the statuses were written.
inline pytorch_job running(pytorch_job j, int created = 0, int started = 1) {
    j.status = status_after(j, make_plan(j, observed(), at(created)));
    j.status = status_after(j, make_plan(j, world_of(j, "Running"), at(started)));
    return j;
}

} // namespace sample

#endif
