#include "facade/logs/job_pods.hpp"

#include <kftrain/kube/resource_version.hpp>

#include <utility>

namespace kftrain {
namespace {

bool is_newer(object_meta const& a, std::string_view version) {
    return kube::compare_resource_versions(a.resource_version, version) == std::partial_ordering::greater;
}
bool is_older(object_meta const& a, std::string_view version) {
    return kube::compare_resource_versions(a.resource_version, version) == std::partial_ordering::less;
}

} // namespace

job_pods::look::look(job_pods& pods, std::string const& name, boost::asio::any_io_executor const& executor,
                     clock::time_point until)
    : pods_(pods), timer_(executor, until), place_(pods.looks_.emplace(name, this)) {}

job_pods::look::~look() { pods_.looks_.erase(place_); }

bool job_pods::put(object const& pod) {
    auto const& m = pod->metadata;
    auto const at = by_name_.find(m.name);
    if (at != by_name_.end() && at->second.ahead && is_older(m, at->second.pod->metadata.resource_version))
        return false;
    if (is_older(m, version_)) return false;
    auto& known = by_name_[m.name];
    known.pod = pod;
    known.ahead = false;
    wake(m.name);
    return true;
}

void job_pods::remove(object_meta const& pod) {
    if (gone_meanwhile_) gone_meanwhile_->insert(pod.uid);
    auto const at = by_name_.find(pod.name);
    if (at == by_name_.end() || at->second.pod->metadata.uid != pod.uid) return; // another one has its name
    by_name_.erase(at);
    wake(pod.name);
}

void job_pods::update(object const& pod) {
    auto const at = by_name_.find(pod->metadata.name);
    if (at == by_name_.end()) return;
    auto const& known = at->second.pod->metadata;
    if (known.uid != pod->metadata.uid || !is_newer(pod->metadata, known.resource_version)) return;
    at->second.pod = pod;
    at->second.ahead = true;
    wake(pod->metadata.name);
}

void job_pods::replace(std::vector<object> const& listed, std::string version) {
    auto const gone = std::exchange(gone_meanwhile_, std::nullopt);
    std::map<std::string, entry, std::less<>> now;
    for (auto const& pod : listed) {
        if (gone && gone->contains(pod->metadata.uid)) continue;
        auto& e = now[pod->metadata.name];
        e.pod = pod;
        e.ahead = true;
    }
    for (auto& [name, known] : by_name_) {
        if (!is_newer(known.pod->metadata, version)) continue;
        auto& e = now[name]; // of several lists the later ones may be newer still
        if (e.pod == nullptr || is_newer(known.pod->metadata, e.pod->metadata.resource_version)) e = std::move(known);
    }
    by_name_ = std::move(now);
    version_ = std::move(version);
    wake_all();
}

job_pods::object job_pods::find(std::string_view name) const {
    auto const at = by_name_.find(name);
    return at == by_name_.end() ? nullptr : at->second.pod;
}

std::vector<job_pods::object> job_pods::all() const {
    std::vector<object> all;
    all.reserve(by_name_.size());
    for (auto const& [name, known] : by_name_) all.push_back(known.pod);
    return all;
}

void job_pods::wake(std::string_view name) {
    auto const [first, last] = looks_.equal_range(name);
    for (auto it = first; it != last; ++it) it->second->timer().cancel();
}

void job_pods::wake_all() {
    for (auto const& [name, one] : looks_) one->timer().cancel();
}

core::container_status const* status_of(pod const& p, std::string_view container) noexcept {
    for (auto const* list : {&p.status.container_statuses, &p.status.init_container_statuses})
        for (auto const& c : *list)
            if (c.name == container) return &c;
    return nullptr;
}

std::int32_t runs_begun(pod const& p, std::string_view container) noexcept {
    auto const* c = status_of(p, container);
    if (c == nullptr) return 0;
    // If a container waits for another reason than the back-off, its restart count may already include the next run.
    bool const counted =
        c->state.running || c->state.terminated ||
        (c->state.waiting && c->state.waiting->reason == "CrashLoopBackOff" && c->last_state.terminated);
    return c->restart_count + (counted ? 1 : 0);
}

bool may_hide_a_run(pod const& p, std::string_view container, std::int32_t read) noexcept {
    auto const* c = status_of(p, container);
    return c != nullptr && c->state.waiting && c->last_state.terminated &&
           runs_begun(p, container) == c->restart_count && read <= c->restart_count;
}

bool is_running(pod const& p, std::string_view container) noexcept {
    auto const* c = status_of(p, container);
    return c != nullptr && c->state.running;
}

bool shows_previous(pod const& p, std::string_view container) noexcept {
    auto const* c = status_of(p, container);
    return c != nullptr && (c->state.running || c->state.terminated);
}

} // namespace kftrain
