#ifndef KFTRAIN_SRC_FACADE_FOLLOW_JOB_FEED_HPP
#define KFTRAIN_SRC_FACADE_FOLLOW_JOB_FEED_HPP

#include "facade/follow/job_layout.hpp"
#include "facade/follow/pod_index.hpp"
#include "facade/job_references.hpp"
#include "kube/answers/undecodable_object.hpp"
#include "kube/async/subscribers.hpp"
#include "kube/async/timer.hpp"
#include "kube/watch/informer_core.hpp"

#include <kftrain/facade/job_watch.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/kube/shared_informers.hpp>
#include <kftrain/model/object_type.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <tuple>
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

/// The scope of a feed, and whether it follows pods.
struct feed_options {
    feed_options() = default;

    rules::job_rules const* kind = nullptr;
    std::string namespace_; ///< empty: all
    bool pods = true;
    std::chrono::milliseconds unserved_retry = std::chrono::minutes(1); ///< at a kind that is not served
};

/** Computes the states of all jobs of one kind, in one namespace or in all, from an informer of jobs and one of pods,
    which starts with the first job. Runs as long as it has an owner. Events that arrive together cause one computation,
    only for jobs with a listener, and it uses at most a fifth of the time. */
class job_feed : public std::enable_shared_from_this<job_feed> {
public:
    job_feed(kube::client c, kube::shared_informers shared, feed_options options);
    job_feed(job_feed const&) = delete;
    job_feed& operator=(job_feed const&) = delete;
    ~job_feed();

    void start() { begin(false); }
    feed_options const& options() const noexcept { return options_; }
    /// Whether it has failed; then it reports nothing any more.
    bool is_over() const noexcept { return over_; }
    /// Whether all jobs, and their pods, have been listed.
    bool is_ready() const;
    /// The last failure of reading jobs or pods since something was read; empty if there was none.
    std::string last_failure() const;
    /// The version of the jobs up to which all is known.
    std::string version() const { return jobs_ ? jobs_->last_resource_version() : std::string(); }
    /// How many states have been worked out so far.
    std::size_t worked_out() const noexcept { return worked_out_; }
    /// The uid of the job of this key that is known now; empty if none is.
    std::string uid_of(std::string const& key) const;

    /// Reports all jobs, or one, from now on: first those that are there.
    void join(std::weak_ptr<job_listener> listener, std::string key = {});
    /** Asks the server again whether it serves the kind, for a listener that has received an object of the kind, and
        reports its job as join() does. */
    void recheck(std::weak_ptr<job_listener> listener, std::string key);
    /// To be called when a listener of one job has gone.
    void leave(std::string const& key) { listeners_.leave(key); }

private:
    struct entry {
        entry() = default;

        erased_object job;
        erased_object laid_out; ///< the job that the layout is of
        std::shared_ptr<job_layout const> layout;
        pod_index::marks marks;                   ///< of its roles
        std::shared_ptr<job_change const> change; ///< to its state; null before that was worked out
        bool dirty = true;
        bool queued = false; ///< in `dirty_`
    };

    template <class Act> auto guarded(Act act);
    void begin(bool pods);
    void end_informers();
    void take_job(kube::any_event const& e);
    void take_pod(kube::any_event const& e);
    void take_failure(error_code ec, diagnostics const& why, bool pods);
    void take_undecodable(kube::detail::undecodable_object const& object, bool pods);
    void fail(error_code ec, diagnostics const& why, bool pods);
    void confirm_absence();
    void mark_unserved(diagnostics const& why);
    void mark(std::string const& key, entry& e);
    void mark_owners(object_meta const& pod);
    void schedule();
    void flush();
    void report_changes();
    void report_undecodable();
    void show_undecodable(job_listener& to, std::string const& key) const;
    void report_existing();
    void report(job_news const& news) const;
    void work_out(std::string const& key, entry& e);
    void lay_out(std::string const& key, entry& e, prepared_job const& job);
    prepared_job prepared(erased_object const& job) const;
    void read_references_of(erased_object const& job);
    void forget_layout(std::string const& key, entry& e);

    kube::client client_;
    kube::shared_informers shared_;
    feed_options options_;
    std::shared_ptr<kube::detail::informer_core> jobs_;
    std::shared_ptr<kube::detail::informer_core> pods_;
    std::unordered_map<std::string, entry> entries_;
    std::vector<std::string> dirty_;
    std::vector<std::pair<std::string, entry>> departed_;
    /// Not reported yet: the latest state of each object, by whether it is a pod, namespace and name.
    std::map<std::tuple<bool, std::string, std::string>, kube::detail::undecodable_object> undecodable_;
    job_references references_;               ///< to which the jobs refer
    std::vector<rules::reference> requested_; ///< those that were requested
    std::size_t reading_ = 0;                 ///< requests for them
    pod_index pods_by_role_;
    std::unordered_map<std::string, std::string> owners_; ///< keys of jobs by the marks of their roles
    job_listeners listeners_;
    kube::detail::timer rest_;  ///< between two rounds
    kube::detail::timer again_; ///< until a kind that is not served is looked for
    std::chrono::steady_clock::duration cost_{0};
    diagnostics why_unserved_;
    std::size_t worked_out_ = 0;
    bool unserved_ = false;
    bool rechecks_ = false;   ///< although the kind seems not to be served
    bool confirming_ = false; ///< that the kind is not served any more
    bool disturbed_ = false;  ///< and has reported it
    bool scheduled_ = false;
    bool over_ = false;
};

/// The shared informer of the pods of a kind, in a namespace or, if `ns` is empty, in all.
std::shared_ptr<kube::detail::informer_core> follow_pods(kube::shared_informers const& shared, kube::client const& c,
                                                         std::string ns, rules::job_rules const& kind);
/// Whether an informer that never got anything cannot succeed after this error either.
bool is_final_failure(error_code ec);

} // namespace kftrain

#endif
