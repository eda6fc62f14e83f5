#ifndef KFTRAIN_SRC_CONVERT_REPLICA_SETS_HPP
#define KFTRAIN_SRC_CONVERT_REPLICA_SETS_HPP

#include "convert/change_list.hpp"

#include <kftrain/base/error.hpp>
#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <array>

// Common parts of the conversions of v1alpha1, whose specs list sets of replicas.
namespace kftrain::convert {

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

} // namespace kftrain::convert

#endif
