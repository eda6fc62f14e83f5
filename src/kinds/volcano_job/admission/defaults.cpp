#include "kinds/volcano_job/admission/admission.hpp"
#include "kinds/volcano_job/plugins/design.hpp"
#include "kinds/volcano_job/plugins/plugins.hpp"

#include <kftrain/model/codec.hpp>

#include <boost/json.hpp>

#include <algorithm>

namespace kftrain::volcano {
namespace {

namespace json = boost::json;

void complete(task_spec& task, std::size_t number) {
    if (task.name.empty()) task.name = std::string(default_task) + std::to_string(number);
    auto& pod = task.template_.spec;
    if (pod.host_network && pod.dns_policy.empty()) pod.dns_policy = "ClusterFirstWithHostNet";
    if (!task.min_available) task.min_available = task.replicas;
    if (task.max_retry == 0) task.max_retry = default_retries;
}

plugin_map with_needed(plugin_map plugins, volcano_operator_options const& options) {
    std::vector<std::string_view> missing;
    for (auto const& [name, arguments] : plugins)
        for (auto needed : needed_plugins(name, options)) missing.push_back(needed);
    for (auto name : missing) plugins.try_emplace(std::string(name));
    return plugins;
}

void spell_amounts(json::value& container) {
    auto& resources = container.as_object()["resources"];
    if (!resources.is_object()) resources = json::object();
    for (auto const* list : {"limits", "requests"}) {
        auto* const amounts = resources.as_object().if_contains(list);
        if (amounts == nullptr || !amounts->is_object()) continue;
        for (auto& [name, amount] : amounts->get_object())
            if (amount.is_string()) amount = quantity(std::string(amount.get_string())).canonical();
    }
}

/// The list as upstream's webhook rewrites it: with the defaults of its types, and amounts in canonical form.
json::value tasks_with_defaults(job const& completed) {
    auto all = json::parse(to_json(completed)).as_object();
    auto& tasks = all["spec"].as_object()["tasks"];
    for (auto& task : tasks.as_array()) {
        auto& pod = task.as_object()["template"];
        if (!pod.is_object()) pod = json::object();
        auto& meta = pod.as_object()["metadata"];
        if (!meta.is_object()) meta = json::object();
        auto& spec = pod.as_object()["spec"];
        if (!spec.is_object()) spec = json::object();
        for (auto const* list : {"containers", "initContainers", "ephemeralContainers"})
            if (auto* const found = spec.as_object().if_contains(list); found != nullptr && found->is_array())
                for (auto& container : found->get_array()) spell_amounts(container);
    }
    return std::move(tasks);
}

json::object step(std::string_view operation, std::string_view path, json::value value) {
    json::object s;
    s["op"] = std::string(operation);
    s["path"] = std::string(path);
    s["value"] = std::move(value);
    return s;
}

} // namespace

/// Upstream: volcano v1.9.0 `pkg/webhooks/admission/jobs/mutate/mutate_job.go`
void set_defaults(job& job, volcano_operator_options const& options) {
    auto& spec = job.spec;
    if (spec.queue.empty()) spec.queue = default_queue;
    if (spec.scheduler_name.empty()) spec.scheduler_name = options.scheduler_name;
    if (spec.max_retry == 0) spec.max_retry = default_retries;
    for (std::size_t i = 0; i < spec.tasks.size(); ++i) complete(spec.tasks[i], i);
    if (is_designed(options)) complete_as_designed(job, options);
    if (spec.min_available == 0)
        spec.min_available =
            static_cast<std::int32_t>(std::clamp<std::int64_t>(total_min_available(job), INT32_MIN, INT32_MAX));
    spec.plugins = with_needed(std::move(spec.plugins), options);
}

std::string defaults_patch(job const& given, volcano_operator_options const& options) {
    job completed = given;
    set_defaults(completed, options);
    auto const &before = given.spec, &after = completed.spec;
    json::array patch;
    if (before.queue.empty()) patch.push_back(step("add", "/spec/queue", json::value(after.queue)));
    if (before.scheduler_name.empty())
        patch.push_back(step("add", "/spec/schedulerName", json::value(after.scheduler_name)));
    if (before.max_retry == 0) patch.push_back(step("add", "/spec/maxRetry", after.max_retry));
    if (!(before.tasks == after.tasks)) patch.push_back(step("replace", "/spec/tasks", tasks_with_defaults(completed)));
    if (before.min_available == 0) patch.push_back(step("add", "/spec/minAvailable", after.min_available));
    if (!before.plugins.empty()) {
        json::object plugins;
        for (auto const& [name, arguments] : after.plugins) {
            json::array list;
            for (auto const& argument : arguments) list.emplace_back(argument);
            plugins[name] = std::move(list);
        }
        patch.push_back(step("replace", "/spec/plugins", std::move(plugins)));
    }
    return patch.empty() ? std::string() : json::serialize(patch);
}

} // namespace kftrain::volcano
