#include "cli/cluster/connection/first_read.hpp"

#include "cli/cluster/connection/absent_job.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"

#include <kftrain/job/job_rules.hpp>

namespace kftrain::cli {
namespace {

/// Whether the server answered, also with a refusal.
bool is_answer(error_code ec) {
    return !ec || ec.category() == kftrain::server_category() || ec == errc::deleted || is_not_found(ec);
}

/// Without --timeout, a missing answer is a failure of the cluster.
int code_of_unanswered(connection const& c, int code) {
    return code == timed_out && !c.options().timeout ? cluster_failed : code;
}

std::optional<int> report_unanswered(connection const& c, job_reference const& job, failure const& why) {
    if (is_answer(why.code)) return std::nullopt;
    return code_of_unanswered(c, report_failure(why, job.to_string()));
}

} // namespace

std::optional<int> fails_to_read(connection& c, job_reference const& job) {
    auto const read = c.jobs().get(job, c.timed(kube::call_options()));
    return read ? std::nullopt : report_unanswered(c, job, read.error());
}

std::optional<int> fails_to_find(connection& c, job_reference& job) {
    auto const read = c.jobs().get(job, c.timed(kube::call_options()));
    if (!read && is_not_found(read.error().code)) return report_job_failure(c, read.error(), job);
    if (!read) return report_unanswered(c, job, read.error());
    job.uid = read->metadata().uid;
    return std::nullopt;
}

std::optional<int> fails_to_list(connection& c, job_watch_options const& which) {
    job_list_options how;
    how.namespace_ = which.namespace_;
    how.all_namespaces = which.all_namespaces;
    how.label_selector = which.label_selector;
    how.limit = 1;
    auto const list = [&]() -> std::optional<int> {
        auto const read = c.jobs().list(c.timed(how));
        if (read || is_answer(read.error().code)) {
            if (!read && is_not_found(read.error().code))
                complain("the cluster does not serve " + std::string(how.kinds.front()->primary().info->kind) +
                         "; kftrain checks again once a minute");
            return std::nullopt;
        }
        return code_of_unanswered(c, report_failure(read.error()));
    };
    if (which.kinds.empty()) return list();
    for (auto const* const kind : which.kinds) {
        how.kinds.assign(1, kind);
        if (auto const failed = list()) return failed;
    }
    return std::nullopt;
}

} // namespace kftrain::cli
