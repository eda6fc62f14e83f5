#include "facade/follow/job_feed.hpp"

#include "kube/calls/client_core.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/kube/any_informer.hpp>

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

} // namespace

std::string key_of_job(object_meta const& job) { return job.namespace_ + "/" + job.name; }

std::string pod_selector_of(rules::job_rules const& kind) {
    std::string selector;
    for (auto const& row : kind.watches()) {
        // Pods of a name are watched for those that others have.
        if (row.type->info->plural != "pods" || std::holds_alternative<rules::by_name_of_primary>(row.by)) continue;
        std::string wanted(row.label_selector);
        if (auto const* const labels = std::get_if<rules::by_labels>(&row.by); labels != nullptr && wanted.empty())
            wanted = labels->name_key;
        if (wanted.empty() || (!selector.empty() && selector != wanted)) return {};
        selector = std::move(wanted);
    }
    return selector;
}

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

void job_feed::begin(bool pods) {
    auto const weak = weak_from_this();
    auto& informer = pods ? pods_ : jobs_;
    informer = pods ? follow_pods(shared_, client_, options_.namespace_, *options_.kind)
                    : kube::detail::follow(shared_, client_, options_.namespace_, options_.kind->primary(),
                                           kube::informer_options());
    informer->add_handler([weak, pods](kube::any_event const& e) {
        if (auto const self = weak.lock()) pods ? self->take_pod(e) : self->take_job(e);
    });
    informer->on_failure([weak, pods](error_code ec, diagnostics const& why) {
        if (auto const self = weak.lock()) self->take_failure(ec, why, pods);
    });
    informer->on_misfit([weak, pods](kube::detail::misfit const& object) {
        if (auto const self = weak.lock()) self->take_misfit(object, pods);
    });
    informer->wait_for_sync({}, [weak](error_code ec) {
        if (auto const self = weak.lock(); self && !ec) self->schedule();
    });
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
    if (unserved_) return !looks_again_;
    if (!jobs_ || !jobs_->has_synced() || reading_ != 0) return false;
    return !options_.pods || entries_.empty() || (pods_ && pods_->has_synced());
}

std::string job_feed::version() const { return jobs_ ? jobs_->last_resource_version() : std::string(); }

std::shared_ptr<job_change const> job_feed::change_to(change_kind kind, job_state state) {
    auto change = std::make_shared<job_change>();
    change->kind = kind;
    change->state = std::move(state);
    return change;
}

std::string job_feed::uid_of(std::string const& key) const {
    auto const it = entries_.find(key);
    return it == entries_.end() ? std::string() : options_.kind->primary().metadata(it->second.job.get()).uid;
}

void job_feed::take_job(kube::any_event const& e) {
    if (over_) return;
    disturbed_ = false;
    auto key = key_of_job(e.object.metadata());
    if (e.kind == change_kind::deleted) {
        auto const it = entries_.find(key);
        if (it == entries_.end()) return;
        it->second.job = e.object.erased();
        it->second.dirty = true;
        forget_layout(key, it->second);
        if (is_wanted(key)) departed_.emplace_back(key, std::move(it->second));
        entries_.erase(it);
        forget_missing_marks();
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

/// Jobs may come and go without end before their pods are known.
void job_feed::forget_missing_marks() {
    if (dirty_.size() <= most_missing_marks + 2 * entries_.size()) return;
    std::unordered_set<std::string> kept;
    std::erase_if(dirty_, [&](auto const& key) { return !entries_.contains(key) || !kept.insert(key).second; });
}

void job_feed::schedule() {
    if (scheduled_ || over_) return;
    scheduled_ = true;
    auto const run = [weak = weak_from_this()] {
        if (auto const self = weak.lock()) self->flush();
    };
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
    report_misfits();
    greet();
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
    std::vector<rules::target> wanted;
    for (auto& t : options_.kind->references(job.get()))
        if (std::ranges::find(requested_, t) == requested_.end() && requested_.size() < most) wanted.push_back(t);
    if (wanted.empty()) return;
    requested_.insert(requested_.end(), wanted.begin(), wanted.end());
    ++reading_;
    references_handler then = [weak = weak_from_this(), wanted](error_code, job_references const& found) {
        auto const self = weak.lock();
        if (!self) return;
        --self->reading_;
        for (auto const& t : wanted) self->references_.add_from(found, t);
        // The next change of a job that refers to them reads the others again.
        std::erase_if(self->requested_,
                      [&](auto const& t) { return !found.knows(t) && std::ranges::find(wanted, t) != wanted.end(); });
        self->schedule();
    };
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

} // namespace kftrain
