#ifndef KFTRAIN_KINDS_JAX_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_JAX_JOB_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/jax_job.hpp>

namespace kftrain::kubeflow_v1 {

/// The values that a builder of JAXJobs collected in addition to job and pods.
struct jax_job_choices {
    using job = jax_job;

    jax_job_choices() = default;
    /// Returns the checked job.
    [[nodiscard]] result<jax_job> build(job_choices const&, pod_choices const&) const;

    /// Path of the number of workers.
    static constexpr std::string_view workers_path = "spec.jaxReplicaSpecs[Worker].replicas";

    boxed<replica_choices> workers; ///< absent before the call of workers()
    issues problems{};              ///< values that do not fit their fields
};

/** Builds a JAXJob step by step:

    @code
    auto job = jax_job_builder("llm").in("team-a").image("registry/llm:1").command({"python3", "/train.py"})
                   .gpus(8).workers(4).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image or workers, or giving a part
    twice, does not compile. build() finds all other faults. Setters change the builder and return it; image() and
    workers() return a builder of another type and leave this one unchanged. Settings apply to the pods of all
    workers, which are one process each; the first is the coordinator.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_jax_job_builder final : public counted_workers<basic_jax_job_builder, Parts, jax_job_choices> {
    using base = counted_workers<basic_jax_job_builder, Parts, jax_job_choices>;

public:
    using base::base;

private:
    friend class kftrain::detail::builder_access;

    static constexpr void check_parts() { static_assert(base::has_workers, "call workers() before build()"); }
};

/// The builder of a JAXJob before any part is given.
using jax_job_builder = basic_jax_job_builder<0>;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::jax_job_builder;

} // namespace kftrain

#endif
