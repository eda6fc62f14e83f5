#include "kinds/pytorch_job/lint_commands.hpp"

#include "base/in_quotes.hpp"
#include "job/contract/devices.hpp"
#include "job/contract/started_programs.hpp"
#include "job/contract/torchrun_lint.hpp"
#include "job/lint/lint_rules.hpp"
#include "kinds/pytorch_job/processes.hpp"

#include <algorithm>
#include <array>

namespace kftrain::kubeflow_v1::pytorch {
namespace {

/// Whether a program of this name does not train.
bool is_auxiliary(std::string_view name) {
    static constexpr std::array<std::string_view, 22> names{
        "cat", "cd",    "chmod", "cp", "date",  "echo",  "exit",  "export", "fi",   "ls",    "mkdir",
        "mv",  "rsync", "pip",   "rm", "rmdir", "sleep", "touch", "tee",    "true", "unset", "wait"};
    return std::ranges::find(names, name) != names.end();
}

/// The training container of a type, with its programs.
struct training_command {
    training_command() = default;

    std::string_view type;
    core::container const* container = nullptr;
    std::string path;
    std::vector<started_program> programs;

    /// The program that starts the processes of training by torchrun, or null.
    started_program const* torchrun() const {
        auto const at = std::ranges::find_if(programs, &is_torchrun);
        return at == programs.end() ? nullptr : &*at;
    }
    /// The script that Python runs in one process. Absent if another program may train instead.
    std::optional<std::string> script() const {
        std::optional<std::string> found;
        for (auto const& p : programs) {
            if (is_torchrun(p) || is_shell(p.name)) return std::nullopt;
            if (auto of_program = python_script(p))
                found = std::move(of_program);
            else if (!is_auxiliary(p.name))
                found.reset();
        }
        return found;
    }
};

std::vector<training_command> commands_of(replica_job const& job) {
    std::vector<training_command> all;
    for (auto type : job.types()) {
        auto const* const c = training(job, type);
        if (c == nullptr) continue;
        auto& t = all.emplace_back();
        t.type = type;
        t.container = c;
        auto const index = c - job.spec_of(type)->template_.spec.containers.data();
        t.path = container_path(job, type, static_cast<std::size_t>(index));
        t.programs = started_programs(*c);
    }
    return all;
}

bool sets(core::container const& c, std::initializer_list<std::string_view> names) {
    return std::ranges::any_of(
        c.env, [&](core::env_var const& v) { return std::find(names.begin(), names.end(), v.name) != names.end(); });
}

void lint_endpoint(training_command const& t, std::int64_t replicas, issues& found) {
    auto const* const torchrun = t.torchrun();
    if (torchrun == nullptr && !t.script()) return;
    for (std::string_view const text : {"MASTER_ADDR", "master_addr", "master-addr", "rdzv", "standalone", "dist_url",
                                        "dist-url", "init_method", "init-method", "PET_"})
        if (mentions(*t.container, text)) return;
    if (!t.container->env_from.empty()) return; // which may set them
    if (sets(*t.container, {"MASTER_ADDR", "PET_MASTER_ADDR", "PET_RDZV_ENDPOINT", "PET_STANDALONE"})) return;
    report(found, no_endpoint, "spec.pytorchReplicaSpecs",
           std::to_string(replicas) + " workers receive no address of each other, expected a Master or elasticPolicy");
}

/// The process settings of the job that only torchrun reads; empty if there are none.
std::string unread_setting(pytorch_job const& job) {
    auto const stated = stated_processes(job);
    if (stated.value_or(1) > 1) return "nprocPerNode " + std::to_string(*stated);
    if (job.spec.elastic_policy) return "elasticPolicy";
    return {};
}

/// Whether torchrun starts one process for each device.
bool counts_devices(training_command const& t) {
    auto const* const torchrun = t.torchrun();
    if (torchrun == nullptr || sets(*t.container, {"PET_NPROC_PER_NODE"})) return false;
    auto const stated = torchrun_option(*torchrun, "nproc-per-node").value_or("auto");
    return stated == "auto" || stated == "gpu";
}

void lint_processes(std::vector<training_command> const& all, pytorch_job const& job, issues& found) {
    auto const unread = unread_setting(job);
    for (auto const& t : all) {
        auto const script = t.script();
        if (!script) continue;
        if (!unread.empty())
            return report(found, one_process, t.path + ".command",
                          "Python runs " + in_quotes(*script) + " in one process and does not read " + unread +
                              ", expected torchrun");
    }
    training_command const* first = nullptr;
    for (auto const& t : all) {
        auto const gpus = gpus_of(*t.container);
        if (gpus == 0 || !counts_devices(t) || stated_processes(job)) continue;
        if (first == nullptr) first = &t;
        if (auto const others = gpus_of(*first->container); gpus != others)
            return report(found, uneven_devices, t.path + ".resources.limits",
                          std::to_string(gpus) + " GPUs, but " + std::to_string(others) + " of a " +
                              std::string(first->type) + "; the number of processes differs");
    }
    for (auto const& t : all)
        if (auto const gpus = gpus_of(*t.container); gpus > 1)
            if (auto const script = t.script())
                return report(found, idle_devices, t.path + ".command",
                              "Python runs " + in_quotes(*script) + " in one process for " + std::to_string(gpus) +
                                  " GPUs, expected torchrun, or a script that uses all of them");
}

void lint_ports(std::vector<training_command> const& all, std::int32_t operator_port, issues& found) {
    std::optional<std::string> first;
    training_command const* before = nullptr;
    for (auto const& t : all) {
        auto const* const torchrun = t.torchrun();
        if (torchrun == nullptr) continue;
        auto const port = torchrun_option(*torchrun, "master-port").value_or(std::to_string(operator_port));
        if (port.find('$') != port.npos) return;
        if (before == nullptr) {
            before = &t;
            first = port;
        } else if (port != *first) {
            return report(found, master_port, t.path + ".command",
                          "port " + port + ", but the port of a " + std::string(before->type) + " is " + *first +
                              "; expected no --master_port, because the operator sets MASTER_PORT");
        }
    }
    if (before != nullptr && all.size() > 1 && *first != std::to_string(operator_port))
        report(found, other_port, before->path + ".command",
               "--master_port " + *first + " replaces MASTER_PORT " + std::to_string(operator_port) +
                   ", expected no option, or a container port " + *first + " with the name pytorchjob-port");
}

/// Whether an autoscaler changes the number of pods.
bool is_autoscaled(pytorch_job const& job) {
    auto const& policy = job.spec.elastic_policy;
    return policy && policy->metrics && !policy->metrics->empty();
}

void lint_nodes(std::vector<training_command> const& all, pytorch_job const& job, std::int64_t pods, issues& found) {
    for (auto const& t : all)
        if (auto const fault = standalone_fault(*t.container, pods); !fault.empty())
            return report(found, standalone, t.path + ".command", fault);
    // Pods with other commands may take part or not.
    auto const is_clear = [](training_command const& t) { return plain_torchrun(*t.container).has_value(); };
    if (is_autoscaled(job) || !std::ranges::all_of(all, is_clear)) return;
    for (auto const& t : all)
        if (auto const fault = nodes_fault(*t.container, pods); !fault.empty())
            return report(found, nodes, t.path + ".command", fault);
}

} // namespace

core::container const* training(replica_job const& job, std::string_view type) {
    for (auto const& c : job.spec_of(type)->template_.spec.containers)
        if (c.name == pytorch_kind::constants.container) return &c;
    return nullptr;
}

void lint_commands(replica_job const& job, pytorch_job const& object, issues& found) {
    auto const all = commands_of(job);
    bool const has_master = job.spec_of(master) != nullptr;
    if (!has_master && !object.spec.elastic_policy && job.total_replicas() > 1 && !all.empty())
        lint_endpoint(all.front(), job.total_replicas(), found);
    lint_processes(all, object, found);
    lint_nodes(all, object, job.total_replicas(), found);
    if (has_master) lint_ports(all, job.port_of(master).value_or(pytorch_kind::constants.port), found);
}

} // namespace kftrain::kubeflow_v1::pytorch
