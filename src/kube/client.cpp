#include "kube/client_call.hpp"
#include "kube/client_core.hpp"
#include "kube/credentials/impersonation.hpp"
#include "kube/operation.hpp"

#include <boost/asio/as_tuple.hpp>

#include <type_traits>
#include <utility>

namespace kftrain::kube {
namespace detail {
namespace {

using state_ptr = std::shared_ptr<client::state>;

template <class T> asio::awaitable<T> refuse(error_code ec) {
    fail(ec);
    co_return T();
}

template <class T>
void start_call(state_ptr const& s, any_handler<void(error_code, T)> handler, result<http_request>&& request,
                call_options const& options, call_report* report) {
    if (options.detail != nullptr) *options.detail = diagnostics();
    if (request)
        if (auto ok = add_impersonation(s->options.as, request->fields); !ok) request = ok.error();
    if (!request) {
        if (options.detail != nullptr) *options.detail = request.error().detail;
        if (report != nullptr) report->detail = request.error().detail;
        spawn(s->link->get_executor(), refuse<T>(request.error().code), deadline(), std::move(handler));
        return;
    }
    if (!s->user_agent.empty()) request->fields.set("User-Agent", s->user_agent);
    if (std::is_same_v<T, std::string> && s->options.gzip && s->link->allows_compression() && request->method == "GET")
        request->fields.set("Accept-Encoding", "gzip");
    carry_out(s, std::move(handler), std::move(*request), options, report);
}

} // namespace

asio::awaitable<std::tuple<error_code, std::string>> call(client const& c, result<http_request> request,
                                                          call_options options, call_report& report) {
    return initiate<void(error_code, std::string)>(
        c.get_executor(), asio::as_tuple(asio::use_awaitable),
        [s = client_access::state_of(c), &report](any_handler<void(error_code, std::string)> h, result<http_request> r,
                                                  call_options o) {
            start_call(s, std::move(h), std::move(r), o, &report);
        },
        std::move(request), std::move(options));
}

asio::awaitable<std::tuple<error_code, std::unique_ptr<body_stream>>>
open(client const& c, result<http_request> request, call_options options, call_report& report) {
    using handler = any_handler<void(error_code, std::unique_ptr<body_stream>)>;
    return initiate<void(error_code, std::unique_ptr<body_stream>)>(
        c.get_executor(), asio::as_tuple(asio::use_awaitable),
        [s = client_access::state_of(c), &report](handler h, result<http_request> r, call_options o) {
            start_call(s, std::move(h), std::move(r), o, &report);
        },
        std::move(request), std::move(options));
}

void bar_calls(client const& c) {
    auto& s = state_of(c);
    s.barred = true;
    for (auto const& [at, call] : std::map(s.calls))
        if (auto const alive = call.lock()) alive->cancel();
}

void allow_calls(client const& c) { state_of(c).barred = false; }

asio::awaitable<std::tuple<error_code, std::string>> read_piece(asio::any_io_executor executor, body_stream& body) {
    return initiate<void(error_code, std::string)>(
        std::move(executor), asio::as_tuple(asio::use_awaitable),
        [&body](any_handler<void(error_code, std::string)> h) { body.async_read(std::move(h)); });
}

} // namespace detail

client_options& client_options::with_on_warning(std::function<void(server_warning const&)> f) {
    on_warning = std::move(f);
    return *this;
}

client_options& client_options::with_on_request(std::function<void(request_report const&)> f) {
    on_request = std::move(f);
    return *this;
}

client_options& client_options::with_on_attempt(std::function<void(request_report const&)> f) {
    on_attempt = std::move(f);
    return *this;
}
client_options& client_options::with_on_repair(std::function<void(resource_info const&, failure const&)> f) {
    on_repair = std::move(f);
    return *this;
}

client_options& client_options::with_before_request(std::function<void(http_request&)> f) {
    before_request = std::move(f);
    return *this;
}

client_options& client_options::with_impersonation(impersonation who) {
    as = std::move(who);
    return *this;
}

client_options& client_options::with_logger(kftrain::logger l) {
    logger = std::move(l);
    return *this;
}

client::client(std::shared_ptr<transport> t, client_options options)
    : state_(std::make_shared<state>(std::move(t), std::move(options))) {}

client client::with_transport(std::shared_ptr<transport> t) const {
    client other(std::make_shared<state>(std::move(t), *state_));
    other.any_thread_ = any_thread_;
    return other;
}

client client::thread_safe() const {
    client same(state_);
    same.any_thread_ = true;
    return same;
}

detail::start_place client::place() const { return detail::start_place(get_executor(), state_->check, any_thread_); }

asio::any_io_executor client::get_executor() const noexcept { return state_->link->get_executor(); }
std::shared_ptr<transport> const& client::get_transport() const noexcept { return state_->link; }
client_options const& client::options() const noexcept { return state_->options; }

diagnostics client::redact(diagnostics d) const {
    detail::hide_in(d, [&](std::string text) { return state_->link->redact(std::move(text)); });
    return d;
}

void client::start(std::shared_ptr<state> const& s, any_handler<void(error_code, std::string)> handler,
                   result<http_request> request, call_options options) {
    detail::start_call(s, std::move(handler), std::move(request), options, nullptr);
}

void client::start(std::shared_ptr<state> const& s, any_handler<void(error_code, std::unique_ptr<body_stream>)> handler,
                   result<http_request> request, call_options options) {
    detail::start_call(s, std::move(handler), std::move(request), options, nullptr);
}

} // namespace kftrain::kube
