#ifndef KFTRAIN_SRC_JOB_V1_BUILT_JOB_HPP
#define KFTRAIN_SRC_JOB_V1_BUILT_JOB_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/job/training_job.hpp>
#include <kftrain/job/v1/job_builder.hpp>

namespace kftrain::detail {

/// The spec of a replica type as the builder of its kind was told.
kubeflow_v1::replica_spec make_replicas(std::string_view training_container, pod_choices const& common,
                                        replica_choices const&);
/// Of workers that serve a launcher: the command is the launcher's.
pod_choices without_command(pod_choices);
/// Of a launcher that does not work itself: resources of names with a domain, e.g. `nvidia.com/gpu`, are the workers'.
pod_choices without_devices(pod_choices);
/// What builders refuse beyond admission and lint: texts of a pod that are no quantities. `path` is that of the pod's spec.
void check_built(core::pod_spec const&, std::string const& path, issues&);
/// The same of all replica types.
void check_built(kubeflow_v1::replica_job const&, issues&);
/// The job, or why it is refused: by what the parts of its builder found, admission, check_built() and the errors of lint.
template <class Kind>
result<typename Kind::object> checked(typename Kind::object job, issues const& common, issues const& own) {
    issues found = common;
    found.insert(found.end(), own.begin(), own.end());
    auto const& rules = job_rules_for<typename Kind::object>();
    for (auto& i : rules.validate(&job, nullptr)) found.push_back(std::move(i));
    typename Kind::options const told;
    check_built(Kind(job, told), found);
    for (auto& i : rules.lint(&job)) found.push_back(std::move(i));
    if (has_errors(found)) return refused(found);
    return job;
}

} // namespace kftrain::detail

#endif
