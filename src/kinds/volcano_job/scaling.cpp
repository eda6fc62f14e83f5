#include "base/ascii.hpp"
#include "kinds/volcano_job/admission/admission.hpp"
#include "kinds/volcano_job/members.hpp"
#include "kinds/volcano_job/plan/state.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/objects/volcano/command.hpp>

#include <boost/json.hpp>

#include <algorithm>

namespace kftrain::volcano {
namespace {

namespace json = boost::json;

json::object replaced(std::string_view path, json::value value) {
    json::object s;
    s["op"] = "add"; // which replaces, too
    s["path"] = path;
    s["value"] = std::move(value);
    return s;
}

} // namespace

rules::scaling scaling_of(job const& job) {
    rules::scaling s;
    if (is_over(job.status.state.phase)) {
        s.refused = "the job is finished";
        return s;
    }
    auto const total = total_replicas(job);
    for (auto const& t : job.spec.tasks) {
        auto& p = s.places.emplace_back();
        p.role = t.name;
        p.path = "spec.tasks[" + t.name + "].replicas";
        p.now = replicas_of(t);
        auto const room = std::clamp<std::int64_t>(most_replicas - (total - p.now), 0, most_replicas);
        p.most = std::max(p.now, static_cast<std::int32_t>(room)); // all tasks together have so many
        p.effect = "A smaller number deletes the pods with the highest indexes, and policies treat each deletion as a "
                   "PodEvicted event. The files in /etc/volcano change while the job runs; the environment and the ssh "
                   "configuration of running pods do not.";
    }
    return s;
}

/// A gang that needed all pods of the task needs all of them still; one that needed fewer needs no more than there are.
result<rules::job_write> scaled(job const& given, std::string_view name, std::int32_t members,
                                volcano_operator_options const& options) {
    std::string const path = "spec.tasks[" + std::string(name) + "].replicas";
    auto const place = rules::checked_place(scaling_of(given), name, members, path);
    if (!place) return place.error();
    auto const at = *task_number(given, name);
    job next = given;
    auto& task = next.spec.tasks[at];
    auto const before = task.replicas;
    task.replicas = members;
    if (task.min_available)
        task.min_available = *task.min_available == before ? members : std::min(*task.min_available, members);
    auto const sum = total_min_available(next);
    next.spec.min_available =
        static_cast<std::int32_t>(given.spec.min_available == total_min_available(given)
                                      ? sum
                                      : std::min<std::int64_t>(given.spec.min_available, total_replicas(next)));
    if (auto const f = update_fault(next, given, options)) return rules::cannot(path, f->text);

    json::array steps;
    // A server takes it for a conflict if the job was changed meanwhile.
    if (auto const& version = given.metadata.resource_version; !version.empty())
        steps.push_back(replaced("/metadata/resourceVersion", json::value(version)));
    std::string const place_of_task = "/spec/tasks/" + std::to_string(at);
    steps.push_back(replaced(place_of_task + "/replicas", members));
    if (task.min_available) steps.push_back(replaced(place_of_task + "/minAvailable", *task.min_available));
    steps.push_back(replaced("/spec/minAvailable", next.spec.min_available));
    return rules::job_write(
        rules::patch(rules::target(job::resource, given.metadata), patch_type::json, json::serialize(steps)));
}

rules::suspending suspending_of(job const& job) {
    std::string_view const now = job.status.state.phase;
    auto s = rules::suspending_of(now == phase::aborting || now == phase::aborted, is_over(now));
    // A resumption counts as a restart, and the operator fails the job at restart number maxRetry.
    auto const retries = std::int64_t{job.status.retry_count} + 1;
    if (s.suspended && s.refused.empty() && job.spec.max_retry > 0 && retries >= job.spec.max_retry)
        s.refused = "the operator would fail the job: a resumption counts as a restart, and this would be restart " +
                    std::to_string(retries) + " of maxRetry " + std::to_string(job.spec.max_retry);
    return s;
}

result<rules::job_write> suspended(job const& given, bool on) {
    auto const now = suspending_of(given);
    std::string const action = on ? "AbortJob" : "ResumeJob";
    if (!now.refused.empty() && !(on && now.suspended)) return rules::cannot("status.state.phase", now.refused);
    command c;
    c.metadata.generate_name = given.metadata.name + "-" + to_lower(action) + "-";
    c.metadata.namespace_ = given.metadata.namespace_;
    c.metadata.owner_references = child_metadata(given, "").owner_references;
    c.target = c.metadata.owner_references.front();
    c.action = action;
    return rules::job_write(rules::create(std::move(c)));
}

} // namespace kftrain::volcano
