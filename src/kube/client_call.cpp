#include "kube/client_call.hpp"

#include "kube/call_steps.hpp"

#include <kftrain/kube/request_report.hpp>

#include <type_traits>
#include <utility>

namespace kftrain::kube::detail {
namespace {

/// A call for the text of a body, or for the body.
template <class T> class call_for final : public client_call {
public:
    using handler_type = any_handler<void(error_code, T)>;

    call_for(std::shared_ptr<client::state> const& s, handler_type handler, http_request&& r, call_options const& o,
             call_report* external)
        : client_call(s, std::move(r), o, external), caller_(std::move(handler), s->completion_executor) {
        if constexpr (!streams) expect_answer();
    }

private:
    static constexpr bool streams = !std::is_same_v<T, std::string>;

    bool wants_stream() const noexcept override { return streams; }
    void deliver(error_code ec) override {
        T value;
        if constexpr (streams) {
            if (!ec) value = std::move(answer_body);
        } else {
            if (!ec) value = answer_text.take();
        }
        caller_.complete(ec, std::move(value));
    }
    void deliver_later(error_code ec) override { caller_.fail_later(executor(), ec); }

    waiting_caller<T> caller_;
};

template <class T>
void start(std::shared_ptr<client::state> const& s, any_handler<void(error_code, T)> handler, http_request&& request,
           call_options const& options, call_report* report) {
    auto const caller = asio::get_associated_cancellation_slot(handler);
    std::make_shared<call_for<T>>(s, std::move(handler), std::move(request), options, report)->start(caller);
}

} // namespace

client_call::ending client_call::opened(error_code ec, streamed_response&& answer) {
    if (ec) {
        describe(ec.message());
        if (answer.cause) report_.detail.message += ": " + answer.cause.message();
        if (!answer.why.empty()) report_.detail.message += ": " + answer.why;
        return failed(ec);
    }
    status_ = answer.head.status;
    warnings_ = log_warnings(*client_, request_, answer.head.fields);
    answer_body = std::move(answer.body);
    strange_ = is_success(status_) && is_page(request_, answer.head.fields);
    may_be_status_ = may_be_status(request_, answer.head.fields);
    bool const whole_wanted = !wants_stream() || !is_success(status_) || strange_;
    if (!whole_wanted && !may_hold_status(answer.head.fields)) return error_code();
    bool const is_object = is_success(status_) && !strange_;
    answer_text = whole_body(is_object ? client_->options.body_limit : error_body_limit, answer.head.fields);
    refusal_fields_ = std::move(answer.head.fields);
    if (!whole_wanted) return read_beginning();
    if (auto whole = answer_body->take_whole()) return read_through(add_whole(std::move(*whole)));
    return read();
}

/// Whether the body, which the caller reads, may be a `Status` instead. Events of a watch may take long to arrive, so
/// its decoder finds a `Status` among them.
bool client_call::may_hold_status(http_fields const& fields) const {
    return may_be_status_ && is_json(fields) && subject_of(request_.method, request_.target).verb != "watch";
}

client_call::ending client_call::read_beginning() {
    if (is_cancelled()) return asio::error::operation_aborted;
    answer_body->async_read(step<&client_call::beginning_arrived>{self()});
    return going_on;
}

client_call::ending client_call::beginning_arrived(error_code ec, std::string piece) {
    if (ec == asio::error::operation_aborted) return ec;
    begin_ += piece;
    auto const verdict = find_failed_status(begin_);
    if (!ec && verdict != status_verdict::other && begin_.size() < error_body_limit) return read_beginning();
    if (ec == asio::error::eof && verdict == status_verdict::failure) {
        answer_body.reset();
        return refused(std::move(begin_));
    }
    answer_body = std::make_unique<begun_body>(executor(), std::move(begin_), ec, std::move(answer_body));
    return error_code();
}

client_call::ending client_call::failed(error_code ec) {
    if (!is_cancelled()) reports_.attempt_ended(*client_, ec, status_, report_.detail); // else it ends as the call does
    auto const& options = client_->options;
    unsigned const limit =
        status_ == 0 ? std::min(options.max_attempts, options.max_connect_attempts) : options.max_attempts;
    // In an answer that is a success on the outside, the `Status` has the status that counts.
    unsigned const status = is_success(status_) ? report_.detail.http_status : status_;
    if (wants_stream() || !options_.retry || tries_ >= limit || !is_worth_repeating(ec, status, request_, report_))
        return give_up(ec);
    auto const wait = std::max(waits_.next(client_->jitter()), report_.retry_after);
    if (give_up_at_ - clock::now() <= wait) return give_up(ec);
    if (!client_->repetitions->take(clock::now())) {
        options.logger(log_level::debug, "request not retried: the limit of retries is reached",
                       {{"request", request_.method + " " + request_.target}, {"error", ec.message()}});
        return give_up(ec);
    }
    options.logger(log_level::debug, "request repeated",
                   {{"request", request_.method + " " + request_.target},
                    {"error", ec.message()},
                    {"after_ms", std::to_string(wait.count())}});
    return rest(wait, step<&client_call::paused>{self()});
}

void carry_out(std::shared_ptr<client::state> const& s, any_handler<void(error_code, std::string)> handler,
               http_request&& request, call_options const& options, call_report* report) {
    start(s, std::move(handler), std::move(request), options, report);
}

void carry_out(std::shared_ptr<client::state> const& s,
               any_handler<void(error_code, std::unique_ptr<body_stream>)> handler, http_request&& request,
               call_options const& options, call_report* report) {
    start(s, std::move(handler), std::move(request), options, report);
}

} // namespace kftrain::kube::detail
