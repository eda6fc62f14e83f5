#ifndef KFTRAIN_SRC_CONVERT_BEFORE_V1_EARLY_JOB_HPP
#define KFTRAIN_SRC_CONVERT_BEFORE_V1_EARLY_JOB_HPP

#include "convert/carried.hpp"

#include <kftrain/base/error.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/mx_job.hpp>
#include <kftrain/kinds/paddle_job.hpp>
#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/kinds/xgboost_job.hpp>
#include <kftrain/model/document.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <array>

// Common parts of the conversions of early versions to the current ones.
namespace kftrain::convert {

/// A job of an early version, as its operator stored it.
template <class Spec> struct early_job {
    early_job() = default;

    std::string api_version;
    std::string kind;
    object_meta metadata;
    Spec spec;
    raw_json status;
    unknown_fields unknown;

    BOOST_DESCRIBE_CLASS(early_job, (), (api_version, kind, metadata, spec, status), (), ())
};

/// The part of a job of `kubeflow.org/v1` that shows whether it has the form of an early operator.
template <class Fields> struct job_form {
    job_form() = default;

    std::string api_version;
    std::string kind;
    Fields spec;

    BOOST_DESCRIBE_CLASS(job_form, (), (api_version, kind, spec), (), ())
};

/// Returns the metadata of the result, and reports fields of the job and of its spec that the version does not have.
template <class Spec>
object_meta carried_head(early_job<Spec> const& job, std::string_view why_unknown, change_list& changes) {
    auto metadata = carried_metadata(job.metadata, changes);
    changes.dropped(job.unknown, "", why_unknown);
    changes.dropped(job.spec.unknown, "spec", why_unknown);
    return metadata;
}

/// Reports the status of the job, which no result has.
template <class Spec> void drop_status(early_job<Spec> const& job, change_list& changes) {
    if (auto const& text = job.status.text; !text.empty() && text != "{}")
        changes.dropped("status", text, "The converted job has not run yet.");
}

/// Reports a field of the spec that is now in the run policy.
inline void moved_to_policy(std::string const& field, std::string_view value, change_list& changes) {
    changes.changed("spec." + field, value, "spec.runPolicy." + field, "The field is now in runPolicy.");
}

/// The replica that decides over the end of a TFJob or MXJob of v1alpha1.
struct chief_v1alpha1 {
    chief_v1alpha1() = default;

    std::string replica_name; ///< a replica type
    std::int32_t replica_index = 0;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(chief_v1alpha1, "replica_name", "replica_index")
KFTRAIN_DESCRIBE(chief_v1alpha1, (replica_name, replica_index))

/// The policy for the end of a TFJob or MXJob of v1alpha1.
struct termination_policy_v1alpha1 {
    termination_policy_v1alpha1() = default;

    boxed<chief_v1alpha1> chief;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(termination_policy_v1alpha1, (chief))

/// Decodes a document. Fields that the type does not have are kept, so that the conversion can report them.
template <class Source> result<Source> read_source(document& text) {
    Source source;
    if (auto r = text.decode_losslessly(descriptor_of<Source>(), &source); !r) return r.error();
    return source;
}

// Parts of v1alpha1, whose specs list sets of replicas.

inline constexpr std::string_view unused_runtime_id =
    "The operator now builds names of pods and services only from the job's name, replica type and index.";
inline constexpr std::string_view unused_image = "No operator ever read this field.";
inline constexpr std::string_view named_sets = "Sets are now identified by the names of their entries.";

inline std::string set_path(std::size_t number) { return "spec.replicaSpecs[" + std::to_string(number) + "]"; }

/// Moves the policy for cleaning up pods, which may be empty, into the run policy.
void convert_cleaning(std::string const& given, kubeflow_v1::run_policy&, change_list&);

/// The types of v1alpha1 with the current ones. A job has at most one replica of the first.
struct set_type {
    std::string_view old_name;
    std::string_view name;
};
using set_types = std::array<set_type, 3>;

/** The current type of a set.
    @param type Of the set, in the field `field`
    @param made The entries of the sets before it
    @par Errors for an unknown type, a second set of a type, and other than one replica of the first type */
result<std::string_view> type_of_set(set_types const&, std::size_t number, std::string_view field,
                                     std::string_view type, std::optional<std::int32_t> replicas,
                                     kubeflow_v1::replica_spec_map const& made);

/// Writes the scheduler of the job into the template of a set. The paths are those of the template's `schedulerName`.
void convert_scheduler(std::string const& scheduler, core::pod_spec&, std::string const& path, std::string const& to,
                       change_list&);

/// The port of a set, which was a field of the set and is a named port of the training container.
struct set_port {
    set_port() = default;

    std::string_view field;     ///< of the set
    std::string_view container; ///< name of the training container
    std::string_view name;      ///< of the port in the container
    std::string_view owner;     ///< whose port it is, for reports: `the scheduler`
    std::int32_t standard = 0;  ///< if the field is absent; also if the container has no port of this name
};

/** Converts the port of a set. The paths are those of the set and of its entry in the result. A pod without the
    training container stays as it is: its kind rejects it. */
void convert_port(set_port const&, std::optional<std::int32_t> given, core::pod_spec&, std::string const& path,
                  std::string const& to, change_list&);

// The readers of early versions, for the registry.

/// Whether a document is a TFJob of tf-operator: of `v1alpha2`, `v1beta1` or `v1beta2`, or of `v1` with fields of the
/// run policy in the spec itself.
result<bool> is_tf_operator_job(document&);
/// Reads such a document as today's TFJob.
result<converted<tf_job>> read_tf_operator_job(document&);

/// Reads a TFJob of `kubeflow.org/v1alpha1` as one of `kubeflow.org/v1`.
result<converted<tf_job>> read_tf_job_v1alpha1(document&);
/// Reads an MXJob of `kubeflow.org/v1alpha1` as one of `kubeflow.org/v1`.
result<converted<mx_job>> read_mx_job_v1alpha1(document&);
/// Reads an MPIJob of `kubeflow.org/v1alpha1` as one of `kubeflow.org/v1`.
result<converted<kubeflow_v1::mpi_job>> read_mpi_job_v1alpha1(document&);
/// Reads an MPIJob of `kubeflow.org/v1alpha2` as one of `kubeflow.org/v1`.
result<converted<kubeflow_v1::mpi_job>> read_mpi_job_v1alpha2(document&);
/// Reads a PaddleJob of `batch.paddlepaddle.org` as one of `kubeflow.org/v1`.
result<converted<paddle_job>> read_paddle_operator_job(document&);
/// Reads an XGBoostJob of `xgboostjob.kubeflow.org` as one of `kubeflow.org/v1`.
result<converted<xgboost_job>> read_xgboost_operator_job(document&);

} // namespace kftrain::convert

#endif
