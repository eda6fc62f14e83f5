#include "base/make_failure.hpp"
#include "facade/follow/job_board.hpp"
#include "facade/job_arguments.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/next_call.hpp"
#include "kube/async/thread_check.hpp"

#include <kftrain/kube/blocking.hpp>
#include <kftrain/model/selector.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/post.hpp>

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>

namespace kftrain {

/// The known states of a watch, and the changes that it has not reported yet.
struct job_watch::state final : job_listener, std::enable_shared_from_this<job_watch::state> {
    using change_handler = kube::any_handler<void(error_code, job_change)>;
    using change_sink = std::function<void(job_change const&)>;

    state(std::shared_ptr<detail::job_board> b, job_watch_options o);
    state(state const&) = delete;
    state& operator=(state const&) = delete;
    ~state() override { next_->close(); }

    void begin();
    /// Ends the watch; every call fails with `why`.
    void break_off(error_code why) { broken_ = why; }
    void next(change_handler handler, kube::next_options options);
    void push_to(change_sink sink);
    bool has_synced() const noexcept;
    /// Ends the watch when its owner is destroyed.
    void close();

    void take(job_feed const& from, job_news const& news) override;
    void synced(job_feed const& from) override;
    void disturbed(job_feed const& from, error_code ec, diagnostics const& why, bool pods) override;
    void undecodable(job_feed const& from, kube::detail::undecodable_object const& object, bool pods) override;
    void failed(job_feed const& from, error_code ec, diagnostics const& why, bool pods) override;

private:
    /// One kind.
    struct source {
        source() = default;

        std::shared_ptr<job_feed> feed; ///< null if the kind may not be watched
        bool synced = false;
    };
    /// One job, by its uid.
    struct record {
        record() = default;

        std::shared_ptr<job_change const> reported, now;
        job_feed const* from = nullptr; ///< that reported it last; one that has failed is only compared
        bool gone = false;
        bool queued = false;
        bool initial = false;
    };
    using record_map = std::unordered_map<std::string, record>;
    using caller = kube::next_call<job_change>;
    /// A change to report, or a failure. A change that all watches report alike is shared.
    struct outcome {
        outcome() = default;
        explicit outcome(failure f) : failed(std::move(f)) {}

        job_change const& change() const noexcept { return own ? *own : *shared; }
        /// The change for one caller; an empty one if there is a failure.
        job_change take() && {
            if (own) return *std::move(own);
            return shared ? *shared : job_change();
        }

        std::shared_ptr<job_change const> shared;
        std::optional<job_change> own; ///< of this watch alone: an added or an initial job
        failure failed;                ///< without a code if there is a change
    };

    source* source_of(job_feed const& feed);
    void follow(source& s, rules::job_rules const& kind, bool pods);
    bool selects(job_feed const& from, job_news const& news) const;
    bool selects_labels(job_feed const& from, job_news const& news) const;
    void enqueue(std::string const& id, record& r);
    void drop(record_map::iterator it);
    void limit_strays();
    void add_failure(failure f);
    std::optional<outcome> pop();
    std::optional<outcome> pop_change();
    outcome report(change_kind kind, record& r);
    void wake();
    void pump();
    caller::source changes();

    boost::asio::any_io_executor executor_;
    std::shared_ptr<detail::job_board> board_;
    job_watch_options options_;
    label_query selector_;
    std::vector<source> sources_;
    record_map records_;
    std::deque<std::string> queue_;  ///< of those with something to report
    std::deque<std::string> strays_; ///< of those that went and were never reported
    std::deque<failure> failures_;   ///< at most `most_failures` of the board
    error_code broken_;              ///< for good
    std::size_t initial_left_ = 0;

    std::shared_ptr<caller> next_;
    std::shared_ptr<change_sink> sink_;
    bool pumping_ = false;
    bool closed_ = false;
};

namespace {

namespace asio = boost::asio;

constexpr int most_pushed_at_once = 1'000;

diagnostics about(rules::job_rules const& kind, diagnostics const& why, bool pods) {
    diagnostics detail = why;
    std::string what(kind.primary().info->kind);
    if (pods) what += ", its pods";
    detail.message.insert(0, what + ": ");
    return detail;
}

/// Whether there is more to report than a write of the job.
bool differ(job_state const& a, job_state const& b) {
    if (a == b) return false;
    if (a.resource_version == b.resource_version) return true;
    job_state same = a;
    same.resource_version = b.resource_version;
    return same != b;
}

std::optional<failure> fault_of_options(job_watch_options const& options) {
    if (!options.one_job) return fault_of_kinds(options.kinds);
    if (options.kinds.size() != 1)
        return rules::cannot("kinds", "expected one kind, got " + std::to_string(options.kinds.size()));
    job_reference wanted;
    wanted.kind = options.kinds.front();
    wanted.name = options.name;
    return fault_of(wanted);
}

/// Kinds may be served by different groups, but uids are those of one server.
std::string const& id_of(job_news const& news) { return news.change->state.job.uid; }

} // namespace

job_watch::state::state(std::shared_ptr<detail::job_board> b, job_watch_options o)
    : executor_(b->client.get_executor()),
      board_(std::move(b)),
      options_(std::move(o)),
      next_(std::make_shared<caller>(executor_, changes())) {}

void job_watch::state::begin() {
    if (auto fault = fault_of_options(options_)) {
        add_failure(*std::move(fault));
        return;
    }
    auto parsed = label_query::parse(options_.label_selector);
    if (!parsed) {
        add_failure(parsed.error());
        return;
    }
    selector_ = *std::move(parsed);
    auto const kinds = selected_kinds(options_.kinds);
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

/// Compares fields that never change.
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
    r.now = news.change;
    r.from = &from;
    r.gone = news.is_gone() || !matches;
    if (r.gone && !r.reported) strays_.push_back(it->first);
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

/// A job that came and went between two calls is reported unless there are too many of them. A reported job is kept.
void job_watch::state::limit_strays() {
    while (strays_.size() > board_->most_strays) {
        auto const it = records_.find(strays_.front());
        if (it != records_.end() && it->second.gone && !it->second.reported) drop(it); // the queue passes over it
        strays_.pop_front();
    }
    // Dropped jobs may take as many places in the queue.
    if (queue_.size() <= 2 * (records_.size() + board_->most_strays)) return;
    std::erase_if(queue_, [this](std::string const& id) { return !records_.contains(id); });
}

void job_watch::state::synced(job_feed const& from) {
    auto* const s = source_of(from);
    if (s == nullptr) return;
    s->synced = true;
    // Neither the previous feed nor this one reports jobs that were deleted between them.
    for (auto& [id, r] : records_) {
        if (r.gone || r.from == &from || r.now->state.job.kind != from.options().kind) continue;
        r.gone = true;
        if (!r.reported) strays_.push_back(id);
        enqueue(id, r);
    }
    limit_strays();
    wake();
}

/// If the caller does not read for a long time, the oldest are dropped.
void job_watch::state::add_failure(failure f) {
    failures_.push_back(std::move(f));
    if (failures_.size() > board_->most_failures) failures_.pop_front();
}

void job_watch::state::disturbed(job_feed const& from, error_code ec, diagnostics const& why, bool pods) {
    if (source_of(from) == nullptr) return;
    add_failure(failure(ec, about(*from.options().kind, why, pods)));
    wake();
}

void job_watch::state::undecodable(job_feed const& from, kube::detail::undecodable_object const& object, bool pods) {
    if (source_of(from) == nullptr) return;
    bool const selected =
        (options_.all_namespaces || object.namespace_.empty() || object.namespace_ == options_.namespace_) &&
        (options_.name.empty() || object.name == options_.name) && object.is_selected_by(selector_);
    if (!pods && !selected) return;
    auto const why = object.named();
    add_failure(failure(why.code, pods ? about(*from.options().kind, why.detail, true) : why.detail));
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
    add_failure(failure(ec, about(kind, why, pods)));
    if (pods) follow(*s, kind, false);
    wake();
}

job_watch::state::outcome job_watch::state::report(change_kind kind, record& r) {
    r.reported = r.now;
    outcome reported;
    reported.shared = r.now;
    if (!r.initial && kind == r.now->kind) return reported;
    reported.own.emplace(*r.now);
    reported.own->kind = kind;
    reported.own->initial = r.initial;
    if (std::exchange(r.initial, false)) --initial_left_;
    return reported;
}

std::optional<job_watch::state::outcome> job_watch::state::pop_change() {
    while (!queue_.empty()) {
        auto const it = records_.find(queue_.front());
        if (it == records_.end()) {
            queue_.pop_front();
            continue;
        }
        auto& r = it->second;
        bool const known = r.reported != nullptr;
        if (r.gone) {
            // A caller that looks for ends alone finds each, however fast the job went.
            bool const ended = is_finished(r.now->state.phase) && !(known && is_finished(r.reported->state.phase));
            if (ended) return report(known ? change_kind::modified : change_kind::added, r);
            queue_.pop_front();
            auto last = report(change_kind::deleted, r);
            drop(it);
            return last;
        }
        queue_.pop_front();
        r.queued = false;
        if (!known) return report(change_kind::added, r);
        if (differ(r.reported->state, r.now->state)) return report(change_kind::modified, r);
    }
    return std::nullopt;
}

std::optional<job_watch::state::outcome> job_watch::state::pop() {
    if (!failures_.empty()) {
        outcome failed(std::move(failures_.front()));
        failures_.pop_front();
        return failed;
    }
    if (auto change = pop_change()) return change;
    if (broken_) return outcome(failure(broken_, diagnostics()));
    if (std::ranges::any_of(sources_, [](source const& s) { return s.feed != nullptr; })) return std::nullopt;
    return outcome(make_failure(errc::ended, "no kind of job can be watched"));
}

job_watch::state::caller::source job_watch::state::changes() {
    caller::source from;
    from.ready = [] { return true; };
    from.take = [this]() -> std::optional<caller::outcome> {
        auto found = pop();
        if (!found) return std::nullopt;
        return caller::outcome(found->failed.code, std::move(*found).take(), std::move(found->failed.detail));
    };
    from.nothing = "no job changed";
    from.last_failure = [this] {
        for (auto const& s : sources_)
            if (auto failure = s.feed ? s.feed->last_failure() : std::string(); !failure.empty()) return failure;
        return std::string();
    };
    return from;
}

void job_watch::state::next(change_handler handler, kube::next_options options) {
    if (sink_) return kube::complete_later(executor_, std::move(handler), errc::already_running, job_change());
    next_->async_next(std::move(handler), options);
}

void job_watch::state::wake() {
    if (closed_) return;
    if (next_->waits()) return next_->wake();
    if (!sink_ || std::exchange(pumping_, true)) return;
    asio::post(executor_, [weak = weak_from_this()] {
        if (auto const self = weak.lock()) self->pump();
    });
}

void job_watch::state::push_to(change_sink sink) {
    sink_ = sink ? std::make_shared<change_sink>(std::move(sink)) : nullptr;
    wake();
}

/// Calls the handler, which may do anything, for example end the watch.
void job_watch::state::pump() {
    auto const& log = board_->client.options().logger;
    pumping_ = false;
    for (int i = 0; i != most_pushed_at_once; ++i) {
        auto const sink = sink_;
        if (closed_ || !sink) return;
        auto const found = pop();
        if (!found) return;
        if (auto const ec = found->failed.code) {
            log(log_level::warning, "watching jobs failed", {{"error", found->failed.to_string()}});
            if (ec == errc::ended || ec == broken_) return;
            continue;
        }
        try {
            (*sink)(found->change());
        } catch (std::exception const& x) {
            log(log_level::error, "handler of job changes failed", {{"error", x.what()}});
        } catch (...) {
            log(log_level::error, "handler of job changes failed", {{"error", "not a std::exception"}});
        }
    }
    wake();
}

void job_watch::state::close() {
    closed_ = true;
    sink_ = nullptr;
    next_->close();
    sources_.clear();
}

void job_watch::start_next(std::shared_ptr<state> const& s, kube::any_handler<void(error_code, job_change)> handler,
                           kube::next_options options) {
    s->next(std::move(handler), options);
}

result<job_change> job_watch::next(kube::next_options options) {
    return kube::detail::blocking_form<job_change>(state_.place(), std::move(options),
                                                   [&](auto h, auto o) { state_->next(std::move(h), std::move(o)); });
}

void job_watch::on_change(std::function<void(job_change const&)> take) {
    if (!state_) return;
    kube::detail::run_at(state_.place(),
                         [s = state_.share(), take = std::move(take)]() mutable { s->push_to(std::move(take)); });
}

bool job_watch::has_synced() const noexcept { return !state_ || state_->has_synced(); }

job_watch_options& job_watch_options::with_kind(rules::job_rules const& kind) {
    kinds.push_back(&kind);
    return *this;
}

job_watch_options& job_watch_options::with_job(job_reference const& job) {
    one_job = true;
    kinds.assign(1, job.kind);
    namespace_ = job.namespace_;
    name = job.name;
    uid = job.uid;
    return *this;
}

job_watch begin_watch(std::shared_ptr<detail::job_board> board, job_watch_options options) {
    auto place = kube::detail::client_access::place_of(board->client);
    auto const fault = place.fault();
    auto s = std::make_shared<job_watch::state>(std::move(board), std::move(options));
    if (fault)
        s->break_off(fault);
    else
        kube::detail::run_at(place, [s] { s->begin(); });
    return job_watch({std::move(place), std::move(s)});
}

job_watch training_client::watch(job_watch_options options) const {
    if (options.namespace_.empty()) options.namespace_ = namespace_;
    return begin_watch(board_, std::move(options));
}

} // namespace kftrain
