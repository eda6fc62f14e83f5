#include "cli/cluster/first_read.hpp"

#include "cli/cluster/absent_job.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/commands.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <chrono>

namespace kftrain::cli {
namespace {

/// The time that a watch may last says nothing of how long an answer may take.
constexpr std::chrono::milliseconds least_patience = std::chrono::seconds(5);

/// Whether the server has answered, in whatever way.
bool is_answer(error_code ec) {
    return !ec || ec.category() == kftrain::server_category() || ec == errc::deleted || is_not_found(ec);
}

std::optional<int> told_failure(connection const& c, job_reference const& job, failure const& why) {
    if (is_answer(why.code)) return std::nullopt;
    int const code = tell_failure(why, job.to_string());
    // Without a limit of the user's it did not take too long, but was not answered.
    return code == timed_out && !c.options().timeout ? cluster_failed : code;
}

} // namespace

std::optional<int> fails_to_read(connection& c, job_reference const& job) {
    auto const read = c.jobs().get(job, c.timed(kube::call_options()));
    return read ? std::nullopt : told_failure(c, job, read.error());
}

std::optional<int> fails_to_find(connection& c, job_reference& job) {
    auto const read = c.jobs().get(job, c.timed(kube::call_options()));
    if (!read && is_not_found(read.error().code)) return tell_job_failure(c, read.error(), job);
    if (!read) return told_failure(c, job, read.error());
    job.uid = read->metadata().uid;
    return std::nullopt;
}

std::optional<int> fails_to_list(connection& c, job_watch_options const& which) {
    auto how = c.timed(job_list_options());
    if (c.options().timeout && how.timeout.count() != 0) how.timeout = std::max(how.timeout, least_patience);
    how.namespace_ = which.namespace_;
    how.all_namespaces = which.all_namespaces;
    how.label_selector = which.label_selector;
    how.limit = 1;
    auto const list = [&]() -> std::optional<int> {
        auto const read = c.jobs().list(how);
        if (read || is_answer(read.error().code)) {
            if (!read && is_not_found(read.error().code))
                complain(std::string(how.kinds.front()->primary().info->kind) +
                         " is not served by the cluster; it is looked for again once a minute");
            return std::nullopt;
        }
        int const code = tell_failure(read.error());
        return code == timed_out ? cluster_failed : code;
    };
    if (which.kinds.empty()) return list();
    for (auto const* const kind : which.kinds) {
        how.kinds.assign(1, kind);
        if (auto const failed = list()) return failed;
    }
    return std::nullopt;
}

} // namespace kftrain::cli
