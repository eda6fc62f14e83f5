#ifndef KFTRAIN_KINDS_PADDLE_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_PADDLE_JOB_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/paddle_job.hpp>

namespace kftrain::kubeflow_v1 {

/// The values that a builder of PaddleJobs collected in addition to job and pods.
struct paddle_job_choices {
    using job = paddle_job;

    paddle_job_choices() = default;
    /// Returns the checked job.
    [[nodiscard]] result<paddle_job> build(job_choices const&, pod_choices const&) const;

    /// Path of the number of workers.
    static constexpr std::string_view workers_path = "spec.paddleReplicaSpecs[Worker].replicas";

    boxed<replica_choices> masters; ///< absent before the call of masters()
    boxed<replica_choices> workers; ///< absent before the call of workers()
    issues problems{};              ///< values that do not fit their fields
};

namespace detail {

enum paddle_part : unsigned { paddle_masters = 4 };

} // namespace detail

/** Builds a PaddleJob step by step:

    @code
    auto job = paddle_job_builder("resnet").in("team-a").image("registry/resnet:1")
                   .command({"python3", "-m", "paddle.distributed.launch", "train.py"}).gpus(8).workers(4).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image or replicas, or giving a part
    twice, does not compile. build() finds all other faults. Setters change the builder and return it; image(),
    masters() and workers() return a builder of another type and leave this one unchanged. Settings apply to the pods
    of every replica; masters() and workers() take a function that customizes their own pods. There is no setter for
    the elastic policy, which the operator ignores.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_paddle_job_builder final : public counted_workers<basic_paddle_job_builder, Parts, paddle_job_choices> {
    using base = counted_workers<basic_paddle_job_builder, Parts, paddle_job_choices>;
    template <unsigned Part> using with = basic_paddle_job_builder<Parts | Part>;
    using base::has;

public:
    using base::base;

    /// Sets the number of masters, which serve parameters to the workers; without masters, workers train collectively.
    /// `own` customizes their pods.
    template <whole_number N> [[nodiscard]] with<detail::paddle_masters> masters(N count, pod_change own = {}) const {
        static_assert(!has(detail::paddle_masters), "masters() was called already");
        return base::template given<detail::paddle_masters>(&paddle_job_choices::masters, count,
                                                            "spec.paddleReplicaSpecs[Master].replicas", std::move(own));
    }

private:
    friend class kftrain::detail::builder_access;

    static constexpr void check_parts() {
        static_assert(has(detail::paddle_masters) || base::has_workers, "call workers() or masters() before build()");
    }
};

/// The builder of a PaddleJob before any part is given.
using paddle_job_builder = basic_paddle_job_builder<0>;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::paddle_job_builder;

} // namespace kftrain

#endif
