#ifndef KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_JOB_NAMES_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_JOB_NAMES_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/any_job.hpp>

#include <span>
#include <string>
#include <vector>

namespace kftrain::cli {

/// A job as named on a command line. The kind is not resolved yet.
struct job_name {
    job_name() = default;
    job_name(std::string k, std::string n) : kind(std::move(k)), name(std::move(n)) {}

    std::string kind;
    std::string name;

    friend bool operator==(job_name const&, job_name const&) = default;
};

/** Reads `KIND/NAME...` or `KIND NAME...`; the jobs keep their order.
    @par Errors `errc::invalid_argument`, with the text that does not fit */
result<std::vector<job_name>> parse_job_names(std::span<std::string const> texts);

/// The number of replicas for a role.
struct wanted_members {
    wanted_members() = default;

    std::string role;
    std::int32_t members = 0;
};

/// Reads `ROLE=N`. @par Errors `errc::invalid_argument`
result<wanted_members> read_wanted_members(std::string_view text);

/// The name of a kind in output: `PyTorchJob`, or `PyTorchJob.v1alpha1` for further versions of the kind.
std::string display_kind(rules::job_rules const& kind);
/// `PyTorchJob/digits`, the form that commands accept.
std::string qualified_name(rules::job_rules const& kind, std::string const& name);
inline std::string qualified_name(any_job const& job) { return qualified_name(job.rules(), job.metadata().name); }

} // namespace kftrain::cli

#endif
