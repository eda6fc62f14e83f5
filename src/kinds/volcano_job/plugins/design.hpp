#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLUGINS_DESIGN_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLUGINS_DESIGN_HPP

#include "kinds/volcano_job/plugins/plugins.hpp"

#include <optional>

/** The designed behaviour of framework plugins beyond the variables that they set: launch order, policies, restarts.
    @par Upstream volcano v1.9.0 `docs/design/distributed-framework-plugins.md`; what it leaves open is decided in
    docs/reference/kinds/volcano_job.md, "As designed" */
namespace kftrain::volcano {

/// The roles of a job's tasks for a framework plugin.
struct framework {
    framework() = default;

    std::string_view plugin;
    std::vector<std::string> roles;   ///< tasks that take part
    std::vector<std::string> waiting; ///< those of them that start later
    std::string awaited;              ///< the one that they wait for
    std::string deciding;             ///< when it is through, the job is
    wait_settings wait;
};

/// The frameworks of the job in the order of their names. A framework without its leading task does not affect the job,
/// and is omitted.
std::vector<framework> frameworks_of(job const&);

/** Sets what admission adds: restart policies of containers, the policy that ends the job, and the dependencies between
    tasks with the resulting gang. A job with its own order keeps it. Idempotent; tasks have their names and minima. */
void complete_as_designed(job&, volcano_operator_options const&);

/// Whom the pods of a task wait for in an init container; null: nobody. The first framework of a job decides.
task_spec const* awaited_task(job const&, task_spec const&, volcano_operator_options const&);
/// Adds that init container, behind those of the template.
void add_wait(core::pod&, job const&, task_spec const&, volcano_operator_options const&);

/// How many ranks a pod of pytorch as designed has; absent if that is known at run time only, 1 of others.
std::optional<std::int32_t> processes_of(rank_settings const&);
/// The faults of well-formed values; empty if there are none.
std::string value_fault(job const&, std::string_view plugin);

} // namespace kftrain::volcano

#endif
