#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_CONTROLLER_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_CONTROLLER_HPP

#include "kinds/pytorch_job_v1alpha1/names.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>

#include <memory>
#include <vector>

namespace kftrain::kubeflow_v1alpha1::pytorch {

/// The existing objects for a job, by labels and names alone. Snapshots that never change.
struct pytorch_world {
    pytorch_world() = default;

    std::vector<core::pod const*> pods;       ///< by labels, made by anyone
    std::vector<core::pod const*> owned_pods; ///< whatever labels they have: only their names are taken
    std::vector<core::service const*> services;
};

/// The memory of an operator about a job: it notices edits of the sets only if their number changes, and ignores edits
/// of the status.
class first_observation final : public rules::memory {
public:
    first_observation(replica_sets s, pytorch_job_status t) : sets(std::move(s)), status(std::move(t)) {}

    replica_sets const sets;
    pytorch_job_status const status;
};

/** The next plan for a stored job.
    @par Upstream pytorch-operator v0.3.0 `pkg/trainer/training.go`, `Reconcile` */
rules::plan make_plan(prepared_job const&, pytorch_world const&, first_observation const* remembered,
                      pytorch_operator_options const&);

/** The rules of the controller of these PyTorchJobs, for rules::job_rules_of.
    @par Upstream pytorch-operator v0.3.0 `pkg/controller/controller.go` */
class pytorch_controller {
public:
    using object = pytorch_job;
    static constexpr std::string_view name = "kubeflow-pytorch-operator";
    static constexpr rules::status_form status = rules::status_form::whole_object; // there is no subresource

    explicit pytorch_controller(pytorch_operator_options = {});

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::job_look<pytorch_job> const&) const;

protected:
    pytorch_operator_options const& options() const noexcept { return options_; }

private:
    pytorch_operator_options options_;
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::kubeflow_v1alpha1::pytorch

#endif
