#ifndef KFTRAIN_SRC_KUBE_CALLS_CALL_MACHINE_HPP
#define KFTRAIN_SRC_KUBE_CALLS_CALL_MACHINE_HPP

#include "kube/answers/answer_check.hpp"
#include "kube/answers/whole_body.hpp"
#include "kube/async/pace.hpp"
#include "kube/calls/client_state.hpp"
#include "kube/http/request_parts.hpp"

#include <kftrain/base/backoff.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace kftrain::kube::detail {

/// The next step that a @ref call_machine requests.
struct call_action {
    enum class kind {
        send, ///< Send the request. Answer: opened() or failed().
        read, ///< Read the next piece of the body. Answer: piece() or ended().
        rest, ///< Wait for `time`. Answer: rested().
        done, ///< The call has ended with `code`.
    };

    kind what = kind::done;
    error_code code;         ///< of done; of rest after a failed attempt the error of that attempt
    bool explained = false;  ///< done: report() describes the error
    bool unbudgeted = false; ///< done: the retry budget of the client is spent
    token_bucket::clock::duration time{};
};

/** Decides how one call to an API server proceeds: when to send the request, how to read the answer, whether to retry
    and how the call ends. Pure: it has no clock, draws no random number and does no I/O. After each action the caller
    passes what came of it, or calls cancelled() instead.

    Delays between attempts start at 100 ms, double up to 10 s and are multiplied by the jitter (full jitter); a longer
    delay that the server requests wins. A delay that ends after the deadline is not begun.
    @par Upstream client-go `rest/with_retry.go`, `rest/request.go`: any method is retried after 429; kftrain retries
    500, 502, 503 and 504 for GET only */
class call_machine {
public:
    using clock = token_bucket::clock;

    /// The time of an input, and a random factor in [0, 1).
    struct moment {
        clock::time_point now;
        double jitter = 0;
    };

    /// The server, for messages.
    class peer {
    public:
        /// Returns a text of the server without credentials.
        virtual std::string hide(std::string text) const = 0;
        /// Returns the name of the server; may be empty.
        virtual std::string describe() const = 0;

    protected:
        ~peer() = default;
    };

    /// The state that all calls of a client share.
    struct shared {
        client_options const& options;
        token_bucket& pace;        ///< of requests, with client_options::requests_per_second
        token_bucket& repetitions; ///< that are left
    };

    /** Everything that is passed by reference must outlive the machine. If `streams`, the caller reads the body of a
        successful answer, and the call is not retried. */
    call_machine(http_request const& request, call_options const& options, bool streams, clock::time_point deadline,
                 shared of_client, peer const& server);

    call_action start(moment const& at) { return attempt(at); }
    call_action rested(moment const& at);
    /// The head of the answer arrived.
    call_action opened(http_response_head head);
    /// There is no answer. `why` is appended to the message, unless it is empty.
    call_action failed(error_code ec, std::string const& why, moment const& at);
    call_action piece(std::string text, moment const& at);
    /// The body ended with `asio::error::eof`, or broke off.
    call_action ended(error_code ec, moment const& at);
    /// The action is not carried out, or was not carried through, since the call was cancelled.
    call_action cancelled(moment const& at);

    /// Whether the machine itself reads the whole body.
    bool reads_whole() const noexcept { return whole_; }
    /// The body of a successful answer.
    std::string take_text() noexcept { return text_.take(); }
    /// With `streams`: the part of the body that was read already, and how reading ended if it did.
    std::pair<std::string, error_code> take_beginning() noexcept { return {std::move(begin_), begin_ended_}; }
    call_report& report() noexcept { return report_; }
    /// HTTP status of the answer to the last attempt; 0 if there is none.
    unsigned status() const noexcept { return status_; }

private:
    enum class step { waiting, sending, reading, resting };

    call_action attempt(moment const& at);
    call_action send(moment const& at);
    call_action read();
    call_action rest(step as, clock::duration time, error_code ec = {});
    call_action read_through(error_code ec, moment const& at);
    call_action beginning_ended(error_code ec, moment const& at);
    call_action refused(std::string body, moment const& at);
    call_action retry_or_end(error_code ec, moment const& at);
    call_action give_up(error_code ec, bool unbudgeted = false);
    static call_action done(error_code ec = {});
    bool is_worth_repeating(error_code ec) const;
    bool is_page() const;
    bool may_be_status() const;
    void describe(std::string const& what);
    void name_server();
    hide_function hider() const;

    http_request const& request_;
    call_options const& options_;
    client_options const& of_client_;
    token_bucket& pace_;
    token_bucket& repetitions_;
    peer const& server_;
    request_parts const parts_;
    expected_answer const expected_;
    bool const streams_;
    clock::time_point const deadline_;

    step step_ = step::sending;
    unsigned attempts_ = 0;
    unsigned status_ = 0;
    bool page_ = false; ///< an HTML page of a proxy came instead of an answer
    bool may_be_status_ = false;
    bool whole_ = true;
    http_fields fields_;
    whole_body text_;
    std::string begin_;
    error_code begin_ended_;
    call_report report_;
    backoff delays_{std::chrono::milliseconds(100), std::chrono::seconds(10)};
};

} // namespace kftrain::kube::detail

#endif
