#include "kube/watch/list_watch.hpp"

#include "base/undecodable.hpp"
#include "kube/async/operation.hpp"

#include <kftrain/kube/resource_version.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>

#include <compare>

namespace kftrain::kube::detail {
namespace {

/// Servers end a watch at the requested time; a stream that is silent for longer is dead.
constexpr std::chrono::seconds idle_grace(5);

using piece = std::tuple<error_code, std::string>;
using opened_body = std::tuple<error_code, std::unique_ptr<body_stream>>;

asio::awaitable<piece> read_guarded(asio::any_io_executor executor, body_stream& body,
                                    std::shared_ptr<watch_guard> guard) {
    return initiate<void(error_code, std::string)>(
        executor, asio::as_tuple(asio::use_awaitable),
        [&body, guard = std::move(guard)](any_handler<void(error_code, std::string)> h) {
            guard->read(body, std::move(h));
        });
}

asio::awaitable<std::unique_ptr<body_stream>> opening_body(client const& c, result<http_request> request,
                                                           call_options options, call_report& report) {
    auto [ec, body] = co_await detail::open(c, std::move(request), std::move(options), report);
    if (ec) fail(ec);
    co_return std::move(body);
}

asio::awaitable<opened_body> open_guarded(client const& c, result<http_request> request, call_options options,
                                          call_report& report, std::shared_ptr<watch_guard> guard) {
    return initiate<void(error_code, std::unique_ptr<body_stream>)>(
        c.get_executor(), asio::as_tuple(asio::use_awaitable),
        [&c, &report, guard = std::move(guard)](any_handler<void(error_code, std::unique_ptr<body_stream>)> h,
                                                result<http_request> r, call_options o) {
            guard->protect(
                spawn(c.get_executor(), opening_body(c, std::move(r), std::move(o), report), deadline(), std::move(h)));
        },
        std::move(request), std::move(options));
}

reflector::moment now(client const& c) {
    auto const t = time_of(c).now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::milliseconds>(t), 1 + state_of(c).jitter()};
}

std::string name_of_collection(resource_info const& i) { return i.api_version().append("/").append(i.plural); }

} // namespace

list_watch::list_watch(client c, followed_collection what, reflector::options options, collection_sink& sink,
                       std::chrono::milliseconds silence, std::chrono::milliseconds patience)
    : client_(std::move(c)),
      what_(std::move(what)),
      type_(what_.shown()),
      place_(what_.get_namespace(), options.field_selector),
      machine_(std::move(options)),
      sink_(sink),
      silence_(silence),
      patience_(patience) {}

list_watch::~list_watch() {
    if (guard_) guard_->abandon();
}

void list_watch::end_watch() {
    stream_.reset();
    streamed_.drop();
    if (auto const g = std::exchange(guard_, nullptr)) g->stop();
}

asio::awaitable<void> list_watch::run() {
    try {
        co_await follow();
    } catch (...) {
        end_watch();
        throw;
    }
    end_watch();
}

asio::awaitable<void> list_watch::follow() {
    auto const cancellation = co_await asio::this_coro::cancellation_state;
    input in = reflector_input::proceed();
    for (;;) {
        auto next = advance(std::move(in), cancellation);
        if (!next) co_return;
        in = co_await perform(std::move(*next));
    }
}

/// Takes steps until something has to be waited for; nothing when the sink is finished.
std::optional<reflector::action> list_watch::advance(input in, asio::cancellation_state const& cancellation) {
    for (;;) {
        reflector::action next = machine_.resume(in, now(client_));
        sink_.processed(machine_.resource_version());
        if (sink_.finished()) return {};
        if (cancellation.cancelled() != asio::cancellation_type::none) fail(asio::error::operation_aborted);
        auto known = at_once(next);
        if (!known) return next;
        in = std::move(*known);
    }
}

/// Performs an action that needs no waiting; returns nothing for other actions.
std::optional<list_watch::input> list_watch::at_once(reflector::action const& action) {
    if (std::holds_alternative<reflector_action::read>(action)) return next_event();
    if (std::holds_alternative<reflector_action::apply>(action)) {
        sink_.apply(event_kind_, std::move(event_object_));
        event_object_.reset();
        return reflector_input::proceed();
    }
    if (std::holds_alternative<reflector_action::gather>(action)) {
        auto object = sink_.known(std::exchange(event_object_, nullptr));
        auto const& metadata = type_.metadata(object.get());
        streamed_.take(event_kind_, metadata, std::move(object), time_of(client_).now());
        return reflector_input::proceed();
    }
    if (auto const* all = std::get_if<reflector_action::replace>(&action)) {
        if (streamed_.going()) finish_stream(all->resource_version);
        if (std::exchange(found_no_streams_, false)) remember_missing_streaming();
        doubtful_ = false;
        sink_.replace(std::move(items_), undecodable_);
        items_.clear();
        undecodable_.clear();
        return reflector_input::proceed();
    }
    return {};
}

asio::awaitable<list_watch::input> list_watch::perform(reflector::action action) {
    if (auto* a = std::get_if<reflector_action::list>(&action)) return list(std::move(*a));
    if (auto* a = std::get_if<reflector_action::watch>(&action)) return open(std::move(a->params));
    if (auto* a = std::get_if<reflector_action::sleep>(&action)) return sleep(a->time);
    return read();
}

asio::awaitable<list_watch::input> list_watch::list(reflector_action::list action) {
    end_watch();
    if (action.not_streamed) report_missing_streaming();
    found_no_streams_ = found_no_streams_ || action.not_streamed;
    auto const& params = action.params;
    if (params.continue_.empty()) {
        items_.clear();
        undecodable_.clear();
        pages_ = page_guard();
        restorations_ = state_of(client_).restorations;
    }
    call_report report;
    auto request = what_.list(params);
    call_options options;
    options.retry = false; // waiting is the machine's business
    auto [ec, text] = co_await call(client_, std::move(request), std::move(options), report);
    if (ec) co_return failed("list", ec, report);
    auto const before = items_.size() + undecodable_.size();
    auto page = decode_page(text);
    if (page)
        if (auto const ends = pages_.take(page->continue_, items_.size() + undecodable_.size() == before); !ends)
            page = ends.error();
    if (!page) {
        report.detail = page.error().detail;
        co_return failed("list", page.error().code, report);
    }
    co_return reflector_input::page(std::move(page->resource_version), std::move(page->continue_));
}

asio::awaitable<list_watch::input> list_watch::open(watch_options params) {
    end_watch();
    if (params.initial_events) {
        if (lacks_streaming()) co_return reflector_input::not_streamed(true);
        streamed_.begin(time_of(client_).now());
        undecodable_.clear();
        found_no_streams_ = false;
        restorations_ = state_of(client_).restorations;
    }
    if (restorations_ != state_of(client_).restorations) co_return reflector_input::went_back();
    decoder_ = watch_decoder();
    idle_limit_ = std::chrono::seconds(params.timeout_seconds) + idle_grace;
    opened_at_ = time_of(client_).now();
    guard_ = std::make_shared<watch_guard>(client_, what_, params.resource_version, silence_);
    guard_->start(std::exchange(doubtful_, false));
    call_report report;
    auto request = what_.watch(params);
    call_options options;
    options.timeout = first_limit(); // some proxies hold the head back until the first event
    auto [ec, body] = co_await open_guarded(client_, std::move(request), std::move(options), report, guard_);
    if (ec) co_return lost(ec, report);
    guard_->opened(first_limit());
    stream_ = std::move(body);
    co_return reflector_input::opened();
}

asio::awaitable<list_watch::input> list_watch::read() {
    for (;;) {
        if (is_overdue()) co_return overdue();
        // Something came in the moment in which the guard gave up.
        if (guard_->found() != watch_guard::finding::none)
            co_return lost(asio::error::operation_aborted, call_report());
        auto [ec, bytes] = co_await read_guarded(client_.get_executor(), *stream_, guard_);
        if (ec == asio::error::eof) {
            // Servers that stop end their watches in good order.
            doubtful_ = !streamed_.going() && time_of(client_).now() - opened_at_ < idle_limit_ - 2 * idle_grace;
            end_watch();
            co_return reflector_input::ended();
        }
        if (ec) co_return lost(ec, call_report());
        guard_->note_activity();
        decoder_.feed(bytes);
        if (auto in = next_event()) co_return std::move(*in);
    }
}

asio::awaitable<list_watch::input> list_watch::sleep(std::chrono::milliseconds time) {
    timer pause(client_.get_executor(), time);
    co_await pause.async_wait(asio::use_awaitable);
    co_return reflector_input::proceed();
}

/// Of what was received; nothing if more is needed.
std::optional<list_watch::input> list_watch::next_event() {
    for (;;) {
        auto event = decoder_.next_unread();
        if (!event) return undecoded(std::move(event.error().detail), event.error().code);
        if (!*event) return {};
        if (auto in = take(**event)) return in;
    }
}

/// Nothing if the event is passed over.
std::optional<list_watch::input> list_watch::take(watch_event event) {
    if (event.is_error) {
        call_report report;
        error_code const ec = decode_status(event.object, report);
        return failed("watch", ec, report);
    }
    auto object = what_.decode(event.object);
    if (!object) {
        // Perhaps it was no object, but more of the event than that.
        auto const exact = decoder_.exact();
        if (!exact) return undecoded(exact.error().detail, exact.error().code);
        if (!*exact) return {};
        if ((*exact)->object != event.object) return take(**exact);
        if (kftrain::detail::is_undecodable(object.error().code)) return take_undecodable(event, object.error());
        return undecoded(std::move(object.error().detail), object.error().code);
    }
    auto const& metadata = type_.metadata(object->get());
    if (event.change) {
        if (auto const fits = place_.check(metadata.namespace_, metadata.name); !fits)
            return undecoded(fits.error().detail, fits.error().code);
        if (!place_.selects(metadata.name)) return {};
    }
    if (event.change) event_kind_ = *event.change;
    event_object_ = std::move(*object);
    bool const all = !event.change && ends_initial_list(metadata);
    return reflector_input::event(event.change, metadata.resource_version, all);
}

/// Returns the input for a read that failed or that the guard ended.
list_watch::input list_watch::lost(error_code ec, call_report const& report) {
    bool const ended_here = ec == asio::error::operation_aborted || ec == make_error_code(errc::timeout);
    if (ended_here && is_overdue()) return overdue();
    if (ec != asio::error::operation_aborted || guard_->found() == watch_guard::finding::none)
        return failed("watch", ec, report);
    auto const guard = guard_;
    if (guard->found() == watch_guard::finding::dead) return failed("watch", errc::timeout, guard->why());
    sink_.failed("watch", reason::expired, guard->why());
    log_repair(client_, what_.info(), reason::expired, guard->why().detail);
    end_watch();
    return reflector_input::went_back();
}

list_watch::input list_watch::failed(std::string_view step, error_code ec, call_report report) {
    report.detail = client_.redact(std::move(report.detail));
    if (ec == make_error_code(reason::not_acceptable)) what_.request_whole_objects();
    bool const streaming = stream_ != nullptr;
    end_watch();
    doubtful_ = doubtful_ || ec.category() != server_category();
    if (ec != asio::error::operation_aborted) {
        sink_.failed(step, ec, report);
        log_repair(client_, what_.info(), ec, report.detail);
    }
    if (streaming) {
        reflector_input::ended e(ec);
        e.retry_after = report.retry_after;
        return e;
    }
    reflector_input::failed f(ec);
    f.retry_after = report.retry_after;
    f.resource_version_too_large = report.resource_version_too_large;
    return f;
}

result<meta::list_meta> list_watch::decode_page(std::string_view text) {
    auto const before = items_.size();
    auto const undecodable_before = undecodable_.size();
    auto page = what_.decode_page(text, items_, undecodable_);
    if (!page) return page;
    for (auto i = before; i != items_.size(); ++i) {
        auto const& m = type_.metadata(items_[i].get());
        if (auto fits = place_.check_listed(m.namespace_, m.name); !fits) return fits.error();
    }
    for (auto i = undecodable_before; i != undecodable_.size(); ++i) {
        hide_secrets(undecodable_[i]);
        if (!undecodable_[i].name.empty() && !place_.selects(undecodable_[i].name))
            return place_.check_listed(undecodable_[i].namespace_, undecodable_[i].name).error();
    }
    share_known(before);
    return page;
}

list_watch::input list_watch::undecoded(diagnostics why, error_code ec) {
    call_report report;
    report.detail = std::move(why);
    return failed("watch", ec, std::move(report));
}

void list_watch::hide_secrets(undecodable_object& m) const { m.why.detail = client_.redact(std::move(m.why.detail)); }

/// An event with an object that does not fit. The watch has reached the version of that object nevertheless.
std::optional<list_watch::input> list_watch::take_undecodable(watch_event const& event, failure why) {
    if (!event.change) return undecoded(std::move(why.detail), errc::protocol);
    auto m = what_.undecodable_of(event.object, std::move(why));
    hide_secrets(m);
    if (!m.name.empty()) {
        if (auto const fits = place_.check(m.namespace_, m.name); !fits)
            return undecoded(fits.error().detail, fits.error().code);
        if (!place_.selects(m.name)) return {};
    }
    if (streamed_.going()) {
        if (event.change != change_kind::deleted) undecodable_.push_back(std::move(m));
        return {};
    }
    sink_.apply_undecodable(*event.change, m);
    if (compare_resource_versions(m.resource_version, machine_.resource_version()) != std::partial_ordering::greater)
        return {};
    return reflector_input::event(std::nullopt, m.resource_version);
}

bool list_watch::lacks_streaming() const {
    auto const& found = state_of(client_).unstreamed;
    auto const it = found.find(name_of_collection(what_.info()));
    return it != found.end() && time_of(client_).now() < it->second;
}

/// For all followers of this type that use this client: each attempt costs a request, or `streaming_patience`.
void list_watch::remember_missing_streaming() {
    constexpr std::chrono::minutes meanwhile(10);
    state_of(client_).unstreamed[name_of_collection(what_.info())] = time_of(client_).now() + meanwhile;
}

/// How long a streaming list may pause before it is complete.
std::chrono::milliseconds list_watch::first_limit() const {
    return streamed_.going() && patience_.count() > 0 ? patience_ : idle_limit_;
}

/// Nothing came for long that only a list which is under way brings.
bool list_watch::is_overdue() const {
    return streamed_.going() && time_of(client_).now() - streamed_.last_sign() >= first_limit();
}

list_watch::input list_watch::overdue() {
    end_watch();
    return reflector_input::not_streamed();
}

/// Reports that pages replace a streaming list.
void list_watch::report_missing_streaming() {
    call_report report;
    report.detail.message = "the server does not support streaming lists of " + std::string(what_.info().plural) +
                            "; the client reads pages instead";
    sink_.failed("streaming list", errc::not_supported, report);
}

/// The same watch goes on behind the list.
void list_watch::finish_stream(std::string const& version) {
    items_ = streamed_.finish();
    guard_->reached(version);
    guard_->opened(idle_limit_);
}

/// An object that did not change stays the one that is shared already: the list takes no memory for it.
void list_watch::share_known(std::size_t from) {
    for (auto i = from; i != items_.size(); ++i) items_[i] = sink_.known(std::move(items_[i]));
}

} // namespace kftrain::kube::detail
