#define KFTRAIN_DESCRIBE_MEMBERS // this source describes a struct of its own
#include "jobs_api.hpp"

#include <kftrain/facade/served_kind.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>

namespace service {

namespace kube = kftrain::kube;

namespace {

struct problem {
    std::string message;
    std::vector<std::string> causes;
};
BOOST_DESCRIBE_STRUCT(problem, (), (message, causes))

unsigned status_of(kftrain::error_code ec) {
    if (is_not_found(ec) || is_gone(ec) || ec == kftrain::errc::deleted) return 404;
    if (is_already_exists(ec) || is_conflict(ec)) return 409;
    if (is_forbidden(ec)) return 403;
    if (ec == kftrain::errc::invalid_job || is_invalid(ec)) return 422;
    if (is_timeout(ec)) return 504;
    bool const is_of_request = ec.category() == kftrain::client_category() && !is_unreached(ec);
    return is_of_request || ec == kftrain::reason::bad_request ? 400 : 502;
}

reply refusal(kftrain::failure const& f) {
    problem p;
    p.message = f.to_string();
    for (auto const& c : f.detail.causes) p.causes.push_back(c.field + ": " + c.message);
    return {status_of(f.code), kftrain::to_json(p)};
}

[[noreturn]] void refuse(std::string message, kftrain::error_code why = kftrain::errc::invalid_argument) {
    kftrain::diagnostics detail;
    detail.message = std::move(message);
    throw kftrain::error(kftrain::failure(why, std::move(detail)));
}

constexpr std::array routes{"GET /jobs",          "POST /jobs",           "GET /watch",
                            "GET /jobs/*",        "DELETE /jobs/*",       "GET /jobs/*/logs",
                            "GET /jobs/*/events", "GET /jobs/*/watch",    "GET /jobs/*/explanation",
                            "POST /jobs/*/scale", "POST /jobs/*/suspend", "POST /jobs/*/resume"};

/// A request with its arguments.
struct call {
    explicit call(http_request const& r) : request(r), is_of_job(r.parts.size() >= 4 && r.parts[0] == "jobs") {
        std::string words = r.method + r.idempotency_key;
        for (auto const& part : r.parts) words += part;
        for (auto const& [name, value] : r.query) words += name + value;
        if (!kftrain::from_json<std::string>(kftrain::to_json(words))) refuse("path, query and keys: expected UTF-8");
    }
    std::string kind_name() const { return is_of_job ? request.parts[1] : word("kind"); }
    kftrain::job_reference job() const {
        if (kind == nullptr || request.parts[2].empty() || request.parts[3].empty())
            refuse("path: expected /jobs/KIND/NAMESPACE/NAME");
        return {*kind, request.parts[2], request.parts[3]};
    }
    std::string word(std::string const& name) const {
        auto const at = request.query.find(name);
        return at == request.query.end() ? std::string() : at->second;
    }
    std::optional<std::int32_t> number(std::string const& name) const {
        auto const text = word(name);
        if (text.empty()) return std::nullopt;
        if (auto const n = kftrain::from_json<std::int32_t>(text); n && *n >= 0) return *n;
        refuse(name + ": expected a number of at least 0, got " + text);
    }
    template <class Options> Options selected() const { // for lists and watches
        Options o;
        o.namespace_ = word("namespace");
        o.all_namespaces = o.namespace_.empty();
        o.label_selector = word("selector");
        if (kind != nullptr) o.with_kind(*kind);
        return o;
    }

    http_request const& request;
    bool is_of_job;
    kftrain::rules::job_rules const* kind = nullptr;
};

template <class Operation> asio::awaitable<answer> json(Operation pending) {
    auto const value = co_await std::move(pending);
    co_return reply(200, value.to_json());
}

/// Waits for the next item. The first wait is short, so that an early failure is a refusal and the reply begins soon.
template <class Stream> asio::awaitable<piece> next_piece(std::shared_ptr<Stream> from, bool is_first, bool as_events) {
    kftrain::diagnostics why;
    auto const limit = is_first ? std::chrono::seconds(1) : std::chrono::seconds(15);
    auto const options = kube::next_options().with_detail(why).with_timeout(limit);
    auto const [ec, item] = co_await from->async_next(options, asio::as_tuple(asio::use_awaitable));
    piece out;
    if (ec == kftrain::errc::timeout) co_return out;
    out.is_last = ec.failed();
    if (ec && ec != asio::error::eof) out.refusal = refusal(kftrain::failure(ec, why));
    std::string const line = out.refusal ? out.refusal->body : ec ? std::string() : item.to_json();
    if (!as_events)
        out.text = line.empty() ? "" : line + '\n';
    else if (!ec)
        out.text = "data: " + line + "\n\n";
    else // an event of its own, so that a client does not connect again
        out.text = out.refusal ? "event: failed\ndata: " + line + "\n\n" : "event: end\ndata: {}\n\n";
    co_return out;
}

/// A line of JSON, or an event, for each item.
template <class Stream> stream follow(Stream items, bool as_events) {
    stream out;
    out.type = as_events ? "text/event-stream" : "application/x-ndjson";
    out.idle = as_events ? ": nothing new\n\n" : "";
    out.next = [from = std::make_shared<Stream>(std::move(items)), is_first = true, as_events]() mutable {
        return next_piece(from, std::exchange(is_first, false), as_events);
    };
    return out;
}

} // namespace

std::string jobs_api::route_name(http_request const& request) {
    std::string path = request.method + ' ';
    bool const is_of_job = request.parts.size() >= 4 && request.parts[0] == "jobs";
    for (std::size_t i = 0; i < request.parts.size(); i += is_of_job && i == 1 ? 3 : 1)
        path += '/' + (is_of_job && i == 1 ? "*" : request.parts[i]);
    return std::find(routes.begin(), routes.end(), path) == routes.end() ? "other" : path;
}

asio::awaitable<bool> jobs_api::is_ready() {
    auto const limit = kube::call_options().with_timeout(std::chrono::seconds(5));
    kube::http_request version;
    version.method = "GET";
    version.target = "/version";
    auto const [ec, text] =
        co_await jobs_.get_client().async_call(std::move(version), limit, asio::as_tuple(asio::use_awaitable));
    co_return !ec;
}

asio::awaitable<answer> jobs_api::handle(http_request const& request) {
    try {
        auto response = co_await dispatch(request);
        co_return response;
    } catch (kftrain::error const& e) {
        co_return refusal(kftrain::failure(e.code(), e.detail()));
    }
}

asio::awaitable<answer> jobs_api::dispatch(http_request const& request) {
    call c(request);
    auto const name = c.kind_name();
    if (!name.empty()) {
        auto const served = co_await served_.async_catalog();
        c.kind = kftrain::find_served_kind(name, *served).value();
    }
    auto const route = route_name(request);
    if (route == "GET /watch")
        co_return follow(jobs_.watch(c.selected<kftrain::job_watch_options>()), request.wants_events);
    if (route == "GET /jobs") {
        auto options = c.selected<kftrain::job_list_options>();
        options.limit = static_cast<std::uint32_t>(std::clamp(c.number("limit").value_or(100), 1, 500));
        co_return co_await json(jobs_.async_list(options.with_continue(c.word("continue"))));
    }
    if (route == "POST /jobs") {
        kftrain::decode_options strictly;
        strictly.strict = true;
        auto const options = kftrain::submit_options().with_idempotency_key(request.idempotency_key);
        co_return co_await json(jobs_.async_submit(kftrain::parse_job(request.body, strictly).value(), options));
    }
    if (route == "GET /jobs/*") co_return co_await json(jobs_.async_get(c.job()));
    if (route == "DELETE /jobs/*") {
        auto const options = kftrain::job_delete_options().with_wait(c.word("wait") == "true");
        co_await jobs_.async_delete(c.job(), options);
        co_return reply(204, "");
    }
    if (route == "POST /jobs/*/scale")
        co_return co_await json(jobs_.async_scale(c.job(), c.word("role"), c.number("members").value_or(-1)));
    if (route == "POST /jobs/*/suspend") co_return co_await json(jobs_.async_suspend(c.job()));
    if (route == "POST /jobs/*/resume") co_return co_await json(jobs_.async_resume(c.job()));
    if (route == "GET /jobs/*/watch") {
        auto const job = co_await jobs_.async_get(c.job()); // exists, and is followed until it is deleted
        co_return follow(jobs_.watch(kftrain::job_watch_options().with_job(job)), request.wants_events);
    }
    if (route == "GET /jobs/*/logs") {
        auto options = kftrain::job_log_options().with_follow(c.word("follow") != "false");
        options.tail = c.number("tail");
        if (auto const rank = c.number("rank")) options.with_rank(*rank);
        auto const job = co_await jobs_.async_get(c.job());
        co_return follow(jobs_.open_logs(job, options), request.wants_events);
    }
    if (route == "GET /jobs/*/events") co_return co_await json(jobs_.async_events(c.job()));
    if (route == "GET /jobs/*/explanation") co_return co_await json(jobs_.async_explain(c.job()));
    std::string path;
    for (auto const& part : request.parts) path += '/' + part;
    refuse("there is no " + request.method + ' ' + path, kftrain::reason::not_found);
}

} // namespace service
