#ifndef KFTRAIN_SRC_CONVERT_BEFORE_V1_EARLY_JOB_HPP
#define KFTRAIN_SRC_CONVERT_BEFORE_V1_EARLY_JOB_HPP

#include "convert/carried.hpp"

#include <kftrain/base/error.hpp>
#include <kftrain/convert/change.hpp>
#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/mx_job.hpp>
#include <kftrain/kinds/paddle_job.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/kinds/xgboost_job.hpp>
#include <kftrain/model/document.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <array>
#include <type_traits>

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

    Fields spec;

    BOOST_DESCRIBE_CLASS(job_form, (), (spec), (), ())
};

/// Whether the spec of a job has one of these fields; false for a document that cannot be read.
template <class Fields> bool has_form(document& text) {
    auto const found = text.decode<job_form<Fields>>();
    return found && !(found->spec == Fields());
}

/// Fields of the specs of tf-operator and mxnet-operator that are in the run policy now.
struct early_policy_fields {
    early_policy_fields() = default;

    raw_json active_deadline_seconds;
    raw_json backoff_limit;
    raw_json clean_pod_policy;
    raw_json scheduling_policy;
    raw_json ttl_seconds_after_finished;
};
KFTRAIN_DESCRIBE(early_policy_fields, (active_deadline_seconds, backoff_limit, clean_pod_policy, scheduling_policy,
                                       ttl_seconds_after_finished))

/// The base of the conversion of a job of an early version.
template <class Spec, class Target> class early_pass : public conversion_pass<early_job<Spec>, Target> {
public:
    using conversion_pass<early_job<Spec>, Target>::conversion_pass;

protected:
    /// Moves a field of the spec, if it is set, into the run policy, or drops it if the version does not have it.
    template <class Field>
    void move_to_policy(std::string const& field, Field const& given, Field& to, bool is_known = true) {
        if (!given) return;
        std::string value;
        if constexpr (std::is_integral_v<std::decay_t<decltype(*given)>>)
            value = std::to_string(*given);
        else if constexpr (std::is_same_v<Field, std::optional<std::string>>)
            value = json_text(*given);
        else
            value = to_json(*given);
        if (!is_known) return this->changes_.dropped("spec." + field, value, this->unknown_);
        to = given;
        this->changes_.changed("spec." + field, value, "spec.runPolicy." + field, "The field is now in runPolicy.");
    }

    /// The same for `cleanPodPolicy`, which had another default.
    void move_cleaning(std::optional<std::string> const& given, std::string const& standard) {
        auto& to = this->result_.spec.run_policy.clean_pod_policy;
        move_to_policy("cleanPodPolicy", given, to);
        if (given) return;
        to = standard;
        this->changes_.changed("spec.cleanPodPolicy", absent, "spec.runPolicy.cleanPodPolicy",
                               "The default was " + standard + " and is now None.");
    }

    /// The same for `backoffLimit` of MPIJobs.
    void move_backoff_limit(std::optional<std::int32_t> const& given) {
        auto& to = this->result_.spec.run_policy.backoff_limit;
        move_to_policy("backoffLimit", given, to);
        if (given) return;
        to = 6;
        this->changes_.changed("spec.backoffLimit", absent, "spec.runPolicy.backoffLimit",
                               "The default was 6 and is now no limit.");
    }

    /// Returns an entry of the replica map without the fields that the version does not have, which it drops.
    kubeflow_v1::replica_spec known_part(kubeflow_v1::replica_spec spec, std::string const& path) {
        this->changes_.dropped(spec.unknown, path, this->unknown_);
        spec.unknown = unknown_fields();
        return spec;
    }
};

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

/// The names of the sets of a kind of v1alpha1.
struct set_names {
    set_types types;
    std::string_view type_field;    ///< of a set
    std::string_view standard_type; ///< if that field is empty; also of the chief without a policy
    std::string_view map_field;     ///< the map of the entries in the current spec
};

/// The base of the conversion of a TFJob or MXJob of v1alpha1. `Type` is the member of a set for its type.
template <class Spec, class Target, auto Type> class sets_pass : public early_pass<Spec, Target> {
public:
    sets_pass(early_job<Spec> const& job, std::string_view why_unknown, set_names const& names)
        : early_pass<Spec, Target>(job, why_unknown), names_(names) {}

protected:
    std::string entry_path(std::string_view type) const {
        return std::string("spec.").append(names_.map_field).append("[").append(type).append("]");
    }
    template <class Set> std::string_view type_of(Set const& set) const {
        return (set.*Type).empty() ? names_.standard_type : std::string_view(set.*Type);
    }

    /// Makes an entry of each set; `convert(set, type, entry, path)` converts the rest of it.
    template <class Convert>
    std::optional<failure> convert_sets(kubeflow_v1::replica_spec_map& made, Convert const& convert) {
        auto const& sets = this->from_.replica_specs;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            auto const type = type_of_set(names_.types, i, names_.type_field, type_of(sets[i]), sets[i].replicas, made);
            if (!type) return type.error();
            auto const path = set_path(i), to = entry_path(*type);
            auto const field = path + "." + std::string(names_.type_field);
            this->changes_.dropped(sets[i].unknown, path, this->unknown_);
            this->moved_.emplace_back(to, path);
            if ((sets[i].*Type).empty())
                this->changes_.changed(field, absent, to, "The default is " + std::string(names_.standard_type) + ".");
            else
                this->changes_.changed(field, json_text(sets[i].*Type), to, named_sets);
            auto& entry = made[std::string(*type)];
            entry.replicas = sets[i].replicas;
            entry.template_ = sets[i].template_;
            convert_scheduler(this->from_.scheduler_name, entry.template_.spec, path + ".template.spec.schedulerName",
                              to + ".template.spec.schedulerName", this->changes_);
            convert(sets[i], *type, entry, path);
        }
        return std::nullopt;
    }

    /// The replica whose end decides.
    std::string_view chief_type() const {
        auto const& policy = this->from_.termination_policy;
        return policy && policy->chief ? std::string_view(policy->chief->replica_name) : names_.standard_type;
    }
    std::int32_t chief_index() const {
        auto const& policy = this->from_.termination_policy;
        return policy && policy->chief ? policy->chief->replica_index : 0;
    }

private:
    set_names const& names_;
};

// The readers of early versions, for the registry. Jobs of `kubeflow.org/v1` with fields of the run policy in the spec
// itself have the form of the early operators; a job with none of these fields is the same in both forms.

/// Whether a TFJob or MXJob of `kubeflow.org/v1` has the form of tf-operator or mxnet-operator.
bool has_early_policy(document&);
/// Whether a PyTorchJob of `kubeflow.org/v1` has the form of pytorch-operator.
bool has_early_pytorch_policy(document&);
/** Reads a PyTorchJob of pytorch-operator: of `v1alpha2`, `v1beta1`, `v1beta2` or `v1`.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha2/types.go`, v0.7.0 `pkg/apis/pytorch/v1/types.go` */
result<converted<pytorch_job>> read_pytorch_operator_job(document&);
/// Reads a TFJob of tf-operator: of `v1alpha2`, `v1beta1`, `v1beta2` or `v1`.
result<converted<tf_job>> read_tf_operator_job(document&);
/** Reads an MXJob of mxnet-operator: of `v1alpha2`, `v1beta1` or `v1`.
    @par Upstream mxnet-operator v0.1.0 `pkg/apis/mxnet/v1beta1/types.go`, v1.1.0 `pkg/apis/mxnet/v1/types.go`; before
    v0.1.0 `pkg/apis/mxnet/v1alpha{1,2}/types.go`, `pkg/trainer/` */
result<converted<mx_job>> read_mx_operator_job(document&);

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
