#ifndef KFTRAIN_SRC_CONVERT_OLD_JOB_HPP
#define KFTRAIN_SRC_CONVERT_OLD_JOB_HPP

#include "convert/carried.hpp"

#include <kftrain/job/v1/job_types.hpp>

// Common parts of jobs of all early versions. Name a type by an alias, and declare its table with the name of the
// alias.
namespace kftrain::convert {

/// A job of an early version, as its operator stored it.
template <class Spec> struct old_job {
    old_job() = default;

    std::string api_version;
    std::string kind;
    object_meta metadata;
    Spec spec;
    raw_json status;
    unknown_fields unknown;

    BOOST_DESCRIBE_CLASS(old_job, (), (api_version, kind, metadata, spec, status), (), ())
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
object_meta carried_head(old_job<Spec> const& job, std::string_view why_unknown, change_list& changes) {
    auto metadata = carried_metadata(job.metadata, changes);
    changes.dropped(job.unknown, "", why_unknown);
    changes.dropped(job.spec.unknown, "spec", why_unknown);
    return metadata;
}

/// Reports the status of the job, which no result has.
template <class Spec> void drop_status(old_job<Spec> const& job, change_list& changes) {
    if (auto const& text = job.status.text; !text.empty() && text != "{}")
        changes.dropped("status", text, "The converted job has not run yet.");
}

/// Reports a field of the spec that is now in the run policy.
inline void moved_to_policy(std::string const& field, std::string_view value, change_list& changes) {
    changes.changed("spec." + field, value, "spec.runPolicy." + field, "The field is now in runPolicy.");
}

/// The replica that decides over the end of a TFJob or MXJob of v1alpha1.
struct first_chief {
    first_chief() = default;

    std::string replica_name; ///< a replica type
    std::int32_t replica_index = 0;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(first_chief, "replica_name", "replica_index")
KFTRAIN_DESCRIBE(first_chief, (replica_name, replica_index))

/// The policy for the end of a TFJob or MXJob of v1alpha1.
struct first_policy {
    first_policy() = default;

    boxed<first_chief> chief;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(first_policy, (chief))

} // namespace kftrain::convert

#endif
