#ifndef KFTRAIN_KINDS_XGBOOST_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_XGBOOST_JOB_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/xgboost_job.hpp>

namespace kftrain::kubeflow_v1 {

/// The values that a builder of XGBoostJobs collected in addition to job and pods.
struct xgboost_job_choices {
    using job = xgboost_job;

    xgboost_job_choices() = default;
    /// Returns the checked job.
    [[nodiscard]] result<xgboost_job> build(job_choices const&, pod_choices const&) const;

    /// Path of the number of workers.
    static constexpr std::string_view workers_path = "spec.xgbReplicaSpecs[Worker].replicas";

    replica_choices master;         ///< settings of the only master
    boxed<replica_choices> workers; ///< absent before the call of workers()
    issues problems{};              ///< values that do not fit their fields
};

namespace detail {

enum xgboost_part : unsigned { xgboost_master = 4 };

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
class basic_xgboost_job_builder final : public counted_workers<basic_xgboost_job_builder, Parts, xgboost_job_choices> {
    using base = counted_workers<basic_xgboost_job_builder, Parts, xgboost_job_choices>;
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

private:
    friend class kftrain::detail::builder_access;

    static constexpr void check_parts() {
        static_assert(has(detail::xgboost_master), "call master() before build(): an XGBoostJob needs its master");
    }
};

/// The builder of an XGBoostJob before any part is given.
using xgboost_job_builder = basic_xgboost_job_builder<0>;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::xgboost_job_builder;

} // namespace kftrain

#endif
