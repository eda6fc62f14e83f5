#include "convert/to_volcano/volcano_parts.hpp"
#include "job/programs/started_programs.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <algorithm>

namespace kftrain::convert {
namespace {

/// Without options, torchrun would train in each pod alone.
void report_torchrun(pytorch_job const& job, change_list& changes) {
    std::int64_t pods = 0;
    for (auto const& [type, spec] : job.spec.pytorch_replica_specs) pods += spec.replicas.value_or(1);
    if (pods < 2) return;
    for (auto const& [type, spec] : job.spec.pytorch_replica_specs)
        for (std::size_t i = 0; i < spec.template_.spec.containers.size(); ++i) {
            auto const& c = spec.template_.spec.containers[i];
            auto const programs = started_programs(c);
            auto const at = std::ranges::find_if(programs, &is_torchrun);
            if (at == programs.end() || torchrun_option(*at, "nnodes")) continue;
            auto const why = "torchrun needs the options --nnodes=" + std::to_string(pods) +
                             " --node_rank=$(RANK) --master_addr=$(MASTER_ADDR) --master_port=$(MASTER_PORT).";
            changes.approximated("spec.pytorchReplicaSpecs[" + type + "].template.spec.containers[" +
                                     std::to_string(i) + "].command",
                                 json_text(c.command), "spec.tasks", why);
        }
}

} // namespace

result<converted<volcano_job>> to_volcano(pytorch_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    volcano_draft draft(job, job.spec.pytorch_replica_specs);
    auto const master = draft.key_of("Master");
    if (master.empty())
        return refused_field("spec.pytorchReplicaSpecs",
                             "has no Master, expected one: the plugin pytorch sets no variables without it");
    auto& changes = draft.changes;
    changes.approximated("apiVersion", R"("kubeflow.org/v1")", "apiVersion",
                         "Pods start as a gang and find each other through one service. All their containers receive "
                         "their ranks. Workers do not wait for their master in an init container, and the variables "
                         "PET_... of torchrun are not set.");
    draft.convert(master);
    if (auto const& elastic = job.spec.elastic_policy)
        changes.dropped("spec.elasticPolicy", to_json(*elastic),
                        "No plugin makes a job elastic. The command must pass the range to torchrun.");
    if (auto const& processes = job.spec.nproc_per_node)
        changes.dropped("spec.nprocPerNode", json_text(*processes),
                        "The command must pass the number to torchrun; WORLD_SIZE is the number of pods.");
    auto const named = draft.port_of(master);
    auto const port = named.value_or(draft.names().port);
    draft.add_plugin("pytorch", {"--master=master", "--worker=worker", "--port=" + std::to_string(port)}, port);
    draft.add_variable("PYTHONUNBUFFERED", "1");
    report_torchrun(job, changes);
    return draft.finish();
}

} // namespace kftrain::convert
