#ifndef KFTRAIN_SRC_LOCAL_CLUSTER_POD_ISSUES_HPP
#define KFTRAIN_SRC_LOCAL_CLUSTER_POD_ISSUES_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/job_checks.hpp>
#include <kftrain/local/pod_options.hpp>
#include <kftrain/objects/core.hpp>

#include <functional>
#include <set>
#include <string>

// Issues of the pods of a job, with the path in the job where the author wrote the value.
namespace kftrain::local {

/// Finds issues of one pod; messages begin with the path and a colon.
using pod_judge = std::function<issues(pod const&)>;

/** The issues of the pods that an operator creates for a job; checks one replica of each type. An issue of the pod
    template itself is reported once, with the path of the field in the submitted job. The others are caused by the
    operator: they have no path, and messages begin with the name of the pod. */
issues issues_of_pods(prepared_job const& job, pod_judge const& judge);

/// The parts of a job that the local cluster does not run, as the public function of the name.
issues unsupported_parts(prepared_job const& job, isolation mode, pod_options const& pods);

/// The Secrets, ConfigMaps and persistent volume claims without which a pod does not start.
std::set<named_object> needed_objects(pod const&);
/// The places in a pod that name one of these.
issues references_to(std::set<named_object> const&, pod const&);

} // namespace kftrain::local

#endif
