#include "facade/follow/job_feed.hpp"

#include <algorithm>
#include <utility>

// The reports of a feed to its listeners.
namespace kftrain {
namespace {

/// The key of an unreadable job; empty for a pod, whose job is unknown. Only listeners of all jobs are called for pods.
std::string job_key(kube::detail::misfit const& object, bool pod) {
    return pod ? std::string() : object.namespace_ + "/" + object.name;
}

} // namespace

void job_feed::join(std::weak_ptr<job_listener> listener, std::string key) {
    auto& added = newcomers_.emplace_back();
    added.listener = std::move(listener);
    added.key = std::move(key);
    schedule();
}

void job_feed::leave(std::string const& key) {
    if (!is_followed(key)) listeners_.erase(key);
}

/// Calls the listeners of one job, or those of all jobs. A condition may end a wait or a watch.
template <class Call> void job_feed::each_listener(std::string const& key, Call call) const {
    if (auto const it = listeners_.find(key); it != listeners_.end()) it->second.each(call);
}

bool job_feed::has_joined(std::shared_ptr<job_listener> const& listener) const {
    return std::ranges::any_of(newcomers_, [&](auto const& n) { return n.listener.lock() == listener; });
}

bool job_feed::is_followed(std::string const& key) const {
    auto const it = listeners_.find(key);
    return it != listeners_.end() && !it->second.empty();
}

bool job_feed::is_wanted(std::string const& key) const { return is_followed({}) || is_followed(key); }

void job_feed::report(job_news const& news) const {
    auto const take = [&](job_listener& l) { l.take(*this, news); };
    each_listener({}, take);
    each_listener(news.key, take);
}

void job_feed::report_changes() {
    auto departed = std::exchange(departed_, {});
    auto const dirty = std::exchange(dirty_, {});
    for (auto& [key, last] : departed) {
        if (!is_wanted(key)) continue;
        // What its pods did last is known by its last state; that they are gone, too, is no news of it.
        auto state = state_of_job(prepared_job::stored(*options_.kind, last.job), nullptr, {});
        if (last.change) {
            state.roles = last.change->state.roles;
            state.ranks = last.change->state.ranks;
            state.restarts = last.change->state.restarts;
        }
        report({key, last.job, change_to(change_kind::deleted, std::move(state))});
    }
    for (auto const& key : dirty) {
        auto const it = entries_.find(key);
        if (it == entries_.end()) continue;
        it->second.queued = false;
        if (!it->second.dirty || !is_wanted(key)) continue;
        auto const before = it->second.change;
        work_out(key, it->second);
        if (!before || before->state != it->second.change->state) report({key, it->second.job, it->second.change});
    }
}

void job_feed::report_misfits() {
    for (auto const& [object, pod] : std::exchange(misfits_, {})) {
        auto const send = [&](job_listener& l) { l.unreadable(*this, object, pod); };
        each_listener({}, send);
        if (auto const key = job_key(object, pod); !key.empty()) each_listener(key, send);
    }
}

void job_feed::show_misfits(job_listener& to, std::string const& key) const {
    for (bool const pod : {false, true})
        if (auto const& informer = pod ? pods_ : jobs_)
            for (auto const& object : informer->misfits())
                if (key.empty() || job_key(object, pod) == key) to.unreadable(*this, object, pod);
}

void job_feed::greet() {
    for (auto& n : std::exchange(newcomers_, {})) {
        auto const listener = n.listener.lock();
        if (!listener) continue;
        auto const show = [&](std::string const& key, entry& e) {
            work_out(key, e);
            listener->take(*this, {key, e.job, e.change});
        };
        if (unserved_) {
            listener->unserved(*this, why_unserved_);
            if (has_joined(listener)) continue; // it looks again
        } else if (n.key.empty()) {
            for (auto& [key, e] : entries_) show(key, e);
        } else if (auto const it = entries_.find(n.key); it != entries_.end()) {
            show(it->first, it->second);
        }
        show_misfits(*listener, n.key);
        listener->synced(*this);
        listeners_[n.key].add(n.listener);
    }
}

} // namespace kftrain
