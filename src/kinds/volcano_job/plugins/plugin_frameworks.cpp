#include "kinds/volcano_job/kind.hpp"

#include "model/json/go_text.hpp"

#include <algorithm>

namespace kftrain::volcano {
namespace {

/// One host for each replica; the same host several times if the template fixes it.
std::string host_list(job const& job, task_spec const& task, std::int64_t port) {
    std::string text = "[";
    for (std::int32_t i = 0; i < replicas_of(task); ++i)
        text += (i == 0 ? "" : ",") + go_text::json(address(job, task, i) + ":" + std::to_string(port));
    return text + "]";
}

/// The part `cluster` of TF_CONFIG: roles in fixed order, without those that have no host.
std::string cluster_text(job const& job, tensorflow_settings const& s) {
    struct part {
        part(std::string_view r, std::string const& t) : role(r), task(t) {}

        std::string_view role;
        std::string task;
        std::string hosts;
    };
    std::vector<part> parts{{"ps", s.ps}, {"worker", s.worker}, {"chief", s.chief}, {"evaluator", s.evaluator}};
    for (auto const& t : job.spec.tasks) {
        auto const at = std::ranges::find(parts, t.name, &part::task); // the first of roles with equal names
        if (at != parts.end() && replicas_of(t) > 0) at->hosts = host_list(job, t, s.port);
    }
    std::string text;
    for (auto const& p : parts)
        if (!p.hosts.empty()) text += (text.empty() ? "\"" : ",\"") + std::string(p.role) + "\":" + p.hosts;
    return "{" + text + "}";
}

std::string_view type_of(std::string_view task, tensorflow_settings const& s) noexcept {
    if (task == s.chief) return "chief";
    if (task == s.worker) return "worker";
    if (task == s.ps) return "ps";
    if (task == s.evaluator) return "evaluator";
    return task;
}

void run_ray(core::container& c, std::string const& arguments) { c.command = {"sh", "-c", "ray start " + arguments}; }

} // namespace

std::int64_t world_size_of(job const& job, rank_settings const& s, volcano_operator_options const& options) {
    if (options.release < volcano_release::v1_12_3 && !is_designed(options)) return total_replicas(job);
    std::int64_t sum = 0;
    for (auto const& t : job.spec.tasks)
        if (t.name == s.master || t.name == s.worker) sum += t.replicas;
    return sum;
}

void apply_tensorflow(core::pod& pod, job const& job, task_spec const& task, std::int32_t index,
                      volcano_operator_options const& options) {
    if (job.spec.tasks.size() == 1 && task.replicas == 1) return; // there is no other pod
    auto const settings = tensorflow_of(job, options.plugins);
    std::string const config = "{\"cluster\":" + cluster_text(job, settings) +
                               ",\"task\":{\"type\":" + go_text::json(type_of(task_name(task), settings)) +
                               ",\"index\":" + std::to_string(index) + "}}";
    for (auto& c : pod.spec.containers) c.env.emplace_back("TF_CONFIG", config);
}

void apply_pytorch(core::pod& pod, job const& job, task_spec const& task, std::int32_t index,
                   volcano_operator_options const& options) {
    auto const settings = pytorch_of(job, options.plugins);
    auto const* const master = find_task(job, settings.master);
    if (master == nullptr) return;
    bool const is_worker = task_name(task) == settings.worker;
    bool const is_master = task_name(task) == settings.master;
    bool const designed = is_designed(options);
    std::string const host = address(job, *master, 0), port = std::to_string(settings.port);
    std::string const nodes = std::to_string(world_size_of(job, settings, options));
    std::string rank; // in the released plugin it is 0 for every replica of the master
    if (is_worker)
        rank = std::to_string((designed ? replicas_of(*master) : 1) + index);
    else if (is_master)
        rank = designed ? std::to_string(index) : "0";
    for (auto& c : pod.spec.containers) {
        open_port(c, "pytorchjob-port", settings.port);
        c.env.emplace_back("MASTER_ADDR", host);
        c.env.emplace_back("MASTER_PORT", port);
        c.env.emplace_back("WORLD_SIZE", nodes);
        if (!rank.empty()) c.env.emplace_back("RANK", rank);
        if (!designed) continue;
        c.env.emplace_back("PET_MASTER_ADDR", host); // torchrun reads these
        c.env.emplace_back("PET_MASTER_PORT", port);
        c.env.emplace_back("PET_NNODES", nodes);
        c.env.emplace_back("PET_NPROC_PER_NODE", settings.processes);
        if (!rank.empty()) c.env.emplace_back("PET_NODE_RANK", rank);
    }
}

/// Pods without a role receive nothing: MXNet ends if it receives an unknown role.
void apply_mxnet(core::pod& pod, job const& job, task_spec const& task) {
    auto const s = mxnet_of(job);
    auto const* const scheduler = find_task(job, s.scheduler);
    auto const name = task_name(task);
    std::string_view const role = name == s.scheduler ? "scheduler"
                                  : name == s.server  ? "server"
                                  : name == s.worker  ? "worker"
                                                      : "";
    if (scheduler == nullptr || role.empty()) return;
    auto const count = [&](std::string const& wanted) {
        auto const* const found = find_task(job, wanted);
        return std::to_string(found == nullptr ? 0 : replicas_of(*found));
    };
    for (auto& c : pod.spec.containers) {
        if (role == "scheduler") open_port(c, "mxjob-port", s.port);
        c.env.emplace_back("DMLC_PS_ROOT_URI", address(job, *scheduler, 0));
        c.env.emplace_back("DMLC_PS_ROOT_PORT", std::to_string(s.port));
        c.env.emplace_back("DMLC_NUM_SERVER", count(s.server));
        c.env.emplace_back("DMLC_NUM_WORKER", count(s.worker));
        c.env.emplace_back("DMLC_ROLE", std::string(role));
    }
}

void apply_ray(core::pod& pod, job const& job, task_spec const& task) {
    auto const s = ray_of(job);
    auto const* const head = find_task(job, s.head);
    if (head == nullptr) return;
    for (auto& c : pod.spec.containers) {
        if (task_name(task) == s.head && c.name == s.head_container) {
            open_port(c, "gcs", s.port);
            open_port(c, "dashboard", s.dashboard_port);
            open_port(c, "client-server", s.client_port);
            run_ray(c, "--head --block --dashboard-host=0.0.0.0 --port=" + std::to_string(s.port) +
                           " --dashboard-port=" + std::to_string(s.dashboard_port) +
                           " --ray-client-server-port=" + std::to_string(s.client_port));
        } else if (task_name(task) == s.worker && c.name == s.worker_container) {
            run_ray(c, "--block --address=" + address(job, *head, 0) + ":" + std::to_string(s.port));
        }
    }
}

/// A rank in the environment of the first container takes precedence over one of the plugin.
void apply_hcclrank(core::pod& pod, job const& job, task_spec const& task, std::int32_t index) {
    auto& rank = pod.metadata.annotations["hccl/rankIndex"];
    if (!rank.empty()) return;
    if (!pod.spec.containers.empty())
        for (auto const& v : pod.spec.containers.front().env)
            if (v.name == "RANK" && rank.empty()) rank = v.value;
    auto const s = hcclrank_of(job);
    auto const* const master = find_task(job, s.master);
    if (rank.empty() && task_name(task) == s.master) rank = std::to_string(index);
    if (rank.empty() && task_name(task) == s.worker)
        rank = std::to_string((master == nullptr ? 0 : master->replicas) + index);
    if (rank.empty()) pod.metadata.annotations.erase("hccl/rankIndex");
}

} // namespace kftrain::volcano
