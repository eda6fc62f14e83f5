#include "facade/follow/job_watch_state.hpp"

#include "facade/asked_kinds.hpp"

#include <algorithm>
#include <utility>

// What a watch keeps of what feeds tell it.
namespace kftrain {
namespace {

diagnostics about(rules::job_rules const& kind, diagnostics const& why, bool pods) {
    diagnostics told = why;
    std::string what(kind.primary().info->kind);
    if (pods) what += ", its pods";
    told.message.insert(0, what + ": ");
    return told;
}

/// Whether there is more to tell than that the job was written.
bool differ(job_state const& a, job_state const& b) {
    if (a == b) return false;
    if (a.resource_version == b.resource_version) return true;
    job_state same = a;
    same.resource_version = b.resource_version;
    return same != b;
}

/// Kinds may be served by different groups, but uids are those of one server.
std::string const& id_of(job_news const& news) { return news.state->job.uid; }

} // namespace

job_watch::state::state(std::shared_ptr<job_board> b, job_watch_options o)
    : executor_(b->client.get_executor()),
      board_(std::move(b)),
      options_(std::move(o)),
      next_(std::make_shared<caller>(executor_, changes())) {}

void job_watch::state::begin() {
    auto parsed = label_query::parse(options_.label_selector);
    if (!parsed) {
        failures_.push_back(parsed.error());
        return;
    }
    selector_ = *std::move(parsed);
    auto const kinds = asked_kinds(options_.kinds);
    sources_.resize(kinds.size());
    for (std::size_t i = 0; i != kinds.size(); ++i) follow(sources_[i], *kinds[i], options_.pods);
}

void job_watch::state::follow(source& s, rules::job_rules const& kind, bool pods) {
    feed_options wanted;
    wanted.kind = &kind;
    wanted.namespace_ = options_.all_namespaces ? std::string() : options_.namespace_;
    wanted.pods = pods;
    s.feed = board_->feed(std::move(wanted));
    s.feed->join(weak_from_this());
}

job_watch::state::source* job_watch::state::source_of(job_feed const& feed) {
    auto const it = std::ranges::find(sources_, &feed, [](source const& s) { return s.feed.get(); });
    return closed_ || it == sources_.end() ? nullptr : &*it;
}

bool job_watch::state::has_synced() const noexcept {
    return initial_left_ == 0 && std::ranges::all_of(sources_, [](source const& s) { return s.synced || !s.feed; });
}

/// By what a job keeps as long as it is there.
bool job_watch::state::selects(job_feed const& from, job_news const& news) const {
    auto const& m = from.options().kind->primary().metadata(news.job.get());
    return (options_.all_namespaces || m.namespace_ == options_.namespace_) &&
           (options_.name.empty() || m.name == options_.name) && (options_.uid.empty() || m.uid == options_.uid);
}

bool job_watch::state::selects_labels(job_feed const& from, job_news const& news) const {
    return selector_.matches(from.options().kind->primary().metadata(news.job.get()).labels);
}

void job_watch::state::take(job_feed const& from, job_news const& news) {
    auto const* const s = source_of(from);
    if (s == nullptr || !selects(from, news)) return;
    auto it = records_.find(id_of(news));
    bool const matches = selects_labels(from, news);
    if (it == records_.end()) {
        if (!matches) return;
        it = records_.emplace(id_of(news), record()).first;
        it->second.initial = !s->synced;
        if (it->second.initial) ++initial_left_;
    }
    auto& r = it->second;
    r.now = news.state;
    r.from = &from;
    r.gone = news.gone || !matches;
    if (r.gone && !r.told) strays_.push_back(it->first);
    enqueue(it->first, r);
    limit_strays();
    wake();
}

void job_watch::state::enqueue(std::string const& id, record& r) {
    if (std::exchange(r.queued, true)) return;
    queue_.push_back(id);
}

void job_watch::state::drop(record_map::iterator it) {
    if (it->second.initial) --initial_left_;
    records_.erase(it);
}

/// A job that came and went while nobody asked is told as long as there are not too many of them. A job that was told is kept.
void job_watch::state::limit_strays() {
    while (strays_.size() > board_->most_strays) {
        auto const it = records_.find(strays_.front());
        if (it != records_.end() && it->second.gone && !it->second.told) drop(it); // the queue passes over it
        strays_.pop_front();
    }
    // Of those that were dropped the queue has as many places at most.
    if (queue_.size() <= 2 * (records_.size() + board_->most_strays)) return;
    std::erase_if(queue_, [this](std::string const& id) { return !records_.contains(id); });
}

void job_watch::state::synced(job_feed const& from) {
    auto* const s = source_of(from);
    if (s == nullptr) return;
    s->synced = true;
    // Jobs that went between the feed before and this one are told by neither.
    for (auto& [id, r] : records_) {
        if (r.gone || r.from == &from || r.now->job.kind != from.options().kind) continue;
        r.gone = true;
        if (!r.told) strays_.push_back(id);
        enqueue(id, r);
    }
    limit_strays();
    wake();
}

void job_watch::state::unserved(job_feed const&, diagnostics const&) {}

void job_watch::state::disturbed(job_feed const& from, error_code ec, diagnostics const& why, bool pods) {
    if (source_of(from) == nullptr) return;
    failures_.emplace_back(ec, about(*from.options().kind, why, pods));
    wake();
}

void job_watch::state::failed(job_feed const& from, error_code ec, diagnostics const& why, bool pods) {
    auto* const s = source_of(from);
    if (s == nullptr) return;
    auto const& kind = *from.options().kind;
    auto const ended = std::exchange(s->feed, nullptr); // keeps what `from` and `why` are part of
    if (ec == errc::helper_failed) {
        broken_ = ec;
        return wake();
    }
    failures_.emplace_back(ec, about(kind, why, pods));
    if (pods) follow(*s, kind, false);
    wake();
}

job_change job_watch::state::tell(job_change_kind kind, record& r) {
    job_change c;
    c.kind = kind;
    c.state = *r.now;
    c.initial = r.initial;
    if (std::exchange(r.initial, false)) --initial_left_;
    r.told = r.now;
    return c;
}

std::optional<job_change> job_watch::state::pop_change() {
    while (!queue_.empty()) {
        auto const it = records_.find(queue_.front());
        if (it == records_.end()) {
            queue_.pop_front();
            continue;
        }
        auto& r = it->second;
        bool const known = r.told != nullptr;
        if (r.gone) {
            // Who looks for ends alone finds each, however fast the job went.
            bool const ended = is_finished(r.now->phase) && !(known && is_finished(r.told->phase));
            if (ended) return tell(known ? job_change_kind::changed : job_change_kind::added, r);
            queue_.pop_front();
            job_change last = tell(job_change_kind::deleted, r);
            drop(it);
            return last;
        }
        queue_.pop_front();
        r.queued = false;
        if (!known) return tell(job_change_kind::added, r);
        if (differ(*r.told, *r.now)) return tell(job_change_kind::changed, r);
    }
    return std::nullopt;
}

} // namespace kftrain
