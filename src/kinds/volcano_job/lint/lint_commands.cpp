#include "base/in_quotes.hpp"
#include "job/contract/field_error.hpp"
#include "job/lint/torchrun_lint.hpp"
#include "job/programs/started_programs.hpp"
#include "kinds/volcano_job/kind.hpp"
#include "kinds/volcano_job/lint/lint_rules.hpp"
#include "model/rules/name_syntax.hpp"

#include <algorithm>

namespace kftrain::volcano {
namespace {

namespace of = lint_rule_of;

bool sets(core::container const& c, std::string_view variable) {
    return std::ranges::find(c.env, variable, &core::env_var::name) != c.env.end();
}

/// The option that torchrun needs to join the other pods; empty if none is missing.
std::string missing_option(core::container const& c, started_program const& p) {
    auto const has = [&](std::string_view option) { return torchrun_option(p, option).has_value(); };
    if (!has("nnodes") && !sets(c, "PET_NNODES")) return "--nnodes";
    auto const nodes = torchrun_option(p, "nnodes").value_or("");
    bool const meets = has("rdzv-endpoint") || has("rdzv-backend") || sets(c, "PET_RDZV_ENDPOINT");
    bool const ranked = has("node-rank") || sets(c, "PET_NODE_RANK");
    return !meets && !ranked && nodes != "1" ? "--node_rank" : "";
}

/// A container of a master or a worker, with its path.
struct training_container {
    training_container() = default;

    core::container const* container = nullptr;
    std::string path;
};

/// The containers that start torchrun in a task.
std::vector<training_container> training_containers(task_spec const& task, std::string const& path) {
    std::vector<training_container> all;
    auto const& containers = task.template_.spec.containers;
    for (std::size_t i = 0; i < containers.size(); ++i)
        if (std::ranges::any_of(started_programs(containers[i]), &is_torchrun)) {
            auto& t = all.emplace_back();
            t.container = &containers[i];
            t.path = path + ".template.spec.containers[" + std::to_string(i) + "].command";
        }
    return all;
}

/// Reports options that torchrun lacks. Returns whether it lacks any.
bool lint_missing_options(std::vector<training_container> const& all, std::int64_t pods, issues& found) {
    for (auto const& t : all) {
        // These may set any variable.
        if (!t.container->env_from.empty() || mentions(*t.container, "PET_")) continue;
        for (auto const& p : started_programs(*t.container)) {
            auto const missing = is_torchrun(p) ? missing_option(*t.container, p) : std::string();
            if (missing.empty()) continue;
            report(found, of::torchrun, t.path,
                   "torchrun without " + missing + ", expected --nnodes=" + std::to_string(pods) +
                       " --node_rank=$(RANK) --master_addr=$(MASTER_ADDR) --master_port=$(MASTER_PORT)");
            return true;
        }
    }
    return false;
}

void lint_torchrun(job const& job, volcano_operator_options const& options, issues& found) {
    if (!has_plugin(job, plugin::pytorch)) return;
    auto const settings = pytorch_of(job, options.plugins);
    std::int64_t pods = 0;
    bool clear = true; // each pod shows its torchrun
    std::vector<training_container> all;
    for (std::size_t i = 0; i < job.spec.tasks.size(); ++i) {
        auto const& task = job.spec.tasks[i];
        if ((task.name != settings.master && task.name != settings.worker) || replicas_of(task) == 0) continue;
        pods += replicas_of(task);
        auto const own = training_containers(task, task_path(i));
        clear = clear && own.size() == 1 && plain_torchrun(*own.front().container);
        all.insert(all.end(), own.begin(), own.end());
    }
    if (pods < 2) return;
    for (auto const& t : all)
        if (auto const fault = standalone_fault(*t.container, pods); !fault.empty())
            return report(found, of::standalone, t.path, fault);
    if (!is_designed(options) && lint_missing_options(all, pods, found)) return;
    if (!clear) return; // pods with other commands may take part or not
    for (auto const& t : all)
        if (auto const fault = nodes_fault(*t.container, pods); !fault.empty())
            return report(found, of::nodes, t.path, fault);
}

/// Whether a word has one of these flags, such as `D` in `-eD`. The rest behind an option with a value is its value.
bool has_flag(std::string_view argument, std::string_view flags, std::string_view with_value) {
    if (argument.size() < 2 || argument[0] != '-' || argument[1] == '-') return false;
    argument = argument.substr(1, argument.find_first_of(with_value, 1) - 1);
    return argument.find_first_of(flags) != argument.npos;
}

bool reads_null_device(started_program const& p) {
    for (std::size_t i = 0; i < p.arguments.size(); ++i)
        if (p.arguments[i] == "/dev/null" && (i == 0 || !p.arguments[i - 1].ends_with('>'))) return true;
    return false;
}

/// The program that keeps a container from ending; empty if none is known.
std::string serving_program(core::container const& c) {
    for (auto const& p : started_programs(c)) {
        if (p.in_background) continue;
        auto const has = [&](auto const& fits) { return std::ranges::any_of(p.arguments, fits); };
        if (p.name == "sshd" && has([](std::string const& w) { return has_flag(w, "D", "bCcEfghkopu"); }))
            return "sshd -D";
        if (p.name == "sleep" && has([](std::string const& w) { return w == "infinity" || w == "inf"; }))
            return "sleep infinity";
        auto const follows = [](std::string const& w) { return has_flag(w, "fF", "cns") || w.starts_with("--follow"); };
        if (p.name == "tail" && reads_null_device(p) && has(follows)) return "tail -f /dev/null";
    }
    return {};
}

bool completes(lifecycle_policy const& p) {
    auto const ends = [](std::string_view event) { return event == "TaskCompleted" || event == "*"; };
    bool const named = ends(p.event) || std::ranges::any_of(p.events, ends);
    return named && (p.action == "CompleteJob" || p.action == "TerminateJob" || p.action == "AbortJob");
}

void lint_end(job const& job, issues& found) {
    if (job.spec.min_success.value_or(0) > 0 || std::ranges::any_of(job.spec.policies, &completes)) return;
    std::optional<std::size_t> serving;
    std::string program;
    task_spec const* leader = nullptr;
    for (std::size_t i = 0; i < job.spec.tasks.size(); ++i) {
        auto const& task = job.spec.tasks[i];
        if (std::ranges::any_of(task.policies, &completes)) return;
        std::string kept;
        for (auto const& c : task.template_.spec.containers)
            if (kept.empty()) kept = serving_program(c);
        if (kept.empty()) {
            leader = leader == nullptr ? &task : leader;
        } else if (!serving) {
            serving = i;
            program = kept;
        }
    }
    if (!serving || leader == nullptr) return;
    report(found, of::no_end, task_path(*serving),
           "pods run " + in_quotes(program) +
               " and never end, expected a policy with event TaskCompleted and action "
               "CompleteJob in task " +
               in_quotes(leader->name));
}

std::string plugin_path(std::string_view name) { return "spec.plugins." + std::string(name); }

/// A role on which other roles depend.
void lint_counted(job const& job, std::string_view plugin, std::string const& name, issues& found) {
    auto const* const task = find_task(job, name);
    if (task == nullptr || task->replicas == 0)
        report(found, of::empty_role, plugin_path(plugin),
               task == nullptr ? "the job has no task " + in_quotes(name)
                               : "task " + in_quotes(name) + " has no replicas");
}

void lint_as_designed(job const& job, issues& found) {
    for (auto const& [name, arguments] : job.spec.plugins)
        if (auto const fault = value_fault(job, name); !fault.empty())
            report(found, of::plugin_value, plugin_path(name), fault);
    if (has_plugin(job, plugin::mxnet)) {
        auto const s = mxnet_of(job);
        for (auto const& name : {s.server, s.worker}) lint_counted(job, plugin::mxnet, name, found);
    }
    auto const all = frameworks_of(job);
    for (std::size_t i = 1; i < all.size(); ++i)
        report(found, of::frameworks, plugin_path(all[i].plugin),
               "sets no launch order: the order is that of plugin " + std::string(all.front().plugin));
}

void lint_pytorch(job const& job, volcano_operator_options const& options, issues& found) {
    auto const s = pytorch_of(job, options.plugins);
    auto const path = plugin_path(plugin::pytorch);
    auto const* const master = find_task(job, s.master);
    if (master == nullptr) {
        report(found, of::plugin_task, path,
               "the job has no task " + in_quotes(s.master) + ", so the pods receive no variables");
        return;
    }
    if (is_designed(options)) return; // which ranks all masters, and counts only them
    if (master->replicas > 1)
        report(found, of::masters, path,
               std::to_string(master->replicas) + " replicas of task " + in_quotes(s.master) + ", expected 1");
    if (options.release >= volcano_release::v1_12_3) return;
    for (auto const& t : job.spec.tasks)
        if (t.name != s.master && t.name != s.worker && t.replicas > 0)
            report(found, of::world_size, path,
                   "task " + in_quotes(t.name) + " counts towards WORLD_SIZE, expected only the tasks " +
                       in_quotes(s.master) + " and " + in_quotes(s.worker));
}

void lint_tensorflow(job const& job, volcano_operator_options const& options, issues& found) {
    auto const s = tensorflow_of(job, options.plugins);
    bool const any = std::ranges::any_of(job.spec.tasks, [&](auto const& t) {
        return t.name == s.ps || t.name == s.worker || t.name == s.chief || t.name == s.evaluator;
    });
    if (!any)
        report(found, of::plugin_task, plugin_path(plugin::tensorflow),
               "the job has no task with one of the names " + s.ps + ", " + s.worker + ", " + s.chief + ", " +
                   s.evaluator);
}

void lint_mpi(job const& job, volcano_operator_options const& options, issues& found) {
    auto const s = mpi_of(job, options.plugins);
    auto const* const workers = find_task(job, s.worker);
    if (is_designed(options)) return lint_counted(job, plugin::mpi, s.worker, found);
    if (workers != nullptr && workers->replicas == 0 && options.release < volcano_release::v1_12_3)
        report(found, of::mpi_workers, plugin_path(plugin::mpi), "task " + in_quotes(s.worker) + " has no replicas");
}

void lint_ray(job const& job, issues& found) {
    auto const s = ray_of(job);
    if (find_task(job, s.head) == nullptr)
        report(found, of::plugin_task, plugin_path(plugin::ray), "the job has no task " + in_quotes(s.head));
}

void lint_hosts(job const& job, issues& found) {
    bool const svc = has_plugin(job, plugin::svc);
    if (has_plugin(job, plugin::ssh) && !svc)
        report(found, of::ssh_hosts, plugin_path(plugin::ssh), "requires the plugin svc, which the job does not have");
    if (!svc) return;
    if (auto const why = dns_1035_label_faults(job.metadata.name); !why.empty())
        report(found, of::service_name, "metadata.name", in_quotes(job.metadata.name) + ": " + why.front());
    for (std::size_t i = 0; i < job.spec.tasks.size(); ++i) {
        auto const& t = job.spec.tasks[i];
        std::string const path = "spec.tasks[" + std::to_string(i) + "]";
        auto const& sub = t.template_.spec.subdomain;
        if (!sub.empty() && sub != job.metadata.name)
            report(found, of::subdomain, path + ".template.spec.subdomain",
                   in_quotes(sub) + ", expected " + in_quotes(job.metadata.name) + " or none");
        auto const last = pod_name(job, t, std::max(replicas_of(t), 1) - 1);
        if (last.size() > 63 && t.template_.spec.hostname.empty())
            report(found, of::pod_name, path + ".name",
                   in_quotes(last) + " has " + std::to_string(last.size()) + " characters, expected at most 63");
    }
}

} // namespace

void lint_commands(job const& job, volcano_operator_options const& options, issues& found) {
    lint_torchrun(job, options, found);
    lint_end(job, found);
}

void lint_plugins(job const& job, volcano_operator_options const& options, issues& found) {
    for (auto const& [name, arguments] : job.spec.plugins)
        if (auto const fault = argument_fault(job, name, options.plugins); !fault.empty())
            report(found, of::arguments, plugin_path(name), fault);
    if (has_plugin(job, plugin::pytorch)) lint_pytorch(job, options, found);
    if (has_plugin(job, plugin::tensorflow)) lint_tensorflow(job, options, found);
    if (has_plugin(job, plugin::mpi)) lint_mpi(job, options, found);
    if (has_plugin(job, plugin::ray)) lint_ray(job, found);
    if (is_designed(options)) lint_as_designed(job, found);
    if (!ssh_of(job).private_key.empty())
        report(found, of::open_key, plugin_path(plugin::ssh), "contains a private key, expected none");
    lint_hosts(job, found);
}

} // namespace kftrain::volcano
