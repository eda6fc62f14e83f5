#ifndef KFTRAIN_SRC_KINDS_CHAINER_JOB_CONTROLLER_HPP
#define KFTRAIN_SRC_KINDS_CHAINER_JOB_CONTROLLER_HPP

#include "kinds/chainer_job/names.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/plan.hpp>
#include <kftrain/kinds/chainer_job.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include <vector>

namespace kftrain::kubeflow_v1alpha1::chainer {

/// The existing objects with the names of a job's children, with any controller. Snapshots that never change.
struct chainer_world {
    chainer_world() = default;

    core::service_account const* account = nullptr;
    rbac::role const* role = nullptr;
    rbac::role_binding const* binding = nullptr;
    core::config_map const* config_map = nullptr;
    batch::job const* master = nullptr;
    std::vector<apps::stateful_set const*> sets;
};

/** The next plan for a stored job.
    @par Upstream chainer-operator, its last state, `pkg/controllers/chainer_controller.go`,
    `pkg/controllers/backends/mpi/mpi_backend.go` */
rules::plan make_plan(prepared_job const&, chainer_world const&);

/** The rules of the controller of ChainerJobs, for rules::job_rules_of.
    @par Upstream chainer-operator, its last state, `pkg/controllers/chainer_controller.go` */
class chainer_controller {
public:
    using object = chainer_job;
    static constexpr std::string_view name = "chainer-job-controller";
    static constexpr rules::status_form status = rules::status_form::whole_object; // there is no subresource

    chainer_controller();

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::job_look<chainer_job> const&) const;

private:
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::kubeflow_v1alpha1::chainer

#endif
