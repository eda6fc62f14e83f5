#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "facade/kind_table.hpp"
#include "job/contract/described_issue.hpp"

#include <kftrain/facade/described.hpp>
#include <kftrain/model/codec.hpp>

namespace kftrain {
namespace detail {

/// A job as the server has it, which is written only. Python and lists of the command take the jobs themselves.
template <> struct describe<any_job> {
    static bool parse(std::string_view, any_job&) { return false; }
    static void print(any_job const& job, std::string& out) { out += job.to_json(); }

    static constexpr model::descriptor make() {
        model::descriptor d = describe_text<any_job, describe>("job");
        d.is_bare = [](void const*) { return true; };
        return d;
    }
};

} // namespace detail

KFTRAIN_TABLE(issue)

KFTRAIN_FIELD_RULES(member, {"pod_name", "pod"})
KFTRAIN_REQUIRED(member, "index")
KFTRAIN_TABLE(member)

KFTRAIN_INLINED(job_reference, "kind")
KFTRAIN_TABLE(job_reference)

KFTRAIN_REQUIRED(role_state, "wanted", "pending", "running", "ready", "succeeded", "failed")
KFTRAIN_TABLE(role_state)

KFTRAIN_INLINED(rank_state, "member")
KFTRAIN_REQUIRED(rank_state, "restarts")
KFTRAIN_TABLE(rank_state)

KFTRAIN_INLINED(job_state, "job")
KFTRAIN_REQUIRED(job_state, "restarts")
KFTRAIN_TABLE(job_state)

KFTRAIN_FIELD_RULES(job_change, {"kind", "change"})
KFTRAIN_INLINED(job_change, "state")
KFTRAIN_TABLE(job_change)

KFTRAIN_INLINED(log_line, "member")
KFTRAIN_REQUIRED(log_line, "run", "text")
KFTRAIN_TABLE(log_line)

KFTRAIN_REQUIRED(job_event, "count")
KFTRAIN_TABLE(job_event)
KFTRAIN_REQUIRED(job_event_list, "items")
KFTRAIN_TABLE(job_event_list)

KFTRAIN_TABLE(job_progress)
KFTRAIN_REQUIRED(timeline_run, "container", "number")
KFTRAIN_TABLE(timeline_run)
KFTRAIN_INLINED(timeline_pod, "member")
KFTRAIN_REQUIRED(timeline_pod, "restarts")
KFTRAIN_TABLE(timeline_pod)
KFTRAIN_TABLE(timeline_condition)
KFTRAIN_REQUIRED(timeline_scaling, "from", "to")
KFTRAIN_TABLE(timeline_scaling)
KFTRAIN_REQUIRED(timeline_size, "running")
KFTRAIN_TABLE(timeline_size)
KFTRAIN_INLINED(job_timeline, "job")
KFTRAIN_REQUIRED(job_timeline, "conditions", "pods")
KFTRAIN_TABLE(job_timeline)

KFTRAIN_TABLE(job_cause)
KFTRAIN_FIELD_RULES(explanation, {"state", "job"})
KFTRAIN_TABLE(explanation)

KFTRAIN_TABLE(field_change)
KFTRAIN_TABLE(object_change_plan)
KFTRAIN_REQUIRED(update_plan, "exists")
KFTRAIN_TABLE(update_plan)

KFTRAIN_TABLE(preflight_check)
KFTRAIN_REQUIRED(preflight_report, "passed")
KFTRAIN_TABLE(preflight_report)

KFTRAIN_REQUIRED(job_page, "items")
KFTRAIN_TABLE(job_page)

namespace convert {

KFTRAIN_TABLE(change)

} // namespace convert

std::string job_state::to_json() const { return kftrain::to_json(*this); }
std::string job_change::to_json() const { return kftrain::to_json(*this); }
std::string log_line::to_json() const { return kftrain::to_json(*this); }
std::string job_event_list::to_json() const { return kftrain::to_json(*this); }
std::string job_progress::to_json() const { return kftrain::to_json(*this); }
std::string job_timeline::to_json() const { return kftrain::to_json(*this); }
std::string explanation::to_json() const { return kftrain::to_json(*this); }
std::string update_plan::to_json() const { return kftrain::to_json(*this); }
std::string preflight_report::to_json() const { return kftrain::to_json(*this); }
std::string job_page::to_json() const { return kftrain::to_json(*this); }

} // namespace kftrain
