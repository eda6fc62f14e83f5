#ifndef KFTRAIN_SRC_KINDS_CHAINER_JOB_RENDER_HPP
#define KFTRAIN_SRC_KINDS_CHAINER_JOB_RENDER_HPP

#include "kinds/chainer_job/names.hpp"

#include <kftrain/job/membership.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/rbac/role.hpp>

namespace kftrain::kubeflow_v1alpha1::chainer {

/** The children of a valid job with defaults.
    @par Upstream chainer-operator, its last state, `pkg/controllers/backends/{util.go,mpi/mpi_backend.go}` */

core::service_account render_account(chainer_job const&);
/// The permissions of the master for the workers: none for a job without workers. For empty sets it has no resource
/// names, and thus covers all objects.
rbac::role render_role(chainer_job const&);
rbac::role_binding render_binding(chainer_job const&);
/// Scripts, and a line with the slots of each set.
core::config_map render_config_map(chainer_job const&);
batch::job render_master(chainer_job const&);
/// `ended`: the master has, and no workers are wanted any more.
apps::stateful_set render_set(chainer_job const&, std::string_view set, bool ended);

/// All of them, in the order in which they are created.
std::vector<any_object> render(chainer_job const&);

/// The templates of the pods.
core::pod_template_spec render_master_pod(chainer_job const&);
core::pod_template_spec render_worker_pod(chainer_job const&, std::string_view set);

/** The master, whose pod has an unknown name, then the workers set by set. A rank is that of a host in the hostfile,
    where the master is last; pods have no services. Expects a valid job with defaults. */
membership lay_out(chainer_job const&);
/// The pod of a member, as a controller makes it of the template.
core::pod render_pod(chainer_job const&, member const&);

bool has_ended(batch::job_status const&) noexcept;

} // namespace kftrain::kubeflow_v1alpha1::chainer

#endif
