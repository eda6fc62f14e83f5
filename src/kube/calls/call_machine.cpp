#include "kube/calls/call_machine.hpp"

#include "base/ascii.hpp"
#include "kube/answers/json_members.hpp"

#include <boost/asio/error.hpp>

#include <algorithm>

namespace kftrain::kube::detail {
namespace {

constexpr std::size_t error_body_limit = 64 * 1024;
constexpr std::size_t shown_of_page = 200;

/// 101 comes only if the request allowed the server to switch to another protocol.
bool is_success(unsigned status) { return (status >= 200 && status <= 206) || status == 101; }

bool is_aborted(error_code ec) { return ec == asio::error::operation_aborted; }

} // namespace

call_machine::call_machine(http_request const& request, call_options const& options, bool streams,
                           clock::time_point deadline, shared of_client, peer const& server)
    : request_(request),
      options_(options),
      of_client_(of_client.options),
      pace_(of_client.pace),
      repetitions_(of_client.repetitions),
      server_(server),
      parts_(parts_of(request.method, request.target)),
      expected_(streams ? expected_answer() : expected_answer(request, parts_)),
      streams_(streams),
      deadline_(deadline) {}

call_action call_machine::attempt(moment const& at) {
    if (attempts_ > 0) report_ = call_report();
    status_ = 0;
    if (options_.urgent || streams_ || of_client_.requests_per_second <= 0) return send(at);
    bool const endless = deadline_ == clock::time_point::max();
    auto const wait = pace_.take_in_turn(at.now, endless ? clock::duration::max() : deadline_ - at.now);
    if (!wait) {
        describe("the client-side rate limit would delay the request past its deadline");
        return give_up(errc::timeout);
    }
    return wait->count() > 0 ? rest(step::waiting, *wait) : send(at);
}

call_action call_machine::rest(step as, clock::duration time, error_code ec) {
    step_ = as;
    call_action a;
    a.what = call_action::kind::rest;
    a.time = time;
    a.code = ec;
    return a;
}

call_action call_machine::rested(moment const& at) { return step_ == step::waiting ? send(at) : attempt(at); }

call_action call_machine::send(moment const& at) {
    if (attempts_++ == 0) repetitions_.put(of_client_.retry_share, at.now);
    step_ = step::sending;
    call_action a;
    a.what = call_action::kind::send;
    return a;
}

call_action call_machine::failed(error_code ec, std::string const& why, moment const& at) {
    describe(ec.message() + why);
    return retry_or_end(ec, at);
}

call_action call_machine::opened(http_response_head head) {
    status_ = head.status;
    fields_ = std::move(head.fields);
    bool const good = is_success(status_);
    page_ = good && is_page();
    may_be_status_ = may_be_status();
    whole_ = !streams_ || !good || page_;
    // The body that the caller reads may be a `Status` instead. Events of a watch may take long to arrive, so its
    // decoder finds a `Status` among them.
    if (!whole_ && !(may_be_status_ && is_json(fields_) && parts_.verb != "watch")) return done();
    text_ = whole_body(good && !page_ ? of_client_.body_limit : error_body_limit, fields_);
    return read();
}

call_action call_machine::read() {
    step_ = step::reading;
    call_action a;
    a.what = call_action::kind::read;
    return a;
}

call_action call_machine::piece(std::string text, moment const& at) {
    if (whole_) {
        auto const ec = text_.add(std::move(text));
        return ec ? read_through(ec, at) : read();
    }
    begin_ += text;
    bool const open = find_failed_status(begin_) != status_verdict::other && begin_.size() < error_body_limit;
    return open ? read() : done();
}

call_action call_machine::ended(error_code ec, moment const& at) {
    if (!whole_) return beginning_ended(ec, at);
    return read_through(ec == asio::error::eof ? text_.end() : ec, at);
}

call_action call_machine::beginning_ended(error_code ec, moment const& at) {
    if (is_aborted(ec)) return done(ec);
    if (ec == asio::error::eof && find_failed_status(begin_) == status_verdict::failure)
        return refused(std::exchange(begin_, {}), at);
    begin_ended_ = ec;
    return done();
}

/// The body was read to its end, or cannot be.
call_action call_machine::read_through(error_code ec, moment const& at) {
    if (page_ && !is_aborted(ec)) {
        auto const text = server_.hide(text_.take());
        describe("expected JSON of a Kubernetes API server, got text/html: " + text.substr(0, shown_of_page));
        return retry_or_end(errc::protocol, at);
    }
    if (!is_success(status_)) { // an unreadable explanation must not hide the status
        if (is_aborted(ec)) return done(ec);
        return refused(text_.take(), at);
    }
    if (ec) {
        describe(ec == make_error_code(errc::too_large)
                     ? "the answer is larger than " + std::to_string(of_client_.body_limit) + " bytes"
                     : ec.message());
        if (ec == errc::connection_lost) name_server();
        status_ = 0;
        return retry_or_end(ec, at);
    }
    if (may_be_status_ && find_failed_status(text_.text()) == status_verdict::failure) return refused(text_.take(), at);
    auto fits = expected_.check(text_.text());
    if (fits) return done();
    report_.detail = std::move(fits.error().detail);
    hide_in(report_.detail, hider());
    return give_up(fits.error().code);
}

call_action call_machine::refused(std::string body, moment const& at) {
    http_response answer;
    answer.status = status_;
    answer.fields = std::move(fields_);
    answer.body = std::move(body);
    auto const ec = decode_failure(request_, answer, hider(), report_);
    if (ec == reason::unauthorized) name_server();
    return retry_or_end(ec, at);
}

call_action call_machine::retry_or_end(error_code ec, moment const& at) {
    auto const limit =
        status_ == 0 ? std::min(of_client_.max_attempts, of_client_.max_connect_attempts) : of_client_.max_attempts;
    if (streams_ || !options_.retry || attempts_ >= limit || !is_worth_repeating(ec)) return give_up(ec);
    auto const delay = std::max(delays_.next(at.jitter), report_.retry_after);
    if (deadline_ - at.now <= delay) return give_up(ec);
    if (!repetitions_.take(at.now)) return give_up(ec, true);
    return rest(step::resting, delay, ec);
}

call_action call_machine::cancelled(moment const& at) {
    error_code const aborted = asio::error::operation_aborted;
    if (step_ == step::waiting) pace_.put(1, at.now); // another may have the turn
    return step_ == step::reading ? ended(aborted, at) : done(aborted);
}

bool call_machine::is_worth_repeating(error_code ec) const {
    if (status_ == 0) return is_unreached(ec) && is_retryable(ec);
    if (report_.disruption_budget) return false;
    // In an answer that is a success on the outside, the `Status` has the status that counts.
    auto const status = is_success(status_) ? report_.detail.http_status : status_;
    if (status == 429 || (status == 503 && report_.has_retry_after)) return true;
    return request_.method == "GET" && (status == 500 || (status >= 502 && status <= 504));
}

/// Whether an HTML page came instead of JSON of an API server, as from proxies that require a login. Answers behind a
/// server's own proxy may be anything.
bool call_machine::is_page() const {
    if (!to_lower(fields_.get("Content-Type")).starts_with("text/html") || parts_.subresource == "proxy") return false;
    auto const accepted = to_lower(request_.fields.get("Accept")); // JSON by default
    return accepted.empty() || accepted.starts_with("application/json");
}

/// Whether the body of an answer with an HTTP status of success may be a `Status` that reports a failure. Answers
/// behind a server's own proxy, and logs, may be anything: a container may write a line that looks like one. Servers
/// send logs as text/plain.
bool call_machine::may_be_status() const {
    return parts_.subresource != "proxy" && (parts_.subresource != "log" || is_json(fields_));
}

call_action call_machine::done(error_code ec) {
    call_action a;
    a.code = ec;
    return a;
}

call_action call_machine::give_up(error_code ec, bool unbudgeted) {
    auto a = done(ec);
    a.explained = true;
    a.unbudgeted = unbudgeted;
    return a;
}

void call_machine::describe(std::string const& what) {
    report_.detail.message = request_.method + " " + request_.target + ": " + what;
}

void call_machine::name_server() {
    if (auto const server = server_.describe(); !server.empty()) report_.detail.message += ": " + server;
}

hide_function call_machine::hider() const {
    return [this](std::string text) { return server_.hide(std::move(text)); };
}

} // namespace kftrain::kube::detail
