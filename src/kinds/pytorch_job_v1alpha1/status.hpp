#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_STATUS_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_STATUS_HPP

#include "kinds/pytorch_job_v1alpha1/names.hpp"

#include <kftrain/job/job_phase.hpp>

#include <map>
#include <utility>

/** Computes the status of a job.
    @par Upstream pytorch-operator v0.3.0 `pkg/trainer/replicas.go`, `pkg/trainer/training.go` */
namespace kftrain::kubeflow_v1alpha1::pytorch {

/// The pods of a job that bear its labels, by type and the text of their index label.
class observed_pods {
public:
    /// Passes over pods of another RuntimeId.
    void add(pytorch_job const&, core::pod const&);
    /// A pod that is to be created in this pass.
    void add_new(std::string_view type, std::int32_t rank) { of_[key(type, rank)].any = true; }

    /// Whether the replica has a pod that has not failed; one that is being deleted counts.
    bool lives(std::string_view type, std::int32_t rank) const;
    /** The state of the newest pod whose container has a state: Running (also while it waits), Succeeded or Failed.
        Unknown if no container has a state; Running, as upstream, if there is no pod at all. */
    std::string_view state(std::string_view type, std::int32_t rank) const;

private:
    struct pods_of_one {
        bool any = false;
        bool alive = false;
        core::pod const* latest = nullptr; ///< the one whose state counts
    };
    using place = std::pair<std::string, std::string>;

    static place key(std::string_view type, std::int32_t rank) { return {std::string(type), std::to_string(rank)}; }

    std::map<place, pods_of_one> of_;
};

/// Counts the states of the replicas of a set.
pytorch_replica_status status_of(pytorch_replica_spec const& set, observed_pods const&);

/** The end of the job: the state of the replica that its policy names, in any set of that type; empty if it has not
    ended. WORKER rank 0, which does not exist, stands for the first worker: upstream would wait for ever.
    */
std::string_view end_of(pytorch_job const&, replica_sets const&, observed_pods const&);

job_phase phase_of(pytorch_job const&) noexcept;
/// The phase as a condition: this API has none.
std::vector<meta::condition> conditions_of(pytorch_job const&);

} // namespace kftrain::kubeflow_v1alpha1::pytorch

#endif
