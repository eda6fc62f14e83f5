#include "apiserver/http/watch_body.hpp"

#include <boost/asio/error.hpp>

namespace kftrain::apiserver {
namespace {

using namespace std::chrono_literals;
constexpr auto last_bookmark_before_end = 2s;

class watch_body final : public kube::body_stream {
public:
    explicit watch_body(std::shared_ptr<watch_state> state) : state_(std::move(state)) {}
    ~watch_body() override { state_->stop(asio::error::operation_aborted); }

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        state_->read(std::move(handler));
    }

private:
    std::shared_ptr<watch_state> state_;
};

class text_body final : public kube::body_stream {
public:
    text_body(asio::any_io_executor executor, std::string text)
        : executor_(std::move(executor)), text_(std::move(text)) {}

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        auto piece = std::exchange(text_, {});
        auto const ec = piece.empty() ? error_code(asio::error::eof) : error_code();
        kube::complete_later(executor_, std::move(handler), ec, std::move(piece));
    }

private:
    asio::any_io_executor executor_;
    std::string text_;
};

} // namespace

watch_state::watch_state(std::shared_ptr<server_core> core, watch_request request)
    : core_(std::move(core)), feed_(request), timer_(core_->executor()) {
    auto const now = clock::now();
    deadline_ =
        now + (request.timeout ? clock::duration(*request.timeout) : clock::duration(core_->options().watch_timeout));
    next_bookmark_ = now + core_->options().bookmark_interval;
    place_ = core_->watches().insert(core_->watches().end(), this);
}

watch_state::~watch_state() { core_->watches().erase(place_); }

void watch_state::read(handler_type handler) {
    waiting_.emplace(std::move(handler), core_->completion_executor());
    if (stopped_) return finish(stopped_, {});
    poke();
    if (!waiting_) return;
    auto slot = waiting_->slot();
    if (slot.is_connected())
        slot.assign([self = weak_from_this()](asio::cancellation_type) {
            if (auto const state = self.lock()) state->stop(asio::error::operation_aborted);
        });
    arm();
}

void watch_state::poke() {
    if (!waiting_) return;
    auto piece = feed_.pull(core_->store(), core_->now());
    if (!piece.empty()) return finish({}, std::move(piece));
    if (feed_.ended()) return finish(asio::error::eof, {});
    tick();
}

/// Does what is due by time alone.
void watch_state::tick() {
    auto const now = clock::now();
    bool const last = !last_bookmark_sent_ && now >= deadline_ - last_bookmark_before_end;
    if (now < deadline_ && (last || now >= next_bookmark_)) {
        last_bookmark_sent_ = last_bookmark_sent_ || last;
        next_bookmark_ = now + core_->options().bookmark_interval;
        if (auto line = feed_.bookmark(core_->store()); !line.empty()) return finish({}, std::move(line));
    }
    if (now >= deadline_) finish(asio::error::eof, {});
}

/// The timer is not moved for each piece: that would cost more than making the piece. It may end early.
void watch_state::arm() {
    auto next = std::min(deadline_, next_bookmark_);
    if (!last_bookmark_sent_) next = std::min(next, deadline_ - last_bookmark_before_end);
    if (armed_ && timer_.expiry() <= next) return;
    timer_.expires_at(next);
    armed_ = true;
    timer_.async_wait([self = weak_from_this()](error_code ec) {
        auto const state = self.lock();
        if (ec || !state) return;
        state->armed_ = false;
        if (!state->waiting_) return;
        state->core_->expire();
        state->poke();
        if (state->waiting_) state->arm();
    });
}

void watch_state::stop(error_code ec) {
    if (!stopped_) stopped_ = ec;
    timer_.cancel();
    armed_ = false;
    if (waiting_) finish(ec, {});
}

void watch_state::finish(error_code ec, std::string piece) {
    auto slot = waiting_->slot();
    if (slot.is_connected()) slot.clear();
    auto done = take(waiting_);
    done.complete_later(core_->executor(), ec, std::move(piece));
}

std::unique_ptr<kube::body_stream> make_text_body(asio::any_io_executor executor, std::string text) {
    return std::make_unique<text_body>(std::move(executor), std::move(text));
}

std::unique_ptr<kube::body_stream> take_stream(std::shared_ptr<server_core> const& core, reply& answer) {
    if (!answer.watch) return std::move(answer.stream);
    return std::make_unique<watch_body>(std::make_shared<watch_state>(core, *std::exchange(answer.watch, {})));
}

} // namespace kftrain::apiserver
