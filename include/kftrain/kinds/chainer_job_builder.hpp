#ifndef KFTRAIN_KINDS_CHAINER_JOB_BUILDER_HPP
#define KFTRAIN_KINDS_CHAINER_JOB_BUILDER_HPP

#include <kftrain/job/v1/job_builder.hpp>
#include <kftrain/kinds/chainer_job.hpp>

#include <chrono>
#include <utility>
#include <vector>

namespace kftrain::kubeflow_v1alpha1 {

/// A set of workers, as passed to the builder.
struct chainer_set_choices {
    chainer_set_choices() = default;

    std::string name;         ///< key in `spec.workerSets`
    replica_choices replicas; ///< number and own settings of its workers
};

/// The values that a builder of ChainerJobs collected in addition to its pods.
struct chainer_job_choices {
    using job = chainer_job;

    chainer_job_choices() = default;
    /// Returns the checked job.
    [[nodiscard]] result<chainer_job> build(pod_choices const&) const;

    object_meta metadata;                      ///< name, namespace, labels and annotations
    pod_change master{};                       ///< may be empty
    std::vector<chainer_set_choices> sets;     ///< sets of workers, in the order of the calls
    std::optional<std::int64_t> deadline;      ///< for the master, in seconds; absent: no limit
    std::optional<std::int32_t> backoff_limit; ///< failed pods of the master; absent: the default of the operator
    std::optional<std::int32_t> slots;         ///< processes on each host; absent: the default of the operator
    issues problems{};                         ///< values that do not fit their fields
};

namespace detail {

enum chainer_part : unsigned { chainer_master_part = 2 };

} // namespace detail

/** Builds a ChainerJob step by step:

    @code
    auto job = chainer_job_builder("mnist").in("team-a").image("registry/chainermn:1")
                   .command({"mpiexec", "-n", "5", "python3", "train.py"}).workers("gpu", 4).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image, or giving a part twice, does
    not compile. build() finds all other faults. Setters change the builder and return it; image() and master()
    return a builder of another type and leave this one unchanged. Settings apply to all pods, except command and
    arguments, which apply to the master: workers wait for it unless their function sets a command. Without workers
    the master works alone.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_chainer_job_builder final
    : public counted_parts<basic_chainer_job_builder, Parts, chainer_job_choices, pod_setters> {
    using base = counted_parts<basic_chainer_job_builder, Parts, chainer_job_choices, pod_setters>;
    template <unsigned Part> using with = basic_chainer_job_builder<Parts | Part>;
    using base::has;

public:
    using base::base;

    /// Customizes the pod of the master, which every job has.
    [[nodiscard]] with<detail::chainer_master_part> master(pod_change own) const {
        static_assert(!has(detail::chainer_master_part), "master() was called already");
        return base::template given<detail::chainer_master_part>(&chainer_job_choices::master, std::move(own));
    }

    /// Adds a set of workers of this number; replaces one of this name. `own` customizes their pods.
    template <whole_number N> basic_chainer_job_builder& workers(std::string const& set, N count, pod_change own = {}) {
        auto& chosen = set_of(set);
        chosen.count = kftrain::detail::fit(kftrain::detail::widen(count), "spec.workerSets[" + set + "].replicas",
                                            this->own_.problems);
        chosen.own = std::move(own);
        return *this;
    }

    /// Sets the namespace.
    basic_chainer_job_builder& in(std::string name) {
        return this->set(this->own_.metadata.namespace_, std::move(name));
    }
    /// Sets a label of the job, of the master's Job and of the StatefulSets.
    basic_chainer_job_builder& label(std::string const& key, std::string value) {
        return this->set(this->own_.metadata.labels[key], std::move(value));
    }
    /// Sets an annotation of the job.
    basic_chainer_job_builder& annotation(std::string const& key, std::string value) {
        return this->set(this->own_.metadata.annotations[key], std::move(value));
    }
    /// Sets the number of processes on each host; default: the number of its GPUs, at least one.
    template <whole_number N> basic_chainer_job_builder& slots(N per_host) {
        this->own_.slots =
            kftrain::detail::fit(kftrain::detail::widen(per_host), "spec.master.mpiConfig.slots", this->own_.problems);
        return *this;
    }
    /// Fails the job if its master is active for longer than this.
    basic_chainer_job_builder& deadline(std::chrono::seconds active) {
        this->own_.deadline = active.count();
        return *this;
    }
    /// Fails the job when this number of pods of its master has failed.
    template <whole_number N> basic_chainer_job_builder& backoff_limit(N pods) {
        this->own_.backoff_limit =
            kftrain::detail::fit(kftrain::detail::widen(pods), "spec.master.backoffLimit", this->own_.problems);
        return *this;
    }

private:
    replica_choices& set_of(std::string const& name) {
        for (auto& s : this->own_.sets)
            if (s.name == name) return s.replicas;
        auto& added = this->own_.sets.emplace_back();
        added.name = name;
        return added.replicas;
    }
};

/// The builder of a ChainerJob before any part is given.
using chainer_job_builder = basic_chainer_job_builder<0>;

} // namespace kftrain::kubeflow_v1alpha1

namespace kftrain {

using kubeflow_v1alpha1::chainer_job_builder;

} // namespace kftrain

#endif
