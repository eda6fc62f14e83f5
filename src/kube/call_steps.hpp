#ifndef KFTRAIN_SRC_KUBE_CALL_STEPS_HPP
#define KFTRAIN_SRC_KUBE_CALL_STEPS_HPP

#include "kube/answer_check.hpp"
#include "kube/begun_body.hpp"
#include "kube/call_reports.hpp"
#include "kube/client_core.hpp"
#include "kube/credentials/redaction.hpp"
#include "kube/json_members.hpp"
#include "kube/operation.hpp"
#include "kube/whole_body.hpp"

#include <kftrain/base/backoff.hpp>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::kube::detail {

/** One call on its way through its attempts: each opens an answer and reads it, or its explanation; then the call ends
    or waits for the next attempt. A step hands back how the call ends, or nothing if it goes on. */
class client_call : public operation {
public:
    using clock = std::chrono::steady_clock;
    using state_ptr = std::shared_ptr<client::state>;

    client_call(state_ptr s, http_request&& r, call_options const& o, call_report* external)
        : operation(s->link->get_executor(), accepted_by(r)),
          work_(executor()),
          client_(std::move(s)),
          request_(std::move(r)),
          options_(o),
          external_(external),
          reports_(*client_, request_) {}
    client_call(client_call const&) = delete;
    client_call& operator=(client_call const&) = delete;
    virtual ~client_call() = default;

    void start(asio::cancellation_slot caller) {
        listen_to(caller);
        if (options_.timeout.count() > 0) {
            give_up_at_ = clock::now() + options_.timeout;
            bool const shown = options_.detail != nullptr;
            arm(deadline(options_.timeout, options_.detail,
                         shown ? request_.method + " " + request_.target : std::string()));
        }
        asio::dispatch(executor(), [self = self()] {
            auto const ended = self->guarded([&] {
                self->client_->calls.emplace(self.get(), self);
                return self->attempt();
            });
            if (ended) self->deliver_later(self->conclude(*ended));
        });
    }

protected:
    /// Whether the body is left to the caller. Such a call is not repeated.
    virtual bool wants_stream() const noexcept = 0;
    virtual void deliver(error_code ec) = 0;
    /// From inside the initiating function: what has failed already.
    virtual void deliver_later(error_code ec) = 0;

    /// From here on, an answer with another list or object is an error.
    void expect_answer() { expected_ = expected_answer(request_); }

    whole_body answer_text;
    std::unique_ptr<body_stream> answer_body;

private:
    static constexpr std::size_t error_body_limit = 64 * 1024;
    static constexpr std::size_t shown_of_page = 200;
    /// 101 comes only if the request allowed the server to switch to another protocol.
    static bool is_success(unsigned status) { return (status >= 200 && status <= 206) || status == 101; }
    static asio::cancellation_type accepted_by(http_request const& r) {
        return r.method == "GET" ? any_cancellation : unclean_cancellation;
    }

    using ending = std::optional<error_code>;
    static constexpr std::nullopt_t going_on = std::nullopt;

    /// The handler of whatever a step began; `Next` goes on from there.
    template <auto Next> struct step {
        // Transports and bodies are anybody's: where they would run it otherwise, is not where the call is at home.
        using executor_type = asio::any_io_executor;
        using cancellation_slot_type = asio::cancellation_slot;

        executor_type get_executor() const noexcept { return self->executor(); }
        cancellation_slot_type get_cancellation_slot() const noexcept { return self->slot(); }
        template <class... T> void operator()(error_code ec, T&&... value) const {
            auto& c = *self;
            auto const ended = c.guarded([&] { return (c.*Next)(ec, std::forward<T>(value)...); });
            if (ended) c.end(*ended);
        }

        std::shared_ptr<client_call> self;
    };

    std::shared_ptr<client_call> self() { return std::static_pointer_cast<client_call>(shared_from_this()); }

    template <class Step> ending guarded(Step run) {
        try {
            return run();
        } catch (...) {
            return code_of(std::current_exception());
        }
    }

    ending attempt() {
        if (is_cancelled() || client_->barred) return asio::error::operation_aborted;
        report_ = call_report();
        status_ = 0;
        auto const wait = client_->turn(options_.urgent || wants_stream(), give_up_at_);
        if (!wait)
            return describe("the client-side rate limit would delay the request past its deadline"),
                   give_up(errc::timeout);
        if (wait->count() > 0) return rest(*wait, step<&client_call::admitted>{self()});
        return send();
    }

    template <class Next> ending rest(clock::duration time, Next next) {
        if (is_cancelled()) return asio::error::operation_aborted;
        pause_.emplace(executor(), time);
        pause_->async_wait(std::move(next));
        return going_on;
    }

    ending admitted(error_code ec) {
        if (!ec && !is_cancelled()) return send();
        client_->pace->put(1, clock::now()); // another may have the turn
        return asio::error::operation_aborted;
    }

    ending send() {
        if (is_cancelled()) return asio::error::operation_aborted;
        if (tries_++ == 0) client_->repetitions->put(client_->options.retry_share, clock::now());
        http_request request = request_;
        reports_.sending(*client_, request);
        if (client_->options.before_request) shown_ = request.fields.get("Authorization");
        client_->link->async_open(std::move(request), step<&client_call::opened>{self()});
        return going_on;
    }

    ending opened(error_code ec, streamed_response&& answer);
    bool may_hold_status(http_fields const& fields) const;
    ending read_beginning();
    ending beginning_arrived(error_code ec, std::string piece);

    ending read() {
        if (is_cancelled()) return read_through(asio::error::operation_aborted);
        answer_body->async_read(step<&client_call::arrived>{self()});
        return going_on;
    }

    ending arrived(error_code ec, std::string piece) {
        if (!ec) ec = add(std::move(piece));
        if (!ec) return read();
        return read_through(ec == asio::error::eof ? answer_text.end() : ec);
    }

    error_code add(std::string piece) {
        reports_.received(piece.size());
        return answer_text.add(std::move(piece));
    }
    error_code add_whole(std::string text) {
        auto const ec = add(std::move(text));
        return ec ? ec : answer_text.end();
    }

    /// The body was read to its end, or cannot be.
    ending read_through(error_code ec) {
        answer_body.reset();
        if (strange_ && ec != asio::error::operation_aborted) return strange();
        if (!is_success(status_)) return explained(ec);
        if (!ec && may_be_status_ && is_failed_status(answer_text.text())) return refused(answer_text.take());
        if (!ec) return compared();
        describe(ec == make_error_code(errc::too_large)
                     ? "the answer is larger than " + std::to_string(client_->options.body_limit) + " bytes"
                     : ec.message());
        if (ec == errc::connection_lost) name_server(report_.detail);
        status_ = 0;
        return failed(ec);
    }

    /// The whole answer is there, and is a success.
    ending compared() {
        auto fits = expected_.check(answer_text.text());
        if (fits) return error_code();
        report_.detail = std::move(fits.error().detail);
        hide_in(report_.detail, [this](std::string text) { return hidden(std::move(text)); });
        return give_up(fits.error().code);
    }

    /// A proxy has answered instead of the server.
    ending strange() {
        auto const text = hidden(answer_text.take());
        describe("expected JSON of a Kubernetes API server, got text/html: " + text.substr(0, shown_of_page));
        return failed(errc::protocol);
    }

    /// Without the credentials of the transport, and those that the caller, or a hook, wrote into the request.
    std::string hidden(std::string text) const {
        secrets own;
        own.add_authorization(request_.fields.get("Authorization"));
        own.add_authorization(shown_);
        return own.hide(client_->link->redact(std::move(text)));
    }

    ending explained(error_code unread) {
        // An unreadable explanation must not hide the status.
        if (unread == asio::error::operation_aborted) return unread;
        return refused(answer_text.take());
    }

    ending refused(std::string body) {
        http_response refusal;
        refusal.status = status_;
        refusal.fields = std::move(refusal_fields_);
        refusal.body = std::move(body);
        auto const hide = [this](std::string text) { return hidden(std::move(text)); };
        auto const ec = decode_failure(request_, refusal, hide, report_);
        if (ec == reason::unauthorized) name_server(report_.detail);
        return failed(ec);
    }

    /// The attempt was of no use.
    ending failed(error_code ec);

    ending paused(error_code ec) {
        if (ec) return ec;
        return attempt();
    }

    ending give_up(error_code ec) {
        report_.detail.warnings = std::move(warnings_);
        if (options_.detail != nullptr) *options_.detail = report_.detail;
        if (external_ != nullptr) *external_ = report_;
        return ec;
    }

    void describe(std::string const& what) {
        report_.detail.message = request_.method + " " + request_.target + ": " + what;
    }

    void name_server(diagnostics& d) const {
        if (auto const server = client_->link->describe(); !server.empty()) d.message += ": " + server;
    }

    void end(error_code ec) {
        if (ec)
            answer_body.reset();
        else if (options_.detail != nullptr)
            options_.detail->warnings = std::move(warnings_);
        deliver(conclude(ec));
    }
    /// The result for the caller; calls the hooks.
    error_code conclude(error_code ec) {
#ifdef KFTRAIN_CHECK_THREADS
        client_->check->note_work();
#endif
        auto const before = ec;
        ec = finish(ec);
        if (ec != before && options_.detail != nullptr) name_server(*options_.detail); // time is up
        client_->calls.erase(this);
        reports_.call_ended(*client_, ec, status_, report_.detail);
        return ec;
    }

    asio::executor_work_guard<asio::any_io_executor> work_; // whatever a transport waits for
    state_ptr client_;
    http_request request_;
    expected_answer expected_;
    std::string shown_; // in the Authorization of this attempt, if a hook may have set it
    call_options options_;
    call_report* external_; // may be null
    call_report report_;
    call_reports reports_;
    unsigned tries_ = 0;
    unsigned status_ = 0;  // of the answer of this attempt; 0: there is none
    bool strange_ = false; // and it is of nobody who was asked
    bool may_be_status_ = false;
    std::string begin_; // of a body that is left to the caller
    http_fields refusal_fields_;
    std::vector<std::string> warnings_;
    backoff waits_{std::chrono::milliseconds(100), std::chrono::seconds(10)};
    clock::time_point give_up_at_ = clock::time_point::max();
    std::optional<asio::steady_timer> pause_;
};

} // namespace kftrain::kube::detail

#endif
