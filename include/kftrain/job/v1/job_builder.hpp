#ifndef KFTRAIN_JOB_V1_JOB_BUILDER_HPP
#define KFTRAIN_JOB_V1_JOB_BUILDER_HPP

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/pod_settings.hpp>
#include <kftrain/job/v1/job_types.hpp>

#include <chrono>
#include <limits>

namespace kftrain {

/// What becomes of the pods when the job has ended: see `cleanPodPolicy`.
enum class clean_pods { all, running, none };

/// What job_setters collected.
struct job_choices {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(job_choices);

    object_meta metadata;
    kubeflow_v1::run_policy policy;
    issues problems{}; ///< values that fit no field
};

/// How many replicas of a type, and what they have of their own.
struct replica_choices {
    replica_choices() = default;

    std::int32_t count = 1;
    pod_change own{}; ///< may be empty
};

namespace detail {

/// A number for a field of 32 bits; what does not fit is noted in `problems`.
std::int32_t fit(std::int64_t value, std::string_view path, issues& problems);
template <whole_number N> std::int64_t widen(N value) noexcept {
    if constexpr (std::is_unsigned_v<N> && sizeof(N) == sizeof(std::int64_t))
        if (value > static_cast<N>(std::numeric_limits<std::int64_t>::max()))
            return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(value);
}
std::string_view to_wire(clean_pods) noexcept;
/// The failure that build() answers: all errors, with the path of the first.
failure refused(issues const&);

} // namespace detail

/** Setters of what jobs of all kinds have: metadata, run policy, and by pod_setters their pods. A builder of a kind
    derives from it and adds replica types and what is the kind's own.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <class Self> class job_setters : public pod_setters<Self> {
public:
    /// The namespace.
    Self& in(std::string name) { return this->set(choices_.metadata.namespace_, std::move(name)); }
    /// Sets a label of the job; its pods have those of pod_label().
    Self& label(std::string const& key, std::string value) {
        return this->set(choices_.metadata.labels[key], std::move(value));
    }
    /// Sets an annotation of the job.
    Self& annotation(std::string const& key, std::string value) {
        return this->set(choices_.metadata.annotations[key], std::move(value));
    }

    /// The pods that are deleted when the job has ended; the operator keeps all unless told.
    Self& clean_pod_policy(clean_pods which) {
        choices_.policy.clean_pod_policy = std::string(detail::to_wire(which));
        return this->self();
    }
    /// The job, or of an MPIJob of v2beta1 its launcher, is deleted this long after the job ended.
    Self& time_to_live(std::chrono::seconds after) {
        choices_.policy.ttl_seconds_after_finished =
            detail::fit(after.count(), "spec.runPolicy.ttlSecondsAfterFinished", choices_.problems);
        return this->self();
    }
    /// The job fails when it is active longer than this.
    Self& deadline(std::chrono::seconds active) {
        choices_.policy.active_deadline_seconds = active.count();
        return this->self();
    }
    /// The job fails when containers of its running pods were started again so often in all, or, of an MPIJob of v2beta1, when so many
    /// launchers failed after the first; 0: at the first time.
    template <whole_number N> Self& backoff_limit(N restarts) {
        choices_.policy.backoff_limit =
            detail::fit(detail::widen(restarts), "spec.runPolicy.backoffLimit", choices_.problems);
        return this->self();
    }
    /// The job is stored, and no pods are made before it is resumed.
    Self& suspended(bool yes = true) {
        choices_.policy.suspend = yes;
        return this->self();
    }
    /// Who runs the job: the operator of its kind, by the name that its validation knows, or `kueue.x-k8s.io/multikueue`.
    Self& managed_by(std::string controller) {
        choices_.policy.managed_by = std::move(controller);
        return this->self();
    }
    /// Gang scheduling: the queue.
    Self& queue(std::string name) { return this->set(gang().queue, std::move(name)); }
    /// Gang scheduling: how many pods have to fit before any starts.
    template <whole_number N> Self& min_available(N pods) {
        gang().min_available =
            detail::fit(detail::widen(pods), "spec.runPolicy.schedulingPolicy.minAvailable", choices_.problems);
        return this->self();
    }
    /// Gang scheduling: all of it, in place of what was set.
    Self& scheduling(kubeflow_v1::scheduling_policy policy) {
        choices_.policy.scheduling_policy = std::move(policy);
        return this->self();
    }

    /// What was set so far; the reference holds as long as the builder.
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
