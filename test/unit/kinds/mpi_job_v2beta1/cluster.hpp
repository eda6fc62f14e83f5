#ifndef KFTRAIN_TEST_UNIT_KINDS_MPI_JOB_V2BETA1_CLUSTER_HPP
#define KFTRAIN_TEST_UNIT_KINDS_MPI_JOB_V2BETA1_CLUSTER_HPP

#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include <kftrain/job/prepared_job.hpp>

#include <algorithm>
#include <concepts>

/// The objects of a cluster for an MPIJob, and the steps of its operator.
namespace mpi_sample {

inline std::string name_of(rules::create const& a) {
    return "create " + a.object.type().kind() + " " + a.object.metadata().name;
}
inline std::string name_of(rules::replace const& a) {
    return std::string("replace ") + (a.part == rules::subresource::status ? "status of " : "") +
           a.object.type().kind() + " " + a.object.metadata().name;
}
inline std::string name_of(rules::remove const& a) {
    return "remove " + std::string(a.of.type->kind) + " " + a.of.name;
}
inline std::string name_of(rules::write_status const&) { return "status"; }
inline std::string name_of(rules::emit_event const& a) { return a.type + " " + a.reason + ": " + a.message; }
template <class Action> std::string name_of(Action const&) { return "?"; }

/// The plan in words, action by action.
inline lines words(rules::plan const& p) {
    lines all;
    for (auto const& s : p.steps)
        for (auto const& a : s.actions) all.push_back(std::visit([](auto const& x) { return name_of(x); }, a));
    return all;
}

/// Carries out a plan, as an API server would that has no scheduler, no kubelet and no Job controller.
class cluster {
public:
    explicit cluster(mpi_job j, mpi_operator_options o = {}) : job(std::move(j)), options(std::move(o)) {}

    /// One pass; what it did, in words.
    lines pass(int second) {
        auto const p = make_plan(prepared_job::stored(job), world, at(second), options);
        for (auto const& s : p.steps)
            for (auto const& a : s.actions) std::visit([&](auto const& x) { carry_out(x); }, a);
        return words(p);
    }

    core::pod const* worker(std::string_view name) const {
        for (auto const& p : world.workers)
            if (p->metadata.name == name) return p.get();
        return nullptr;
    }
    template <class Change> void change_worker(std::string_view name, Change change) {
        for (auto& p : world.workers)
            if (p->metadata.name == name) {
                core::pod next = *p;
                change(next);
                p = std::make_shared<core::pod const>(std::move(next));
            }
    }
    void run_worker(std::string_view name) {
        change_worker(name, [](core::pod& p) {
            p.status.phase = "Running";
            p.status.conditions.emplace_back().type = "Ready";
            p.status.conditions.back().status = "True";
        });
    }
    template <class Change> void change_launcher(Change change) {
        batch::job next = *world.launcher;
        change(next);
        world.launcher = std::make_shared<batch::job const>(std::move(next));
    }
    /// A pod of the launcher in this phase, in the place of one of this name.
    core::pod& launcher_pod(std::string const& name, std::string phase) {
        std::erase_if(world.launcher_pods, [&](auto const& p) { return p->metadata.name == name; });
        auto p = std::make_shared<core::pod>();
        p->metadata.name = name;
        p->status.phase = std::move(phase);
        world.launcher_pods.push_back(p);
        return *p;
    }
    void end_launcher(std::string type, std::string reason, std::string message) {
        change_launcher([&](batch::job& j) {
            auto& c = j.status.conditions.emplace_back();
            c.type = std::move(type);
            c.status = "True";
            c.reason = std::move(reason);
            c.message = std::move(message);
        });
    }
    /// `Created=True/MPIJobCreated` and so on.
    lines conditions() const {
        lines all;
        for (auto const& c : job.status.conditions) all.push_back(c.type + "=" + c.status + "/" + c.reason);
        return all;
    }
    std::string counts() const {
        std::string all;
        for (auto const& [type, c] : job.status.replica_statuses) all += type + to_json(c);
        return all;
    }

    mpi_job job;
    mpi_operator_options options;
    mpi_world world;

private:
    template <class T> std::shared_ptr<T const> stored(any_object const& o, std::string const& phase = {}) {
        T next = *o.get_if<T>();
        if (next.metadata.uid.empty()) next.metadata.uid = "uid-" + std::to_string(++serial_);
        if constexpr (std::same_as<T, core::pod>) next.status.phase = phase;
        return std::make_shared<T const>(std::move(next));
    }
    void put(any_object const& o) {
        if (o.is<core::service>()) world.service = stored<core::service>(o);
        if (o.is<core::config_map>()) world.config_map = stored<core::config_map>(o);
        if (o.is<batch::job>()) world.launcher = stored<batch::job>(o);
        if (o.is<core::pod>()) world.workers.push_back(stored<core::pod>(o, "Pending"));
        if (o.metadata().name == job.metadata.name && !o.is<core::service>()) world.pod_group = o;
    }
    void carry_out(rules::create const& a) {
        if (!a.object.is<core::secret>()) return put(a.object);
        any_object const made = a.made.front().filled(a.object, rules::key_texts(), 0);
        world.secret = stored<core::secret>(made);
    }
    void carry_out(rules::replace const& a) {
        if (!a.object.is<core::secret>()) return put(a.object);
        rules::create c(a.object);
        c.made = a.made;
        carry_out(c);
    }
    void carry_out(rules::remove const& a) {
        std::erase_if(world.workers,
                      [&](auto const& p) { return a.of.type->kind == "Pod" && p->metadata.name == a.of.name; });
        if (a.of.type->kind == "PodGroup") world.pod_group = {};
    }
    void carry_out(rules::write_status const& a) { job.status = a.object.get_if<mpi_job>()->status; }
    template <class Action> void carry_out(Action const&) {}

    int serial_ = 0;
};

} // namespace mpi_sample

#endif
