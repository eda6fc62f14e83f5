#ifndef KFTRAIN_SRC_KINDS_CHAINER_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_CHAINER_JOB_KIND_HPP

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/membership.hpp>
#include <kftrain/job/plan.hpp>
#include <kftrain/kinds/chainer_job.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/objects/apps/stateful_set.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include <map>
#include <string>
#include <vector>

namespace kftrain::kubeflow_v1alpha1::chainer {

// Names and labels of what a job owns.

inline constexpr std::string_view mpi = "mpi"; ///< the one backend
inline constexpr std::string_view main_container = "chainer";
inline constexpr std::string_view master_role = "Master"; ///< as members have it; workers bear the name of their set
/// Limits the memory that a typing mistake can cost; no cluster has so many.
inline constexpr std::int32_t most_workers = 100'000;

/// @par Upstream chainer-operator, its last state, `pkg/controllers/backends/constants.go`
namespace label {
inline constexpr std::string_view name = "chainerjob.kubeflow.org/name";
inline constexpr std::string_view role = "chainerjob.kubeflow.org/role"; ///< master or workerset
inline constexpr std::string_view set_name = "chainerjob.kubeflow.org/workersetname";
inline constexpr std::string_view pod_index = "apps.kubernetes.io/pod-index"; ///< of pods of a StatefulSet since v1.28
} // namespace label

/// Files of the config map, and where they are in the pods.
inline constexpr std::string_view download_script = "download_kubectl.sh";
inline constexpr std::string_view exec_script = "kubexeb.sh"; // sic
inline constexpr std::string_view hostfile_script = "gen_hostfile.sh";
inline constexpr std::string_view sets_file = "statefulsets_and_slots";
inline constexpr std::string_view assets_path = "/kubeflow/chainer-operator/assets";
inline constexpr std::string_view kubectl_path = "/kubeflow/chainer-operator/kube";
inline constexpr std::string_view generated_path = "/kubeflow/chainer-operator/generated";
inline constexpr std::string_view hostfile_generator_name = "chainer-operator-hostfile-generator";

bool is_distributed(chainer_job const&) noexcept; ///< whether it has worker sets, even empty ones
std::int32_t count_of(chainer_worker_set const&) noexcept;
/// As given; there is no process for a negative number.
std::int32_t slots_of(boxed<mpi_config> const&) noexcept;

std::string account_name(chainer_job const&);
std::string role_name(chainer_job const&);
std::string binding_name(chainer_job const&);
std::string config_map_name(chainer_job const&);
std::string master_name(chainer_job const&);
std::string set_name(chainer_job const&, std::string_view set);
std::string worker_name(chainer_job const&, std::string_view set, std::int32_t index);

/// The labels that select pods; for the master, without the name of a set.
string_map pod_labels(chainer_job const&, std::string_view set = {});
/// Name, namespace, label and owner of an object of the job.
object_meta child_metadata(chainer_job const&, std::string name);

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
/// `ended`: the master has ended, so the set gets no replicas.
apps::stateful_set render_set(chainer_job const&, std::string_view set, bool ended);

/// All objects in the order of their creation.
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

/// The existing objects with the names of a job's children, with any controller. Snapshots that never change.
struct chainer_world {
    chainer_world() = default;

    core::service_account const* account = nullptr;
    rbac::role const* role = nullptr;
    rbac::role_binding const* binding = nullptr;
    core::config_map const* config_map = nullptr;
    batch::job const* master = nullptr;
    std::map<std::string, apps::stateful_set const*, std::less<>> sets; ///< by name: there may be thousands
};

/// The objects that the operator watches.
std::vector<rules::watched> watched_rows();
/// The input of a plan, from these rows.
chainer_world gather(rules::world const&);
/** The next plan for a stored job.
    @par Upstream chainer-operator, its last state, `pkg/controllers/chainer_controller.go`,
    `pkg/controllers/backends/mpi/mpi_backend.go` */
rules::plan make_plan(prepared_job const&, chainer_world const&);

} // namespace kftrain::kubeflow_v1alpha1::chainer

#endif
