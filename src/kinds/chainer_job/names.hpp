#ifndef KFTRAIN_SRC_KINDS_CHAINER_JOB_NAMES_HPP
#define KFTRAIN_SRC_KINDS_CHAINER_JOB_NAMES_HPP

#include <kftrain/kinds/chainer_job.hpp>

#include <string>
#include <vector>

/// Names and labels of what a job owns.
namespace kftrain::kubeflow_v1alpha1::chainer {

inline constexpr std::string_view mpi = "mpi"; ///< the one backend
inline constexpr std::string_view main_container = "chainer";
inline constexpr std::string_view master_role = "Master"; ///< as members have it; workers bear the name of their set
/// More than any cluster has; a slip of the keyboard must not cost all memory.
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

bool is_distributed(chainer_job const&) noexcept; ///< whether it has worker sets, be they empty
std::int32_t count_of(chainer_worker_set const&) noexcept;
/// As they are given; of negative ones nothing is made.
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
/// Name, namespace, label and owner of what the job owns.
object_meta child_metadata(chainer_job const&, std::string name);

} // namespace kftrain::kubeflow_v1alpha1::chainer

#endif
