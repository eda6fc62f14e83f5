#ifndef KFTRAIN_KINDS_TF_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_TF_JOB_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/tf_job.hpp>

namespace kftrain::kubeflow_v1 {

/// The values that a builder of TFJobs collected in addition to job and pods.
struct tf_job_choices {
    using job = tf_job;

    tf_job_choices() = default;
    /// Returns the checked job.
    [[nodiscard]] result<tf_job> build(job_choices const&, pod_choices const&) const;

    /// Path of the number of workers.
    static constexpr std::string_view workers_path = "spec.tfReplicaSpecs[Worker].replicas";

    boxed<replica_choices> chief;             ///< absent before the call of chief()
    boxed<replica_choices> workers;           ///< absent before the call of workers()
    boxed<replica_choices> parameter_servers; ///< absent before the call of parameter_servers()
    boxed<replica_choices> evaluator;         ///< absent before the call of evaluator()
    bool waits_for_all_workers = false;       ///< whether all workers must succeed, instead of worker 0 only
    bool dynamic_workers = false;             ///< whether workers may be added and removed
    issues problems{};                        ///< values that do not fit their fields
};

namespace detail {

enum tf_part : unsigned {
    tf_chief = 4,
    tf_parameter_servers = 8,
    tf_evaluator = 16,
    tf_all_workers = 32,
    tf_dynamic_workers = 64
};

} // namespace detail

/** Builds a TFJob step by step:

    @code
    auto job = tf_job_builder("mnist").in("team-a").image("registry/mnist:1").command({"python3", "train.py"})
                   .gpus(1).chief().workers(3).parameter_servers(2).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image, or with neither chief nor
    workers, giving a part twice, waiting for all workers in addition to a chief, or combining dynamic workers with a
    chief or an evaluator does not compile. build() finds all other faults. Setters change the builder and return it;
    image(), the tasks, wait_for_all_workers() and dynamic_workers() return a builder of another type and leave this
    one unchanged. Settings apply to the pods of every task; each task takes a function that customizes its own pods:
    `parameter_servers(2, [](pod_settings& pod) { pod.memory("64Gi"); })`. Without a chief the job succeeds with the
    first worker.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_tf_job_builder final : public counted_workers<basic_tf_job_builder, Parts, tf_job_choices> {
    using base = counted_workers<basic_tf_job_builder, Parts, tf_job_choices>;
    template <unsigned Part> using with = basic_tf_job_builder<Parts | Part>;
    using base::has;

public:
    using base::base;

    /// Adds one chief, whose end decides the result of the job; `own` customizes its pod.
    [[nodiscard]] with<detail::tf_chief> chief(pod_change own = {}) const {
        static_assert(!has(detail::tf_chief), "chief() was called already: a TFJob has at most one chief");
        return base::template given<detail::tf_chief>(&tf_job_choices::chief, replica_choices(std::move(own)));
    }

    /// Sets the number of parameter servers; `own` customizes their pods.
    template <whole_number N>
    [[nodiscard]] with<detail::tf_parameter_servers> parameter_servers(N count, pod_change own = {}) const {
        static_assert(!has(detail::tf_parameter_servers), "parameter_servers() was called already");
        return base::template given<detail::tf_parameter_servers>(&tf_job_choices::parameter_servers, count,
                                                                  "spec.tfReplicaSpecs[PS].replicas", std::move(own));
    }

    /// Adds one task that evaluates during the training; `own` customizes its pod.
    [[nodiscard]] with<detail::tf_evaluator> evaluator(pod_change own = {}) const {
        static_assert(!has(detail::tf_evaluator), "evaluator() was called already: TensorFlow takes one at most");
        return base::template given<detail::tf_evaluator>(&tf_job_choices::evaluator, replica_choices(std::move(own)));
    }

    /// The job succeeds when all workers have succeeded.
    [[nodiscard]] with<detail::tf_all_workers> wait_for_all_workers() const {
        static_assert(!has(detail::tf_all_workers), "wait_for_all_workers() was called already");
        return base::template given<detail::tf_all_workers>(&tf_job_choices::waits_for_all_workers, true);
    }

    /// Workers may be added and removed: each receives only its own address and those of the parameter servers.
    [[nodiscard]] with<detail::tf_dynamic_workers> dynamic_workers() const {
        static_assert(!has(detail::tf_dynamic_workers), "dynamic_workers() was called already");
        return base::template given<detail::tf_dynamic_workers>(&tf_job_choices::dynamic_workers, true);
    }

private:
    friend class kftrain::detail::builder_access;

    static constexpr void check_parts() {
        static_assert(has(detail::tf_chief) || base::has_workers, "call chief() or workers() before build()");
        static_assert(!has(detail::tf_all_workers) || !has(detail::tf_chief),
                      "with a chief() the job succeeds when the chief does: leave wait_for_all_workers() out");
        static_assert(!has(detail::tf_dynamic_workers) || !has(detail::tf_chief | detail::tf_evaluator),
                      "with dynamic_workers() a chief() or an evaluator() would not know the other tasks");
    }
};

/// The builder of a TFJob before any part is given.
using tf_job_builder = basic_tf_job_builder<0>;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::tf_job_builder;

} // namespace kftrain

#endif
