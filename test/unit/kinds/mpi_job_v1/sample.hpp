#ifndef KFTRAIN_TEST_UNIT_KINDS_MPI_JOB_V1_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_KINDS_MPI_JOB_V1_SAMPLE_HPP

#include "support/job_plan.hpp"

#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/model/codec.hpp>

#include <map>
#include <string>
#include <vector>

/// MPIJobs of `kubeflow.org/v1`, what exists for them, and what is done about it.
namespace mpi_v1_sample {

using namespace kftrain;
using v1_mpi_job = kubeflow_v1::mpi_job; ///< that of kftrain is the one of v2beta1
using lines = std::vector<std::string>;

/// A job `hvd` with a launcher and so many workers, with these further lines of its spec, each indented by two.
inline v1_mpi_job job(int workers, std::string const& more = "") {
    std::string const pod = "template: {spec: {containers: [{name: mpi, image: 'i:1'}]}}";
    std::string text = "metadata: {name: hvd, namespace: team, uid: u}\nspec:\n" + more + "  mpiReplicaSpecs:\n";
    text += "    Launcher: {" + pod + "}\n";
    if (workers >= 0) text += "    Worker: {replicas: " + std::to_string(workers) + ", " + pod + "}\n";
    return from_yaml<v1_mpi_job>(text).value();
}

/// The created objects, with the pods in these phases; Running by default.
inline kubeflow_v1::observed world_of(v1_mpi_job const& j, std::map<std::string, std::string> const& phases = {}) {
    kubeflow_v1::observed seen;
    for (auto const& c : any_job(j).render()) {
        auto const* p = c.get_if<pod>();
        if (p == nullptr) {
            seen.add(c);
            continue;
        }
        pod stored = *p;
        auto const phase = phases.find(stored.metadata.name);
        stored.status.phase = phase == phases.end() ? "Running" : phase->second;
        seen.pods.push_back(std::make_shared<pod const>(std::move(stored)));
    }
    return seen;
}

struct teller {
    std::string operator()(rules::create const& a) const { return "create " + named(a.object); }
    std::string operator()(rules::replace const& a) const { return "replace " + named(a.object); }
    std::string operator()(rules::remove const& a) const { return "delete " + a.of.name; }
    std::string operator()(rules::emit_event const& a) const { return a.type + " " + a.reason + ": " + a.message; }
    std::string operator()(rules::write_status const& a) const {
        std::string text = "status";
        for (auto const& c : a.object.get_if<v1_mpi_job>()->status.conditions)
            text += " " + c.type + "=" + c.status + "/" + c.reason;
        return text;
    }
    template <class Other> std::string operator()(Other const&) const { return "(no such action)"; }

private:
    static std::string named(any_object const& o) { return std::string(o.resource().plural) + " " + o.metadata().name; }
};

/// The plan in words, without the events that each pass repeats.
inline lines plan(v1_mpi_job const& j, kubeflow_v1::observed const& seen, operator_options const& reported = {}) {
    lines all;
    for (auto const& step : plan_of(any_job(j), seen, time_point(), reported).steps)
        for (auto const& action : step.actions) {
            auto text = std::visit(teller(), action);
            if (text.find(" is exist: ") == std::string::npos) all.push_back(std::move(text));
        }
    return all;
}

} // namespace mpi_v1_sample

#endif
