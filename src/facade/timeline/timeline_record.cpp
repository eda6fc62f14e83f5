#include "facade/timeline/timeline_record.hpp"

#include "base/whole_number.hpp"
#include "facade/logs/job_pods.hpp"
#include "model/rules/condition_of.hpp"
#include "model/rules/label_of.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/objects/core.hpp>

#include <algorithm>
#include <optional>
#include <tuple>

namespace kftrain {
namespace {

constexpr std::size_t most_scalings = 1000;
constexpr std::size_t most_conditions = 1000;
constexpr std::size_t most_reports = 1000;
constexpr std::size_t most_runs = 1000; ///< of one pod
constexpr std::size_t most_further_pods = 100'000;

std::optional<time_point> true_since(core::pod const& p, std::string_view condition) {
    auto const* const c = condition_of(p.status.conditions, condition);
    return c != nullptr && c->status == "True" ? c->last_transition_time : std::nullopt;
}

bool has_ended(rank_phase phase) noexcept { return phase == rank_phase::succeeded || phase == rank_phase::failed; }

/// The entry of this run, in the order of the runs.
timeline_run& run_of(timeline_pod& pod, std::string const& container, std::int32_t number) {
    auto const same = [&](timeline_run const& r) { return r.container == container && r.number == number; };
    auto const known = std::ranges::find_if(pod.runs, same);
    if (known != pod.runs.end()) return *known;
    if (pod.runs.size() == most_runs) pod.runs.erase(pod.runs.begin());
    auto& made = pod.runs.emplace_back();
    made.container = container;
    made.number = number;
    return made;
}

void set_end(timeline_run& run, core::container_state_terminated const& end) {
    if (end.started_at) run.started = end.started_at;
    run.ended = end.finished_at;
    run.reason = end.reason;
    run.exit_code = end.exit_code == 0 && end.signal != 0 ? 128 + end.signal : end.exit_code;
}

void see_runs(timeline_pod& pod, core::pod const& p, core::container_status const& c) {
    auto const begun = runs_begun(p, c.name);
    if (c.state.running) {
        auto& run = run_of(pod, c.name, begun - 1);
        run.started = c.state.running->started_at;
        run.ended.reset();
    } else if (c.state.terminated) {
        set_end(run_of(pod, c.name, begun - 1), *c.state.terminated);
    }
    bool const shown = c.state.running || c.state.terminated;
    auto const last = begun - (shown ? 2 : 1);
    if (c.last_state.terminated && last >= 0) set_end(run_of(pod, c.name, last), *c.last_state.terminated);
}

void sort_runs(timeline_pod& pod) {
    std::ranges::sort(pod.runs, [](timeline_run const& a, timeline_run const& b) {
        return std::tie(a.started, a.container, a.number) < std::tie(b.started, b.container, b.number);
    });
}

/// The times at which the pod begins and ceases to have a running container, as +1 and -1.
void count_runs(timeline_pod const& pod, std::map<time_point, std::int32_t>& changes) {
    std::optional<time_point> from, to; // of the runs that overlap
    auto const count = [&] {
        if (!from || (to && *to <= *from)) return;
        ++changes[*from];
        if (to) --changes[*to];
    };
    for (auto const& r : pod.runs) {
        if (!r.started) continue;
        auto const end = r.ended ? r.ended : pod.deleted;
        if (from && (!to || *r.started <= *to)) {
            to = !to || !end ? std::nullopt : std::max(to, end);
            continue;
        }
        count();
        from = r.started;
        to = end;
    }
    count();
}

std::int32_t count_in_role(membership const& all, std::string_view role) {
    return static_cast<std::int32_t>(all.of_role(role).size());
}

} // namespace

void timeline_record::see(any_job const& job, time_point now) {
    if (!job_.empty() && !job_->metadata().uid.empty() && job.metadata().uid != job_->metadata().uid) return;
    job_ = prepared_job::stored(job);
    auto const state = state_of_job(job_, nullptr, {});
    timeline_.job = state.job;
    timeline_.phase = state.phase;
    timeline_.created = state.created;
    if (state.started) timeline_.started = state.started;
    timeline_.finished = state.finished;
    see_conditions(now);
    if (auto laid = lay_out_job(job_)) {
        if (layout_) see_size(*layout_, now);
        layout_.swap(laid);
        if (laid) see_size(*laid, now);
    }
    if (!claim_) {
        claimed_.name = job.metadata().name;
        claimed_.namespace_ = job.metadata().namespace_;
        claimed_.uid = job.metadata().uid;
        claim_.emplace(job.rules(), claimed_);
    }
}

/// Operators may set a condition to False without a new time: then the time is that of the observation.
void timeline_record::see_conditions(time_point now) {
    auto& known = timeline_.conditions;
    for (auto const& c : job_->conditions()) {
        auto const latest = std::ranges::find(known.rbegin(), known.rend(), c.type, &timeline_condition::type);
        bool const later = latest != known.rend() && latest->time >= c.last_transition_time;
        if (later && latest->status == c.status) {
            latest->reason = c.reason;
            latest->message = c.message;
            continue;
        }
        if (known.size() == most_conditions) known.erase(known.begin());
        auto const time = later ? std::optional(now) : c.last_transition_time;
        auto const it = known.emplace(std::ranges::upper_bound(known, time, {}, &timeline_condition::time));
        it->time = time;
        it->type = c.type;
        it->status = c.status;
        it->reason = c.reason;
        it->message = c.message;
    }
}

/// Called before and after the layout is exchanged; only the second time the two differ.
void timeline_record::see_size(job_layout const& before, time_point now) {
    for (auto const& r : layout_->members().roles) {
        timeline_scaling s;
        s.time = now;
        s.role = r.name;
        s.from = count_in_role(before.members(), r.name);
        s.to = count_in_role(layout_->members(), r.name);
        if (s.from == s.to) continue;
        if (timeline_.scalings.size() == most_scalings) timeline_.scalings.erase(timeline_.scalings.begin());
        timeline_.scalings.push_back(std::move(s));
    }
}

/// Also of a pod that a job no longer wants after it was scaled down: by the labels of its role.
member timeline_record::member_of(object_meta const& pod) const {
    auto const& all = layout_->members();
    member m;
    if (auto const place = layout_->place_of(pod)) {
        m = all.members[*place];
    } else {
        for (auto const& r : all.roles) {
            auto const has = [&](auto const& l) { return label_of(pod, l.first) == l.second; };
            if (!std::ranges::all_of(r.labels, has)) continue;
            m.role = r.name;
            if (auto const index = read_whole_number<std::int32_t>(label_of(pod, r.index_label)))
                m.index = *index - r.first_label;
            break;
        }
    }
    m.pod_name = pod.name;
    return m;
}

void timeline_record::see(core::pod const& p, time_point now) {
    if (!layout_ || !layout_->knows(p.metadata) || claim_->is_of_another(p.metadata)) return;
    auto known = pods_.find(p.metadata.uid);
    if (known == pods_.end()) {
        if (pods_.size() == most_pods_) {
            if (further_pods_.size() < most_further_pods) further_pods_.insert(p.metadata.uid);
            timeline_.left_out = further_pods_.size();
            return;
        }
        known = pods_.emplace(p.metadata.uid, timeline_pod()).first;
        known->second.uid = p.metadata.uid;
        known->second.member = member_of(p.metadata);
    }
    auto& pod = known->second;
    rank_state rank;
    look_at_pod(p, rank);
    pod.phase = rank.phase;
    pod.reason = rank.reason;
    pod.exit_code = rank.exit_code;
    pod.restarts = rank.restarts;
    if (!rank.node.empty()) pod.node = rank.node;
    pod.created = p.metadata.creation_timestamp;
    if (auto const t = true_since(p, "PodScheduled")) pod.scheduled = t;
    if (auto const t = true_since(p, "Ready"); t && !pod.ready) pod.ready = t;
    for (auto const& c : p.status.container_statuses) see_runs(pod, p, c);
    sort_runs(pod);
    if (auto const& at = p.metadata.deletion_timestamp) // the time at which the grace period ends
        pod.deleted = std::min(now, *at - std::chrono::seconds(p.metadata.deletion_grace_period_seconds.value_or(0)));
    pod.ended.reset();
    if (!has_ended(pod.phase)) return;
    for (auto const& r : pod.runs) pod.ended = std::max(pod.ended, r.ended);
    if (!pod.ended) pod.ended = true_since(p, "DisruptionTarget");
}

void timeline_record::see_deleted(object_meta const& p, time_point now) {
    if (auto const known = pods_.find(p.uid); known != pods_.end()) end_pod(known->second, now);
}

void timeline_record::see_all(std::set<std::string, std::less<>> const& uids, time_point now) {
    for (auto& [uid, pod] : pods_)
        if (!uids.contains(uid)) end_pod(pod, pod.deleted.value_or(now));
}

void timeline_record::end_pod(timeline_pod& pod, time_point now) {
    if (!pod.deleted) pod.deleted = now;
    for (auto& r : pod.runs)
        if (!r.ended) r.ended = now;
    if (!has_ended(pod.phase)) pod.phase = rank_phase::absent;
    if (!pod.ended && !pod.runs.empty()) pod.ended = pod.runs.back().ended;
}

void timeline_record::see(log_line const& line, time_point now) {
    if (!progress_.take(line, now)) return;
    auto& kept = timeline_.progress;
    if (last_is_extra_) kept.pop_back();
    last_is_extra_ = reports_++ % thinned_ != 0; // the last one is always kept
    kept.push_back(progress_.latest());
    if (kept.size() <= most_reports) return;
    std::size_t to = 0;
    for (std::size_t i = 0; i < kept.size(); i += 2) std::swap(kept[to++], kept[i]);
    kept.resize(to);
    thinned_ *= 2;
}

/// Pods without which an event would make no sense.
void timeline_record::add_pods_of_events(job_timeline& t) const {
    std::map<std::string, std::optional<time_point>, std::less<>> known; // the first creation by name
    for (auto const& p : t.pods) {
        auto const [it, first] = known.emplace(p.member.pod_name, p.created);
        if (!first) it->second = std::min(it->second, p.created);
    }
    std::map<std::string, timeline_pod, std::less<>> found;
    for (auto const& e : events_) {
        if (e.object_kind != "Pod" || !e.first) continue;
        auto const before = known.find(e.object_name);
        if (before != known.end() && (!before->second || *e.first >= *before->second)) continue;
        auto& pod = found[e.object_name];
        if (!pod.created || *e.first < *pod.created) pod.created = e.first;
        if (e.reason == "Scheduled") {
            pod.scheduled = e.first;
        } else if (e.reason == "Started") {
            auto& run = pod.runs.empty() ? pod.runs.emplace_back() : pod.runs.front();
            if (!run.started || *e.first < *run.started) run.started = e.first;
        } else if (e.reason == "Killing") {
            pod.deleted = e.last;
        }
    }
    for (auto& [name, pod] : found) {
        if (t.pods.size() >= most_pods_) {
            ++t.left_out;
            continue;
        }
        if (auto const* const m = layout_ ? layout_->members().find(name) : nullptr; m != nullptr) pod.member = *m;
        pod.member.pod_name = name;
        pod.phase = rank_phase::absent;
        if (pod.deleted) pod.ended = pod.deleted;
        for (auto& r : pod.runs) r.ended = pod.deleted;
        t.pods.push_back(std::move(pod));
    }
    if (!found.empty())
        t.missing.push_back("Of " + std::to_string(found.size()) +
                            (found.size() == 1 ? " pod that no longer exists" : " pods that no longer exist") +
                            ", only events are known.");
}

void timeline_record::note_gaps(job_timeline& t) const {
    std::int64_t runs = 0;
    std::set<std::pair<std::string, std::int32_t>> present;
    for (auto const& p : t.pods) {
        present.emplace(p.member.role, p.member.index);
        if (p.uid.empty() || p.restarts == 0) continue;
        std::set<std::string> containers;
        for (auto const& r : p.runs) containers.insert(r.container);
        runs += std::max<std::int64_t>(
            p.restarts + static_cast<std::int64_t>(containers.size()) - static_cast<std::int64_t>(p.runs.size()), 0);
    }
    if (runs > 0)
        t.missing.push_back(std::to_string(runs) + (runs == 1 ? " earlier run" : " earlier runs") +
                            " of restarted containers: a cluster keeps the latest two runs of each container.");
    if (!layout_)
        t.missing.emplace_back("The replicas: the stored job breaks the rules of its kind.");
    else if (pods_known_ && t.left_out == 0) {
        auto const& all = layout_->members().members;
        auto const gone =
            std::ranges::count_if(all, [&](member const& m) { return !present.contains(std::pair(m.role, m.index)); });
        if (gone != 0 && (is_finished(t.phase) || t.started))
            t.missing.push_back(std::to_string(gone) + " of " + std::to_string(all.size()) +
                                " replicas have no pod, and no event reports one.");
    }
    if (t.left_out != 0) t.missing.push_back(std::to_string(t.left_out) + " further pods are left out.");
}

job_timeline timeline_record::result(time_point now) const {
    auto t = timeline_;
    t.observed = now;
    for (auto const& [uid, pod] : pods_) t.pods.push_back(pod);
    t.missing.assign(missing_.begin(), missing_.end());
    add_pods_of_events(t);
    note_gaps(t);
    std::map<std::string_view, std::size_t> roles;
    if (layout_)
        for (auto const& r : layout_->members().roles) roles.emplace(r.name, roles.size());
    auto const key = [&](timeline_pod const& p) {
        auto const role = roles.find(p.member.role);
        return std::tuple(role == roles.end() ? roles.size() : role->second, p.member.index, p.created,
                          std::string_view(p.member.pod_name));
    };
    std::ranges::sort(t.pods, [&](timeline_pod const& a, timeline_pod const& b) { return key(a) < key(b); });
    std::map<time_point, std::int32_t> changes;
    for (auto const& p : t.pods) count_runs(p, changes);
    std::int32_t running = 0;
    for (auto const& [time, change] : changes) {
        if (change == 0) continue;
        timeline_size size;
        size.time = time;
        size.running = running += change;
        t.sizes.push_back(size);
    }
    return t;
}

std::pair<time_point, time_point> job_timeline::span() const noexcept {
    std::optional<time_point> first, last;
    auto const take = [&](std::optional<time_point> const& t) {
        if (!t) return;
        if (!first || *t < *first) first = t;
        if (!last || *t > *last) last = t;
    };
    take(created);
    take(started);
    take(finished);
    if (!finished) take(observed);
    for (auto const& c : conditions) take(c.time);
    for (auto const& s : sizes) take(s.time);
    for (auto const& s : scalings) take(s.time);
    for (auto const& p : progress) take(p.time);
    for (auto const& p : pods)
        for (auto const& time : {p.created, p.scheduled, p.ended, p.deleted}) take(time);
    if (!first) return {};
    return {*first, *last};
}

job_timeline job_timeline_of(any_job const& job, std::span<std::shared_ptr<core::pod const> const> pods,
                             std::span<job_event const> events, time_point now) {
    timeline_record record(pods.size() + events.size() + 1);
    record.see(job, now);
    for (auto const& p : pods) record.see(*p, now);
    record.see_events(events);
    return record.result(now);
}

} // namespace kftrain
