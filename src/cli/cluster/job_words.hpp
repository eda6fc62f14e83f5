#ifndef KFTRAIN_SRC_CLI_CLUSTER_JOB_WORDS_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_JOB_WORDS_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/job/any_job.hpp>

#include <span>
#include <string>
#include <vector>

namespace kftrain::cli {

/// A job as it is named on a command line; the kind is not looked at yet.
struct job_word {
    job_word() = default;
    job_word(std::string k, std::string n) : kind(std::move(k)), name(std::move(n)) {}

    std::string kind;
    std::string name;

    friend bool operator==(job_word const&, job_word const&) = default;
};

/** Reads `KIND/NAME...` or `KIND NAME...`, in that order.
    @par Errors `errc::invalid_argument`, with the word that does not fit */
result<std::vector<job_word>> read_job_words(std::span<std::string const> words);

/// How a role gets a number of members.
struct wanted_members {
    wanted_members() = default;

    std::string role;
    std::int32_t members = 0;
};

/// Reads `ROLE=N`. @par Errors `errc::invalid_argument`
result<wanted_members> read_wanted_members(std::string_view text);

/// The name of a kind as it is told: `PyTorchJob`; of further versions of a kind `PyTorchJob.v1alpha1`.
std::string kind_word(rules::job_rules const& kind);
/// `PyTorchJob/digits`: what commands take for the job.
std::string word_of(rules::job_rules const& kind, std::string const& name);
inline std::string word_of(any_job const& job) { return word_of(job.rules(), job.metadata().name); }

} // namespace kftrain::cli

#endif
