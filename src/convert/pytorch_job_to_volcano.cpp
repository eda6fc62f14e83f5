#include "convert/volcano_parts.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <array>

namespace kftrain::convert {
namespace {

constexpr std::array<std::string_view, 2> pytorch_types{"Master", "Worker"};

constexpr source_words pytorch_words = [] {
    source_words w;
    w.specs_field = "pytorchReplicaSpecs";
    w.container = "pytorch";
    w.port_name = "pytorchjob-port";
    w.port = 23456;
    w.default_restart_policy = "OnFailure";
    w.types = pytorch_types;
    return w;
}();

} // namespace

result<converted<volcano_job>> to_volcano(pytorch_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    volcano_draft draft(job, job.spec.pytorch_replica_specs, pytorch_words);
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
    auto const port = named.value_or(pytorch_words.port);
    draft.add_plugin("pytorch", {"--master=master", "--worker=worker", "--port=" + std::to_string(port)}, port);
    draft.add_variable("PYTHONUNBUFFERED", "1");
    return draft.finish();
}

} // namespace kftrain::convert
