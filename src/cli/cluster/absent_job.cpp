#include "cli/cluster/absent_job.hpp"

#include "cli/cluster/job_words.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/commands.hpp"

#include <kftrain/kinds/registry.hpp>

#include <chrono>

namespace kftrain::cli {
namespace {

/// A hint is not worth a long wait.
constexpr std::chrono::seconds patience_for_hint{2};

} // namespace

int tell_job_failure(connection& c, failure const& f, job_reference const& job) {
    int const code = tell_failure(f, job.to_string());
    if (!is_not_found(f.code)) return code;
    auto const last = std::chrono::steady_clock::now() + patience_for_hint;
    for (auto const* const kind : known_job_rules()) {
        if (kind == job.kind) continue;
        auto const other = c.jobs().get(job_reference(*kind, job.namespace_, job.name),
                                        kube::call_options().with_timeout(patience_for_hint));
        if (other) complain("there is " + word_of(*kind, job.name) + " in namespace " + job.namespace_);
        if (std::chrono::steady_clock::now() > last) break;
    }
    return code;
}

} // namespace kftrain::cli
