#ifndef KFTRAIN_SRC_KINDS_CHAINER_JOB_PLAN_HPP
#define KFTRAIN_SRC_KINDS_CHAINER_JOB_PLAN_HPP

#include "kinds/chainer_job/names.hpp"

#include <kftrain/job/plan.hpp>
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

/** The next plan for a job.
    @par Upstream chainer-operator, its last state, `pkg/controllers/chainer_controller.go`,
    `pkg/controllers/backends/mpi/mpi_backend.go` */
rules::plan make_plan(chainer_job const&, chainer_world const&);

} // namespace kftrain::kubeflow_v1alpha1::chainer

#endif
