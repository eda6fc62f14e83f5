#ifndef KFTRAIN_SRC_JOB_V1_BUILT_JOB_HPP
#define KFTRAIN_SRC_JOB_V1_BUILT_JOB_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/job/training_job.hpp>
#include <kftrain/job/v1/job_builder.hpp>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::detail {

/// The spec of a replica type from the choices of the builder.
kubeflow_v1::replica_spec make_replicas(std::string_view training_container, pod_choices const& common,
                                        replica_choices const&);
/// Adds the replicas of a type to those of a job of the family, if the builder has them.
template <class Kind>
void add_replicas(kubeflow_v1::replica_spec_map& made, std::string_view type, pod_choices const& common,
                  boxed<replica_choices> const& chosen) {
    if (chosen) made.emplace(type, make_replicas(Kind::constants.container, common, *chosen));
}
/// For workers of a launcher: the command is the launcher's.
pod_choices without_command(pod_choices);
/// For a launcher that is no host: resources with a domain in their name, such as `nvidia.com/gpu`, are the workers'.
pod_choices without_devices(pod_choices);
/// A value that does not fit its field: `path: text`.
issue invalid_value(std::string path, std::string const& text);
/// Appends a fault for each amount that is not a quantity.
void check_resources(core::resource_requirements const&, std::string const& path, issues& found);
/// A pod of a job that was built, and the path of its spec.
struct built_pod {
    core::pod_spec const* spec;
    std::string path;
};
/// For all replica types.
std::vector<built_pod> pods_of(kubeflow_v1::replica_job const&);
/** Why a builder refuses its job; empty if it does not. The reasons are faults of its parts, admission, invalid
    quantities in pods, and lint errors. */
std::optional<failure> why_refused(rules::job_rules const&, void const* job, std::span<built_pod const>, issues found);

/// The job, unless it is refused.
template <class Job, class Pods> result<Job> checked(Job job, issues found, Pods const& pods_of_job) {
    if (auto why = why_refused(job_rules_for<Job>(), &job, pods_of_job(job), std::move(found))) return *std::move(why);
    return job;
}
/// The same for a job of the family, with the metadata and the run policy of the builder.
template <class Kind, class Choices>
result<typename Kind::object> checked(typename Kind::object job, job_choices const& chosen, Choices const& own) {
    job.metadata = chosen.metadata;
    job.spec.run_policy = chosen.policy;
    issues found = chosen.problems;
    found.insert(found.end(), own.problems.begin(), own.problems.end());
    typename Kind::options const options;
    return checked(std::move(job), std::move(found),
                   [&options](typename Kind::object const& made) { return pods_of(Kind(made, options)); });
}

} // namespace kftrain::detail

#endif
