#include "convert/to_volcano/volcano_parts.hpp"

#include "base/ascii.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_rules.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace kftrain::convert {
namespace {

/// Exit codes of processes that a signal ended: INT, ABRT, KILL, USR1, SEGV, TERM.
constexpr std::array signal_codes{130, 134, 137, 138, 139, 143};

std::string text_or_absent(std::string const& text) { return text.empty() ? std::string(absent) : json_text(text); }

std::string amounts_text(resource_list const& amounts) {
    std::string text = "{";
    for (auto const& [name, amount] : amounts)
        text.append(text.size() == 1 ? "" : ",").append(json_text(name)).append(":").append(json_text(amount.text()));
    return text + "}";
}

} // namespace

source_names names_of(rules::job_rules const& kind) {
    auto const& c = dynamic_cast<kubeflow_v1::replica_rules const&>(kind).constants();
    source_names names;
    names.specs_field = c.specs_field;
    names.container = c.container;
    names.port_name = c.port_name;
    names.port = c.port;
    names.default_restart_policy = c.default_restart_policy;
    names.types = c.types;
    return names;
}

void add_policy(volcano::task_spec& task, std::string_view event, std::string_view action) {
    auto& p = task.policies.emplace_back();
    p.event = event;
    p.action = action;
}

void add_variable(volcano::task_spec& task, std::string_view name, std::string const& value) {
    for (auto& c : task.template_.spec.containers) c.env.emplace_back(std::string(name), value);
}

void add_field_variable(volcano::task_spec& task, std::string_view name, std::string_view field_path) {
    for (auto& c : task.template_.spec.containers) {
        auto& variable = c.env.emplace_back();
        variable.name = name;
        variable.value_from.emplace().field_ref.emplace().field_path = field_path;
    }
}

std::string volcano_draft::key_of(std::string_view type) const {
    for (auto const& [key, spec] : replicas_)
        if (to_lower(key) == to_lower(type) && spec.replicas != 0) return key;
    return {};
}

std::string volcano_draft::path_of(std::string_view key) const {
    return std::string("spec.").append(names_.specs_field).append("[").append(key).append("]");
}

std::optional<std::int32_t> volcano_draft::port_of(std::string_view key) const {
    auto const found = replicas_.find(key);
    if (found == replicas_.end()) return std::nullopt;
    for (auto const& c : found->second.template_.spec.containers)
        if (c.name == names_.container)
            for (auto const& p : c.ports)
                if (p.name == names_.port_name) return p.container_port_;
    return std::nullopt;
}

void volcano_draft::convert(std::string_view leader) {
    convert_policy();
    convert_limit();
    convert_tasks(leader);
}

void volcano_draft::convert_tasks(std::string_view leader) {
    std::vector<std::string> keys;
    for (auto type : names_.types)
        if (auto key = key_of(type); !key.empty()) keys.push_back(std::move(key));
    for (auto const& [key, spec] : replicas_) {
        if (spec.replicas == 0)
            changes.changed(path_of(key), to_json(spec), "",
                            "The type has no replicas, and Volcano needs no task for it.");
        else if (std::ranges::find(keys, key) == keys.end())
            keys.push_back(key);
    }
    for (auto const& key : keys) convert_task(key, !leader.empty() && key == leader);
}

void volcano_draft::convert_policy() {
    // A policy of the host's network would keep out whom the source lets in.
    job.spec.plugins["svc"] = {"--disable-network-policy=true"};
    std::string const path = "spec.runPolicy.";
    changes.dropped(policy_.unknown, "spec.runPolicy", unknown_field);
    if (cleaning_)
        convert_cleaning(cleaning_->first, cleaning_->second);
    else
        convert_cleaning(path + "cleanPodPolicy", policy_.clean_pod_policy);
    if (auto const& ttl = policy_.ttl_seconds_after_finished) {
        job.spec.ttl_seconds_after_finished = ttl;
        changes.changed(path + "ttlSecondsAfterFinished", std::to_string(*ttl), "spec.ttlSecondsAfterFinished",
                        "The field is now in spec.");
    }
    if (auto const& deadline = policy_.active_deadline_seconds)
        changes.dropped(path + "activeDeadlineSeconds", std::to_string(*deadline),
                        "A Volcano job has no deadline, but each pod may have its own.");
    if (policy_.suspend == true)
        changes.dropped(path + "suspend", "true", "A Volcano job starts immediately. A Command can suspend it later.");
    else if (policy_.suspend)
        changes.changed(path + "suspend", "false", "", "A Volcano job starts immediately.");
    if (policy_.managed_by)
        changes.dropped(path + "managedBy", json_text(*policy_.managed_by), "Volcano manages its own jobs.");
    convert_gang();
}

void volcano_draft::convert_cleaning(std::string const& path, std::optional<std::string> const& policy) {
    if (policy == "Running")
        changes.changed(path, json_text(*policy), "", "Volcano does this by default.");
    else
        changes.approximated(path, policy ? json_text(*policy) : std::string(absent), "",
                             policy == "All" ? "Pods that have ended stay until the job is deleted."
                                             : "Pods that still run when the job ends are deleted.");
}

void volcano_draft::convert_limit() {
    std::string const path = "spec.runPolicy.backoffLimit";
    auto const& limit = policy_.backoff_limit;
    if (limit) {
        job.spec.max_retry = std::max(*limit, 1);
        changes.approximated(path, std::to_string(*limit), "spec.maxRetry",
                             "maxRetry counts restarts of the whole job; backoffLimit counts restarts of containers.");
    } else {
        job.spec.max_retry = std::numeric_limits<std::int32_t>::max();
        changes.changed(path, absent, "spec.maxRetry", "The default is no limit here and 3 in Volcano.");
    }
}

void volcano_draft::convert_gang_size(std::optional<std::int32_t> given) {
    std::string const path = "spec.runPolicy.schedulingPolicy.minAvailable", to = "spec.minAvailable";
    auto const value = given ? std::to_string(*given) : std::string(absent);
    if (largest_gang_ && (!given || *given <= 0 || *given > largest_gang_->first)) {
        job.spec.min_available = largest_gang_->first;
        changes.approximated(path, value, to, largest_gang_->second);
    } else if (given) {
        job.spec.min_available = *given;
        if (*given > 0)
            changes.changed(path, value, to, "The field is now in spec.");
        else
            changes.approximated(path, value, "", "In Volcano 0 means all pods.");
    }
}

void volcano_draft::convert_gang() {
    if (!policy_.scheduling_policy) return convert_gang_size(std::nullopt);
    auto const& gang = *policy_.scheduling_policy;
    std::string const path = "spec.runPolicy.schedulingPolicy";
    constexpr std::string_view why = "The field is now in spec.";
    changes.dropped(gang.unknown, path, unknown_field);
    convert_gang_size(gang.min_available);
    if (!gang.queue.empty()) {
        job.spec.queue = gang.queue;
        changes.changed(path + ".queue", json_text(gang.queue), "spec.queue", why);
    }
    if (!gang.priority_class.empty()) {
        job.spec.priority_class_name = gang.priority_class;
        changes.changed(path + ".priorityClass", json_text(gang.priority_class), "spec.priorityClassName", why);
    }
    if (gang.min_resources)
        changes.dropped(path + ".minResources", amounts_text(*gang.min_resources),
                        "Volcano uses the requests of the minAvailable pods.");
    if (auto const& seconds = gang.schedule_timeout_seconds)
        changes.dropped(path + ".scheduleTimeoutSeconds", std::to_string(*seconds),
                        "A gang of Volcano waits without a time limit.");
}

void volcano_draft::convert_task(std::string const& key, bool leads) {
    auto const& given = replicas_.at(key);
    std::string const from = path_of(key), to = "spec.tasks[" + std::to_string(job.spec.tasks.size()) + "]";
    moved_.emplace_back(to, from);
    changes.dropped(given.unknown, from, unknown_field);
    auto& task = job.spec.tasks.emplace_back();
    task.name = to_lower(key); // so that pods keep their names
    task.replicas = given.replicas.value_or(1);
    if (!given.replicas)
        changes.changed(from + ".replicas", absent, to + ".replicas", "The default is 1 here and 0 in Volcano.");
    task.template_ = given.template_;
    auto& pod = task.template_.spec;
    drop_mounts_without_volume(pod, from + ".template.spec", {}, changes);
    clear_host(pod.hostname, from + ".template.spec.hostname");
    clear_host(pod.subdomain, from + ".template.spec.subdomain");
    if (!pod.restart_policy.empty())
        changes.changed(from + ".template.spec.restartPolicy", json_text(pod.restart_policy), "",
                        "The restartPolicy of the replica type applies.");
    if (leads) add_policy(task, "TaskCompleted", "CompleteJob");
    if (!names_.own_restarts) convert_restarts(task, from + ".restartPolicy", to, given.restart_policy);
}

void volcano_draft::convert_restarts(volcano::task_spec& task, std::string const& from, std::string const& to,
                                     std::string const& given) {
    std::string const policy = given.empty() ? std::string(names_.default_restart_policy) : given;
    auto& in_pod = task.template_.spec.restart_policy;
    if (policy == "Never") {
        in_pod = policy;
        add_policy(task, "PodFailed", "TerminateJob");
        changes.changed(from, text_or_absent(given), to + ".template.spec.restartPolicy",
                        "A policy of the task ends the job when one of its pods fails.");
    } else if (policy == "ExitCode" && !names_.exit_codes_restart) {
        in_pod = "Never";
        add_policy(task, "PodFailed", "TerminateJob");
        changes.approximated(from, text_or_absent(given), to + ".policies",
                             "Nothing restarts, as before. The job fails instead of staying Restarting.");
    } else if (policy == "ExitCode") {
        in_pod = "Never";
        for (auto code : signal_codes) {
            auto& p = task.policies.emplace_back();
            p.exit_code = code;
            p.action = "RestartJob";
        }
        add_policy(task, "PodFailed", "TerminateJob");
        changes.approximated(from, text_or_absent(given), to + ".policies",
                             "All pods are created again, and only if a common signal ended the first container: "
                             "policies list exit codes one by one.");
    } else {
        in_pod = policy;
        add_policy(task, "PodFailed", "RestartJob");
        if (auto const& limit = policy_.backoff_limit) {
            task.max_retry = std::max(*limit, 1);
            add_policy(task, "TaskFailed", "TerminateJob"); // after so many restarts of containers
        }
        changes.approximated(from, text_or_absent(given), to + ".template.spec.restartPolicy",
                             "Containers restart as before. If a pod is lost as a whole, all pods are created again.");
    }
}

void volcano_draft::clear_host(std::string& field, std::string const& path) {
    if (field.empty()) return;
    changes.dropped(path, json_text(field), "Pods must have the host names that plugins give to them.");
    field.clear();
}

void volcano_draft::add_task(volcano::task_spec task, std::string const& key) {
    moved_.emplace_back("spec.tasks[" + std::to_string(job.spec.tasks.size()) + "]", path_of(key));
    job.spec.tasks.push_back(std::move(task));
}

void volcano_draft::add_plugin(std::string const& name, std::vector<std::string> arguments, std::int32_t port) {
    job.spec.plugins[name] = std::move(arguments);
    for (std::size_t i = 0; i < moved_.size(); ++i)
        for (auto& c : job.spec.tasks[i].template_.spec.containers)
            for (auto& p : c.ports) {
                if (p.name != names_.port_name || p.container_port_ == port) continue;
                auto const at = moved_[i].path + ".template.spec.containers[" +
                                std::to_string(&c - job.spec.tasks[i].template_.spec.containers.data()) + "].ports[" +
                                std::to_string(&p - c.ports.data()) + "].name";
                changes.dropped(at, json_text(p.name), "The plugin opens the port of the job under this name.");
                p.name.clear();
            }
}

void volcano_draft::add_variable(std::string_view name, std::string const& value) {
    for (auto& task : job.spec.tasks) convert::add_variable(task, name, value);
}

void volcano_draft::add_index(std::string_view name, std::string_view only) {
    for (auto& task : job.spec.tasks)
        if (only.empty() || task.name == only)
            add_field_variable(task, name, "metadata.labels['volcano.sh/task-index']");
}

std::optional<failure> volcano_draft::generated_name_fault() const {
    if (!job.metadata.name.empty()) return std::nullopt;
    return refused_field(
        "metadata.generateName",
        "is not a final name, expected metadata.name: pods receive host names that contain the name of the job");
}

std::string volcano_draft::host_of(std::string_view task, std::int32_t index) const {
    auto const& name = job.metadata.name;
    return name + "-" + std::string(task) + "-" + std::to_string(index) + "." + name;
}

} // namespace kftrain::convert
