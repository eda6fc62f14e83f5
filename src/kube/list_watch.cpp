#include "kube/list_watch.hpp"

#include "kube/operation.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>

namespace kftrain::kube::detail {
namespace {

/// Servers end a watch at the time they were asked to; a stream silent for longer is dead.
constexpr std::chrono::seconds idle_grace(5);

using piece = std::tuple<error_code, std::string>;

asio::awaitable<std::string> piece_body(asio::any_io_executor executor, body_stream& body) {
    auto [ec, bytes] = co_await read_piece(executor, body);
    if (ec) fail(ec);
    co_return std::move(bytes);
}

asio::awaitable<piece> read_piece_within(asio::any_io_executor executor, body_stream& body,
                                         std::chrono::milliseconds limit) {
    return initiate<void(error_code, std::string)>(
        executor, asio::as_tuple(asio::use_awaitable),
        [executor, &body, limit](any_handler<void(error_code, std::string)> h) {
            spawn(executor, piece_body(executor, body), deadline(limit, nullptr, {}), std::move(h));
        });
}

reflector::moment now(client const& c) {
    auto const t = std::chrono::steady_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::milliseconds>(t), 1 + c.core()->jitter()};
}

} // namespace

list_watch::list_watch(client c, std::string ns, object_type const& type, reflector::options options,
                       collection_sink& sink)
    : client_(std::move(c)), namespace_(std::move(ns)), type_(type), machine_(std::move(options)), sink_(sink) {}

asio::awaitable<void> list_watch::run() {
    input in = reflector_input::proceed();
    for (;;) {
        reflector::action next = machine_.resume(in, now(client_));
        sink_.processed(machine_.resource_version());
        if (sink_.finished()) co_return;
        in = co_await perform(std::move(next));
    }
}

asio::awaitable<list_watch::input> list_watch::perform(reflector::action action) {
    if (auto* a = std::get_if<reflector_action::list>(&action)) return list(std::move(a->params));
    if (auto* a = std::get_if<reflector_action::watch>(&action)) return open(std::move(a->params));
    if (auto* a = std::get_if<reflector_action::sleep>(&action)) return sleep(a->time);
    if (std::holds_alternative<reflector_action::read>(action)) return read();
    return store(std::move(action));
}

asio::awaitable<list_watch::input> list_watch::store(reflector::action action) {
    if (std::holds_alternative<reflector_action::replace>(action))
        sink_.replace(std::move(items_));
    else
        sink_.apply(event_type_, std::move(event_object_));
    items_.clear();
    event_object_.reset();
    co_return reflector_input::proceed();
}

asio::awaitable<list_watch::input> list_watch::list(list_params params) {
    stream_.reset();
    if (params.continue_.empty()) items_.clear();
    call_report report;
    auto request = request::list(*type_.info, namespace_, params);
    call_options options;
    options.retry = false; // waiting is the machine's business
    auto [ec, text] = co_await call(client_, std::move(request), std::move(options), report);
    if (ec) co_return failed("list", ec, report);
    auto page = decode_page(text);
    if (!page) {
        report.detail = page.error().detail;
        co_return failed("list", page.error().code, report);
    }
    co_return reflector_input::page(std::move(page->resource_version), std::move(page->continue_));
}

asio::awaitable<list_watch::input> list_watch::open(watch_params params) {
    stream_.reset();
    decoder_ = watch_decoder();
    idle_limit_ = std::chrono::seconds(params.timeout_seconds) + idle_grace;
    call_report report;
    auto request = request::watch(*type_.info, namespace_, params);
    call_options options;
    options.timeout = idle_limit_; // some proxies hold the head back until the first event
    auto [ec, body] = co_await detail::open(client_, std::move(request), std::move(options), report);
    if (ec) co_return failed("watch", ec, report);
    stream_ = std::move(body);
    co_return reflector_input::opened();
}

asio::awaitable<list_watch::input> list_watch::read() {
    for (;;) {
        auto event = decoder_.next();
        if (!event) {
            call_report report;
            report.detail = event.error().detail;
            co_return failed("watch", event.error().code, report);
        }
        if (*event) {
            auto in = take(std::move(**event));
            if (in) co_return std::move(*in);
            continue;
        }
        auto [ec, bytes] = co_await read_piece_within(client_.get_executor(), *stream_, idle_limit_);
        if (ec == asio::error::eof) {
            stream_.reset();
            co_return reflector_input::ended();
        }
        if (ec) co_return failed("watch", ec, call_report());
        decoder_.feed(bytes);
    }
}

asio::awaitable<list_watch::input> list_watch::sleep(std::chrono::milliseconds time) {
    asio::steady_timer timer(client_.get_executor(), time);
    co_await timer.async_wait(asio::use_awaitable);
    co_return reflector_input::proceed();
}

/// Nothing if the event is passed over.
std::optional<list_watch::input> list_watch::take(watch_event event) {
    if (event.type == watch_event::kind::error) {
        call_report report;
        error_code const ec = decode_status(event.object, report);
        return failed("watch", ec, report);
    }
    auto object = type_.decode(event.object);
    if (!object) {
        if (is_misfit(object.error().code)) {
            sink_.undecodable(failure(object.error().code, client_.redact(object.error().detail)));
            return {};
        }
        call_report report;
        report.detail = object.error().detail;
        return failed("watch", object.error().code, report);
    }
    event_type_ = event.type;
    event_object_ = std::move(*object);
    return reflector_input::event(event.type, type_.metadata(event_object_.get()).resource_version);
}

list_watch::input list_watch::failed(std::string_view step, error_code ec, call_report report) {
    report.detail = client_.redact(std::move(report.detail));
    bool const streaming = stream_ != nullptr;
    stream_.reset();
    if (ec != asio::error::operation_aborted) sink_.failed(step, ec, report);
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

} // namespace kftrain::kube::detail
