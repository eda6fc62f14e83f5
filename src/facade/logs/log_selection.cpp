#include "facade/logs/log_selection.hpp"

#include "base/failure_at.hpp"
#include "base/in_quotes.hpp"
#include "base/joined.hpp"
#include "facade/job_arguments.hpp"

#include <algorithm>
#include <string_view>

namespace kftrain {
namespace {

failure too_small(std::string_view option, std::int64_t value, std::int64_t least) {
    return failure_at(std::string(option), std::to_string(value) + ", expected at least " + std::to_string(least));
}

template <class Names> std::string one_of(Names const& names) {
    if (names.empty()) return "none, because there are none";
    return (names.size() == 1 ? "" : "one of ") + joined(names, ", ", in_quotes);
}

template <class List, class T> bool holds(List const& list, T const& value) {
    return std::ranges::find(list, value) != list.end();
}

} // namespace

result<void> check_log_options(job_log_options const& o) {
    if (o.buffered_lines == 0) return too_small("buffered_lines", 0, 1);
    if (o.tail && *o.tail < 0) return too_small("tail", *o.tail, 0);
    if (o.since && o.since->count() < 1) return too_small("since", o.since->count(), 1);
    if (o.tail && !o.resume_after.entries.empty())
        return failure_at("tail", std::to_string(*o.tail) + " cannot be combined with resume_after");
    if (o.since && !o.resume_after.entries.empty())
        return failure_at("since", std::to_string(o.since->count()) + " s cannot be combined with resume_after");
    if (o.previous && !o.resume_after.entries.empty())
        return failure_at("previous", "true cannot be combined with resume_after");
    for (auto const& [name, place] : o.resume_after.entries)
        if (place.delivered < 1) return too_small("resume_after.entries[" + name + "].delivered", place.delivered, 1);
    return {};
}

result<void> check_log_members(job_log_options const& o, membership const& layout) {
    std::vector<std::string> roles;
    for (auto const& r : layout.roles) roles.push_back(r.name);
    for (auto const& wanted : o.roles)
        if (auto fault = fault_of_role("roles", wanted, roles)) return *std::move(fault);
    std::vector<std::int32_t> ranks;
    std::int32_t ranked = 0; // one more than the last rank of the job
    for (auto const& m : layout.members) {
        if (!m.rank) continue;
        ranked = std::max(ranked, *m.rank + 1);
        if (!leaves_out_role(o, m.role)) ranks.push_back(*m.rank);
    }
    std::ranges::sort(ranks);
    for (auto const wanted : o.ranks) {
        if (std::ranges::binary_search(ranks, wanted)) continue;
        if (ranked == 0)
            return failure_at("ranks", std::to_string(wanted) +
                                           ", expected no ranks: the replicas of this job have none" +
                                           (layout.rank_note.empty() ? "" : ", " + layout.rank_note));
        if (wanted >= 0 && wanted < ranked)
            return failure_at("ranks", std::to_string(wanted) + ", expected a rank of the selected roles");
        return failure_at("ranks", std::to_string(wanted) + ", expected 0 to " + std::to_string(ranked - 1));
    }
    return {};
}

bool leaves_out_role(job_log_options const& o, std::string const& role) {
    return !o.roles.empty() && !holds(o.roles, role);
}

bool wants_member(job_log_options const& o, member const& m) {
    if (leaves_out_role(o, m.role) || !(o.indices.empty() || holds(o.indices, m.index))) return false;
    return o.ranks.empty() || (m.rank && holds(o.ranks, *m.rank));
}

std::vector<std::string> wanted_containers(job_log_options const& o, pod const& p) {
    std::vector<std::string> names;
    if (!o.containers.empty())
        for (auto const& c : p.status.init_container_statuses)
            if (holds(o.containers, c.name)) names.push_back(c.name);
    for (auto const& c : p.status.container_statuses)
        if (o.containers.empty() || holds(o.containers, c.name)) names.push_back(c.name);
    return names;
}

void known_containers::add(core::pod_spec const& s) {
    for (auto const* list : {&s.init_containers, &s.containers})
        for (auto const& c : *list) names_.insert(c.name);
}

void known_containers::add(pod const& p) {
    for (auto const* list : {&p.status.init_container_statuses, &p.status.container_statuses})
        for (auto const& c : *list) names_.insert(c.name);
}

result<void> known_containers::check(job_log_options const& o) const {
    if (names_.empty()) return {};
    for (auto const& wanted : o.containers)
        if (!names_.contains(wanted)) return failure_at("containers", "\"" + wanted + "\", expected " + one_of(names_));
    return {};
}

} // namespace kftrain
