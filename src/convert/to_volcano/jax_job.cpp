#include "convert/to_volcano/volcano_parts.hpp"

#include <kftrain/convert/volcano_job.hpp>

namespace kftrain::convert {

/// Volcano has no plugin for JAX: the template contains what all workers share, and the index comes from a label of the
/// pod.
result<converted<volcano_job>> to_volcano(jax_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    volcano_draft draft(job, job.spec.jax_replica_specs);
    if (auto fault = draft.generated_name_fault()) return *std::move(fault);
    auto const worker = draft.key_of("Worker");
    draft.changes.approximated("apiVersion", R"("kubeflow.org/v1")", "apiVersion",
                               "Pods start as a gang and find each other through one service. Variables in the "
                               "template fix the number of processes.");
    draft.convert(worker);
    std::int64_t processes = 0;
    for (auto const& task : draft.job.spec.tasks) processes += task.replicas;
    draft.add_variable("PYTHONUNBUFFERED", "1");
    draft.add_variable("COORDINATOR_PORT", std::to_string(draft.port_of(worker).value_or(draft.names().port)));
    draft.add_variable("COORDINATOR_ADDRESS", draft.host_of("worker", 0));
    draft.add_variable("NUM_PROCESSES", std::to_string(processes));
    draft.add_index("PROCESS_ID");
    return draft.finish();
}

} // namespace kftrain::convert
