#ifndef KFTRAIN_SRC_FACADE_FOLLOW_JOB_LISTENERS_HPP
#define KFTRAIN_SRC_FACADE_FOLLOW_JOB_LISTENERS_HPP

#include "kube/answers/undecodable_object.hpp"
#include "kube/async/subscribers.hpp"

#include <kftrain/facade/job_watch.hpp>
#include <kftrain/model/object_type.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kftrain {

class job_feed;

/// A report of a feed about one job.
struct job_news {
    bool is_gone() const noexcept { return change->kind == change_kind::deleted; }

    std::string key;   ///< `namespace/name`
    erased_object job; ///< of a job that is gone the last one known
    /// To its state, `modified` or `deleted`. All listeners share it: a state may have thousands of ranks.
    std::shared_ptr<job_change const> change;
};

/// A listener of a feed. Called within the loop of the feed: no code of users but conditions may be run from here.
class job_listener {
public:
    job_listener() = default;
    job_listener(job_listener const&) = delete;
    job_listener& operator=(job_listener const&) = delete;
    virtual ~job_listener() = default;

    virtual void take(job_feed const& from, job_news const& news) = 0;
    /// Everything that was there when the listener came has been reported.
    virtual void synced(job_feed const& from) = 0;
    /// The kind is not served, for now.
    virtual void unserved(job_feed const& /*from*/, diagnostics const& /*why*/) {}
    /// Objects that were readable before cannot be read now; the feed retries. Called once, until an object arrives
    /// again.
    virtual void disturbed(job_feed const& /*from*/, error_code, diagnostics const& /*why*/, bool /*pods*/) {}
    /// A job, or a pod, does not fit the struct of its type. Called once for each version of it.
    virtual void undecodable(job_feed const& from, kube::detail::undecodable_object const& object, bool pods) = 0;
    /// The feed is over. `pods`: because of them, and without them there may be another.
    virtual void failed(job_feed const& from, error_code ec, diagnostics const& why, bool pods) = 0;
};

/// The listeners of a feed. Each listens to one job, by its key, or with an empty key to all jobs.
class job_listeners {
public:
    /// A listener that has not received the existing jobs yet.
    struct added_listener {
        added_listener() = default;

        std::weak_ptr<job_listener> listener;
        std::string key;
    };

    void join(std::weak_ptr<job_listener> listener, std::string key) {
        auto& added = added_.emplace_back();
        added.listener = std::move(listener);
        added.key = std::move(key);
    }
    std::vector<added_listener> take_added() { return std::exchange(added_, {}); }
    bool is_new(job_listener const& listener) const {
        return std::ranges::any_of(added_, [&](auto const& n) { return n.listener.lock().get() == &listener; });
    }
    /// The listener has received the existing jobs; each() calls it from now on.
    void admit(added_listener const& n) { known_[n.key].add(n.listener); }
    /// To be called when a listener of one job has gone.
    void leave(std::string const& key) {
        if (!has(key)) known_.erase(key);
    }

    /// Whether a job has a listener.
    bool are_of(std::string const& key) const { return has({}) || has(key); }
    /// Calls the listeners of all jobs and, unless `key` is empty, those of one job. A call may end a wait or a watch.
    template <class Call> void each(std::string const& key, Call call) const {
        for (auto const& k : {std::string(), key}) {
            if (auto const it = known_.find(k); it != known_.end()) it->second.each(call);
            if (key.empty()) return;
        }
    }
    /// Calls all listeners, also those that have not received the existing jobs yet.
    template <class Call> void every(Call call) const {
        auto const all = known_;
        auto const more = added_;
        for (auto const& [key, some] : all) some.each(call);
        for (auto const& n : more)
            if (auto const alive = n.listener.lock()) call(*alive);
    }

private:
    bool has(std::string const& key) const {
        auto const it = known_.find(key);
        return it != known_.end() && !it->second.empty();
    }

    std::unordered_map<std::string, kube::subscribers<job_listener>> known_; ///< by key
    std::vector<added_listener> added_;
};

} // namespace kftrain

#endif
