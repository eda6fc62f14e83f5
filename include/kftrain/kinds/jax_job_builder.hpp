#ifndef KFTRAIN_KINDS_JAX_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_JAX_JOB_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/jax_job.hpp>

namespace kftrain::kubeflow_v1 {

/// The values that a builder of JAXJobs collected in addition to job and pods.
struct jax_job_choices {
    jax_job_choices() = default;

    std::optional<replica_choices> workers; ///< absent before the call of workers()
    issues problems{};                      ///< values that do not fit their fields
};

namespace detail {

enum jax_part : unsigned { jax_workers = 2 };

[[nodiscard]] result<jax_job> build(job_choices const&, pod_choices const&, jax_job_choices const&);

} // namespace detail

/** Builds a JAXJob step by step:

    @code
    auto job = jax_job_builder("llm").in("team-a").image("registry/llm:1").command({"python3", "/train.py"})
                   .gpus(8).workers(4).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image or workers, or giving a part
    twice, does not compile. build() finds all other faults. Setters change the builder and return it; image() and
    workers() return a builder of another type and leave this one unchanged. Settings apply to the pods of all
    workers.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_jax_job_builder final : public counted_parts<basic_jax_job_builder, Parts, jax_job_choices> {
    using base = counted_parts<basic_jax_job_builder, Parts, jax_job_choices>;
    template <unsigned Part> using with = basic_jax_job_builder<Parts | Part>;
    using base::has;

public:
    using base::base;

    /// Sets the number of processes, one in each pod; the first is the coordinator. `own` customizes their pods.
    template <whole_number N> [[nodiscard]] with<detail::jax_workers> workers(N count, pod_change own = {}) const {
        static_assert(!has(detail::jax_workers), "workers() was called already");
        return base::template given<detail::jax_workers>(&jax_job_choices::workers, count,
                                                         "spec.jaxReplicaSpecs[Worker].replicas", std::move(own));
    }

    /** Returns the checked job. Fails with `errc::invalid_job` if admission rejects it, if lint() finds an error, or
        if a value is invalid. The failure lists path, value and expectation of every fault; its `path` is that of
        the first. */
    [[nodiscard]] result<jax_job> build() const {
        static_assert(base::has_image, "call image() before build()");
        static_assert(has(detail::jax_workers), "call workers() before build()");
        return detail::build(this->choices(), this->pod(), this->own_);
    }
};

/// The builder of a JAXJob before any part is given.
using jax_job_builder = basic_jax_job_builder<0>;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::jax_job_builder;

} // namespace kftrain

#endif
