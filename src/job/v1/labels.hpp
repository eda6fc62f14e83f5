#ifndef KFTRAIN_SRC_JOB_V1_LABELS_HPP
#define KFTRAIN_SRC_JOB_V1_LABELS_HPP

#include "model/rules/label_of.hpp"

#include "job/v1/replica_job.hpp"

namespace kftrain::kubeflow_v1 {

/// @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/common_types.go`
namespace label {
inline constexpr std::string_view operator_name = "training.kubeflow.org/operator-name";
inline constexpr std::string_view job_name = "training.kubeflow.org/job-name";
inline constexpr std::string_view job_role = "training.kubeflow.org/job-role";
inline constexpr std::string_view replica_type = "training.kubeflow.org/replica-type";
inline constexpr std::string_view replica_index = "training.kubeflow.org/replica-index";
} // namespace label

/// Labels of every child of a type.
string_map type_labels(replica_job const&, std::string_view type);
/// Labels of the children of one replica.
string_map replica_labels(replica_job const&, member const&);
/// The index label of a child; absent when it is no number or negative.
std::optional<std::int32_t> index_of(object_meta const&) noexcept;

} // namespace kftrain::kubeflow_v1

#endif
