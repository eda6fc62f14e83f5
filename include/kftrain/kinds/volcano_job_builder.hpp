#ifndef KFTRAIN_KINDS_VOLCANO_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_VOLCANO_JOB_BUILDER_HPP

#include <kftrain/job/pod_settings.hpp>
#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/volcano_job.hpp>

#include <chrono>

namespace kftrain::volcano {

/// What a policy of a job or a task waits for.
enum class job_event : std::uint8_t { any, pod_failed, pod_evicted, unknown, task_completed, task_failed };

/// What a policy does.
enum class job_action : std::uint8_t { abort, restart, terminate, complete };

/// A task as a builder was told of it.
struct task_choices {
    task_choices() = default;

    std::string name;
    std::int32_t count = 0;
    pod_change own{}; ///< may be empty
    std::vector<lifecycle_policy> policies;
    std::vector<std::string> depends_on;
};

/// What a builder of Volcano Jobs collected beyond the pods.
struct job_choices {
    job_choices() = default;

    object_meta metadata;
    job_spec spec; ///< without tasks
    std::vector<task_choices> tasks;
    issues problems{};         ///< values that fit no field
    job_operator_options told; ///< by which the job is checked
};

namespace detail {

lifecycle_policy policy_of(job_event, job_action);
lifecycle_policy policy_of(std::int32_t exit_code, job_action);
result<job> build(job_choices const&, pod_choices const&);

} // namespace detail

/** Makes a Volcano Job step by step:

    @code
    auto job = volcano_job_builder("mnist").in("team-a").queue("research").image("registry/mnist:1").command({"python", "train.py"})
                   .gpus(8).plugin("pytorch").task("master", 1).task("worker", 3).build();
    @endcode

    What is set of the pods applies to all tasks; task() takes a function that changes the pods of its own. Policies and dependencies
    of tasks follow the task that they are about: `task("worker", 3).depends_on({"master"})`.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class job_builder final : public pod_setters<job_builder> {
public:
    explicit job_builder(std::string name) { choices_.metadata.name = std::move(name); }

    /// The namespace.
    job_builder& in(std::string name) { return set(choices_.metadata.namespace_, std::move(name)); }
    /// Sets a label of the job and its gang; pods have those of pod_label().
    job_builder& label(std::string const& key, std::string value) {
        return set(choices_.metadata.labels[key], std::move(value));
    }
    /// Sets an annotation of the job and its gang.
    job_builder& annotation(std::string const& key, std::string value) {
        return set(choices_.metadata.annotations[key], std::move(value));
    }
    /// `default` otherwise.
    job_builder& queue(std::string name) { return set(choices_.spec.queue, std::move(name)); }
    /// A plugin with its arguments, one flag in each: `plugin("pytorch", {"--port=29500"})`.
    job_builder& plugin(std::string name, std::vector<std::string> arguments = {}) {
        choices_.spec.plugins.insert_or_assign(std::move(name), std::move(arguments));
        return *this;
    }

    /// A further task of so many pods; `own` changes them.
    template <whole_number N> job_builder& task(std::string name, N count, pod_change own = {}) {
        std::string const path = "spec.tasks[" + std::to_string(choices_.tasks.size()) + "].replicas";
        auto& t = choices_.tasks.emplace_back();
        t.name = std::move(name);
        t.count = kftrain::detail::fit(kftrain::detail::widen(count), path, choices_.problems);
        t.own = std::move(own);
        return *this;
    }
    /// The last task waits until these run; throws std::logic_error if there is no task yet, as on_task() does.
    job_builder& depends_on(std::vector<std::string> tasks) { return set(last_task().depends_on, std::move(tasks)); }
    /// A policy of the last task: `on_task(job_event::task_completed, job_action::complete)`.
    job_builder& on_task(job_event event, job_action action) {
        last_task().policies.push_back(detail::policy_of(event, action));
        return *this;
    }
    /// A policy of the job, after those that were given before.
    job_builder& on(job_event event, job_action action) {
        choices_.spec.policies.push_back(detail::policy_of(event, action));
        return *this;
    }
    /// The same for an exit code of the first container of a pod.
    job_builder& on_exit_code(std::int32_t code, job_action action) {
        choices_.spec.policies.push_back(detail::policy_of(code, action));
        return *this;
    }

    /// How many pods the gang needs; all of them otherwise.
    template <whole_number N> job_builder& min_available(N pods) {
        choices_.spec.min_available =
            kftrain::detail::fit(kftrain::detail::widen(pods), "spec.minAvailable", choices_.problems);
        return *this;
    }
    /// So many pods that succeeded complete the job.
    template <whole_number N> job_builder& min_success(N pods) {
        choices_.spec.min_success =
            kftrain::detail::fit(kftrain::detail::widen(pods), "spec.minSuccess", choices_.problems);
        return *this;
    }
    /// The restart of this number fails the job; 3 otherwise.
    template <whole_number N> job_builder& max_retry(N restarts) {
        choices_.spec.max_retry =
            kftrain::detail::fit(kftrain::detail::widen(restarts), "spec.maxRetry", choices_.problems);
        return *this;
    }
    /// The job is deleted this long after it ended.
    job_builder& time_to_live(std::chrono::seconds after) {
        choices_.spec.ttl_seconds_after_finished =
            kftrain::detail::fit(after.count(), "spec.ttlSecondsAfterFinished", choices_.problems);
        return *this;
    }
    /// Of the gang: name of a PriorityClass. That of the pods is priority_class().
    job_builder& gang_priority(std::string name) { return set(choices_.spec.priority_class_name, std::move(name)); }
    /// A claim that all pods mount.
    job_builder& share_claim(std::string claim, std::string path) {
        auto& v = choices_.spec.volumes.emplace_back();
        v.volume_claim_name = std::move(claim);
        v.mount_path = std::move(path);
        return *this;
    }

    /// build() checks the job as an operator does that was told this: later releases, plugins as designed.
    job_builder& checked_by(job_operator_options told) { return set(choices_.told, std::move(told)); }

    /** The job, checked: `errc::invalid_job` if admission refuses it, or lint() finds an error, or a value has no meaning. The failure
        names path, value and expectation of every fault, its `path` is that of the first. */
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
