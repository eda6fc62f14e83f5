#ifndef KFTRAIN_KINDS_REGISTRY_HPP
#define KFTRAIN_KINDS_REGISTRY_HPP

#include <kftrain/job/any_job.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// The rules of every job kind that kftrain knows, told nothing. They live as long as the program, and may be asked from any
/// thread.
std::span<rules::job_rules const* const> known_job_rules() noexcept;

/// Those of this apiVersion (`group/version`) and kind, or null.
rules::job_rules const* find_job_rules(std::string_view api_version, std::string_view kind) noexcept;

/** The kinds that a user may mean by a name, in any case of letters: kind, plural or short name, perhaps with the version, the group, or
    both behind a dot: `PyTorchJob`, `vcjob`, `MPIJob.v2beta1`, `mpijobs.kubeflow.org`, `mpijobs.v1.kubeflow.org`. None if no kind
    is called so; several where an API has the kind in more than one version. */
std::vector<rules::job_rules const*> find_job_kinds(std::string_view name);

/** The only kind of such a name.
    @par Errors `errc::unknown_kind`, with the names of all kinds; `errc::invalid_argument` where it could be several, with theirs. */
result<rules::job_rules const*> find_job_kind(std::string_view name);

/// The shortest name that find_job_kind() takes for this kind alone: `TFJob`, `MPIJob.v1`.
std::string job_kind_name(rules::job_rules const& kind);

/// The lint rules of all kinds: those of the replica family, then each kind's own.
std::vector<lint_rule> lint_rules();

/** Tells the options what a flag of the upstream operator says, `--name=value`; of any kind, and of the family.
    @par Errors `errc::invalid_argument` for a flag that tells no rules anything, and for a value that it cannot have.
    @par Upstream training-operator v1.9.0 `cmd/training-operator.v1/main.go`, mpi-operator v0.8.0
    `cmd/mpi-operator/app/options/options.go` */
result<void> read_operator_flag(operator_options&, std::string_view flag);

/** Reads a job of any registered kind from YAML or JSON of one document.
    @par Errors `errc::unknown_kind` if apiVersion and kind name none; else those of decode_yaml(). */
result<any_job> parse_job(std::string_view text, decode_options const& options = {});

/** Reads the jobs of all documents of a YAML or JSON text, in its order. A `List` of `v1`, as `kubectl get` prints it,
    stands for its items, as does the list of a job kind.
    @par Errors those of parse_job(), for the first document that has one. Inside lists they name the item by its path,
    without line and column. A text without documents is `errc::syntax`. */
result<std::vector<any_job>> parse_jobs(std::string_view text, decode_options const& options = {});

} // namespace kftrain

#endif
