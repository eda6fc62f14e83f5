#include <kftrain/kube/watch.hpp>

#include "kube/answers/expected_place.hpp"
#include "kube/answers/undecodable_object.hpp"
#include "kube/async/operation.hpp"
#include "kube/calls/client_state.hpp"
#include "kube/watch/streamed_list.hpp"
#include "kube/watch/watch_decoder.hpp"

#include <boost/asio/error.hpp>

#include <optional>
#include <utility>

namespace kftrain::kube {

struct any_watch_stream::state {
    state(client c, object_type const& t, std::unique_ptr<body_stream> b, std::string ns, watch_options const& o)
        : link(std::move(c)),
          type(t.share()),
          body(std::move(b)),
          place(std::move(ns), o.field_selector),
          version(o.resource_version),
          awaits_mark(o.initial_events) {
        in_order = !o.initial_events && !version.empty() && version != "0";
    }

    /// Ends the watch with the error that every further call returns, too.
    void end(error_code ec, diagnostics detail = {}) {
        ended = ec;
        why = link.redact(std::move(detail));
        body.reset();
    }
    void close() {
        auto const pending = waiting.lock();
        if (!turn.expired() && pending)
            pending->cancel(); // its end destroys the body, too
        else if (!ended)
            end(asio::error::operation_aborted); // for a call that was deferred and has not begun
    }
    /// Nothing if more bytes are needed, or the watch has ended.
    std::optional<any_change> take(diagnostics* detail);
    /// Nothing if the object is not one that is watched, or the watch has ended.
    std::optional<any_change> change_of(watch_event const& event, diagnostics* detail);
    bool is_watched(std::string_view ns, std::string_view name);

    /// `turn` lasts as long as this does.
    static asio::awaitable<any_change> next(std::shared_ptr<state> s, std::shared_ptr<void> turn, diagnostics* detail);

    client link;
    std::shared_ptr<object_type const> type;
    std::unique_ptr<body_stream> body;
    watch_decoder decoder;
    detail::expected_place place;
    std::string version;
    bool in_order;    // versions only grow from here on
    bool awaits_mark; // of the end of what was there when the watch began
    error_code ended;
    diagnostics why;          // of `ended`
    std::weak_ptr<void> turn; // of the call that waits for an event
    std::weak_ptr<detail::operation> waiting;
};

std::optional<any_change> any_watch_stream::state::take(diagnostics* detail) {
    while (!ended) {
        auto event = decoder.next();
        if (!event) {
            end(event.error().code, std::move(event.error().detail));
            return {};
        }
        if (!*event) return {};
        if (auto change = change_of(**event, detail)) return change;
    }
    return {};
}

std::optional<any_change> any_watch_stream::state::change_of(watch_event const& event, diagnostics* detail) {
    if (event.is_error) {
        detail::call_report report;
        auto const ec = detail::decode_status(event.object, report);
        end(ec, std::move(report.detail));
        return {};
    }
    auto object = type->decode(event.object);
    if (!object) {
        auto m = detail::read_undecodable(*type->info, event.object, object.error());
        if (!m.name.empty() && !is_watched(m.namespace_, m.name)) return {};
        m.why.detail.message.insert(0, m.subject() + ": "); // callers look at the path
        if (detail != nullptr) *detail = link.redact(std::move(m.why.detail));
        detail::fail(m.why.code);
    }
    any_change change;
    change.kind = event.change;
    auto const& metadata = type->metadata(object->get());
    if (change.kind && !is_watched(metadata.namespace_, metadata.name)) return {};
    if (!change.kind) {
        change.ends_initial_list = detail::ends_initial_list(metadata);
        awaits_mark = awaits_mark && !change.ends_initial_list;
    }
    in_order = in_order || (!awaits_mark && change.kind != change_kind::added);
    if (in_order) change.resource_version = version = metadata.resource_version;
    if (change.kind) change.object = any_object(*type, std::move(*object));
    return change;
}

bool any_watch_stream::state::is_watched(std::string_view ns, std::string_view name) {
    if (auto fits = place.check(ns, name); !fits) return end(fits.error().code, fits.error().detail), false;
    return place.selects(name);
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
        // A part of an event is not an event.
        bool const torn = ec == asio::error::eof && s->decoder.pending() != 0;
        s->end(torn ? make_error_code(errc::connection_lost) : ec);
    }
}

any_watch_stream::any_watch_stream(client c, object_type const& type, std::unique_ptr<body_stream> body, std::string ns,
                                   watch_options const& options)
    : state_(detail::client_access::place_of(c),
             std::make_shared<state>(c, type, std::move(body), std::move(ns), options)) {}

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
