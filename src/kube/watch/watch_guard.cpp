#include "kube/watch/watch_guard.hpp"

#include <kftrain/kube/resource_version.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <vector>

namespace kftrain::kube::detail {
namespace {

/// How long an answer may take, whatever the silence.
constexpr std::chrono::milliseconds shortest_patience{1'000};
constexpr std::chrono::milliseconds longest_patience{15'000};

/// When a server that may have been restarted is checked.
constexpr std::chrono::milliseconds doubt{1'000};

/// Whether the server, or a proxy before it, responded at all.
bool is_answer(error_code ec) {
    return ec.category() == server_category() ||
           (ec.category() == client_category() && ec != make_error_code(errc::timeout) &&
            ec != make_error_code(errc::connection_lost) && !is_unreached(ec));
}

/// The part of a list with its version; the rest is skipped while decoding.
struct dated_list {
    dated_list() = default;

    meta::list_meta metadata;
};
BOOST_DESCRIBE_STRUCT(dated_list, (), (metadata))

} // namespace

watch_guard::watch_guard(client c, followed_collection what, std::string version, std::chrono::milliseconds silence)
    : client_(std::move(c)),
      what_(std::move(what)),
      version_(std::move(version)),
      silence_(silence),
      patience_(std::clamp(silence, shortest_patience, longest_patience)),
      last_(now()),
      idle_(client_.get_executor()) {
    state_of(client_).guards.insert(this);
}

watch_guard::~watch_guard() { state_of(client_).guards.erase(this); }

void watch_guard::start(bool doubtful) {
    if (silence_.count() <= 0) return;
    doubtful_ = doubtful;
    next_ = last_ + (doubtful ? std::min(silence_, doubt) : silence_);
    running_ = spawn(client_.get_executor(), look(shared_from_this()), deadline(),
                     any_handler<void(error_code)>([](error_code) {}));
}

void watch_guard::stop() {
    stopped_ = true;
    idle_.cancel();
    if (auto const op = running_.lock()) op->cancel();
}

void watch_guard::opened(std::chrono::milliseconds limit) {
    note_activity();
    limit_ = limit;
    idle_.expires_at(last_ + limit_);
    expect();
}

/// One timer for the whole watch: when it is over, what came meanwhile puts the end off.
void watch_guard::expect() {
    idle_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self || self->stopped_) return;
        if (self->now() >= self->last_ + self->limit_) return self->conclude(finding::dead, call_report());
        self->idle_.expires_at(self->last_ + self->limit_);
        self->expect();
    });
}

void watch_guard::read(body_stream& body, any_handler<void(error_code, std::string)> handler) {
    auto slot = asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected())
        slot.assign([weak = weak_from_this()](asio::cancellation_type type) {
            if (auto const self = weak.lock()) self->reading_.emit(type);
        });
    body.async_read(asio::bind_cancellation_slot(reading_.slot(), std::move(handler)));
}

asio::awaitable<void> watch_guard::look(std::shared_ptr<watch_guard> self) {
    timer pause(self->client_.get_executor());
    while (!self->stopped_ && self->found_ == finding::none) {
        if (self->now() < self->next_) {
            pause.expires_at(self->next_);
            co_await pause.async_wait(asio::use_awaitable);
            if (!self->doubtful_) self->next_ = std::max(self->next_, self->last_ + self->silence_);
            continue;
        }
        self->doubtful_ = false;
        co_await self->query_version();
        self->next_ = self->now() + self->silence_;
    }
}

asio::awaitable<void> watch_guard::query_version() {
    list_options one;
    one.limit = 1;
    auto request = what_.list(one);
    call_options options;
    options.retry = false;
    options.timeout = patience_;
    call_report report;
    auto [ec, page] = co_await call(client_, std::move(request), std::move(options), report);
    judge(ec, page, std::move(report));
}

void watch_guard::judge(error_code ec, std::string_view page, call_report report) {
    if (ec) {
        if (is_answer(ec) || ec == asio::error::operation_aborted) return;
        report.detail.message = "the watch received nothing, and the server does not answer: " + report.detail.message;
        conclude(finding::dead, std::move(report));
        return;
    }
    auto const list = from_json<dated_list>(page);
    if (!list || !(compare_resource_versions(list->metadata.resource_version, version_) < 0)) return;
    report.detail.message =
        "the server went back from resource version " + version_ + " to " + list->metadata.resource_version;
    conclude(finding::went_back, std::move(report));
    inform_others();
}

void watch_guard::inform_others() const {
    auto& core = state_of(client_);
    ++core.restorations; // for those that stand not now
    std::vector<std::shared_ptr<watch_guard>> others;
    for (auto* const g : core.guards)
        if (auto const other = g->weak_from_this().lock(); other && g != this) others.push_back(other);
    call_report why;
    why.detail.message = "the server went back to an older state";
    for (auto const& other : others) other->conclude(finding::went_back, why);
}

void watch_guard::conclude(finding f, call_report why) {
    if (stopped_ || found_ != finding::none) return;
    found_ = f;
    why_ = std::move(why);
    if (auto const op = waiting_.lock()) op->cancel();
    reading_.emit(asio::cancellation_type::terminal);
}

} // namespace kftrain::kube::detail
