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

enum xgboost_part : unsigned { xgboost_image = 1, xgboost_master = 2, xgboost_workers = 4 };

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
template <unsigned Parts> class basic_xgboost_job_builder final : public job_setters<basic_xgboost_job_builder<Parts>> {
    static constexpr bool has(unsigned part) { return (Parts & part) != 0; }
    template <unsigned Part> using with = basic_xgboost_job_builder<Parts | Part>;
    using base = job_setters<basic_xgboost_job_builder<Parts>>;

public:
    explicit basic_xgboost_job_builder(std::string name) : base(std::move(name)) {
        static_assert(Parts == 0, "begin with xgboost_job_builder(name)");
    }

    /// Sets the image of the training container; the function of a replica type may override it.
    [[nodiscard]] with<detail::xgboost_image> image(std::string reference) const {
        static_assert(!has(detail::xgboost_image), "image() was called already");
        with<detail::xgboost_image> next(*this);
        next.base_image(std::move(reference));
        return next;
    }

    /// Adds the master, which is rank 0 and the rendezvous of the workers; `own` customizes its pod.
    [[nodiscard]] with<detail::xgboost_master> master(pod_change own = {}) const {
        static_assert(!has(detail::xgboost_master), "master() was called already: an XGBoostJob has one master");
        with<detail::xgboost_master> next(*this);
        next.choices_.master.own = std::move(own);
        return next;
    }

    /// Sets the number of workers; `own` customizes their pods.
    template <whole_number N> [[nodiscard]] with<detail::xgboost_workers> workers(N count, pod_change own = {}) const {
        static_assert(!has(detail::xgboost_workers), "workers() was called already");
        with<detail::xgboost_workers> next(*this);
        auto& replicas = next.choices_.workers.emplace();
        replicas.count = kftrain::detail::fit(kftrain::detail::widen(count), "spec.xgbReplicaSpecs[Worker].replicas",
                                              next.choices_.problems);
        replicas.own = std::move(own);
        return next;
    }

    /** Returns the checked job. Fails with `errc::invalid_job` if admission rejects it, if lint() finds an error, or
        if a value is invalid. The failure lists path, value and expectation of every fault; its `path` is that of
        the first. */
    [[nodiscard]] result<xgboost_job> build() const {
        static_assert(has(detail::xgboost_image), "call image() before build()");
        static_assert(has(detail::xgboost_master), "call master() before build(): an XGBoostJob needs its master");
        return detail::build(this->choices(), this->pod(), choices_);
    }

private:
    template <unsigned> friend class basic_xgboost_job_builder;

    template <unsigned Before>
    explicit basic_xgboost_job_builder(basic_xgboost_job_builder<Before> const& before)
        : base(before.choices(), before.pod()), choices_(before.choices_) {}
    void base_image(std::string reference) { base::image(std::move(reference)); }

    xgboost_job_choices choices_;
};

/// The builder of an XGBoostJob before any part is given.
using xgboost_job_builder = basic_xgboost_job_builder<0>;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::xgboost_job_builder;

} // namespace kftrain

#endif
