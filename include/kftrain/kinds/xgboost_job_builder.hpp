#ifndef KFTRAIN_KINDS_XGBOOST_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_XGBOOST_JOB_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/xgboost_job.hpp>

namespace kftrain::kubeflow_v1 {

/// The values that a builder of XGBoostJobs collected in addition to job and pods.
struct xgboost_job_choices {
    xgboost_job_choices() = default;

    replica_choices master;                 ///< settings of the only master
    std::optional<replica_choices> workers; ///< absent before the call of workers()
    issues problems{};                      ///< values that do not fit their fields
};

namespace detail {

enum xgboost_part : unsigned { xgboost_master = 2, xgboost_workers = 4 };

[[nodiscard]] result<xgboost_job> build(job_choices const&, pod_choices const&, xgboost_job_choices const&);

} // namespace detail

/** Builds an XGBoostJob step by step:

    @code
    auto job = xgboost_job_builder("trees").in("team-a").image("registry/trees:1").command({"python3", "train.py"})
                   .cpu("4").master().workers(3).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image or master, or giving a part
    twice, does not compile. build() finds all other faults. Setters change the builder and return it; image(),
    master() and workers() return a builder of another type and leave this one unchanged. Settings apply to the pods
    of every replica; master() and workers() take a function that customizes their own pods.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_xgboost_job_builder final : public counted_parts<basic_xgboost_job_builder, Parts, xgboost_job_choices> {
    using base = counted_parts<basic_xgboost_job_builder, Parts, xgboost_job_choices>;
    template <unsigned Part> using with = basic_xgboost_job_builder<Parts | Part>;
    using base::has;

public:
    using base::base;

    /// Adds the master, which is rank 0 and the rendezvous of the workers; `own` customizes its pod.
    [[nodiscard]] with<detail::xgboost_master> master(pod_change own = {}) const {
        static_assert(!has(detail::xgboost_master), "master() was called already: an XGBoostJob has one master");
        return base::template given<detail::xgboost_master>(&xgboost_job_choices::master,
                                                            replica_choices(std::move(own)));
    }

    /// Sets the number of workers; `own` customizes their pods.
    template <whole_number N> [[nodiscard]] with<detail::xgboost_workers> workers(N count, pod_change own = {}) const {
        static_assert(!has(detail::xgboost_workers), "workers() was called already");
        return base::template given<detail::xgboost_workers>(&xgboost_job_choices::workers, count,
                                                             "spec.xgbReplicaSpecs[Worker].replicas", std::move(own));
    }

    /** Returns the checked job. Fails with `errc::invalid_job` if admission rejects it, if lint() finds an error, or
        if a value is invalid. The failure lists path, value and expectation of every fault; its `path` is that of
        the first. */
    [[nodiscard]] result<xgboost_job> build() const {
        static_assert(base::has_image, "call image() before build()");
        static_assert(has(detail::xgboost_master), "call master() before build(): an XGBoostJob needs its master");
        return detail::build(this->choices(), this->pod(), this->own_);
    }
};

/// The builder of an XGBoostJob before any part is given.
using xgboost_job_builder = basic_xgboost_job_builder<0>;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::xgboost_job_builder;

} // namespace kftrain

#endif
