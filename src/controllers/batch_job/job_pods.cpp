#include "controllers/batch_job/job_pods.hpp"

#include "base/whole_number.hpp"
#include "model/rules/condition_of.hpp"

#include <kftrain/model/ownership.hpp>

#include <algorithm>
#include <limits>
#include <tuple>

namespace kftrain::controllers::batch_jobs {
namespace {

std::optional<std::int32_t> number_in(pod const& p, std::string_view annotation) noexcept {
    auto const at = p.metadata.annotations.find(annotation);
    if (at == p.metadata.annotations.end()) return std::nullopt;
    auto const n = read_whole_number<std::int32_t>(at->second);
    return n && *n >= 0 ? n : std::nullopt;
}

/// When the last container ended; nothing if one has not.
std::optional<time_point> last_end(pod const& p) noexcept {
    std::optional<time_point> last;
    for (auto const& c : p.status.container_statuses) {
        if (!c.state.terminated || !c.state.terminated->finished_at) return std::nullopt;
        last = std::max(last, c.state.terminated->finished_at);
    }
    return last;
}

int phase_rank(pod const& p) noexcept {
    if (p.status.phase == "Pending") return 0;
    return p.status.phase == "Running" ? 2 : 1;
}

} // namespace

bool is_indexed(batch::job const& j) noexcept { return j.spec.completion_mode == "Indexed"; }
bool is_suspended(batch::job const& j) noexcept { return j.spec.suspend.value_or(false); }
bool replaces_failed_only(batch::job const& j) noexcept {
    return j.spec.pod_replacement_policy == "Failed" || j.spec.pod_failure_policy;
}
std::int32_t parallelism_of(batch::job const& j) noexcept { return j.spec.parallelism.value_or(1); }
std::optional<std::int32_t> completions_of(batch::job const& j) noexcept {
    if (!j.spec.completions && !j.spec.parallelism) return 1;
    return j.spec.completions;
}
std::int32_t backoff_limit_of(batch::job const& j) noexcept {
    constexpr std::int32_t usual = 6;
    return j.spec.backoff_limit.value_or(j.spec.backoff_limit_per_index ? std::numeric_limits<std::int32_t>::max()
                                                                        : usual);
}

batch::job_condition const* holding(batch::job const& j, std::string_view type) noexcept {
    for (auto const& c : j.status.conditions)
        if (c.type == type && c.status == "True") return &c;
    return nullptr;
}
batch::job_condition const* end_of(batch::job const& j) noexcept {
    auto const* complete = holding(j, "Complete");
    return complete != nullptr ? complete : holding(j, "Failed");
}

bool is_tracked(pod const& p) noexcept { return has_finalizer(p.metadata, tracking_finalizer); }
bool is_active(pod const& p) noexcept { return !has_ended(p) && !p.metadata.deletion_timestamp; }
bool is_terminating(pod const& p) noexcept { return !has_ended(p) && p.metadata.deletion_timestamp; }
bool is_ready(pod const& p) noexcept { return is_true(p.status.conditions, "Ready"); }

/// A deleted pod may never fail, so its deletion counts as a failure, unless only failed pods are to be replaced.
bool has_failed(pod const& p, batch::job const& j) noexcept {
    if (p.status.phase == "Failed") return true;
    return !replaces_failed_only(j) && is_terminating(p);
}

std::optional<std::int32_t> index_of(pod const& p) noexcept { return number_in(p, index_key); }
bool has_valid_index(pod const& p, batch::job const& j) noexcept {
    if (!is_indexed(j)) return true;
    auto const index = index_of(p);
    return index && *index < completions_of(j).value_or(0);
}

time_point finished_at(pod const& p) noexcept {
    if (auto const last = last_end(p)) return *last;
    if (auto const* ready = condition_of(p.status.conditions, "Ready");
        ready != nullptr && ready->status == "False" && ready->last_transition_time)
        return *ready->last_transition_time;
    auto const& meta = p.metadata;
    if (meta.deletion_timestamp)
        return *meta.deletion_timestamp - std::chrono::seconds(meta.deletion_grace_period_seconds.value_or(0));
    return meta.creation_timestamp.value_or(time_point());
}

std::int32_t counted(pod const& p, std::string_view annotation) noexcept {
    return number_in(p, annotation).value_or(0);
}

void sort_for_removal(pod_list& pods) {
    auto const worth = [](pod const* p) {
        auto const age = -p->metadata.creation_timestamp.value_or(time_point()).time_since_epoch().count();
        return std::tuple(!p->spec.node_name.empty(), phase_rank(*p), is_ready(*p), age,
                          std::string_view(p->metadata.name));
    };
    std::ranges::sort(pods, {}, worth);
}

rules::patch untracked(pod const& p) {
    return {rules::target(pod::resource, p.metadata), patch_type::strategic,
            R"({"metadata":{"$deleteFromPrimitiveList/finalizers":[")" + std::string(tracking_finalizer) + R"("]}})"};
}

} // namespace kftrain::controllers::batch_jobs
