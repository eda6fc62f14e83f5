#ifndef KFTRAIN_KINDS_REGISTRY_HPP
#define KFTRAIN_KINDS_REGISTRY_HPP

#include <kftrain/job/any_job.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// The kinds that a call considers, such as those of kftrain with those of a program. None may be null, and all must
/// outlive the jobs that are read with them.
using job_kinds = std::span<rules::job_rules const* const>;

/// Returns the rules of every job kind that kftrain supports, with the default operator options. Static storage
/// duration. Thread-safe.
job_kinds known_job_rules() noexcept;

/// Returns the rules for this apiVersion (`group/version`) and kind, or null.
rules::job_rules const* find_job_rules(std::string_view api_version, std::string_view kind,
                                       job_kinds kinds = known_job_rules()) noexcept;

/** Returns the kinds that a name can refer to, case-insensitive: kind, plural or short name, optionally followed by
    a dot and the version, the group, or both: `PyTorchJob`, `vcjob`, `MPIJob.v2beta1`, `mpijobs.kubeflow.org`,
    `mpijobs.v1.kubeflow.org`. Empty if no kind has this name; several if an API has the kind in more than one
    version. */
std::vector<rules::job_rules const*> find_job_kinds(std::string_view name, job_kinds kinds = known_job_rules());

/** Returns the only kind of such a name.
    @par Errors `errc::unknown_kind`, with the names of all kinds; `errc::invalid_argument` if the name is ambiguous,
    with the names of the candidates. */
[[nodiscard]] result<rules::job_rules const*> find_job_kind(std::string_view name, job_kinds kinds = known_job_rules());

/// Returns the shortest name that find_job_kind() accepts for this kind alone: `TFJob`, `MPIJob.v1`.
std::string job_kind_name(rules::job_rules const& kind, job_kinds kinds = known_job_rules());

/// Returns the lint rules of all kinds: those of the replica family, then those of each kind.
std::vector<lint_rule> lint_rules();

/** Sets the options from a flag of the upstream operator, `--name=value`, of any kind or of the family.
    @par Errors `errc::invalid_argument` for a flag that does not affect rules, and for an invalid value.
    @par Upstream training-operator v1.9.0 `cmd/training-operator.v1/main.go`, mpi-operator v0.8.0
    `cmd/mpi-operator/app/options/options.go` */
[[nodiscard]] result<void> read_operator_flag(operator_options&, std::string_view flag);

/** Reads a job of one of the kinds from YAML or JSON with one document.
    @par Errors `errc::unknown_kind` if no kind has this apiVersion and kind; otherwise those of decode_yaml(). */
[[nodiscard]] result<any_job> parse_job(std::string_view text, decode_options const& options = {},
                                        job_kinds kinds = known_job_rules());

/** A copy of an object as a job, e.g. of one that render() or an untyped client returned.
    @par Errors `errc::invalid_argument` for an empty object, `errc::unknown_kind` if its apiVersion and kind name no
    job kind; those of decode_json(), which only objects of a dynamic_type can have */
[[nodiscard]] result<any_job> to_job(any_object const& object, job_kinds kinds = known_job_rules());

/** Reads the jobs of all documents of a YAML or JSON text, in order. A `List` of `v1`, as `kubectl get` prints it,
    is replaced by its items, and so is the list of a job kind. See kinds/documents.hpp for texts with other objects.
    @par Errors those of parse_job(), for the first document with an error. Inside lists the path starts with that of
    the item. A text without documents is `errc::syntax`. */
[[nodiscard]] result<std::vector<any_job>> parse_jobs(std::string_view text, decode_options const& options = {},
                                                      job_kinds kinds = known_job_rules());

} // namespace kftrain

#endif
