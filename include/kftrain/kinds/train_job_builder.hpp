#ifndef KFTRAIN_KINDS_TRAIN_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_TRAIN_JOB_BUILDER_HPP

#include <kftrain/job/pod_settings.hpp>
#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/train_job.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::trainer {

/// Changes of the pods of another Job of the runtime, as passed to the builder.
struct job_pod_change {
    job_pod_change() = default;

    std::string job;  ///< name of the entry of the runtime's `replicatedJobs`
    pod_change own{}; ///< changes its pods, beginning with no settings
};

/// The values that a builder of TrainJobs collected in addition to its pods.
struct train_job_choices {
    train_job_choices() = default;

    object_meta metadata;             ///< name, namespace, labels and annotations
    train_job_spec spec;              ///< without the settings of the pods
    std::vector<job_pod_change> jobs; ///< in the order of the calls
    any_object runtime;               ///< the runtime by which the job is checked; empty: the installed one
    issues problems{};                ///< values that do not fit their fields
};

namespace detail {

[[nodiscard]] result<train_job> build(train_job_choices const&, pod_choices const&);

} // namespace detail

/** Builds a TrainJob step by step:

    @code
    auto job = train_job_builder("bert", "torch-distributed").in("team-a").image("registry/bert:1")
                   .command({"torchrun", "train.py"}).gpus(8).nodes(4).build();
    @endcode

    Settings of the container (image, command, arguments, variables, resources) become `spec.trainer`. Settings of the
    pods that a patch can have (volumes, labels, node selector, tolerations, service account, ...) become a
    runtime patch of the Job `node`; job() patches another Job. The patches have the manager `kftrain.io/kftrain`. A
    TrainJob cannot set other fields, such as a working directory: build() rejects them.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe.
    @par Upstream kubeflow/trainer v2.3.0 `pkg/apis/trainer/v1alpha1/trainjob_types.go` */
class job_builder final : public pod_setters<job_builder> {
public:
    /// Begins a job of this name for a ClusterTrainingRuntime.
    job_builder(std::string name, std::string runtime) {
        choices_.metadata.name = std::move(name);
        choices_.spec.runtime_ref.name = std::move(runtime);
        choices_.spec.trainer.emplace();
    }

    /// Refers to a TrainingRuntime in the namespace of the job instead.
    job_builder& namespaced_runtime() {
        choices_.spec.runtime_ref.kind = "TrainingRuntime";
        return *this;
    }
    /// Sets the namespace.
    job_builder& in(std::string name) { return set(choices_.metadata.namespace_, std::move(name)); }
    /// Sets a label of the job alone; pods have those of pod_label().
    job_builder& label(std::string const& key, std::string value) {
        return set(choices_.metadata.labels[key], std::move(value));
    }
    /// Sets an annotation of the job alone.
    job_builder& annotation(std::string const& key, std::string value) {
        return set(choices_.metadata.annotations[key], std::move(value));
    }

    /// Sets the number of pods that train, for MPI the number of hosts; default: that of the runtime.
    template <whole_number N> job_builder& nodes(N count) {
        choices_.spec.trainer->num_nodes =
            kftrain::detail::fit(kftrain::detail::widen(count), "spec.trainer.numNodes", choices_.problems);
        return *this;
    }
    /// Sets the number of processes in each pod; default: by the policy of the runtime.
    template <whole_number N> job_builder& nproc_per_node(N count) {
        choices_.spec.trainer->num_proc_per_node =
            kftrain::detail::fit(kftrain::detail::widen(count), "spec.trainer.numProcPerNode", choices_.problems);
        return *this;
    }
    /// An initializer of the runtime fetches the dataset from here, e.g. `hf://org/name`, before the training starts.
    job_builder& dataset(std::string storage_uri) { return dataset(source_at(std::move(storage_uri))); }
    /// The same with variables and a Secret for the initializer.
    job_builder& dataset(storage_source from) {
        initializer_of_job().dataset = std::move(from);
        return *this;
    }
    /// An initializer of the runtime fetches the model from here, e.g. `s3://bucket/path`, before the training starts.
    job_builder& model(std::string storage_uri) { return model(source_at(std::move(storage_uri))); }
    /// The same with variables and a Secret for the initializer.
    job_builder& model(storage_source from) {
        initializer_of_job().model = std::move(from);
        return *this;
    }

    /// Patches the pods of another Job of the runtime, such as `launcher`: `own` sets volumes, labels and the like.
    job_builder& job(std::string name, pod_change own) {
        auto& added = choices_.jobs.emplace_back();
        added.job = std::move(name);
        added.own = std::move(own);
        return *this;
    }
    /// Appends a patch of another writer, after which the patches of the builder apply.
    job_builder& patch(runtime_patch changes) {
        choices_.spec.runtime_patches.push_back(std::move(changes));
        return *this;
    }

    /// Fails the job if it is not complete after this time, which begins at its creation or last resumption.
    job_builder& deadline(std::chrono::seconds after) {
        choices_.spec.active_deadline_seconds = after.count();
        return *this;
    }
    /// Stores the job without creating pods until it is resumed.
    job_builder& suspended(bool yes = true) {
        choices_.spec.suspend = yes;
        return *this;
    }
    /// Sets the controller of the job: `trainer.kubeflow.org/trainjob-controller` or `kueue.x-k8s.io/multikueue`.
    job_builder& managed_by(std::string controller) {
        choices_.spec.managed_by = std::move(controller);
        return *this;
    }
    /// build() checks the job with this runtime. By default it uses the installed runtime of the name, see
    /// installed_runtimes(), and otherwise checks only what is independent of the runtime.
    job_builder& checked_with(any_object runtime) { return set(choices_.runtime, std::move(runtime)); }

    /** Returns the checked job, with the runtime of the check in train_job::runtime. Fails with `errc::invalid_job` if
        schema or admission reject it, if lint() finds an error, or if a setting has no field in a TrainJob. The
        failure lists path, value and expectation of every fault; its `path` is that of the first. */
    [[nodiscard]] result<train_job> build() const { return detail::build(choices_, pod()); }

private:
    static storage_source source_at(std::string uri) {
        storage_source from;
        from.storage_uri = std::move(uri);
        return from;
    }
    initializer& initializer_of_job() {
        if (!choices_.spec.initializer) choices_.spec.initializer.emplace();
        return *choices_.spec.initializer;
    }

    train_job_choices choices_;
};

} // namespace kftrain::trainer

namespace kftrain {

using train_job_builder = trainer::job_builder;

} // namespace kftrain

#endif
