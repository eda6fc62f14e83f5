#ifndef KFTRAIN_SRC_CLI_MANIFESTS_JOB_PARTS_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_JOB_PARTS_HPP

#include <kftrain/job/prepared_job.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace kftrain::cli {

/// Pods that a picture shows as one box: those of a role, or those of a Job or a StatefulSet.
struct pod_group {
    pod_group() = default;

    std::string title;                    ///< such as `Worker, 3 pods`
    std::vector<std::string> names;       ///< of the pods; of the Job, whose pods get random names
    std::vector<std::string> init;        ///< init containers of the last pod
    std::vector<std::string> environment; ///< `NAME=value` for each variable that the operator sets
};

/// Services that a picture shows as one box.
struct service_group {
    service_group() = default;

    std::vector<std::string> names;
    std::string port;                ///< the first one; may be empty
    std::vector<std::size_t> groups; ///< pod groups that it selects, in their order; never empty
};

/// An object that is neither a pod nor a service of pods.
struct other_object {
    other_object() = default;

    std::string kind;
    std::string name;
};

/// The objects that the operator creates for a job, in groups.
struct job_parts {
    job_parts() = default;

    std::vector<pod_group> pods;
    std::vector<service_group> services;
    std::vector<other_object> others;
};

/// Groups the objects that render() returns.
job_parts parts_of(prepared_job const& job);

/** Draws the objects that the operator creates for the jobs: pods with the environment that they receive, services and
    other objects. Returns an SVG document with a title and a description, in colours for light and dark mode. The jobs
    must be valid. */
std::string job_picture(std::vector<prepared_job> const& jobs);

} // namespace kftrain::cli

#endif
