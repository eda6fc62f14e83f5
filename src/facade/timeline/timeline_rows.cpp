#include "facade/timeline/timeline_rows.hpp"

#include "base/joined.hpp"
#include "facade/timeline/drawing.hpp"

#include <kftrain/job/job_rules.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace kftrain {
namespace {

bool has_failed(timeline_run const& r) noexcept { return r.exit_code.value_or(0) != 0; }

std::string phase_name(timeline_pod const& p) {
    return p.phase == rank_phase::absent ? "Deleted" : std::string(to_string(p.phase));
}

} // namespace

std::vector<pod_segment> segments_of(timeline_pod const& pod, time_point until) {
    std::vector<pod_segment> all;
    auto const end = pod.ended ? *pod.ended : pod.deleted ? *pod.deleted : until;
    auto from = pod.created ? pod.created : pod.scheduled;
    auto const add = [&](time_point to, pod_stage stage, bool bad) {
        to = std::max(to, *from);
        bool const joins =
            !all.empty() && all.back().stage == stage && stage == pod_stage::running && !all.back().failed;
        if (joins)
            all.back().to = to;
        else if (to > *from || stage == pod_stage::running)
            all.emplace_back(*from, to, stage);
        if (!all.empty()) all.back().failed = all.back().failed || bad;
        from = to;
    };
    bool ran = false;
    for (auto const& r : pod.runs) {
        if (!r.started) continue;
        if (!from) from = r.started;
        if (!ran && pod.scheduled && *pod.scheduled < *r.started) add(*pod.scheduled, pod_stage::unscheduled, false);
        auto const before = ran ? pod_stage::restarting : r.number == 0 ? pod_stage::starting : pod_stage::unknown;
        if (*r.started > *from || !ran) add(*r.started, before, false);
        ran = true;
        auto const last = r.ended ? *r.ended : end;
        bool const deleted = pod.deleted && last >= *pod.deleted; // then a signal ended the run
        if (last >= *from) add(last, pod_stage::running, has_failed(r) && !deleted);
    }
    if (!from) return all;
    if (!ran && pod.scheduled) add(*pod.scheduled, pod_stage::unscheduled, false);
    if (!ran) add(end, pod.scheduled ? pod_stage::starting : pod_stage::unscheduled, pod.phase == rank_phase::failed);
    if (ran && end > *from) add(end, pod_stage::restarting, false);
    return all;
}

std::string timeline_row::outcome() const {
    auto const& last = *pods.back();
    auto text = phase_name(last);
    if (!last.reason.empty() && last.reason != text) text += ": " + last.reason;
    if (last.exit_code) text += ", exit code " + std::to_string(*last.exit_code);
    std::int32_t restarts = 0;
    for (auto const* p : pods) restarts += p->restarts;
    if (restarts != 0) text += ", " + std::to_string(restarts) + (restarts == 1 ? " restart" : " restarts");
    if (pods.size() > 1) text += ", " + std::to_string(pods.size()) + " pods";
    return text;
}

bool timeline_row::has_trouble() const {
    return pods.size() > 1 || std::ranges::any_of(pods, [](timeline_pod const* p) {
               bool const stuck = p->phase == rank_phase::pending && !p->reason.empty();
               return p->restarts != 0 || p->phase == rank_phase::failed || p->phase == rank_phase::unknown || stuck;
           });
}

std::vector<timeline_row> rows_of(job_timeline const& t) {
    std::vector<timeline_row> rows;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (auto const& p : t.pods) {
        auto const& m = p.member;
        auto const id = m.role.empty() ? m.pod_name : std::to_string(m.index);
        auto const [it, first] = places.emplace(std::pair(m.role, id), rows.size());
        if (first) rows.emplace_back().label = m.role.empty() ? m.pod_name : m.role + " " + id;
        auto& row = rows[it->second];
        if (first && m.rank) row.label += ", rank " + std::to_string(*m.rank);
        row.pods.push_back(&p);
    }
    return rows;
}

std::vector<timeline_row> split_off(std::vector<timeline_row>& rows, std::size_t most) {
    std::vector<timeline_row> rest;
    if (rows.size() <= most) return rest;
    std::vector<std::size_t> order(rows.size());
    std::vector<int> weight(rows.size());
    std::set<std::string> roles;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        order[i] = i;
        bool const first = roles.insert(rows[i].pods.front()->member.role).second;
        weight[i] = first ? 0 : rows[i].has_trouble() ? 1 : 2;
    }
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(weight[i], i); });
    std::vector<bool> stays(rows.size());
    for (std::size_t i = 0; i < most; ++i) stays[order[i]] = true;
    std::vector<timeline_row> kept;
    for (std::size_t i = 0; i < rows.size(); ++i) (stays[i] ? kept : rest).push_back(std::move(rows[i]));
    rows = std::move(kept);
    return rest;
}

std::string summary_of(std::vector<timeline_row> const& rows) {
    std::map<std::string, std::size_t> counts;
    for (auto const& r : rows) ++counts[phase_name(*r.pods.back())];
    auto const one = [](auto const& c) { return std::to_string(c.second) + " " + c.first; };
    return std::to_string(rows.size()) + (rows.size() == 1 ? " replica: " : " replicas: ") + joined(counts, ", ", one);
}

std::vector<status_segment> status_segments(job_timeline const& t) {
    std::vector<status_segment> all;
    auto const [first, last] = t.span();
    for (auto const& c : t.conditions) {
        if (c.status != "True" || !c.time) continue;
        if (!all.empty()) all.back().to = *c.time;
        if (all.empty() || all.back().type != c.type) all.emplace_back(*c.time, last, c.type);
        all.back().to = last;
    }
    // Operators set Running=False at the end without the time, so only a recording has the condition.
    bool const known = std::ranges::any_of(all, [](status_segment const& s) { return s.type == "Running"; });
    if (known || all.size() < 2 || t.sizes.empty() || t.sizes.front().time < all.front().from) return all;
    auto const from = t.sizes.front().time;
    auto const at = std::ranges::find_if(all, [&](status_segment const& s) { return s.from > from; });
    if (at == all.end() || at == all.begin()) return all;
    std::prev(at)->to = from;
    all.insert(at, status_segment(from, at->from, "Running"));
    return all;
}

std::int64_t tick_step(std::int64_t seconds, std::int64_t most) {
    constexpr std::array<std::int64_t, 20> steps{1,   2,    5,    10,   15,    30,    60,    120,   300,    600,
                                                 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800};
    for (auto const s : steps)
        if (seconds / s < most) return s;
    auto step = steps.back();
    while (seconds / step >= most) step *= 2;
    return step;
}

std::string title_of(job_timeline const& t) {
    auto text = t.job.kind == nullptr ? std::string("Job") : std::string(t.job.kind->primary().info->kind);
    text += " " + (t.job.namespace_.empty() ? t.job.name : t.job.namespace_ + "/" + t.job.name);
    return plain_text(text + ": ") + std::string(to_string(t.phase));
}

std::string period_of(job_timeline const& t) {
    auto const [first, last] = t.span();
    std::string begin, end;
    print_scalar(first, begin);
    print_scalar(last, end);
    return begin + " to " + end + ", " + duration_text((last - first).count()) +
           (t.recorded ? ", recorded" : ", from the API");
}

} // namespace kftrain
