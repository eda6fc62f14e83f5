#include "facade/follow/job_feed.hpp"

#include <algorithm>
#include <utility>

// The reports of a feed to its listeners.
namespace kftrain {
namespace {

void drop_expired(std::vector<std::weak_ptr<job_listener>>& all) {
    std::erase_if(all, [](auto const& l) { return l.expired(); });
}

} // namespace

void job_feed::join(std::weak_ptr<job_listener> listener, std::string key) {
    auto& added = newcomers_.emplace_back();
    added.listener = std::move(listener);
    added.key = std::move(key);
    schedule();
}

void job_feed::leave(std::string const& key) {
    auto const it = of_one_.find(key);
    if (it == of_one_.end()) return;
    drop_expired(it->second);
    if (it->second.empty()) of_one_.erase(it);
}

std::vector<std::shared_ptr<job_listener>> job_feed::all_listeners() const {
    std::vector<std::shared_ptr<job_listener>> all;
    auto const add = [&](std::weak_ptr<job_listener> const& l) {
        if (auto alive = l.lock()) all.push_back(std::move(alive));
    };
    for (auto const& l : of_all_) add(l);
    for (auto const& [key, some] : of_one_)
        for (auto const& l : some) add(l);
    for (auto const& n : newcomers_) add(n.listener);
    return all;
}

bool job_feed::has_joined(std::shared_ptr<job_listener> const& listener) const {
    return std::ranges::any_of(newcomers_, [&](auto const& n) { return n.listener.lock() == listener; });
}

bool job_feed::is_wanted(std::string const& key) const {
    return std::ranges::any_of(of_all_, [](auto const& l) { return !l.expired(); }) || of_one_.contains(key);
}

void job_feed::report(job_news const& news) const {
    auto const everyone = of_all_; // a condition may end a wait or a watch
    for (auto const& l : everyone)
        if (auto const alive = l.lock()) alive->take(*this, news);
    auto const it = of_one_.find(news.key);
    if (it == of_one_.end()) return;
    auto const some = it->second;
    for (auto const& l : some)
        if (auto const alive = l.lock()) alive->take(*this, news);
}

void job_feed::report_changes() {
    auto departed = std::exchange(departed_, {});
    auto const dirty = std::exchange(dirty_, {});
    for (auto& [key, last] : departed) {
        if (!is_wanted(key)) continue;
        // What its pods did last is known by its last state; that they are gone, too, is no news of it.
        job_news news;
        news.key = key;
        news.gone = true;
        news.job = last.job;
        auto state = state_of_job(prepared_job::stored(*options_.kind, last.job), nullptr, {});
        if (last.state) {
            state.roles = last.state->roles;
            state.ranks = last.state->ranks;
            state.restarts = last.state->restarts;
        }
        news.state = std::make_shared<job_state const>(std::move(state));
        report(news);
    }
    for (auto const& key : dirty) {
        auto const it = entries_.find(key);
        if (it == entries_.end()) continue;
        it->second.queued = false;
        if (!it->second.dirty || !is_wanted(key)) continue;
        auto const before = it->second.state;
        work_out(key, it->second);
        job_news news;
        news.key = key;
        news.job = it->second.job;
        news.state = it->second.state;
        if (!before || *before != *news.state) report(news);
    }
}

namespace {

/// Whether it is reported to listeners of this job, or of all jobs. The job of a pod that cannot be read is unknown.
bool concerns(kube::detail::misfit const& object, bool pod, std::string const& key) {
    return key.empty() || (!pod && object.namespace_ + "/" + object.name == key);
}

} // namespace

void job_feed::report_misfits() {
    for (auto const& [object, pod] : std::exchange(misfits_, {})) {
        auto const send = [&](std::string const& key, listeners const& all) {
            if (!concerns(object, pod, key)) return;
            for (auto const& l : listeners(all)) // one may end a wait or a watch
                if (auto const alive = l.lock()) alive->unreadable(*this, object, pod);
        };
        send({}, of_all_);
        auto const of_one = of_one_;
        for (auto const& [key, some] : of_one) send(key, some);
    }
}

void job_feed::show_misfits(job_listener& to, std::string const& key) const {
    for (auto const* informer : {&jobs_, &pods_})
        if (*informer)
            for (auto const& object : (*informer)->misfits())
                if (concerns(object, informer == &pods_, key)) to.unreadable(*this, object, informer == &pods_);
}

void job_feed::greet() {
    for (auto& n : std::exchange(newcomers_, {})) {
        auto const listener = n.listener.lock();
        if (!listener) continue;
        auto const show = [&](std::string const& key, entry& e) {
            work_out(key, e);
            job_news news;
            news.key = key;
            news.job = e.job;
            news.state = e.state;
            listener->take(*this, news);
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
        if (n.key.empty()) {
            drop_expired(of_all_);
            of_all_.push_back(n.listener);
        } else {
            auto& some = of_one_[n.key];
            drop_expired(some);
            if (std::ranges::none_of(some, [&](auto const& l) { return l.lock() == listener; }))
                some.push_back(n.listener);
        }
    }
}

} // namespace kftrain
