#include <kftrain/kube/watch.hpp>

#include "kube/client_core.hpp"
#include "kube/operation.hpp"
#include "kube/streamed_list.hpp"
#include "kube/watch_decoder.hpp"

#include <boost/asio/error.hpp>

#include <optional>
#include <utility>

namespace kftrain::kube {
namespace {

change_kind to_change(watch_event::kind k) {
    switch (k) {
    case watch_event::kind::modified: return change_kind::modified;
    case watch_event::kind::deleted: return change_kind::deleted;
    case watch_event::kind::bookmark: return change_kind::bookmark;
    default: return change_kind::added;
    }
}

} // namespace

struct any_watch_stream::state {
    state(client c, object_type const& t, std::unique_ptr<body_stream> b, std::string from, bool initial)
        : link(std::move(c)), type(t.share()), body(std::move(b)), version(std::move(from)), awaits_mark(initial) {
        in_order = !initial && !version.empty() && version != "0";
    }

    /// Ends the watch with what every further call will say, too.
    void end(error_code ec, diagnostics said = {}) {
        ended = ec;
        why = link.redact(std::move(said));
        body.reset();
    }
    /// Nothing if more bytes are needed.
    std::optional<any_change> take(diagnostics* detail);

    /// `turn` lasts as long as this does.
    static asio::awaitable<any_change> next(std::shared_ptr<state> s, std::shared_ptr<void> turn, diagnostics* detail);

    client link;
    std::shared_ptr<object_type const> type;
    std::unique_ptr<body_stream> body;
    watch_decoder decoder;
    std::string version;
    bool in_order;    // versions only grow from here on
    bool awaits_mark; // of the end of what was there when the watch began
    error_code ended;
    diagnostics why;          // of `ended`
    std::weak_ptr<void> turn; // of who waits for an event
    std::weak_ptr<detail::operation> waiting;
};

std::optional<any_change> any_watch_stream::state::take(diagnostics* detail) {
    auto event = decoder.next();
    if (!event) {
        end(event.error().code, std::move(event.error().detail));
        return {};
    }
    if (!*event) return {};
    if ((*event)->type == watch_event::kind::error) {
        detail::call_report report;
        auto const ec = detail::decode_status((*event)->object, report);
        end(ec, std::move(report.detail));
        return {};
    }
    auto object = type->decode((*event)->object);
    if (!object) {
        if (detail != nullptr) *detail = link.redact(std::move(object.error().detail));
        detail::fail(object.error().code);
    }
    any_change change;
    change.kind = to_change((*event)->type);
    auto const& metadata = type->metadata(object->get());
    if (change.kind == change_kind::bookmark) {
        change.ends_initial_list = detail::ends_initial_list(metadata);
        awaits_mark = awaits_mark && !change.ends_initial_list;
    }
    in_order = in_order || (!awaits_mark && change.kind != change_kind::added);
    if (in_order) change.resource_version = version = metadata.resource_version;
    if (change.kind != change_kind::bookmark) {
        change.object = any_object(*type, std::move(*object));
    }
    return change;
}

asio::awaitable<any_change> any_watch_stream::state::next(std::shared_ptr<state> s, std::shared_ptr<void>,
                                                          diagnostics* detail) {
    if (detail != nullptr) *detail = diagnostics();
    for (;;) {
        if (!s->ended)
            if (auto change = s->take(detail)) co_return std::move(*change);
        if (s->ended) {
            if (detail != nullptr) *detail = s->why;
            detail::fail(s->ended);
        }
        auto [ec, bytes] = co_await detail::read_piece(s->link.get_executor(), *s->body);
        if (!ec) {
            s->decoder.feed(bytes);
            continue;
        }
        // What was received of an event is no event.
        bool const torn = ec == asio::error::eof && s->decoder.pending() != 0;
        s->end(torn ? make_error_code(errc::connection_lost) : ec);
    }
}

any_watch_stream::any_watch_stream(client c, object_type const& type, std::unique_ptr<body_stream> body,
                                   std::string from, bool initial)
    : executor_(c.get_executor()),
      state_(std::make_shared<state>(std::move(c), type, std::move(body), std::move(from), initial)) {}

any_watch_stream& any_watch_stream::operator=(any_watch_stream&& other) noexcept {
    std::swap(executor_, other.executor_);
    std::swap(state_, other.state_);
    return *this;
}

any_watch_stream::~any_watch_stream() { close(); }

void any_watch_stream::close() noexcept {
    if (!state_) return;
    auto const pending = state_->waiting.lock();
    if (!state_->turn.expired() && pending)
        pending->cancel(); // its end takes the body along
    else if (!state_->ended)
        state_->end(asio::error::operation_aborted); // for a call that was deferred and has not begun
}

std::string const& any_watch_stream::resource_version() const noexcept {
    static std::string const none;
    return state_ ? state_->version : none;
}

void any_watch_stream::start_next(std::shared_ptr<state> const& s, any_handler<void(error_code, any_change)> handler,
                                  next_options options) {
    if (!s->turn.expired())
        return complete_later(s->link.get_executor(), std::move(handler), errc::already_running, any_change());
    auto turn = std::make_shared<int>();
    s->turn = turn;
    detail::deadline limit(options.timeout, options.detail, "watch of " + std::string(s->type->info->plural));
    s->waiting = detail::spawn(s->link.get_executor(), state::next(s, std::move(turn), options.detail),
                               std::move(limit), std::move(handler));
}

} // namespace kftrain::kube
