#include "base/ascii.hpp"
#include "convert/to_train_job/train_job_parts.hpp"
#include "job/programs/started_programs.hpp"
#include "kinds/pytorch_job/kind.hpp"
#include "kinds/train_job/kind.hpp"

#include <kftrain/convert/train_job.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace kftrain::convert {
namespace {

constexpr std::string_view pytorch_container = "pytorch";
constexpr std::string_view unknown_in_pytorch_job = "A job of kubeflow.org/v1 has no such field.";
constexpr std::int64_t most_nodes = std::numeric_limits<std::int32_t>::max();

std::string path_of_type(std::string_view key) {
    return std::string("spec.pytorchReplicaSpecs[").append(key).append("]");
}

/// Whether a text contains a reference to a variable of the PyTorchJob: `$NAME`, `${NAME}` or `$(NAME)`.
bool uses_old_variables(std::string_view text) {
    static constexpr std::array<std::string_view, 4> names{"MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE"};
    return std::ranges::any_of(names, [&](std::string_view name) {
        std::string const n(name);
        auto const has = [&](std::string const& part) { return text.find(part) != std::string_view::npos; };
        return has("$" + n) || has("${" + n + "}") || has("$(" + n + ")");
    });
}

bool uses_old_variables(core::container const& c) {
    auto const uses = [](std::string const& text) { return uses_old_variables(text); };
    return std::ranges::any_of(c.command, uses) || std::ranges::any_of(c.args, uses);
}

/// One conversion; refers to the source.
class torch_pass {
public:
    explicit torch_pass(pytorch_job const& job)
        : source_(job), draft_(job, "torch-distributed", unknown_in_pytorch_job) {}

    result<converted<train_job>> run() {
        draft_.changes.approximated(
            "apiVersion", R"("kubeflow.org/v1")", "apiVersion",
            "All pods belong to one Job of a JobSet and are named NAME-node-0-INDEX-SUFFIX. They receive PET_NNODES, "
            "PET_NODE_RANK, PET_MASTER_ADDR, PET_MASTER_PORT and PET_NPROC_PER_NODE for torchrun, not RANK, "
            "WORLD_SIZE, MASTER_ADDR and MASTER_PORT. The job ends when all of them have ended, not with its master.");
        auto fault = draft_.convert_policy(source_.spec.run_policy, "kubeflow.org/training-operator", "None",
                                           "Pods that have ended stay until the TrainJob is deleted.");
        if (fault) return *std::move(fault);
        auto const nodes = count_nodes();
        if (nodes > most_nodes)
            return refused_field("spec.pytorchReplicaSpecs", std::to_string(nodes) +
                                                                 " replicas in all, expected at most " +
                                                                 std::to_string(most_nodes));
        draft_.job.spec.trainer->num_nodes = static_cast<std::int32_t>(nodes);
        convert_pods();
        if (auto const& elastic = source_.spec.elastic_policy)
            draft_.changes.dropped("spec.elasticPolicy", to_json(*elastic),
                                   "The number of nodes of a TrainJob is fixed, and no autoscaler changes it.");
        convert_processes();
        report_command(nodes);
        report_variables();
        return draft_.finish();
    }

private:
    /// The pods of all types.
    std::int64_t count_nodes() {
        std::int64_t nodes = 0;
        for (auto const& [type, spec] : source_.spec.pytorch_replica_specs) {
            nodes += spec.replicas.value_or(1);
            if (spec.replicas)
                draft_.changes.changed(path_of_type(type) + ".replicas", std::to_string(*spec.replicas),
                                       "spec.trainer.numNodes", "The nodes are the replicas of all types.");
        }
        return nodes;
    }

    /// The template of the master is that of all pods, because it is rank 0.
    void convert_pods() {
        auto const& all = source_.spec.pytorch_replica_specs;
        auto leader = std::ranges::find_if(all, [](auto const& entry) { return to_lower(entry.first) == "master"; });
        if (leader == all.end()) leader = all.begin();
        auto const pod_of = [](auto const& entry) {
            auto const& containers = entry.second.template_.spec.containers;
            auto const at = std::ranges::find(containers, pytorch_container, &core::container::name);
            return source_pod(path_of_type(entry.first) + ".template", entry.second.template_,
                              static_cast<std::size_t>(at - containers.begin()));
        };
        auto trained = pod_of(*leader);
        draft_.clean(trained,
                     {"PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT"}, {});
        draft_.place(trained, trainer::node, true);
        trained_ = trained.container_path();
        if (auto const& list = trained.template_.spec.containers; trained.container < list.size())
            container_ = &list[trained.container];
        for (auto const& entry : all) {
            draft_.changes.dropped(entry.second.unknown, path_of_type(entry.first), unknown_in_pytorch_job);
            draft_.report_restarts(path_of_type(entry.first), entry.second.restart_policy);
            if (entry.first != leader->first)
                draft_.replace(pod_of(entry), trained,
                               "All nodes of a TrainJob have one template, here that of " + leader->first + ".");
        }
    }

    /// Without a number, the policy of the runtime starts one process for each GPU, or for each CPU of the requests.
    void convert_processes() {
        std::string const path = "spec.nprocPerNode", to = "spec.trainer.numProcPerNode";
        auto const& given = source_.spec.nproc_per_node;
        auto& changes = draft_.changes;
        auto& number = draft_.job.spec.trainer->num_proc_per_node;
        auto const stated = kubeflow_v1::pytorch::stated_processes(source_);
        if (stated && *stated >= 1 && *stated <= most_nodes) {
            number = static_cast<std::int32_t>(*stated);
            changes.changed(path, json_text(*given), to, "The field is now in spec.trainer.");
            return;
        }
        auto const& elastic = source_.spec.elastic_policy;
        if (!given && elastic && elastic->n_proc_per_node && *elastic->n_proc_per_node >= 1) {
            number = elastic->n_proc_per_node;
            changes.changed("spec.elasticPolicy.nProcPerNode", std::to_string(*number), to,
                            "The number of processes does not need the elastic policy.");
            return;
        }
        bool const has_gpus = container_ != nullptr && trainer::gpu_count(container_->resources) > 0;
        bool const counts_gpus = !given || *given == "auto" || *given == "gpu";
        if (has_gpus && counts_gpus) {
            if (given) changes.changed(path, json_text(*given), "", "With GPUs, the operator passes auto to torchrun.");
            return;
        }
        changes.approximated(path, given ? json_text(*given) : std::string(absent), "",
                             has_gpus
                                 ? "The operator passes auto to torchrun, which starts a process for each GPU."
                                 : "The operator counts the CPUs that the container requests, at least 1. torchrun "
                                   "counted the devices of the node.");
    }

    void report_command(std::int64_t nodes) {
        if (container_ == nullptr || (container_->command.empty() && container_->args.empty())) return;
        std::string const field = container_->command.empty() ? "args" : "command";
        auto const& value = container_->command.empty() ? container_->args : container_->command;
        std::string_view why;
        if (uses_old_variables(*container_))
            why =
                "The command refers to RANK, WORLD_SIZE, MASTER_ADDR or MASTER_PORT, which are not set. torchrun reads "
                "the variables PET_... and needs no such arguments.";
        else if (nodes > 1 && std::ranges::none_of(started_programs(*container_), &is_torchrun))
            why = "The pods find each other only if torchrun starts the program, or if it reads the variables PET_... "
                  "itself.";
        if (!why.empty())
            draft_.changes.approximated(trained_ + "." + field, json_text(value), "spec.trainer." + field, why);
    }

    void report_variables() {
        if (container_ == nullptr) return;
        auto const& kept = draft_.job.spec.trainer->env;
        for (std::size_t i = 0; i < container_->env.size(); ++i)
            if (auto const& variable = container_->env[i];
                uses_old_variables(variable.value) && std::ranges::find(kept, variable) != kept.end())
                draft_.changes.approximated(
                    trained_ + ".env[" + std::to_string(i) + "]", to_json(variable), "spec.trainer.env",
                    "The value refers to RANK, WORLD_SIZE, MASTER_ADDR or MASTER_PORT, which are not set.");
    }

    pytorch_job const& source_;
    train_draft draft_;
    std::string trained_;                        ///< path of the container that trains
    core::container const* container_ = nullptr; ///< the container that trains
};

} // namespace

result<converted<train_job>> to_train_job(pytorch_job const& job) {
    if (auto fault = source_fault(job)) return *std::move(fault);
    return torch_pass(job).run();
}

} // namespace kftrain::convert
