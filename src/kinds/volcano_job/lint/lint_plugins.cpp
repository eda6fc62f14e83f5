#include "job/contract/field_error.hpp"
#include "kinds/volcano_job/lint/lint_rules.hpp"
#include "kinds/volcano_job/plugins/design.hpp"
#include "model/rules/name_syntax.hpp"

#include <algorithm>

namespace kftrain::volcano {
namespace {

namespace of = lint_rule_of;

std::string plugin_path(std::string_view name) { return "spec.plugins." + std::string(name); }

/// A role that others count on.
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
    if (is_designed(options)) return; // which ranks all masters, and counts nobody else
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
