#ifndef KFTRAIN_KINDS_MX_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_MX_JOB_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/mx_job.hpp>

namespace kftrain::kubeflow_v1 {

/// The values that a builder of MXJobs collected in addition to job and pods.
struct mx_job_choices {
    using job = mx_job;

    mx_job_choices() = default;
    /// Returns the checked job.
    [[nodiscard]] result<mx_job> build(job_choices const&, pod_choices const&) const;

    std::map<std::string, replica_choices> replicas; ///< by type
    issues problems{};                               ///< values that do not fit their fields
};

namespace detail {

enum mx_part : unsigned {
    mx_scheduler = 2,
    mx_servers = 4,
    mx_workers = 8,
    mx_tuner_tracker = 16,
    mx_tuner_servers = 32,
    mx_tuner = 64
};

} // namespace detail

/** Builds an MXJob step by step:

    @code
    auto job = mx_job_builder("mnist").in("team-a").image("registry/mnist:1").command({"python3", "train.py"})
                   .scheduler().servers(1).workers(2).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image or replicas, servers without
    a scheduler, or giving a part twice, does not compile. build() finds all other faults. Setters change the builder
    and return it; image() and the replica types return a builder of another type and leave this one unchanged.
    Settings apply to the pods of every replica; each replica type takes a function that customizes its own pods. The
    mode is MXTune if there is a type that tunes, else MXTrain.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_mx_job_builder final : public counted_parts<basic_mx_job_builder, Parts, mx_job_choices> {
    using base = counted_parts<basic_mx_job_builder, Parts, mx_job_choices>;
    template <unsigned Part> using with = basic_mx_job_builder<Parts | Part>;
    using base::has;

public:
    using base::base;

    /// Adds the scheduler, the rendezvous of servers and workers; the job ends with it. `own` customizes its pod;
    /// likewise below.
    [[nodiscard]] with<detail::mx_scheduler> scheduler(pod_change own = {}) const {
        return added<detail::mx_scheduler>("Scheduler", 1, std::move(own));
    }
    /// Sets the number of servers, which keep the parameters.
    template <whole_number N> [[nodiscard]] with<detail::mx_servers> servers(N count, pod_change own = {}) const {
        return added<detail::mx_servers>("Server", count, std::move(own));
    }
    /// Sets the number of workers.
    template <whole_number N> [[nodiscard]] with<detail::mx_workers> workers(N count, pod_change own = {}) const {
        return added<detail::mx_workers>("Worker", count, std::move(own));
    }
    /// For tuning: adds the tracker, which assigns tasks to the tuner's servers.
    [[nodiscard]] with<detail::mx_tuner_tracker> tuner_tracker(pod_change own = {}) const {
        return added<detail::mx_tuner_tracker>("TunerTracker", 1, std::move(own));
    }
    /// For tuning: sets the number of servers, which execute the tasks.
    template <whole_number N>
    [[nodiscard]] with<detail::mx_tuner_servers> tuner_servers(N count, pod_change own = {}) const {
        return added<detail::mx_tuner_servers>("TunerServer", count, std::move(own));
    }
    /// For tuning: adds the tuner.
    [[nodiscard]] with<detail::mx_tuner> tuner(pod_change own = {}) const {
        return added<detail::mx_tuner>("Tuner", 1, std::move(own));
    }

private:
    friend class kftrain::detail::builder_access;

    static constexpr void check_parts() {
        static_assert((Parts & ~kftrain::detail::image_part) != 0,
                      "call workers() or another replica type before build()");
        static_assert(!has(detail::mx_servers) || has(detail::mx_scheduler),
                      "call scheduler() before build(): servers and workers meet at it");
    }

    template <unsigned Part, whole_number N> with<Part> added(std::string_view type, N count, pod_change own) const {
        static_assert(!has(Part), "this replica type was given already");
        return base::template given<Part>([&](mx_job_choices& c) {
            auto const path = std::string("spec.mxReplicaSpecs[").append(type).append("].replicas");
            c.replicas[std::string(type)] =
                replica_choices(kftrain::detail::fit(kftrain::detail::widen(count), path, c.problems), std::move(own));
        });
    }
};

/// The builder of an MXJob before any part is given.
using mx_job_builder = basic_mx_job_builder<0>;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::mx_job_builder;

} // namespace kftrain

#endif
