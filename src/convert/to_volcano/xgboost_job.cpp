#include "convert/to_volcano/volcano_parts.hpp"

#include <kftrain/convert/volcano_job.hpp>

namespace kftrain::convert {

/// The plugin pytorch also sets the variables that XGBoost reads; LightGBM reads the list of workers.
result<converted<volcano_job>> to_volcano(xgboost_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    volcano_draft draft(job, job.spec.xgb_replica_specs);
    auto const master = draft.key_of("Master"), worker = draft.key_of("Worker");
    auto const workers = worker.empty() ? 0 : job.spec.xgb_replica_specs.at(worker).replicas.value_or(1);
    if (auto fault = workers > 0 ? draft.generated_name_fault() : std::nullopt) return *std::move(fault);
    draft.changes.approximated("apiVersion", R"("kubeflow.org/v1")", "apiVersion",
                               "Pods start as a gang and find each other through one service. The port of the master "
                               "has the name pytorchjob-port.");
    draft.convert(master);
    auto const port = draft.port_of(master).value_or(draft.names().port);
    draft.add_plugin("pytorch", {"--master=master", "--worker=worker", "--port=" + std::to_string(port)}, port);
    draft.add_variable("PYTHONUNBUFFERED", "1");
    if (workers == 0) return draft.finish();
    std::string hosts;
    for (std::int32_t i = 0; i < workers; ++i) hosts.append(i == 0 ? "" : ",").append(draft.host_of("worker", i));
    draft.add_variable("WORKER_PORT", std::to_string(draft.port_of(worker).value_or(draft.names().port)));
    draft.add_variable("WORKER_ADDRS", hosts);
    return draft.finish();
}

} // namespace kftrain::convert
