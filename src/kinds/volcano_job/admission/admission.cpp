#include "kinds/volcano_job/admission/admission.hpp"

#include "base/joined.hpp"
#include "kinds/volcano_job/kind.hpp"
#include "kinds/volcano_job/plan/requests.hpp"
#include "kinds/volcano_job/plan/state.hpp"

#include <kftrain/job/plan_writer.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

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

issue issue_of(fault const& f) {
    issue i;
    i.rule = f.rule;
    i.path = f.path;
    auto const first = f.text.find_first_not_of(' ');
    i.message = f.path + ": " + f.text.substr(first == std::string::npos ? 0 : first);
    while (!i.message.empty() && (i.message.back() == ';' || i.message.back() == ' ')) i.message.pop_back();
    return i;
}

/// Empty if the job may go there, or if this is unknown.
std::string queue_text(job const& job, rules::admission_context const& context) {
    if (!context.look_up) return {};
    auto const& name = job.spec.queue;
    auto const found = context.look_up({object_type_of<queue>, "", name});
    auto const* const q = found.empty() ? nullptr : found.get_if<queue>();
    if (q == nullptr) return " unable to find job queue: queues.scheduling.volcano.sh \"" + name + "\" not found;";
    if (q->status.state == "Open") return {};
    return " can only submit job to queue with state `Open`, queue `" + name + "` status is `" + q->status.state + "`;";
}

/// Bad requests, without a reason.
rules::denial denial_of(std::string const& text) {
    auto const first = text.find_first_not_of(" \n\t"), last = text.find_last_not_of(" \n\t");
    return rules::denial(first == std::string::npos ? std::string() : text.substr(first, last - first + 1), 400,
                         reason::unknown);
}

constexpr std::string_view failed_validation = "FailedValidation"; ///< the reason in the state

/// Whether nothing was made of the job yet. Later on, as with the webhooks, what is left out in an edit stays left out.
bool is_new(job_state const& s) noexcept {
    return s.phase.empty() || (s.phase == phase::pending && s.reason == failed_validation);
}

rules::plan plan_of(rules::action action) {
    rules::plan plan;
    plan.steps.emplace_back().actions.push_back(std::move(action));
    return plan;
}

/// Says once in an event and in the status what is wrong; an edit of the job wakes the operator.
rules::plan refusal(job next, issues const& found, time_point now) {
    auto& state = next.status.state;
    auto text = joined(found, "; ", &issue::message);
    if (state.message == text) return {};
    rules::plan_writer todo;
    todo.emit("Warning", "JobFailedValidation", "Job failed validation because " + text);
    if (state.phase.empty()) {
        auto& condition = next.status.conditions.emplace_back();
        condition.last_transition_time = now;
        condition.status = phase::pending;
    }
    state.phase = phase::pending;
    state.reason = failed_validation;
    state.message = std::move(text);
    state.last_transition_time = now;
    todo.add(rules::write_status(std::move(next)));
    rules::plan plan;
    plan.steps = todo.take();
    return plan;
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

issues validate(job const& job, volcano_operator_options const& options) {
    issues all;
    for (auto const& f : creation_faults(job, options)) all.push_back(issue_of(f));
    for (auto const& f : graph_faults(job)) all.push_back(issue_of(f));
    return all;
}

issues validate_update(job const& next, job const& before, volcano_operator_options const& options) {
    auto const f = update_fault(next, before, options);
    if (!f) return {};
    issues all;
    all.push_back(issue_of(*f));
    return all;
}

issues validate_update(job const& next, job const& before) {
    return validate_update(next, before, volcano_operator_options());
}

rules::admission_answer admit(job const& given, rules::admission_context const& context,
                              volcano_operator_options const& options) {
    rules::admission_answer answer;
    if (context.before != nullptr) {
        if (auto const f = update_fault(given, *static_cast<job const*>(context.before), options))
            answer.denied = denial_of(f->text);
        return answer;
    }
    job completed = given;
    set_defaults(completed, options);
    std::string text;
    auto const found = creation_faults(completed, options);
    for (auto const& f : found) text += f.text;
    if (found.empty() || !found.front().ends) {
        text += queue_text(completed, context);
        for (auto const& f : graph_faults(completed)) text += f.text;
    }
    if (!text.empty()) {
        answer.denied = denial_of(text);
        return answer;
    }
    answer.patch = defaults_patch(given, options);
    return answer;
}

std::optional<rules::plan> check_stored(prepared_job const& given, time_point now) {
    job const& stored = *given.written().get_if<job>();
    if (!is_new(stored.status.state)) return std::nullopt;
    auto const checked = prepared_job::admitted(*given); // the rules for new jobs hold, too
    job next = *checked.complete().get_if<job>();
    if (auto const& found = checked.faults(); !found.empty()) {
        next.spec = stored.spec;
        return refusal(std::move(next), found, now);
    }
    if (!(next.spec == stored.spec)) return plan_of(rules::change_self(std::move(next)));
    if (stored.status.state.phase.empty()) return std::nullopt;
    next.status = {}; // it was faulty and is no more
    return plan_of(rules::write_status(std::move(next)));
}

} // namespace kftrain::volcano
