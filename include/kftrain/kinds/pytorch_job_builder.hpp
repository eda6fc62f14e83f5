#ifndef KFTRAIN_KINDS_PYTORCH_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_PYTORCH_JOB_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/pytorch_job.hpp>

namespace kftrain::kubeflow_v1 {

/// The devices that torchrun counts to determine the number of processes on a node.
enum class processes { automatic, cpu, gpu };

/// The values that a builder of PyTorchJobs collected in addition to job and pods.
struct pytorch_job_choices {
    using job = pytorch_job;

    pytorch_job_choices() = default;
    /// Returns the checked job.
    [[nodiscard]] result<pytorch_job> build(job_choices const&, pod_choices const&) const;

    /// Path of the number of workers.
    static constexpr std::string_view workers_path = "spec.pytorchReplicaSpecs[Worker].replicas";

    boxed<replica_choices> master;             ///< absent before the call of master()
    boxed<replica_choices> workers;            ///< absent before the call of workers()
    boxed<elastic_policy> elastic;             ///< absent: the number of workers is fixed
    std::optional<std::string> nproc_per_node; ///< auto, cpu, gpu or a number; absent: the default of the operator
    issues problems{};                         ///< values that do not fit their fields
};

namespace detail {

enum pytorch_part : unsigned { pytorch_master = 4, pytorch_elastic = 8 };

std::string_view to_wire(processes) noexcept;

} // namespace detail

/** Builds a PyTorchJob step by step:

    @code
    auto job = pytorch_job_builder("mnist").in("team-a").image("registry/mnist:1").command({"torchrun", "train.py"})
                   .gpus(8).nproc_per_node(8).master().workers(3).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image or replicas, giving a part
    twice, or being elastic without workers does not compile. build() finds all other faults. Setters change the
    builder and return it; image(), master(), workers() and elastic() return a builder of another type and leave this
    one unchanged. Settings apply to the pods of every replica; master() and workers() take a function that
    customizes their own pods: `workers(3, [](pod_settings& pod) { pod.memory("64Gi"); })`.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_pytorch_job_builder final : public counted_workers<basic_pytorch_job_builder, Parts, pytorch_job_choices> {
    using base = counted_workers<basic_pytorch_job_builder, Parts, pytorch_job_choices>;
    template <unsigned Part> using with = basic_pytorch_job_builder<Parts | Part>;
    using base::has;

public:
    using base::base;

    /// Adds one master, which is rank 0; `own` customizes its pod.
    [[nodiscard]] with<detail::pytorch_master> master(pod_change own = {}) const {
        static_assert(!has(detail::pytorch_master), "master() was called already: a PyTorchJob has at most one master");
        return base::template given<detail::pytorch_master>(&pytorch_job_choices::master,
                                                            replica_choices(std::move(own)));
    }

    /// Training continues with any number of workers between the two.
    template <whole_number Min, whole_number Max>
    [[nodiscard]] with<detail::pytorch_elastic> elastic(Min min, Max max) const {
        static_assert(!has(detail::pytorch_elastic), "elastic() was called already");
        return base::template given<detail::pytorch_elastic>([&](pytorch_job_choices& c) {
            auto& policy = c.elastic.emplace();
            policy.min_replicas =
                kftrain::detail::fit(kftrain::detail::widen(min), "spec.elasticPolicy.minReplicas", c.problems);
            policy.max_replicas =
                kftrain::detail::fit(kftrain::detail::widen(max), "spec.elasticPolicy.maxReplicas", c.problems);
        });
    }
    /// The same with rendezvous, restarts and metrics.
    [[nodiscard]] with<detail::pytorch_elastic> elastic(elastic_policy policy) const {
        static_assert(!has(detail::pytorch_elastic), "elastic() was called already");
        return base::template given<detail::pytorch_elastic>(&pytorch_job_choices::elastic, std::move(policy));
    }

    /// Sets the number of processes that torchrun starts in each pod.
    template <whole_number N> basic_pytorch_job_builder& nproc_per_node(N count) {
        this->own_.nproc_per_node = std::to_string(count);
        return *this;
    }
    /// Starts as many processes as torchrun counts on the node.
    basic_pytorch_job_builder& nproc_per_node(processes which) {
        this->own_.nproc_per_node = std::string(detail::to_wire(which));
        return *this;
    }

private:
    friend class kftrain::detail::builder_access;

    static constexpr void check_parts() {
        static_assert(has(detail::pytorch_master) || base::has_workers, "call master() or workers() before build()");
        static_assert(!has(detail::pytorch_elastic) || base::has_workers,
                      "call workers() before build(): an elastic job needs workers");
    }
};

/// The builder of a PyTorchJob before any part is given.
using pytorch_job_builder = basic_pytorch_job_builder<0>;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::processes;
using kubeflow_v1::pytorch_job_builder;

} // namespace kftrain

#endif
