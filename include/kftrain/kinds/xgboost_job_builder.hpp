#ifndef KFTRAIN_KINDS_XGBOOST_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_XGBOOST_JOB_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/xgboost_job.hpp>

namespace kftrain::kubeflow_v1 {

/// What a builder of XGBoostJobs collected beyond job and pods.
struct xgboost_job_choices {
    xgboost_job_choices() = default;

    replica_choices master;
    std::optional<replica_choices> workers;
    issues problems{}; ///< values that fit no field
};

namespace detail {

enum xgboost_part : unsigned { xgboost_image = 1, xgboost_master = 2, xgboost_workers = 4 };

result<xgboost_job> build(job_choices const&, pod_choices const&, xgboost_job_choices const&);

} // namespace detail

/** Makes an XGBoostJob step by step:

    @code
    auto job = xgboost_job_builder("trees").in("team-a").image("registry/trees:1").command({"python3", "train.py"})
                   .cpu("4").master().workers(3).build();
    @endcode

    `Parts` are the parts given so far, and the compiler knows them: to build without image or master, or to give a part twice does
    not compile. All other faults are found by build(). Setters change the builder and return it; image(), master() and workers() return
    a builder of another type and leave this one as it is. What is set applies to the pods of every replica; master() and workers()
    take a function that changes their own.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts> class basic_xgboost_job_builder final : public job_setters<basic_xgboost_job_builder<Parts>> {
    static constexpr bool has(unsigned part) { return (Parts & part) != 0; }
    template <unsigned Part> using with = basic_xgboost_job_builder<Parts | Part>;
    using base = job_setters<basic_xgboost_job_builder<Parts>>;

public:
    explicit basic_xgboost_job_builder(std::string name) : base(std::move(name)) {
        static_assert(Parts == 0, "begin with xgboost_job_builder(name)");
    }

    /// Image of the container that trains; the function of a replica type may name another.
    [[nodiscard]] with<detail::xgboost_image> image(std::string reference) const {
        static_assert(!has(detail::xgboost_image), "image() was called already");
        with<detail::xgboost_image> next(*this);
        next.base_image(std::move(reference));
        return next;
    }

    /// The master, which is rank 0, and at which the workers meet; `own` changes its pod.
    [[nodiscard]] with<detail::xgboost_master> master(pod_change own = {}) const {
        static_assert(!has(detail::xgboost_master), "master() was called already: an XGBoostJob has one master");
        with<detail::xgboost_master> next(*this);
        next.choices_.master.own = std::move(own);
        return next;
    }

    /// So many workers; `own` changes their pods.
    template <whole_number N> [[nodiscard]] with<detail::xgboost_workers> workers(N count, pod_change own = {}) const {
        static_assert(!has(detail::xgboost_workers), "workers() was called already");
        with<detail::xgboost_workers> next(*this);
        auto& replicas = next.choices_.workers.emplace();
        replicas.count = kftrain::detail::fit(kftrain::detail::widen(count), "spec.xgbReplicaSpecs[Worker].replicas",
                                              next.choices_.problems);
        replicas.own = std::move(own);
        return next;
    }

    /** The job, checked: `errc::invalid_job` if admission refuses it, or lint() finds an error, or a value has no meaning.
        The failure names path, value and expectation of every fault, its `path` is that of the first. */
    result<xgboost_job> build() const {
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

/// Where an XGBoostJob begins.
using xgboost_job_builder = basic_xgboost_job_builder<0>;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::xgboost_job_builder;

} // namespace kftrain

#endif
