#ifndef KFTRAIN_KINDS_PYTORCH_JOB_V1ALPHA1_BUILDER_HPP
#define KFTRAIN_KINDS_PYTORCH_JOB_V1ALPHA1_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>

namespace kftrain::kubeflow_v1alpha1 {

/// The values that a builder of these PyTorchJobs collected in addition to its pods.
struct pytorch_job_choices {
    using job = pytorch_job;

    pytorch_job_choices() = default;
    /// Returns the checked job.
    [[nodiscard]] result<pytorch_job> build(pod_choices const&) const;

    /// Path of the number of workers.
    static constexpr std::string_view workers_path = "spec.replicaSpecs[1].replicas";

    object_meta metadata;             ///< name, namespace, labels and annotations
    pod_change master{};              ///< may be empty
    boxed<replica_choices> workers;   ///< absent before the call of workers()
    std::string runtime_id;           ///< part of the names of all children; empty: the operator chooses it
    std::optional<std::int32_t> port; ///< `masterPort` of all sets; absent: the default of the operator, 23456
    std::string scheduler;            ///< name of the scheduler of all pods; empty: the default scheduler
    issues problems{};                ///< values that do not fit their fields
};

namespace detail {

enum pytorch_part : unsigned { pytorch_master = 4 };

} // namespace detail

/** Builds a PyTorchJob of `kubeflow.org/v1alpha1` step by step:

    @code
    auto job = kubeflow_v1alpha1::pytorch_job_builder("mnist").in("team-a").image("registry/mnist:1")
                   .command({"python", "train.py"}).workers(3).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image, or giving a part twice, does
    not compile. build() finds all other faults. Setters change the builder and return it; image(), master() and
    workers() return a builder of another type and leave this one unchanged. There is always one MASTER. Settings
    apply to all pods; master() and workers() take a function that customizes their own pods.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_pytorch_job_builder final
    : public counted_workers<basic_pytorch_job_builder, Parts, pytorch_job_choices, pod_setters> {
    using base = counted_workers<basic_pytorch_job_builder, Parts, pytorch_job_choices, pod_setters>;
    template <unsigned Part> using with = basic_pytorch_job_builder<Parts | Part>;
    using base::has;

public:
    using base::base;

    /// Customizes the pod of the MASTER, which every job has.
    [[nodiscard]] with<detail::pytorch_master> master(pod_change own) const {
        static_assert(!has(detail::pytorch_master), "master() was called already");
        return base::template given<detail::pytorch_master>(&pytorch_job_choices::master, std::move(own));
    }

    /// Sets the namespace.
    basic_pytorch_job_builder& in(std::string name) {
        return this->set(this->own_.metadata.namespace_, std::move(name));
    }
    /// Sets a label of the job, which does not reach the pods.
    basic_pytorch_job_builder& label(std::string const& key, std::string value) {
        return this->set(this->own_.metadata.labels[key], std::move(value));
    }
    /// Sets an annotation of the job.
    basic_pytorch_job_builder& annotation(std::string const& key, std::string value) {
        return this->set(this->own_.metadata.annotations[key], std::move(value));
    }
    /// Sets a part of the names of all children, so that they are known beforehand; otherwise the operator chooses it.
    basic_pytorch_job_builder& runtime_id(std::string id) { return this->set(this->own_.runtime_id, std::move(id)); }
    /// Sets the port of the MASTER; default: 23456.
    template <whole_number N> basic_pytorch_job_builder& master_port(N port) {
        this->own_.port =
            kftrain::detail::fit(kftrain::detail::widen(port), "spec.replicaSpecs[0].masterPort", this->own_.problems);
        return *this;
    }
    /// Sets the name of the scheduler of all pods.
    basic_pytorch_job_builder& scheduler(std::string name) { return this->set(this->own_.scheduler, std::move(name)); }
};

/// The builder of a PyTorchJob of this API before any part is given.
using pytorch_job_builder = basic_pytorch_job_builder<0>;

} // namespace kftrain::kubeflow_v1alpha1

#endif
