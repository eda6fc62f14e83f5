#include "cli/cluster/connection/absent_job.hpp"

#include "cli/cluster/output/job_names.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"

#include <kftrain/kinds/registry.hpp>

#include <algorithm>
#include <chrono>

namespace kftrain::cli {
namespace {

/// The time that the hint may cost.
constexpr std::chrono::seconds patience_for_hint{2};

} // namespace

int report_job_failure(connection& c, failure const& f, job_reference const& job) {
    int const code = report_failure(f, job.to_string());
    if (!is_not_found(f.code)) return code;
    auto last = std::chrono::steady_clock::now() + patience_for_hint;
    if (c.end()) last = std::min(last, *c.end());
    for (auto const* const kind : known_job_rules()) {
        if (kind == job.kind) continue;
        auto how = kube::call_options().with_timeout(patience_for_hint);
        if (c.end()) how.timeout = std::min(how.timeout, c.left());
        auto const other = c.jobs().get(job_reference(*kind, job.namespace_, job.name), how);
        if (other) complain(qualified_name(*kind, job.name) + " exists in namespace " + job.namespace_);
        if (std::chrono::steady_clock::now() > last) break;
    }
    return code;
}

} // namespace kftrain::cli
