#include "facade/follow/job_feed.hpp"

#include "job/contract/watched_pods.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/kube/any_informer.hpp>
#include <kftrain/kube/request.hpp>

#include <boost/asio/post.hpp>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace kftrain {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr auto hardly_anything = 1ms;
constexpr auto longest_rest = 1s;
constexpr int rest_per_work = 4;
constexpr std::size_t most_missing_marks = 1'000;

/// The inputs of a layout besides the spec, whose changes the generation shows.
bool same_layout(object_meta const& a, object_meta const& b) {
    return a.uid == b.uid && a.generation != 0 && a.generation == b.generation && a.labels == b.labels &&
           a.annotations == b.annotations;
}

/// The key of an unreadable job; empty for a pod, whose job is unknown: only listeners of all jobs are called for pods.
std::string key_of(kube::detail::undecodable_object const& object, bool pod) {
    return pod ? std::string() : object.namespace_ + "/" + object.name;
}

std::shared_ptr<job_change const> change_to(change_kind kind, job_state state) {
    auto change = std::make_shared<job_change>();
    change->kind = kind;
    change->state = std::move(state);
    return change;
}

} // namespace

std::shared_ptr<kube::detail::informer_core> follow_pods(kube::shared_informers const& shared, kube::client const& c,
                                                         std::string ns, rules::job_rules const& kind) {
    kube::informer_options o;
    o.label_selector = pod_selector_of(kind);
    return kube::detail::follow(shared, c, std::move(ns), observed_pod_type(), std::move(o));
}

job_feed::job_feed(kube::client c, kube::shared_informers shared, feed_options options)
    : client_(std::move(c)),
      shared_(std::move(shared)),
      options_(std::move(options)),
      rest_(client_.get_executor()),
      again_(client_.get_executor()) {}

job_feed::~job_feed() { end_informers(); }

/// A handler that does nothing once the feed is gone.
template <class Act> auto job_feed::guarded(Act act) {
    return [weak = weak_from_this(), act = std::move(act)](auto const&... arguments) {
        if (auto const self = weak.lock()) act(*self, arguments...);
    };
}

void job_feed::begin(bool pods) {
    auto& informer = pods ? pods_ : jobs_;
    informer = pods ? follow_pods(shared_, client_, options_.namespace_, *options_.kind)
                    : kube::detail::follow(shared_, client_, options_.namespace_, options_.kind->primary(),
                                           kube::informer_options());
    informer->add_handler(
        guarded([pods](job_feed& f, kube::any_event const& e) { pods ? f.take_pod(e) : f.take_job(e); }));
    informer->on_failure(
        guarded([pods](job_feed& f, error_code ec, diagnostics const& why) { f.take_failure(ec, why, pods); }));
    informer->on_undecodable(guarded(
        [pods](job_feed& f, kube::detail::undecodable_object const& object) { f.take_undecodable(object, pods); }));
    informer->wait_for_sync({}, guarded([](job_feed& f, error_code ec) {
                                if (!ec) f.schedule();
                            }));
    informer->run([](error_code) {});
}

void job_feed::end_informers() {
    for (auto* const one : {&jobs_, &pods_})
        if (auto const informer = std::exchange(*one, nullptr)) informer->close();
}

std::string job_feed::last_failure() const {
    for (auto const* informer : {jobs_.get(), pods_.get()})
        if (informer != nullptr && !informer->last_failure()->empty()) return *informer->last_failure();
    return {};
}

bool job_feed::is_ready() const {
    if (over_) return false;
    if (unserved_) return !rechecks_;
    if (!jobs_ || !jobs_->has_synced() || reading_ != 0) return false;
    return !options_.pods || entries_.empty() || (pods_ && pods_->has_synced());
}

std::string job_feed::uid_of(std::string const& key) const {
    auto const it = entries_.find(key);
    return it == entries_.end() ? std::string() : options_.kind->primary().metadata(it->second.job.get()).uid;
}

void job_feed::take_job(kube::any_event const& e) {
    if (over_) return;
    disturbed_ = false;
    auto const& m = e.object.metadata();
    auto key = m.namespace_ + "/" + m.name;
    if (e.kind == change_kind::deleted) {
        auto const it = entries_.find(key);
        if (it == entries_.end()) return;
        it->second.job = e.object.erased();
        it->second.dirty = true;
        forget_layout(key, it->second);
        if (listeners_.are_of(key)) departed_.emplace_back(key, std::move(it->second));
        entries_.erase(it);
        // Any number of jobs may be created and deleted before their pods are known.
        if (std::unordered_set<std::string> kept; dirty_.size() > most_missing_marks + 2 * entries_.size())
            std::erase_if(dirty_, [&](auto const& k) { return !entries_.contains(k) || !kept.insert(k).second; });
        return schedule();
    }
    auto& known = entries_[key];
    known.job = e.object.erased();
    mark(key, known);
    if (options_.pods && !pods_) begin(true);
    if (options_.pods) read_references_of(known.job);
}

void job_feed::take_pod(kube::any_event const& e) {
    if (over_) return;
    if (!e.old.empty()) {
        mark_owners(e.old.metadata());
        pods_by_role_.remove(e.old.metadata());
    }
    if (e.kind == change_kind::deleted) return schedule();
    auto const now = std::static_pointer_cast<pod const>(e.object.erased());
    pods_by_role_.put(now);
    mark_owners(now->metadata);
}

void job_feed::mark_owners(object_meta const& pod) {
    for (auto const& m : pods_by_role_.marks_of(pod)) {
        auto const owner = owners_.find(m);
        if (owner == owners_.end()) continue;
        if (auto const it = entries_.find(owner->second); it != entries_.end()) mark(it->first, it->second);
    }
}

void job_feed::mark(std::string const& key, entry& e) {
    e.dirty = true;
    if (!std::exchange(e.queued, true)) dirty_.push_back(key);
    schedule();
}

void job_feed::schedule() {
    if (scheduled_ || over_) return;
    scheduled_ = true;
    auto const run = guarded([](job_feed& f) { f.flush(); });
    auto const rest = std::min<std::chrono::steady_clock::duration>(rest_per_work * cost_, longest_rest);
    if (rest < hardly_anything) return asio::post(client_.get_executor(), run);
    rest_.expires_after(rest);
    rest_.async_wait([run](error_code cancelled) {
        if (!cancelled) run();
    });
}

void job_feed::flush() {
    scheduled_ = false;
    if (!is_ready()) return; // the end of a list will come back to this
    auto const self = shared_from_this();
    auto const& time = kube::detail::time_of(client_);
    auto const begun = time.now();
    report_changes();
    report_undecodable();
    report_existing();
    cost_ = time.now() - begun;
}

void job_feed::lay_out(std::string const& key, entry& e, prepared_job const& job) {
    auto const& type = options_.kind->primary();
    if (e.laid_out && same_layout(type.metadata(e.laid_out.get()), type.metadata(e.job.get()))) return;
    forget_layout(key, e);
    e.laid_out = e.job;
    e.layout = lay_out_job(job);
    if (!e.layout) return;
    bool known = true;
    for (auto const& r : e.layout->members().roles) known = pods_by_role_.learn(r.labels) && known;
    if (!known)
        for (auto const& object : pods_->all()) pods_by_role_.put(std::static_pointer_cast<pod const>(object.erased()));
    for (auto const& r : e.layout->members().roles) {
        e.marks.push_back(pods_by_role_.mark_of(type.metadata(e.job.get()).namespace_, r.labels));
        owners_[e.marks.back()] = key;
    }
}

prepared_job job_feed::prepared(erased_object const& object) const {
    auto const& kind = *options_.kind;
    if (kind.references(object.get()).empty()) return prepared_job::stored(kind, object);
    any_job job(kind, object.get());
    references_.supply(job);
    return prepared_job::stored(std::move(job));
}

/// Reads what the job refers to and that was not requested yet. Until it is known, nothing is reported: the ranks of a
/// job must not come later than the job.
void job_feed::read_references_of(erased_object const& job) {
    constexpr std::size_t most = 1000; // runtimes; jobs of further ones have no ranks
    std::vector<rules::reference> wanted;
    for (auto& t : options_.kind->references(job.get()))
        if (std::ranges::find(requested_, t) == requested_.end() && requested_.size() < most) wanted.push_back(t);
    if (wanted.empty()) return;
    requested_.insert(requested_.end(), wanted.begin(), wanted.end());
    ++reading_;
    references_handler then = guarded([wanted](job_feed& f, error_code, job_references const& found) {
        --f.reading_;
        for (auto const& t : wanted) f.references_.add_from(found, t);
        // The next change of a job that refers to them reads the others again.
        std::erase_if(f.requested_,
                      [&](auto const& t) { return !found.knows(t) && std::ranges::find(wanted, t) != wanted.end(); });
        f.schedule();
    });
    read_references(std::move(then), client_, std::move(wanted), kube::call_options(), absent_reference::is_unknown);
}

void job_feed::forget_layout(std::string const& key, entry& e) {
    for (auto const& m : std::exchange(e.marks, {}))
        if (auto const it = owners_.find(m); it != owners_.end() && it->second == key) owners_.erase(it);
    e.laid_out = nullptr;
}

void job_feed::work_out(std::string const& key, entry& e) {
    if (!e.dirty && e.change) return;
    e.dirty = false;
    ++worked_out_;
    auto const job = prepared(e.job);
    if (options_.pods) lay_out(key, e, job);
    std::vector<pod_index::object> pods;
    for (auto const& m : e.marks) pods_by_role_.find(m, pods);
    e.change = change_to(change_kind::modified, state_of_job(job, e.layout.get(), pods));
}

bool is_final_failure(error_code ec) { return is_forbidden(ec) || is_unauthorized(ec) || ec == errc::helper_failed; }

/// An informer reports a failure from within its own work.
void job_feed::take_failure(error_code ec, diagnostics const& why, bool pods) {
    if (over_ || (!is_final_failure(ec) && (pods || !is_not_found(ec)))) return;
    asio::post(client_.get_executor(), guarded([ec, why, pods](job_feed& f) {
                   if (f.over_) return;
                   auto const& informer = pods ? f.pods_ : f.jobs_;
                   bool const synced = informer && informer->has_synced();
                   if (is_final_failure(ec) && (!synced || ec == errc::helper_failed)) return f.fail(ec, why, pods);
                   // A server that is starting, or a proxy, may refuse once what was allowed before.
                   if (is_final_failure(ec) && std::exchange(f.disturbed_, true)) return;
                   if (is_final_failure(ec))
                       return f.listeners_.every([&](job_listener& l) { l.disturbed(f, ec, why, pods); });
                   if (f.unserved_) return;
                   if (synced) return f.confirm_absence();
                   f.mark_unserved(why);
               }));
}

void job_feed::take_undecodable(kube::detail::undecodable_object const& object, bool pods) {
    if (over_) return;
    undecodable_.insert_or_assign({pods, object.namespace_, object.name}, object);
    schedule();
}

/// Reads once more before all jobs are reported as gone.
void job_feed::confirm_absence() {
    if (std::exchange(confirming_, true)) return;
    kube::list_options one;
    one.limit = 1;
    auto why = std::make_shared<diagnostics>();
    auto answered = guarded([why](job_feed& f, error_code ec, std::string const&) {
        f.confirming_ = false;
        if (!f.over_ && !f.unserved_ && is_not_found(ec)) f.mark_unserved(*why);
    });
    kube::detail::client_access::start(client_, kube::any_handler<void(error_code, std::string)>(std::move(answered)),
                                       kube::request::list(*options_.kind->primary().info, options_.namespace_, one),
                                       kube::call_options().with_detail(*why));
}

void job_feed::fail(error_code ec, diagnostics const& why, bool pods) {
    auto const self = shared_from_this();
    if (is_ready()) report_changes();
    over_ = true;
    end_informers();
    listeners_.every([&](job_listener& l) { l.failed(*this, ec, why, pods); });
    listeners_.take_added();
}

/// Jobs of a kind whose definition is gone are gone, too.
void job_feed::mark_unserved(diagnostics const& why) {
    end_informers();
    unserved_ = true;
    why_unserved_ = why;
    for (auto& [key, known] : entries_) {
        forget_layout(key, known);
        if (listeners_.are_of(key)) departed_.emplace_back(key, std::move(known));
    }
    entries_.clear();
    pods_by_role_.clear();
    listeners_.every([&](job_listener& l) { l.unserved(*this, why); });
    schedule();
    again_.expires_after(options_.unserved_retry);
    again_.async_wait(guarded([](job_feed& f, error_code cancelled) {
        if (cancelled || !f.unserved_ || f.rechecks_) return;
        f.unserved_ = false;
        f.begin(false);
    }));
}

void job_feed::recheck(std::weak_ptr<job_listener> listener, std::string key) {
    join(std::move(listener), std::move(key));
    if (!unserved_ || std::exchange(rechecks_, true)) return;
    asio::post(client_.get_executor(), guarded([](job_feed& f) {
                   if (!std::exchange(f.rechecks_, false) || f.over_) return;
                   f.again_.cancel();
                   f.unserved_ = false;
                   f.begin(false);
               }));
}

void job_feed::join(std::weak_ptr<job_listener> listener, std::string key) {
    listeners_.join(std::move(listener), std::move(key));
    schedule();
}

void job_feed::report(job_news const& news) const {
    listeners_.each(news.key, [&](job_listener& l) { l.take(*this, news); });
}

void job_feed::report_changes() {
    auto departed = std::exchange(departed_, {});
    auto const dirty = std::exchange(dirty_, {});
    for (auto& [key, last] : departed) {
        if (!listeners_.are_of(key)) continue;
        // The last state has the last states of its pods; their deletion is not reported.
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
        if (!it->second.dirty || !listeners_.are_of(key)) continue;
        auto const before = it->second.change;
        work_out(key, it->second);
        if (!before || before->state != it->second.change->state) report({key, it->second.job, it->second.change});
    }
}

void job_feed::report_undecodable() {
    for (auto const& [name, object] : std::exchange(undecodable_, {})) {
        bool const pod = std::get<0>(name);
        listeners_.each(key_of(object, pod), [&](job_listener& l) { l.undecodable(*this, object, pod); });
    }
}

void job_feed::show_undecodable(job_listener& to, std::string const& key) const {
    for (bool const pod : {false, true})
        if (auto const& informer = pod ? pods_ : jobs_)
            for (auto const& object : informer->undecodable())
                if (key.empty() || key_of(object, pod) == key) to.undecodable(*this, object, pod);
}

void job_feed::report_existing() {
    for (auto const& n : listeners_.take_added()) {
        auto const listener = n.listener.lock();
        if (!listener) continue;
        auto const show = [&](std::string const& key, entry& e) {
            work_out(key, e);
            listener->take(*this, {key, e.job, e.change});
        };
        if (unserved_) {
            listener->unserved(*this, why_unserved_);
            if (listeners_.is_new(*listener)) continue; // it rechecks
        } else if (n.key.empty()) {
            for (auto& [key, e] : entries_) show(key, e);
        } else if (auto const it = entries_.find(n.key); it != entries_.end()) {
            show(it->first, it->second);
        }
        show_undecodable(*listener, n.key);
        listener->synced(*this);
        listeners_.admit(n);
    }
}

} // namespace kftrain
