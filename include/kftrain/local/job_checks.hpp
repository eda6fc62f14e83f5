#ifndef KFTRAIN_LOCAL_JOB_CHECKS_HPP
#define KFTRAIN_LOCAL_JOB_CHECKS_HPP

/** @file Checks of a job before it runs on a local cluster. They need no cluster. Paths of issues are those of fields
    in the job, as for unsupported_parts(). */

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/pod_options.hpp>

#include <set>
#include <string>
#include <utility>

namespace kftrain::local {

/** Returns unsupported_parts() of the job, its images without an entry in pod_options::images, and the programs and
    scripts of its commands that do not exist on this machine, unless an image or a volume may contain them. Containers
    without `workingDir` run in the current directory.
    @param mode How the cluster isolates pods: some fields need namespaces
    @param pods The options of the cluster that pods may use: commands, images and directories of claims */
issues find_faults(prepared_job const& job, isolation mode, pod_options const& pods = pod_options());

/// The kind and the name of an object. Kinds are compared by their address, so the kind must be a `resource` of static
/// storage duration, such as `core::secret::resource`.
using named_object = std::pair<resource_info const*, std::string>;

/// Returns the Secrets, ConfigMaps and persistent volume claims that the pods of a job need, except for those that its
/// operator creates and for claims with a directory in pod_options::volumes.
std::set<named_object> needed_objects(prepared_job const& job, pod_options const& pods);

/// Returns an issue for each field of the job that names one of these objects, with the rule `local.missing-object`.
issues missing_object_issues(prepared_job const& job, std::set<named_object> const& missing);

} // namespace kftrain::local

#endif
