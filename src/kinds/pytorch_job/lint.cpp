#include "base/in_quotes.hpp"
#include "job/contract/field_error.hpp"
#include "job/lint/torchrun_lint.hpp"
#include "job/programs/devices.hpp"
#include "job/programs/started_programs.hpp"
#include "job/v1/lint/lint_rules.hpp"
#include "kinds/pytorch_job/kind.hpp"

#include <algorithm>
#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

using enum issue::severity;

constexpr lint_rule nproc_per_node{"lint.pytorch.nproc-per-node", error,
                                   "torchrun accepts auto, cpu, gpu or a positive number, and exits on anything else. "
                                   "It also accepts a number with blanks around it or _ within it, but the operator "
                                   "then counts one process and sets a WORLD_SIZE that is too small."};
constexpr lint_rule devices{
    "lint.pytorch.devices", warning,
    "Each process of torchrun needs its own device. With fewer devices processes collide, with more some stay idle."};
constexpr lint_rule shared_memory{"lint.pytorch.shared-memory", info,
                                  "Worker processes of a data loader use /dev/shm. On a cluster a container has only "
                                  "64 MiB of it, unless a memory volume is mounted there."};
constexpr lint_rule elastic_bounds{"lint.pytorch.elastic-bounds", error,
                                   "torchrun rejects a range of nodes that is empty or starts below 1."};
constexpr lint_rule elastic_workers{
    "lint.pytorch.elastic-workers", warning,
    "The rendezvous does not admit workers beyond maxReplicas, and training does not begin below minReplicas."};
constexpr lint_rule elastic_metrics{
    "lint.pytorch.elastic-metrics", warning,
    "The autoscaler divides what pods use by what they request. Without a request it never scales."};
constexpr lint_rule rendezvous{
    "lint.pytorch.rendezvous", warning,
    "Without rdzvHost, workers meet at the first worker. Only the backend c10d listens there."};

// Rules about commands that do not fit the variables that the operator sets:
constexpr lint_rule no_endpoint{"lint.pytorch.no-endpoint", warning,
                                "Without a Master and without elasticPolicy, the operator sets no address, no "
                                "rank and no rendezvous. torchrun then "
                                "waits for the other workers at an address of its own pod."};
constexpr lint_rule one_process{"lint.pytorch.one-process", warning,
                                "Plain Python starts one process in each pod and ignores PET_* variables. "
                                "Training then waits for ranks that no process has, or the pods train "
                                "separately."};
constexpr lint_rule idle_devices{"lint.pytorch.idle-devices", info,
                                 "Python starts one process for each pod, and a process of DistributedDataParallel "
                                 "uses one device. torchrun starts one process for each device."};
constexpr lint_rule uneven_devices{
    "lint.pytorch.uneven-devices", info,
    "Replicas with different numbers of GPUs have different numbers of processes under torchrun, and WORLD_SIZE counts "
    "one process for each pod."};
constexpr lint_rule master_port{"lint.pytorch.master-port", warning,
                                "An option of torchrun replaces the variable of the operator. Replicas with "
                                "different ports never meet."};
constexpr lint_rule other_port{"lint.pytorch.other-port", info,
                               "An option of torchrun replaces the variable of the operator. The service of the "
                               "Master does not list this port, so network policies and meshes may block it."};

constexpr lint_rule standalone{"lint.pytorch.standalone", warning,
                               "With standalone every pod has its own rendezvous, so the pods train separately."};
constexpr lint_rule nodes{"lint.pytorch.nnodes", warning,
                          "torchrun waits for the nodes that --nnodes states, and the option replaces the "
                          "variable of the operator. With more nodes than pods torchrun waits forever, and with "
                          "fewer some pods take no part."};

constexpr std::array all_rules{nproc_per_node,  devices,     shared_memory, elastic_bounds, elastic_workers,
                               elastic_metrics, rendezvous,  no_endpoint,   one_process,    idle_devices,
                               uneven_devices,  master_port, other_port,    standalone,     nodes};

/// Whether a program of this name does not train.
bool is_auxiliary(std::string_view name) {
    static constexpr std::array<std::string_view, 22> names{
        "cat", "cd",    "chmod", "cp", "date",  "echo",  "exit",  "export", "fi",   "ls",    "mkdir",
        "mv",  "rsync", "pip",   "rm", "rmdir", "sleep", "touch", "tee",    "true", "unset", "wait"};
    return std::ranges::find(names, name) != names.end();
}

/// Returns the container of a type that trains, or null.
core::container const* training(replica_job const& job, std::string_view type) {
    for (auto const& c : job.spec_of(type)->template_.spec.containers)
        if (c.name == pytorch_kind::constants.container) return &c;
    return nullptr;
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
    auto const stated = pytorch::stated_processes(job);
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
        if (gpus == 0 || !counts_devices(t) || pytorch::stated_processes(job)) continue;
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

/// Applies these rules to a job with defaults.
void lint_commands(replica_job const& job, pytorch_job const& object, issues& found) {
    auto const all = commands_of(job);
    bool const has_master = job.spec_of(pytorch::master) != nullptr;
    if (!has_master && !object.spec.elastic_policy && job.total_replicas() > 1 && !all.empty())
        lint_endpoint(all.front(), job.total_replicas(), found);
    lint_processes(all, object, found);
    lint_nodes(all, object, job.total_replicas(), found);
    if (has_master) lint_ports(all, job.port_of(pytorch::master).value_or(pytorch_kind::constants.port), found);
}

/// Whether an option of torchrun replaces the number of the job.
bool states_processes(core::container const& c) {
    auto const states = [](started_program const& p) { return is_torchrun(p) && torchrun_option(p, "nproc-per-node"); };
    return std::ranges::any_of(started_programs(c), states);
}

constexpr std::string_view nproc_path = "spec.nprocPerNode";

void lint_stated_processes(replica_job const& job, std::string const& stated, issues& found) {
    auto const n = pytorch::process_count(stated);
    if (n ? *n < 1 : stated != "auto" && stated != "cpu" && stated != "gpu")
        return report(found, nproc_per_node, std::string(nproc_path),
                      in_quotes(stated) + ", expected auto, cpu, gpu or a positive number");
    for (auto type : job.types()) {
        auto const* const c = training(job, type);
        if (c == nullptr || states_processes(*c)) continue;
        std::int64_t const gpus = gpus_of(*c);
        if (n && gpus > 0 && gpus != *n)
            report(found, devices, std::string(nproc_path),
                   in_quotes(stated) + " processes for the " + std::to_string(gpus) + " GPUs of a " +
                       std::string(type) + ", expected one process for each GPU");
        if (stated == "gpu" && gpus == 0)
            report(found, devices, std::string(nproc_path),
                   "\"gpu\" without a GPU in the limits of a " + std::string(type) + ", expected at least one");
    }
}

void lint_memory(replica_job const& job, issues& found) {
    for (auto type : job.types()) {
        auto const* const c = training(job, type);
        if (c == nullptr || gpus_of(*c) == 0) continue;
        auto const& mounts = c->volume_mounts;
        auto const is_shared = [](core::volume_mount const& m) {
            return m.mount_path == "/dev/shm" || m.mount_path == "/dev/shm/";
        };
        if (std::none_of(mounts.begin(), mounts.end(), is_shared))
            report(found, shared_memory, job.path_of(type) + ".template.spec.volumes",
                   "nothing is mounted at /dev/shm, expected an emptyDir with medium Memory on a cluster");
    }
}

bool requests(core::container const& c, std::string const& resource) {
    return c.resources.requests.contains(resource) || c.resources.limits.contains(resource);
}

void lint_metric(replica_job const& job, autoscaling::metric_spec const& m, std::string const& path, issues& found) {
    std::string const* resource = nullptr;
    std::string_view only;
    if (m.resource && m.resource->target.average_utilization) resource = &m.resource->name;
    if (m.container_resource && m.container_resource->target.average_utilization) {
        resource = &m.container_resource->name;
        only = m.container_resource->container;
    }
    if (resource == nullptr || job.spec_of(pytorch::worker) == nullptr) return;
    for (auto const& c : job.spec_of(pytorch::worker)->template_.spec.containers)
        if ((only.empty() || c.name == only) && !requests(c, *resource))
            report(found, elastic_metrics, path,
                   "container " + in_quotes(c.name) + " of the workers does not request " + *resource +
                       ", expected a request");
}

void lint_elastic(replica_job const& job, elastic_policy const& policy, issues& found) {
    std::string const path = "spec.elasticPolicy.";
    std::int32_t const min = policy.min_replicas.value_or(1);
    std::int32_t const max = policy.max_replicas.value_or(min);
    bool const empty = min < 1 || min > max;
    if (empty)
        report(found, elastic_bounds, path + "minReplicas",
               std::to_string(min) + " to maxReplicas " + std::to_string(max) +
                   ", expected 1 <= minReplicas <= maxReplicas");
    auto const* const workers = job.spec_of(pytorch::worker);
    std::int32_t const count = workers == nullptr ? 0 : workers->replicas.value_or(1);
    if (!empty && workers != nullptr && (count < min || count > max))
        report(found, elastic_workers, job.path_of(pytorch::worker) + ".replicas",
               std::to_string(count) + ", expected minReplicas " + std::to_string(min) + " to maxReplicas " +
                   std::to_string(max));
    for (std::size_t i = 0; policy.metrics && i < policy.metrics->size(); ++i)
        lint_metric(job, (*policy.metrics)[i], path + "metrics[" + std::to_string(i) + "]", found);
    if (policy.standalone.value_or(false) && std::max<std::int64_t>(job.total_replicas(), max) > 1)
        report(found, standalone, path + "standalone",
               "true for a job of up to " + std::to_string(std::max<std::int64_t>(job.total_replicas(), max)) +
                   " pods, expected false");
    std::string const backend = policy.rdzv_backend.value_or("c10d");
    if (backend != "c10d" && !policy.rdzv_host)
        report(found, rendezvous, path + "rdzvBackend",
               in_quotes(backend) + " without rdzvHost, expected c10d or a value of rdzvHost");
}

} // namespace

std::span<lint_rule const> pytorch_kind::lint_rules() noexcept { return all_rules; }

void pytorch_kind::lint(issues& found) const {
    if (job_.spec.nproc_per_node) lint_stated_processes(*this, *job_.spec.nproc_per_node, found);
    lint_memory(*this, found);
    lint_commands(*this, job_, found);
    if (job_.spec.elastic_policy) lint_elastic(*this, *job_.spec.elastic_policy, found);
}

} // namespace kftrain::kubeflow_v1
