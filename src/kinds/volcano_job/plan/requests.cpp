#include "kinds/volcano_job/plan/requests.hpp"

#include "base/whole_number.hpp"
#include "kinds/volcano_job/kind.hpp"

#include <kftrain/objects/volcano/pod_group.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace kftrain::volcano {
namespace {

enum class reach_of : std::uint8_t { job, task, pod };

reach_of reach(std::string_view action) noexcept {
    if (action == "RestartTask") return reach_of::task;
    return action == "RestartPod" ? reach_of::pod : reach_of::job;
}

time_point time_of(std::pair<std::string const, delayed_action> const& entry) noexcept { return entry.second.at; }

bool is_of_pod(std::string_view event) noexcept {
    return event == "PodRunning" || event == "PodFailed" || event == "PodEvicted";
}

constexpr std::string_view out_of_sync = "OutOfSync";

core::pod const* pod_in(any_object const& object) { return object.empty() ? nullptr : object.get_if<core::pod>(); }

/// Counts of the pods of a task.
struct task_tally {
    task_tally() = default;

    std::int32_t succeeded = 0;
    std::int64_t restarts = 0; ///< of containers of active pods
};
using tallies = std::map<std::string_view, task_tally>;

bool is_active(core::pod const& p) noexcept { return p.status.phase == "Pending" || p.status.phase == "Running"; }

tallies tallies_of(rules::world const& world) {
    tallies all;
    for (auto const& p : world.of<core::pod>(row::pods)) {
        if (is_leaving(p)) continue;
        auto& tally = all[task_of(p)];
        if (p.status.phase == "Succeeded") ++tally.succeeded;
        if (!is_active(p)) continue;
        for (auto const* list : {&p.status.init_container_statuses, &p.status.container_statuses})
            for (auto const& c : *list) tally.restarts += c.restart_count;
    }
    return all;
}

/// Whether as many pods of the task as it has replicas have succeeded.
bool is_complete(job const& job, tallies const& counted, std::string_view name) {
    auto const* const task = find_task(job, name);
    if (task == nullptr || task->replicas <= 0) return false;
    auto const at = counted.find(name);
    return at != counted.end() && at->second.succeeded >= task->replicas;
}

/// Whether the containers of the task's pods were restarted as often as it allows.
bool has_no_retries_left(job const& job, tallies const& counted, std::string_view name) {
    auto const* const task = find_task(job, name);
    if (task == nullptr || task->replicas <= 0 || task->max_retry == -1) return false;
    auto const at = counted.find(name);
    std::int64_t const restarts = at == counted.end() ? 0 : at->second.restarts;
    return restarts >= (task->max_retry == 0 ? default_retries : task->max_retry);
}

class change_reader {
public:
    change_reader(job const& j, rules::world const& w, volcano_release r) : job_(j), world_(w), release_(r) {}

    /// Absent for pods without these labels.
    std::optional<request> of_pod(core::pod const* before, core::pod const* after) const {
        auto const& pod = after != nullptr ? *after : *before;
        auto const version = read_whole_number<std::int32_t>(annotation_of(pod.metadata, key::job_version));
        if (!version || task_of(pod).empty()) return std::nullopt;
        request r;
        r.version = *version;
        r.event = out_of_sync;
        bool const by_pod = release_ >= volcano_release::v1_11_0;
        if (by_pod) r.pod = pod.metadata.name;
        if (by_pod) r.pod_uid = pod.metadata.uid;
        if (after == nullptr || is_leaving(*after)) {
            r.event = "PodEvicted";
        } else if (before == nullptr) {
            if (!by_pod) return r; // of no task
            r.event = "PodPending";
        } else {
            r.event = event_of(*before, *after);
            if (r.event == "PodFailed") r.exit_code = exit_code_of(*after);
        }
        r.task = task_of(pod);
        return r;
    }

    static std::optional<request> of_group(pod_group const& before, pod_group const& after) {
        if (before.status.phase == after.status.phase) return std::nullopt;
        return request(after.status.phase == "Unknown" ? "Unknown" : "");
    }

private:
    std::string event_of(core::pod const& before, core::pod const& after) const {
        auto const& phase = after.status.phase;
        bool const is_new = phase != before.status.phase;
        if (phase == "Failed" && is_new) return "PodFailed";
        if (phase == "Succeeded" && is_new && is_complete(job_, counted(), task_of(after))) return "TaskCompleted";
        bool const active = is_active(after);
        if (active && has_no_retries_left(job_, counted(), task_of(after))) return "TaskFailed";
        if (active && is_new && release_ >= volcano_release::v1_11_0) return "Pod" + phase;
        return std::string(out_of_sync);
    }

    /// Counted once for all changes: many come together, each of one pod of many.
    tallies const& counted() const {
        if (!counted_) counted_ = tallies_of(world_);
        return *counted_;
    }

    /// The exit code of the first container; 0 if it has not ended.
    static std::int32_t exit_code_of(core::pod const& p) noexcept {
        auto const& all = p.status.container_statuses;
        if (all.empty() || !all.front().state.terminated) return 0;
        return all.front().state.terminated->exit_code;
    }

    job const& job_;
    rules::world const& world_;
    volcano_release release_;
    mutable std::optional<tallies> counted_;
};

bool matches(lifecycle_policy const& p, request const& r) {
    bool const named = std::ranges::any_of(p.events, [&](auto const& e) { return e == r.event || e == "*"; }) ||
                       (!p.event.empty() && (p.event == r.event || p.event == "*"));
    return (named && !r.event.empty()) || (p.exit_code && *p.exit_code == r.exit_code);
}

/// Since v1.11 a pending pod has an effect only on policies with a timeout.
lifecycle_policy const* first_match(std::vector<lifecycle_policy> const& policies, request const& r) {
    bool const needs_timeout = r.event == "PodPending";
    auto const at = std::ranges::find_if(
        policies, [&](auto const& p) { return matches(p, r) && (p.timeout || p.exit_code || !needs_timeout); });
    return at == policies.end() ? nullptr : &*at;
}

} // namespace

bool is_alike(request const& a, request const& b) noexcept {
    return a.event == b.event && a.task == b.task && a.exit_code == b.exit_code && a.version == b.version &&
           a.action == b.action;
}

request_queue::batch::batch(std::vector<request> all) : in_order(std::move(all)), by_value(in_order.size()) {
    for (std::size_t i = 0; i != by_value.size(); ++i) by_value[i] = i;
    std::ranges::sort(by_value, {}, [this](std::size_t i) -> request const& { return in_order[i]; });
}

void request_queue::add(std::vector<request> const& more) {
    std::vector<request> fresh;
    std::set<request> seen;
    for (auto const& r : more)
        if (!contains(r) && seen.insert(r).second) fresh.push_back(r);
    if (fresh.empty()) return;
    // Merges batches of similar length, so that there are few batches, and each request is copied only a few times.
    while (!batches_.empty()) {
        auto const last = batches_.size() - 1;
        if (size_of(last) > 2 * fresh.size()) break;
        auto before = waiting_in(last);
        before.insert(before.end(), std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
        fresh = std::move(before);
        batches_.pop_back();
        if (last == 0) taken_ = 0;
    }
    batches_.push_back(std::make_shared<batch const>(std::move(fresh)));
}

void request_queue::pop() {
    if (++taken_ != batches_.front()->in_order.size()) return;
    batches_.erase(batches_.begin());
    taken_ = 0;
}

bool request_queue::contains(request const& r) const {
    for (std::size_t i = 0; i != batches_.size(); ++i) {
        auto const& b = *batches_[i];
        auto const value = [&](std::size_t n) -> request const& { return b.in_order[n]; };
        auto const at = std::ranges::lower_bound(b.by_value, r, {}, value);
        bool const there = at != b.by_value.end() && value(*at) == r;
        if (there && (i != 0 || *at >= taken_)) return true;
    }
    return false;
}

std::size_t request_queue::size_of(std::size_t number) const noexcept {
    return batches_[number]->in_order.size() - (number == 0 ? taken_ : 0);
}

std::vector<request> request_queue::waiting_in(std::size_t number) const {
    auto const& all = batches_[number]->in_order;
    auto const first = number == 0 ? static_cast<std::ptrdiff_t>(taken_) : 0;
    return {all.begin() + first, all.end()};
}

std::optional<request> job_memory::take() {
    taken.reset();
    if (waiting.empty()) return std::nullopt;
    taken = waiting.front();
    waiting.pop();
    return taken;
}

std::optional<request> job_memory::take_like(request const& r) {
    if (waiting.empty() || !is_alike(waiting.front(), r)) return std::nullopt;
    return take();
}

void job_memory::put_off(request by, std::string action, time_point at) {
    auto& d = delayed[by.pod];
    if (d.by.action == action) return;
    d.by = std::move(by);
    d.by.action = std::move(action);
    d.at = at;
}

void job_memory::drop_needless(request const& r) {
    auto const known = is_of_pod(r.event) ? delayed.find(r.pod) : delayed.end();
    if (known == delayed.end()) return;
    auto const& by = known->second.by;
    bool const recovered = r.event == "PodRunning" && (by.event == "PodFailed" || by.event == "PodEvicted");
    // A new pod of the name waits for itself.
    if (by.event == "PodPending" ? by.pod_uid == r.pod_uid : recovered) delayed.erase(known);
}

void job_memory::drop_like(request const& by, std::string_view action) {
    std::erase_if(delayed, [&](auto const& entry) {
        auto const& d = entry.second;
        if (reach(d.by.action) != reach(action)) return false;
        if (reach(action) == reach_of::task) return d.by.task == by.task;
        return reach(action) == reach_of::job || d.by.pod == by.pod;
    });
}

std::optional<request> job_memory::take_due(time_point now) {
    auto const first = std::ranges::min_element(delayed, {}, &time_of);
    if (first == delayed.end() || time_of(*first) > now) return std::nullopt;
    auto r = std::move(first->second.by);
    delayed.erase(first);
    return r;
}

std::optional<time_point> job_memory::next_due() const {
    auto const first = std::ranges::min_element(delayed, {}, &time_of);
    return first == delayed.end() ? std::nullopt : std::optional(time_of(*first));
}

std::shared_ptr<job_memory> note_changes(job const& job, rules::world const& world,
                                         std::span<rules::watched const> rows,
                                         std::shared_ptr<rules::memory const> const& remembered,
                                         volcano_release release) {
    auto const* const before = dynamic_cast<job_memory const*>(remembered.get());
    auto next = before == nullptr ? std::make_shared<job_memory>() : std::make_shared<job_memory>(*before);
    change_reader const reader(job, world, release);
    auto const& phase = job.status.state.phase;
    bool const moved = before != nullptr && before->phase != phase; // by the last plan
    std::optional<request> again;
    std::vector<request> fresh;
    for (auto const& c : world.changes()) {
        std::optional<request> r;
        if (rows[c.watched].name == row::pods) {
            auto const *old = pod_in(c.before), *now = pod_in(c.after);
            if (old != nullptr || now != nullptr) r = reader.of_pod(old, now);
        } else if (!c.before.empty() && !c.after.empty()) {
            auto const *old = c.before.get_if<pod_group>(), *now = c.after.get_if<pod_group>();
            if (old != nullptr && now != nullptr) r = change_reader::of_group(*old, *now);
        }
        if (r && moved && r == before->taken)
            again = std::move(r);
        else if (r)
            fresh.push_back(*std::move(r));
    }
    bool const changed = before == nullptr || moved || before->generation != job.metadata.generation;
    if (changed) fresh.emplace_back(std::string(out_of_sync));
    if (again) fresh.push_back(*std::move(again));
    next->waiting.add(fresh);
    next->phase = phase;
    next->generation = job.metadata.generation;
    return next;
}

decision decide(job const& job, request const& r, volcano_release release) {
    decision d;
    if (!r.action.empty()) {
        d.action = r.action;
        return d;
    }
    if (r.event == out_of_sync || r.event == "PodRunning" || r.version < job.status.version) return d;
    lifecycle_policy const* policy = nullptr;
    if (auto const* const task = r.task.empty() ? nullptr : find_task(job, r.task))
        policy = first_match(task->policies, r);
    if (policy == nullptr) policy = first_match(job.spec.policies, r);
    if (policy == nullptr) return d;
    d.action = policy->action;
    if (policy->timeout && release >= volcano_release::v1_11_0) d.delay = *policy->timeout;
    return d;
}

bool is_leaving(core::pod const& p) noexcept { return p.metadata.deletion_timestamp.has_value(); }
std::string_view task_of(core::pod const& p) noexcept { return annotation_of(p.metadata, key::task_name); }

} // namespace kftrain::volcano
