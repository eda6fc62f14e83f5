#include <kftrain/kube/client.hpp>

#include "kube/async/operation.hpp"
#include "kube/async/waiting_caller.hpp"
#include "kube/calls/call_machine.hpp"
#include "kube/calls/client_state.hpp"
#include "kube/http/header_fields.hpp"
#include "kube/http/redaction.hpp"

#include <kftrain/kube/request_report.hpp>
#include <kftrain/kube/transport.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>

#include <exception>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace kftrain::kube {
namespace detail {
namespace {

using state_ptr = std::shared_ptr<client::state>;

/// Calls a hook: what it throws would end a call that went well.
template <class Call> void call_hook(client_options const& o, std::string_view name, Call call) {
    try {
        call();
    } catch (std::exception const& e) {
        o.logger(log_level::error, "a hook of the client threw an exception",
                 {{"hook", std::string(name)}, {"error", e.what()}});
    } catch (...) {
        o.logger(log_level::error, "a hook of the client threw an exception", {{"hook", std::string(name)}});
    }
}

/// A body whose beginning was already read.
class begun_body final : public body_stream {
public:
    /// `ended`: how the last read of `rest` failed, if it did.
    begun_body(asio::any_io_executor executor, std::string begin, error_code ended, std::unique_ptr<body_stream> rest)
        : executor_(std::move(executor)), begin_(std::move(begin)), ended_(ended), rest_(std::move(rest)) {}

    void async_read(any_handler<void(error_code, std::string)> handler) override {
        if (begin_.empty() && !ended_) return rest_->async_read(std::move(handler));
        error_code const ec = begin_.empty() ? ended_ : error_code();
        complete_later(executor_, std::move(handler), ec, std::exchange(begin_, {}));
    }

private:
    asio::any_io_executor executor_;
    std::string begin_;
    error_code ended_;
    std::unique_ptr<body_stream> rest_;
};

/// Passes the warnings in an answer to the hook and the logger of the client, and returns them.
std::vector<std::string> log_warnings(client::state& s, http_request const& request, http_fields const& answer) {
    constexpr std::size_t most_remembered = 256;
    constexpr std::size_t most_texts = 64; // of one answer
    constexpr std::size_t longest_text = 4096;
    auto texts = read_warnings(answer);
    if (texts.size() > most_texts) texts.resize(most_texts);
    for (auto& text : texts) {
        text = s.link->redact(std::move(text)); // before it is cut: half a secret is none that can be found
        if (text.size() > longest_text) text = text.substr(0, longest_text) + "...";
        server_warning warning;
        warning.method = request.method;
        warning.target = request.target;
        warning.text = text;
        if (s.options.on_warning) s.options.on_warning(warning);
        if (s.warned.size() >= most_remembered && !s.warned.contains(text)) s.warned.erase(s.warned.begin());
        if (s.warned.insert(text).second)
            s.options.logger(log_level::warning, "the server sent a warning",
                             {{"request", request.method + " " + request.target}, {"warning", text}});
    }
    return texts;
}

/// Calls the hooks on_attempt and on_request for one call. Without hooks, the cost is a null pointer.
class call_reports {
public:
    call_reports(client_options const& o, time_source const& time, http_request const& request)
        : options_(o), time_(time) {
        if (!o.on_request && !o.on_attempt) return;
        notes_ = std::make_unique<notes>();
        notes_->call.begun = time.now();
        notes_->subject = subject_of(request.method, request.target);
        notes_->method = request.method;
        notes_->target = request.target;
        notes_->user_agent = request.fields.get("User-Agent");
    }

    void sending(http_request const& request) {
        if (!notes_) return;
        notes_->attempt = span();
        notes_->attempt.begun = time_.now();
        notes_->under_way = true;
        ++notes_->attempts;
        notes_->attempt.sent = request.body.size();
        notes_->call.sent += request.body.size();
    }
    void received(std::size_t bytes) noexcept {
        if (!notes_) return;
        notes_->attempt.received += bytes;
        notes_->call.received += bytes;
    }
    void attempt_ended(error_code ec, unsigned status, diagnostics const& why) {
        if (notes_ && std::exchange(notes_->under_way, false))
            report("on_attempt", options_.on_attempt, notes_->attempt, ec, status, why);
    }
    /// The attempt that is under way, if one is, has ended so as well.
    void call_ended(error_code ec, unsigned status, diagnostics const& why) {
        attempt_ended(ec, status, why);
        if (notes_) report("on_request", options_.on_request, notes_->call, ec, status, why);
    }

private:
    struct span {
        time_source::clock::time_point begun;
        std::size_t sent = 0;
        std::size_t received = 0;
    };
    struct notes : request_report {
        span call;
        span attempt;
        bool under_way = false;
    };

    void report(std::string_view name, std::function<void(request_report const&)> const& hook, span const& of,
                error_code ec, unsigned status, diagnostics const& why) const {
        if (!hook) return;
        auto r = static_cast<request_report const&>(*notes_);
        r.error = ec;
        r.status = status;
        if (ec) r.message = why.message;
        if (ec) r.audit_id = why.audit_id;
        r.duration = time_.now() - of.begun;
        r.bytes_sent = of.sent;
        r.bytes_received = of.received;
        call_hook(options_, name, [&] { hook(r); });
    }

    client_options const& options_;
    time_source const& time_;
    std::unique_ptr<notes> notes_; // null without hooks
};

/// Carries out what a @ref call_machine requests. A step returns how the call ends, or nothing if it goes on.
class running_call final : public operation, private call_machine::peer {
public:
    using clock = call_machine::clock;

    using caller = std::variant<waiting_caller<std::string>, waiting_caller<std::unique_ptr<body_stream>>>;

    running_call(state_ptr s, caller&& c, http_request&& r, call_options const& o, call_report* external)
        : operation(s->link->get_executor(), r.method == "GET" ? any_cancellation : unclean_cancellation),
          work_(executor()),
          caller_(std::move(c)),
          client_(std::move(s)),
          request_(std::move(r)),
          options_(o),
          external_(external),
          reports_(client_->options, client_->time, request_),
          machine_(request_, options_, caller_.index() == 1,
                   o.timeout.count() > 0 ? client_->time.now() + o.timeout : clock::time_point::max(),
                   {client_->options, *client_->pace, *client_->repetitions}, *this) {}

    void start() {
        listen_to(std::visit([](auto const& c) { return c.slot(); }, caller_));
        bool const shown = options_.detail != nullptr;
        arm(deadline(options_.timeout, options_.detail,
                     shown ? request_.method + " " + request_.target : std::string()));
        asio::dispatch(executor(), [self = self()] {
            auto const ended = self->guarded([&] {
                self->client_->calls.emplace(self.get(), self);
                return self->perform(self->is_stopped() ? self->machine_.cancelled(self->now())
                                                        : self->machine_.start(self->now()));
            });
            if (!ended) return;
            auto const ec = self->conclude(*ended); // from inside the initiating function: what has failed already
            std::visit([&](auto& c) { c.fail_later(self->executor(), ec); }, self->caller_);
        });
    }

private:
    using ending = std::optional<error_code>;
    static constexpr std::nullopt_t going_on = std::nullopt;

    /// The handler of the operation that a step began; `Next` continues.
    template <auto Next> struct step {
        // Transports and bodies may be of users: without this, they could run the step on another executor.
        using executor_type = asio::any_io_executor;
        using cancellation_slot_type = asio::cancellation_slot;

        executor_type get_executor() const noexcept { return self->executor(); }
        cancellation_slot_type get_cancellation_slot() const noexcept { return self->slot(); }
        template <class... T> void operator()(error_code ec, T&&... value) const {
            auto& c = *self;
            auto const ended = c.guarded([&] { return (c.*Next)(ec, std::forward<T>(value)...); });
            if (ended) c.end(*ended);
        }

        std::shared_ptr<running_call> self;
    };

    std::shared_ptr<running_call> self() { return std::static_pointer_cast<running_call>(shared_from_this()); }

    template <class Step> ending guarded(Step run) {
        try {
            return run();
        } catch (...) {
            return code_of(std::current_exception());
        }
    }

    call_machine::moment now() const { return {client_->time.now(), client_->jitter()}; }

    bool is_stopped() const noexcept { return is_cancelled() || client_->barred; }

    ending perform(call_action a) {
        if (a.what != call_action::kind::done && is_cancelled()) a = machine_.cancelled(now());
        switch (a.what) {
        case call_action::kind::send: return send();
        case call_action::kind::read: return body_->async_read(step<&running_call::arrived>{self()}), going_on;
        case call_action::kind::rest: return rest(a);
        case call_action::kind::done: break;
        }
        if (machine_.reads_whole()) body_.reset();
        if (a.unbudgeted)
            client_->options.logger(log_level::debug, "request not retried: the limit of retries is reached",
                                    {{"request", line()}, {"error", a.code.message()}});
        if (a.explained) give_up();
        return a.code;
    }

    ending send() {
        auto const& options = client_->options;
        http_request request = request_;
        if (options.before_request)
            call_hook(options, "before_request", [&] {
                auto changed = request;
                options.before_request(changed);
                request = std::move(changed);
                sent_authorization_ = request.fields.get("Authorization");
            });
        reports_.sending(request);
        client_->link->async_open(std::move(request), step<&running_call::opened>{self()});
        return going_on;
    }

    ending opened(error_code ec, streamed_response&& answer) {
        if (ec) {
            auto why = answer.cause ? ": " + answer.cause.message() : std::string();
            if (!answer.why.empty()) why += ": " + answer.why;
            return perform(machine_.failed(ec, why, now()));
        }
        warnings_ = log_warnings(*client_, request_, answer.head.fields);
        body_ = std::move(answer.body);
        auto a = machine_.opened(std::move(answer.head));
        if (a.what != call_action::kind::read || !machine_.reads_whole()) return perform(a);
        auto whole = body_->take_whole();
        if (!whole) return perform(a);
        a = piece(std::move(*whole));
        return perform(a.what == call_action::kind::read ? ended(asio::error::eof) : a);
    }

    ending arrived(error_code ec, std::string text) { return perform(ec ? ended(ec) : piece(std::move(text))); }

    call_action piece(std::string text) {
        if (machine_.reads_whole()) reports_.received(text.size());
        return machine_.piece(std::move(text), now());
    }
    call_action ended(error_code ec) { return machine_.ended(ec, now()); }

    ending rest(call_action const& a) {
        if (a.code) { // of the attempt before
            body_.reset();
            reports_.attempt_ended(a.code, machine_.status(), machine_.report().detail);
            auto const ms = std::chrono::duration_cast<std::chrono::milliseconds>(a.time).count();
            client_->options.logger(
                log_level::debug, "request repeated",
                {{"request", line()}, {"error", a.code.message()}, {"after_ms", std::to_string(ms)}});
        }
        pause_.emplace(executor(), a.time);
        pause_->async_wait(step<&running_call::rested>{self()});
        return going_on;
    }

    ending rested(error_code ec) {
        return perform(ec || is_stopped() ? machine_.cancelled(now()) : machine_.rested(now()));
    }

    std::string line() const { return request_.method + " " + request_.target; }

    /// Without the credentials of the transport, and those that the caller, or a hook, wrote into the request.
    std::string hide(std::string text) const override {
        secrets own;
        own.add_authorization(request_.fields.get("Authorization"));
        own.add_authorization(sent_authorization_);
        return own.hide(client_->link->redact(std::move(text)));
    }
    std::string describe() const override { return client_->link->describe(); }

    void give_up() {
        auto& report = machine_.report();
        report.detail.warnings = std::move(warnings_);
        if (options_.detail != nullptr) *options_.detail = report.detail;
        if (external_ != nullptr) *external_ = report;
    }

    void end(error_code ec) {
        if (ec)
            body_.reset();
        else if (options_.detail != nullptr)
            options_.detail->warnings = std::move(warnings_);
        auto const result = conclude(ec);
        if (auto* const text = std::get_if<0>(&caller_))
            text->complete(result, result ? std::string() : machine_.take_text());
        else
            std::get<1>(caller_).complete(result, result ? nullptr : take_body());
    }
    std::unique_ptr<body_stream> take_body() {
        auto [begin, ended] = machine_.take_beginning();
        if (begin.empty() && !ended) return std::move(body_);
        return std::make_unique<begun_body>(executor(), std::move(begin), ended, std::move(body_));
    }
    /// The result for the caller; calls the hooks.
    error_code conclude(error_code ec) {
#ifdef KFTRAIN_CHECK_THREADS
        client_->check->note_work();
#endif
        auto const before = ec;
        ec = finish(ec);
        if (ec != before && options_.detail != nullptr) // time is up
            if (auto const server = describe(); !server.empty()) options_.detail->message += ": " + server;
        client_->calls.erase(this);
        reports_.call_ended(ec, machine_.status(), machine_.report().detail);
        return ec;
    }

    asio::executor_work_guard<asio::any_io_executor> work_; // keeps the context running while a transport waits
    caller caller_;
    state_ptr client_;
    http_request request_;
    std::string sent_authorization_; // if a hook may have set it
    call_options options_;
    call_report* external_; // may be null
    call_reports reports_;
    call_machine machine_;
    std::unique_ptr<body_stream> body_;
    std::vector<std::string> warnings_;
    std::optional<timer> pause_;
};

template <class T> asio::awaitable<T> refuse(error_code ec) {
    fail(ec);
    co_return T();
}

template <class T>
void start(state_ptr const& s, any_handler<void(error_code, T)> handler, result<http_request>&& request,
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
    running_call::caller caller(waiting_caller<T>(std::move(handler), s->completion_executor));
    std::make_shared<running_call>(s, std::move(caller), std::move(*request), options, report)->start();
}

/// A call within a coroutine.
template <class T>
asio::awaitable<std::tuple<error_code, T>> await_call(client const& c, result<http_request> request,
                                                      call_options options, call_report& report) {
    return initiate<void(error_code, T)>(
        c.get_executor(), asio::as_tuple(asio::use_awaitable),
        [s = client_access::state_of(c), &report](any_handler<void(error_code, T)> h, result<http_request> r,
                                                  call_options o) { start(s, std::move(h), std::move(r), o, &report); },
        std::move(request), std::move(options));
}

} // namespace

asio::awaitable<std::tuple<error_code, std::string>> call(client const& c, result<http_request> request,
                                                          call_options options, call_report& report) {
    return await_call<std::string>(c, std::move(request), std::move(options), report);
}

asio::awaitable<std::tuple<error_code, std::unique_ptr<body_stream>>>
open(client const& c, result<http_request> request, call_options options, call_report& report) {
    return await_call<std::unique_ptr<body_stream>>(c, std::move(request), std::move(options), report);
}

asio::awaitable<std::tuple<error_code, std::string>> read_piece(asio::any_io_executor executor, body_stream& body) {
    return initiate<void(error_code, std::string)>(
        std::move(executor), asio::as_tuple(asio::use_awaitable),
        [&body](any_handler<void(error_code, std::string)> h) { body.async_read(std::move(h)); });
}

void bar_calls(client const& c) {
    auto& s = state_of(c);
    s.barred = true;
    for (auto const& [at, call] : std::map(s.calls))
        if (auto const alive = call.lock()) alive->cancel();
}

void allow_calls(client const& c) { state_of(c).barred = false; }

void log_repair(client const& c, resource_info const& followed, error_code ec, diagnostics const& why) {
    auto const& options = c.options();
    if (options.on_repair) call_hook(options, "on_repair", [&] { options.on_repair(followed, failure(ec, why)); });
}

} // namespace detail

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
    detail::start(s, std::move(handler), std::move(request), options, nullptr);
}

void client::start(std::shared_ptr<state> const& s, any_handler<void(error_code, std::unique_ptr<body_stream>)> handler,
                   result<http_request> request, call_options options) {
    detail::start(s, std::move(handler), std::move(request), options, nullptr);
}

} // namespace kftrain::kube
