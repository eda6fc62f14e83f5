#ifndef KFTRAIN_JOB_V1_JOB_BUILDER_HPP
#define KFTRAIN_JOB_V1_JOB_BUILDER_HPP

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/pod_settings.hpp>
#include <kftrain/job/v1/job_types.hpp>

#include <chrono>
#include <limits>

namespace kftrain {

/// Which pods are deleted when the job has ended: see `cleanPodPolicy`.
enum class clean_pods { all, running, none };

/// The values that job_setters collected.
struct job_choices {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_choices);

    object_meta metadata;           ///< name, namespace, labels and annotations
    kubeflow_v1::run_policy policy; ///< `spec.runPolicy` of the job
    issues problems{};              ///< values that do not fit their fields
};

/// The number of replicas of a type, and their own settings.
struct replica_choices {
    replica_choices() = default;

    std::int32_t count = 1; ///< number of replicas
    pod_change own{};       ///< may be empty
};

namespace detail {

/// Returns a number for a 32-bit field; a number that does not fit is appended to `problems`.
std::int32_t fit(std::int64_t value, std::string_view path, issues& problems);
template <whole_number N> std::int64_t widen(N value) noexcept {
    if constexpr (std::is_unsigned_v<N> && sizeof(N) == sizeof(std::int64_t))
        if (value > static_cast<N>(std::numeric_limits<std::int64_t>::max()))
            return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(value);
}
std::string_view to_wire(clean_pods) noexcept;
/// Returns the failure of build(): all errors, with the path of the first.
failure refused(issues const&);

} // namespace detail

/** Setters for jobs of all kinds: metadata, run policy, and through pod_setters their pods. The builder of a kind
    derives from it and adds replica types and settings of the kind.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <class Self> class job_setters : public pod_setters<Self> {
public:
    /// Sets the namespace.
    Self& in(std::string name) { return this->set(choices_.metadata.namespace_, std::move(name)); }
    /// Sets a label of the job; for labels of its pods use pod_label().
    Self& label(std::string const& key, std::string value) {
        return this->set(choices_.metadata.labels[key], std::move(value));
    }
    /// Sets an annotation of the job.
    Self& annotation(std::string const& key, std::string value) {
        return this->set(choices_.metadata.annotations[key], std::move(value));
    }

    /// Sets which pods are deleted when the job has ended; by default the operator keeps all.
    Self& clean_pod_policy(clean_pods which) {
        choices_.policy.clean_pod_policy = std::string(detail::to_wire(which));
        return this->self();
    }
    /// Deletes the job, or the launcher of an MPIJob of v2beta1, this long after the job ended.
    Self& time_to_live(std::chrono::seconds after) {
        choices_.policy.ttl_seconds_after_finished =
            detail::fit(after.count(), "spec.runPolicy.ttlSecondsAfterFinished", choices_.problems);
        return this->self();
    }
    /// Fails the job if it is active for longer than this.
    Self& deadline(std::chrono::seconds active) {
        choices_.policy.active_deadline_seconds = active.count();
        return this->self();
    }
    /// Back-off limit: the job fails when the containers of its running pods were restarted this often in total or, for
    /// an MPIJob of v2beta1, when this many launchers failed after the first; 0: at the first failure.
    template <whole_number N> Self& backoff_limit(N restarts) {
        choices_.policy.backoff_limit =
            detail::fit(detail::widen(restarts), "spec.runPolicy.backoffLimit", choices_.problems);
        return this->self();
    }
    /// Stores the job without creating pods until it is resumed.
    Self& suspended(bool yes = true) {
        choices_.policy.suspend = yes;
        return this->self();
    }
    /// Sets the controller of the job: the operator of its kind, by the name that its validation accepts, or
    /// `kueue.x-k8s.io/multikueue`.
    Self& managed_by(std::string controller) {
        choices_.policy.managed_by = std::move(controller);
        return this->self();
    }
    /// Gang scheduling: the queue.
    Self& queue(std::string name) { return this->set(gang().queue, std::move(name)); }
    /// Gang scheduling: the number of pods that must fit before any starts.
    template <whole_number N> Self& min_available(N pods) {
        gang().min_available =
            detail::fit(detail::widen(pods), "spec.runPolicy.schedulingPolicy.minAvailable", choices_.problems);
        return this->self();
    }
    /// Gang scheduling: the whole policy, replacing earlier settings.
    Self& scheduling(kubeflow_v1::scheduling_policy policy) {
        choices_.policy.scheduling_policy = std::move(policy);
        return this->self();
    }

    /// Returns the current values; the reference is valid as long as the builder.
    job_choices const& choices() const noexcept { return choices_; }

protected:
    explicit job_setters(std::string name) { choices_.metadata.name = std::move(name); }
    job_setters(job_choices job, pod_choices pod) : pod_setters<Self>(std::move(pod)), choices_(std::move(job)) {}

private:
    kubeflow_v1::scheduling_policy& gang() {
        if (!choices_.policy.scheduling_policy) choices_.policy.scheduling_policy.emplace();
        return *choices_.policy.scheduling_policy;
    }

    job_choices choices_;
};

} // namespace kftrain

#endif
