#include "facade/follow/job_watch_state.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/thread_check.hpp"

#include <kftrain/kube/blocking.hpp>
#include <kftrain/training_client.hpp>

#include <boost/asio/post.hpp>

#include <utility>

// How a watch reports what it keeps.
namespace kftrain {
namespace {

namespace asio = boost::asio;

constexpr int most_pushed_at_once = 1'000;

} // namespace

std::optional<job_watch::state::outcome> job_watch::state::pop() {
    if (!failures_.empty()) {
        failure const f = std::move(failures_.front());
        failures_.pop_front();
        return outcome{f.code, nullptr, f.detail};
    }
    if (auto change = pop_change()) return outcome{{}, std::move(change), {}};
    if (broken_) return outcome{broken_, nullptr, {}};
    for (auto const& s : sources_)
        if (s.feed) return std::nullopt;
    diagnostics why;
    why.message = "no kind of job can be watched";
    return outcome{make_error_code(errc::ended), nullptr, std::move(why)};
}

job_watch::state::caller::source job_watch::state::changes() {
    caller::source from;
    from.ready = [] { return true; };
    from.take = [this]() -> std::optional<caller::outcome> {
        auto found = pop();
        if (!found) return std::nullopt;
        return caller::outcome(found->ec, found->change ? *found->change : job_change(), std::move(found->why));
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

/// Calls what may do anything, end the watch as well.
void job_watch::state::pump() {
    auto const& log = board_->client.options().logger;
    pumping_ = false;
    for (int i = 0; i != most_pushed_at_once; ++i) {
        auto const sink = sink_;
        if (closed_ || !sink) return;
        auto const found = pop();
        if (!found) return;
        auto const& [ec, change, why] = *found;
        if (ec) {
            log(log_level::warning, "watching jobs failed", {{"error", failure(ec, why).to_string()}});
            if (ec == errc::ended || ec == broken_) return;
            continue;
        }
        try {
            (*sink)(*change);
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
    return kube::detail::blocking_form<job_change>(place_, std::move(options),
                                                   [&](auto h, auto o) { state_->next(std::move(h), std::move(o)); });
}

void job_watch::on_change(std::function<void(job_change const&)> take) {
    if (!state_) return;
    kube::detail::run_at(place_, [s = state_, take = std::move(take)]() mutable { s->push_to(std::move(take)); });
}

bool job_watch::has_synced() const noexcept { return !state_ || state_->has_synced(); }

void job_watch::close() noexcept {
    if (!state_) return;
    kube::detail::run_at(place_, [s = std::exchange(state_, nullptr)] { s->close(); });
}

job_watch& job_watch::operator=(job_watch&& other) noexcept {
    if (this == &other) return *this;
    close();
    place_ = other.place_;
    state_ = std::exchange(other.state_, nullptr);
    return *this;
}

job_watch::~job_watch() { close(); }

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
    return job_watch(std::move(place), std::move(s));
}

job_watch training_client::watch(job_watch_options options) const {
    if (options.namespace_.empty()) options.namespace_ = namespace_;
    return begin_watch(board_, std::move(options));
}

void training_client::follow_all_namespaces(bool on) {
    kube::detail::run_at(place(), [board = board_, on] { board->everywhere = on; });
}

} // namespace kftrain
