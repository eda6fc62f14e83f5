#include "base/joined.hpp"
#include "kinds/volcano_job/admission/admission.hpp"
#include "kinds/volcano_job/kind.hpp"
#include "model/json/json_document.hpp"
#include "model/rules/label_syntax.hpp"
#include "model/rules/name_syntax.hpp"
#include "model/rules/object_meta.hpp"
#include "objects/pod_validation.hpp"

#include <kftrain/model/codec.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace kftrain::volcano {
namespace {

constexpr std::array<std::string_view, 7> first_events{
    "*", "JobUpdated", "PodEvicted", "PodFailed", "TaskCompleted", "TaskFailed", "Unknown"};
constexpr std::array<std::string_view, 8> later_events{"*",          "JobUpdated",    "PodEvicted", "PodFailed",
                                                       "PodPending", "TaskCompleted", "TaskFailed", "Unknown"};
constexpr std::array<std::string_view, 6> first_actions{"AbortJob",    "CompleteJob", "RestartJob",
                                                        "RestartTask", "ResumeJob",   "TerminateJob"};
constexpr std::array<std::string_view, 7> later_actions{"AbortJob",    "CompleteJob", "RestartJob",  "RestartPod",
                                                        "RestartTask", "ResumeJob",   "TerminateJob"};

/// Upstream prints them in random order.
std::span<std::string_view const> events_of(volcano_release release) noexcept {
    if (release < volcano_release::v1_11_0) return first_events;
    return later_events;
}
std::span<std::string_view const> actions_of(volcano_release release) noexcept {
    if (release < volcano_release::v1_11_0) return first_actions;
    return later_actions;
}

std::string invalid(std::string_view path, std::string_view value, std::string_view why) {
    return std::string(path).append(": Invalid value: \"").append(value).append("\": ").append(why);
}

/// Each name once, in order, with the single event last.
std::vector<std::string> named_events(lifecycle_policy const& policy) {
    std::vector<std::string> all;
    auto const add = [&](std::string const& event) {
        if (std::ranges::find(all, event) == all.end()) all.push_back(event);
    };
    for (auto const& event : policy.events) add(event);
    if (!policy.event.empty()) add(policy.event);
    return all;
}

class policy_check {
public:
    policy_check(std::string_view path, volcano_release release) : path_(path), release_(release) {}

    std::vector<std::string> run(std::vector<lifecycle_policy> const& policies) {
        for (auto const& p : policies) {
            auto text = fault_of(p);
            if (text.empty()) continue;
            faults_.push_back(std::move(text));
            break; // upstream checks no further policy
        }
        if (events_.contains("*") && events_.size() > 1)
            faults_.emplace_back("if there's * here, no other policy should be here");
        return std::move(faults_);
    }

private:
    std::string fault_of(lifecycle_policy const& p) {
        auto const events = named_events(p);
        if (!events.empty() && p.exit_code) return "must not specify event and exitCode simultaneously";
        if (events.empty() && !p.exit_code) return "either event and exitCode should be specified";
        return events.empty() ? fault_of_code(*p.exit_code) : fault_of_events(events, p.action);
    }

    std::string fault_of_events(std::vector<std::string> const& events, std::string const& action) {
        for (auto const& event : events) {
            if (!is_event(event, release_)) return invalid(path_, event, "invalid policy event");
            if (!is_action(action, release_)) return invalid(path_, action, "invalid policy action");
            if (!events_.insert(event).second) return "duplicate event " + event + "  across different policy";
        }
        return {};
    }

    std::string fault_of_code(std::int32_t code) {
        if (code == 0) return "0 is not a valid error code";
        if (!codes_.insert(code).second) return "duplicate exitCode " + std::to_string(code);
        return {};
    }

    std::string_view path_;
    volcano_release release_;
    std::set<std::string, std::less<>> events_;
    std::set<std::int32_t> codes_;
    std::vector<std::string> faults_;
};

/** Removes tasks without dependencies until none is left. A task that occurs twice in a dependency list is counted
    twice and removed once, so that the dependent task is never removed. */
bool is_acyclic(job const& job) {
    std::map<std::string_view, std::size_t> waits_for;
    std::map<std::string_view, std::set<std::string_view>> followers;
    for (auto const& t : job.spec.tasks) {
        auto& count = waits_for[t.name];
        count = 0;
        if (!t.depends_on) continue;
        for (auto const& name : t.depends_on->name) {
            followers[name].insert(t.name);
            ++count;
        }
    }
    std::vector<std::string_view> free;
    for (auto const& [name, count] : waits_for)
        if (count == 0) free.push_back(name);
    std::size_t taken = 0;
    while (!free.empty()) {
        auto const name = free.back();
        free.pop_back();
        ++taken;
        for (auto const follower : followers[name])
            if (--waits_for[follower] == 0) free.push_back(follower);
    }
    return taken == job.spec.tasks.size();
}

/// Returns a specification without the fields that may change.
job_spec fixed_part(job_spec spec) {
    spec.min_available = 0;
    spec.priority_class_name.clear();
    for (auto& t : spec.tasks) {
        t.replicas = 0;
        t.min_available.reset();
    }
    for (auto& v : spec.volumes)
        if (v.volume_claim) v.volume_claim_name.clear(); // the operator fills it in
    return spec;
}

/// `[a b]`, as Go prints a list.
std::string listed(std::vector<std::string> const& texts) { return "[" + joined(texts, " ") + "]"; }

/// The faults that a server finds in the template, as an object with the name of its task.
std::vector<std::string> template_texts(job const& job, task_spec const& task) {
    std::vector<std::string> all;
    for (auto const& text : dns_subdomain_faults(task.name))
        all.push_back("metadata.name: Invalid value: \"" + task.name + "\": " + text);
    object_meta taken;
    taken.labels = task.template_.metadata.labels;
    taken.annotations = task.template_.metadata.annotations;
    error_code ec;
    auto const parsed = kftrain::detail::parse_json(to_json(taken), ec);
    if (auto const* const metadata = ec ? nullptr : parsed.if_object())
        for (auto const& f : common_meta_faults(*metadata))
            all.push_back("template" + f.what.field.substr(f.what.field.find('.')) + ": " + f.what.message);
    core::pod pod;
    pod.metadata.name = task.name;
    pod.metadata.namespace_ = job.metadata.namespace_;
    pod.spec = task.template_.spec;
    for (auto const& f : created_pod_faults(pod)) all.push_back("template." + f.text());
    return all;
}

/// Whether the container requests whole CPUs; its limits count only without requests.
bool has_whole_cpus(core::container const& c) {
    auto const& amounts = c.resources.requests.empty() ? c.resources.limits : c.resources.requests;
    auto const cpu = amounts.find("cpu");
    if (cpu == amounts.end()) return false;
    return cpu->second.value() != 0 && quantity::from(cpu->second.value()) == cpu->second;
}

class creation_check {
public:
    creation_check(job const& j, volcano_operator_options const& options) : job_(j), options_(options) {}

    std::vector<fault> run() {
        if (check_basics()) check_all();
        return std::move(found_);
    }

private:
    void add_fault(std::string_view rule, std::string path, std::string text) {
        found_.emplace_back(rule, std::move(path), std::move(text));
    }

    /// False: upstream checks nothing after this fault.
    bool check_basics() {
        auto const& spec = job_.spec;
        if (spec.min_available < 0)
            add_fault("volcano.min-available", "spec.minAvailable", "job 'minAvailable' must be >= 0.");
        else if (spec.max_retry < 0)
            add_fault("volcano.max-retry", "spec.maxRetry", "'maxRetry' cannot be less than zero.");
        else if (spec.ttl_seconds_after_finished.value_or(0) < 0)
            add_fault("volcano.time-to-live", "spec.ttlSecondsAfterFinished",
                      "'ttlSecondsAfterFinished' cannot be less than zero.");
        else if (spec.tasks.empty())
            add_fault("volcano.tasks", "spec.tasks", "No task specified in job spec");
        else
            check_leading_tasks();
        if (found_.empty()) return true;
        found_.front().ends = true;
        return false;
    }

    /// Upstream checks this for mpi; plugin mxnet is in no release, and is checked in the same way.
    void check_leading_tasks() {
        auto const lacks = [&](std::string_view name, std::string_view role, std::string const& task) {
            if (!has_plugin(job_, name) || find_task(job_, task) != nullptr || !found_.empty()) return;
            std::string const named(name);
            add_fault(name == plugin::mpi ? "volcano.mpi-tasks" : "volcano.mxnet-tasks", "spec.plugins." + named,
                      "The specified " + named + " " + std::string(role) + " task was not found");
        };
        auto const mpi = mpi_of(job_, options_.plugins);
        lacks(plugin::mpi, "master", mpi.master);
        lacks(plugin::mpi, "worker", mpi.worker);
        if (is_designed(options_)) lacks(plugin::mxnet, "scheduler", mxnet_of(job_).scheduler);
    }

    void check_all() {
        std::int64_t total = 0;
        std::set<std::string_view> names;
        for (std::size_t i = 0; i < job_.spec.tasks.size(); ++i) {
            auto const& task = job_.spec.tasks[i];
            check_counts(task, i);
            total += task.replicas;
            if (auto const why = dns_label_faults(task.name); !why.empty())
                add_fault("volcano.task-name", task_path(i) + ".name", " " + listed(why) + ";");
            if (!names.insert(task.name).second) {
                add_fault("volcano.task-name", task_path(i) + ".name", " duplicated task name " + task.name + ";");
                break; // the tasks after it are not counted
            }
            add(policy_faults(task.policies, task_path(i) + ".policies", "spec.tasks.policies", options_.release));
            check_pod_name(task, i);
            check_template(task, i);
        }
        if (auto const why = label_key_faults(job_.metadata.name); !why.empty())
            add_fault("volcano.job-name", "metadata.name",
                      "create job with name " + job_.metadata.name + " validate failed " + listed(why));
        if (total < job_.spec.min_available)
            add_fault("volcano.min-available", "spec.minAvailable",
                      " job 'minAvailable' should not be greater than total replicas in tasks;");
        bool const one_too_large =
            std::ranges::any_of(job_.spec.tasks, [](auto const& t) { return t.replicas > most_replicas; });
        if (total > most_replicas && !one_too_large)
            add_fault("kftrain.replica-limit", "spec.tasks",
                      " 'replicas' of all tasks > " + std::to_string(most_replicas) + ", job: " + job_.metadata.name +
                          ";");
        if (total <= most_replicas && environment_bytes(job_, options_) > most_environment_bytes)
            add_fault("kftrain.environment-limit", "spec.tasks",
                      " environments of pods with the names of other pods take more than 2048 MiB, job: " +
                          job_.metadata.name + ";");
        add(policy_faults(job_.spec.policies, "spec.policies", "spec.policies", options_.release));
        for (auto const& [name, arguments] : job_.spec.plugins)
            if (!is_plugin(name, options_))
                add_fault("volcano.plugins", "spec.plugins." + name, " unable to find job plugin: " + name + ";");
        check_volumes();
    }

    void check_counts(task_spec const& task, std::size_t number) {
        std::string const tail = " in task: " + task.name + ", job: " + job_.metadata.name + ";";
        if (task.replicas < 0) add_fault("volcano.replicas", task_path(number) + ".replicas", " 'replicas' < 0" + tail);
        if (task.replicas > most_replicas)
            add_fault("kftrain.replica-limit", task_path(number) + ".replicas",
                      " 'replicas' > " + std::to_string(most_replicas) + tail);
        if (!task.min_available) return;
        std::string const path = task_path(number) + ".minAvailable";
        if (*task.min_available < 0)
            add_fault("volcano.min-available", path, " 'minAvailable' < 0" + tail);
        else if (*task.min_available > task.replicas)
            add_fault("volcano.min-available", path, " 'minAvailable' is greater than 'replicas'" + tail);
    }

    /// Upstream uses the number of the task as that of the replica.
    void check_pod_name(task_spec const& task, std::size_t number) {
        auto const name = pod_name(job_, task, static_cast<std::int64_t>(number));
        if (auto const why = label_key_faults(name); !why.empty())
            add_fault("volcano.pod-name", task_path(number) + ".name",
                      "create pod with name " + name + " validate failed " + listed(why) + ";");
    }

    void check_template(task_spec const& task, std::size_t number) {
        auto const texts = template_texts(job_, task);
        std::string const shown_path = "spec.task[" + std::to_string(number) + "]";
        if (!texts.empty())
            add_fault("volcano.template", task_path(number) + ".template",
                      shown_path + "." + joined(texts, ". ") + ". ");
        else
            check_cpus(task, number, shown_path);
    }

    void check_cpus(task_spec const& task, std::size_t number, std::string const& shown_path) {
        if (task.topology_policy.empty() || task.topology_policy == "none") return;
        std::size_t at = 0;
        for (auto const* list : {&task.template_.spec.containers, &task.template_.spec.init_containers})
            for (auto const& c : *list) {
                if (!has_whole_cpus(c))
                    return add_fault("volcano.topology-policy", task_path(number) + ".topologyPolicy",
                                     "the cpu request isn't  an integer in " + shown_path + " container[" +
                                         std::to_string(at) + "].");
                ++at;
            }
    }

    /// The first fault only.
    void check_volumes() {
        std::set<std::string_view> paths;
        for (std::size_t i = 0; i < job_.spec.volumes.size(); ++i) {
            auto const& v = job_.spec.volumes[i];
            std::string const path = "spec.volumes[" + std::to_string(i) + "]";
            auto const refuse = [&](std::string const& text) { add_fault("volcano.volumes", path, text); };
            if (v.mount_path.empty()) return refuse(" mountPath is required;");
            if (!paths.insert(v.mount_path).second) return refuse(" duplicated mountPath: " + v.mount_path + ";");
            if (!v.volume_claim && v.volume_claim_name.empty())
                return refuse(" either VolumeClaim or VolumeClaimName must be specified;");
            if (v.volume_claim_name.empty()) continue;
            // In a stored job the controller has created the claim and written its name.
            bool const made = job_.status.controlled_resources.contains("volume-pvc-" + v.volume_claim_name);
            if (v.volume_claim && !made)
                return refuse("conflict: If you want to use an existing PVC, just specify VolumeClaimName."
                              "If you want to create a new PVC, you do not need to specify VolumeClaimName");
            if (auto const why = dns_subdomain_faults(v.volume_claim_name); !why.empty())
                return refuse("invalid VolumeClaimName " + v.volume_claim_name + " : " + listed(why));
        }
    }

    void add(std::vector<fault> more) {
        for (auto& f : more) found_.push_back(std::move(f));
    }

    job const& job_;
    volcano_operator_options const& options_;
    std::vector<fault> found_;
};

} // namespace

std::vector<fault> graph_faults(job const& job) {
    bool const any = std::ranges::any_of(job.spec.tasks, [](auto const& t) { return t.depends_on.has_value(); });
    if (!any || is_acyclic(job)) return {};
    return {fault("volcano.depends-on", "spec.tasks",
                  " job has dependencies between tasks, but doesn't form a directed acyclic graph(DAG);")};
}

std::optional<fault> update_fault(job next, job before, volcano_operator_options const& options) {
    for (std::size_t i = 0; i < next.spec.tasks.size(); ++i) {
        auto const& t = next.spec.tasks[i];
        std::string const path = "spec.tasks[" + std::to_string(i) + "]";
        if (t.replicas < 0)
            return fault("volcano.replicas", path + ".replicas", "'replicas' must be >= 0 in task: " + t.name);
        if (t.replicas > most_replicas)
            return fault("kftrain.replica-limit", path + ".replicas",
                         "'replicas' must be <= " + std::to_string(most_replicas) + " in task: " + t.name);
        if (t.min_available && *t.min_available < 0)
            return fault("volcano.min-available", path + ".minAvailable",
                         "'minAvailable' must be >= 0 in task: " + t.name);
        if (t.min_available && *t.min_available > t.replicas)
            return fault("volcano.min-available", path + ".minAvailable",
                         "'minAvailable' must be <= 'replicas' in task: " + t.name);
    }
    if (total_replicas(next) > most_replicas && total_replicas(next) > total_replicas(before))
        return fault("kftrain.replica-limit", "spec.tasks",
                     "'replicas' of all tasks must be <= " + std::to_string(most_replicas));
    if (auto const bytes = environment_bytes(next, options);
        bytes > most_environment_bytes && bytes > environment_bytes(before, options))
        return fault("kftrain.environment-limit", "spec.tasks",
                     "environments of pods with the names of other pods must not take more than 2048 MiB");
    if (next.spec.min_available > total_replicas(next))
        return fault("volcano.min-available", "spec.minAvailable",
                     "job 'minAvailable' must not be greater than total replicas");
    if (next.spec.min_available < 0)
        return fault("volcano.min-available", "spec.minAvailable", "job 'minAvailable' must be >= 0");
    if (next.spec.tasks.size() != before.spec.tasks.size())
        return fault("volcano.tasks", "spec.tasks", "job updates may not add or remove tasks");
    if (fixed_part(std::move(next.spec)) == fixed_part(std::move(before.spec))) return std::nullopt;
    return fault("volcano.immutable", "spec",
                 "job updates may not change fields other than `minAvailable`, `tasks[*].replicas under spec`");
}

std::vector<fault> creation_faults(job const& j, volcano_operator_options const& options) {
    return creation_check(j, options).run();
}

bool is_event(std::string_view name, volcano_release release) noexcept {
    return std::ranges::find(events_of(release), name) != events_of(release).end();
}
bool is_action(std::string_view name, volcano_release release) noexcept {
    return std::ranges::find(actions_of(release), name) != actions_of(release).end();
}

std::vector<fault> policy_faults(std::vector<lifecycle_policy> const& policies, std::string path,
                                 std::string_view path_in_message, volcano_release release) {
    auto const found = policy_check(path_in_message, release).run(policies);
    if (found.empty()) return {};
    std::string text = std::to_string(found.size()) + (found.size() == 1 ? " error" : " errors") + " occurred:\n\t* " +
                       joined(found, "\n\t* ") + "\n\n valid events are [" + joined(events_of(release), " ") +
                       "], valid actions are [" + joined(actions_of(release), " ") + "];";
    return {fault("volcano.policies", std::move(path), std::move(text))};
}

} // namespace kftrain::volcano
