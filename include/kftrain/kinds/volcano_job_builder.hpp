#ifndef KFTRAIN_KINDS_VOLCANO_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_VOLCANO_JOB_BUILDER_HPP

#include <kftrain/job/pod_settings.hpp>
#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/volcano_job.hpp>

#include <chrono>

namespace kftrain::volcano {

/// The event that triggers a policy of a job or a task.
enum class policy_event : std::uint8_t { any, pod_failed, pod_evicted, unknown, task_completed, task_failed };

/// The action of a policy.
enum class policy_action : std::uint8_t { abort, restart, terminate, complete };

/// A task, as passed to the builder.
struct task_choices {
    task_choices() = default;

    std::string name;                       ///< unique within the job
    std::int32_t count = 0;                 ///< number of pods
    pod_change own{};                       ///< may be empty
    std::vector<lifecycle_policy> policies; ///< reactions to events of the task, in the order of the calls
    std::vector<std::string> depends_on;    ///< names of the tasks that must run first
};

/// The values that a builder of Volcano Jobs collected in addition to the pods.
struct job_choices {
    job_choices() = default;

    object_meta metadata;               ///< name, namespace, labels and annotations
    job_spec spec;                      ///< without tasks
    std::vector<task_choices> tasks;    ///< in the order of the calls
    issues problems{};                  ///< values that do not fit their fields
    volcano_operator_options operator_; ///< options by which the job is checked
};

namespace detail {

lifecycle_policy policy_of(policy_event, policy_action);
lifecycle_policy policy_of(std::int32_t exit_code, policy_action);
[[nodiscard]] result<job> build(job_choices const&, pod_choices const&);

} // namespace detail

/** Builds a Volcano Job step by step:

    @code
    auto job = volcano_job_builder("mnist").in("team-a").queue("research").image("registry/mnist:1")
                   .command({"python", "train.py"}).gpus(8).plugin("pytorch")
                   .task("master", 1).task("worker", 3).build();
    @endcode

    Pod settings apply to all tasks; task() takes a function that customizes the pods of the task. Policies and
    dependencies of tasks follow the task that they belong to: `task("worker", 3).depends_on({"master"})`.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class job_builder final : public pod_setters<job_builder> {
public:
    explicit job_builder(std::string name) { choices_.metadata.name = std::move(name); }

    /// Sets the namespace.
    job_builder& in(std::string name) { return set(choices_.metadata.namespace_, std::move(name)); }
    /// Sets a label of the job and its gang; pods have those of pod_label().
    job_builder& label(std::string const& key, std::string value) {
        return set(choices_.metadata.labels[key], std::move(value));
    }
    /// Sets an annotation of the job and its gang.
    job_builder& annotation(std::string const& key, std::string value) {
        return set(choices_.metadata.annotations[key], std::move(value));
    }
    /// Sets the queue; default: `default`.
    job_builder& queue(std::string name) { return set(choices_.spec.queue, std::move(name)); }
    /// Adds a plugin with its arguments, one flag in each: `plugin("pytorch", {"--port=29500"})`.
    job_builder& plugin(std::string name, std::vector<std::string> arguments = {}) {
        choices_.spec.plugins.insert_or_assign(std::move(name), std::move(arguments));
        return *this;
    }

    /// Adds a task with this number of pods; `own` customizes them.
    template <whole_number N> job_builder& task(std::string name, N count, pod_change own = {}) {
        std::string const path = "spec.tasks[" + std::to_string(choices_.tasks.size()) + "].replicas";
        auto& t = choices_.tasks.emplace_back();
        t.name = std::move(name);
        t.count = kftrain::detail::fit(kftrain::detail::widen(count), path, choices_.problems);
        t.own = std::move(own);
        return *this;
    }
    /// The last task waits until these run; throws std::logic_error if there is no task yet, as does on_task().
    job_builder& depends_on(std::vector<std::string> tasks) { return set(last_task().depends_on, std::move(tasks)); }
    /// Adds a policy of the last task: `on_task(policy_event::task_completed, policy_action::complete)`.
    job_builder& on_task(policy_event event, policy_action action) {
        last_task().policies.push_back(detail::policy_of(event, action));
        return *this;
    }
    /// Adds a policy of the job, after the earlier ones.
    job_builder& on(policy_event event, policy_action action) {
        choices_.spec.policies.push_back(detail::policy_of(event, action));
        return *this;
    }
    /// The same for an exit code of the first container of a pod.
    job_builder& on_exit_code(std::int32_t code, policy_action action) {
        choices_.spec.policies.push_back(detail::policy_of(code, action));
        return *this;
    }

    /// Sets the number of pods that the gang needs; default: all.
    template <whole_number N> job_builder& min_available(N pods) {
        choices_.spec.min_available =
            kftrain::detail::fit(kftrain::detail::widen(pods), "spec.minAvailable", choices_.problems);
        return *this;
    }
    /// Completes the job when this number of pods has succeeded.
    template <whole_number N> job_builder& min_success(N pods) {
        choices_.spec.min_success =
            kftrain::detail::fit(kftrain::detail::widen(pods), "spec.minSuccess", choices_.problems);
        return *this;
    }
    /// The restart of this number fails the job; default: 3.
    template <whole_number N> job_builder& max_retry(N restarts) {
        choices_.spec.max_retry =
            kftrain::detail::fit(kftrain::detail::widen(restarts), "spec.maxRetry", choices_.problems);
        return *this;
    }
    /// Deletes the job this long after it ended.
    job_builder& time_to_live(std::chrono::seconds after) {
        choices_.spec.ttl_seconds_after_finished =
            kftrain::detail::fit(after.count(), "spec.ttlSecondsAfterFinished", choices_.problems);
        return *this;
    }
    /// Sets the priority of the gang, the name of a PriorityClass. For the pods use priority_class().
    job_builder& gang_priority(std::string name) { return set(choices_.spec.priority_class_name, std::move(name)); }
    /// Mounts a claim in all pods.
    job_builder& share_claim(std::string claim, std::string path) {
        auto& v = choices_.spec.volumes.emplace_back();
        v.volume_claim_name = std::move(claim);
        v.mount_path = std::move(path);
        return *this;
    }

    /// build() checks the job like an operator with these options: later releases, plugins as designed.
    job_builder& checked_by(volcano_operator_options options) { return set(choices_.operator_, std::move(options)); }

    /** Returns the checked job. Fails with `errc::invalid_job` if admission rejects it, if lint() finds an error, or
        if a value is invalid. The failure lists path, value and expectation of every fault; its `path` is that of
        the first. */
    result<job> build() const { return detail::build(choices_, pod()); }

private:
    task_choices& last_task();

    job_choices choices_;
};

} // namespace kftrain::volcano

namespace kftrain {

using volcano_job_builder = volcano::job_builder;

} // namespace kftrain

#endif
