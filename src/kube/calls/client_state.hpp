#ifndef KFTRAIN_SRC_KUBE_CALLS_CLIENT_STATE_HPP
#define KFTRAIN_SRC_KUBE_CALLS_CLIENT_STATE_HPP

#include "kube/async/pace.hpp"
#include "kube/async/thread_check.hpp"
#include "kube/async/timer.hpp"
#include "kube/http/header_fields.hpp"

#include <kftrain/kube/client.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace kftrain::kube {

namespace detail {
class operation;
class watch_guard;
} // namespace detail

struct client::state {
    state(std::shared_ptr<transport> t, client_options o)
        : link(std::move(t)),
          time(detail::time_source::of(link->get_executor())),
          options(std::move(o)),
          completion_executor(link->get_executor()),
          check(detail::make_thread_check(link->get_executor())),
          random(std::random_device()()),
          user_agent(detail::user_agent_of(options.user_agent)),
          pace(std::make_shared<detail::token_bucket>(options.requests_per_second, std::max(options.burst, 1U))),
          repetitions(std::make_shared<detail::token_bucket>(1, options.retry_reserve)) {}
    /// Uses another transport, and shares the state of all calls with `other`.
    state(std::shared_ptr<transport> t, state const& other) : state(std::move(t), other.options) {
        pace = other.pace;
        repetitions = other.repetitions;
    }

    /// A random factor in [0, 1).
    double jitter() { return std::uniform_real_distribution<>(0, 1)(random); }

    std::shared_ptr<transport> link;
    detail::time_source& time;
    client_options options;
    asio::any_completion_executor completion_executor; ///< that of the link, where handlers run that name no other
    std::shared_ptr<detail::thread_check> check;       ///< null if the library does not check threads
    std::minstd_rand random;
    std::string user_agent;
    std::shared_ptr<detail::token_bucket> pace;        ///< of requests, if they are limited
    std::shared_ptr<detail::token_bucket> repetitions; ///< that are left
    std::set<std::string> warned;                      ///< texts that the logger has got
    std::uint64_t restorations = 0; ///< how often the server was found to have gone back to an older state
    /// Collections of which the server was found to stream no lists, and until when that is taken for granted.
    std::map<std::string, std::chrono::steady_clock::time_point> unstreamed;
    std::set<detail::watch_guard*> guards; ///< of the watches that stand or are begun
    std::map<detail::operation const*, std::weak_ptr<detail::operation>> calls; ///< that have not ended
    bool barred = false;                                                        ///< no call goes on, none is begun
};

namespace detail {

inline client::state& state_of(client const& c) noexcept { return *client_access::state_of(c); }
inline time_source const& time_of(client const& c) noexcept { return state_of(c).time; }

/// Details of a failed call for the library itself, beyond the diagnostics.
struct call_report {
    call_report() = default;

    diagnostics detail;
    std::chrono::milliseconds retry_after{0};
    bool has_retry_after = false;   ///< in a header field or the Status
    bool disruption_budget = false; ///< forbids the request, however often it is sent
    bool resource_version_too_large = false;
};

/// Removes secrets from a text.
using hide_function = std::function<std::string(std::string)>;
/// Passes all texts of a server through `hide`.
void hide_in(diagnostics& d, hide_function const& hide);

/** The code and report of an unsuccessful answer. If only its `Status` reports a failure, the code of the `Status`
    counts. Texts go through `hide`.
    @par Upstream apimachinery `pkg/api/errors/errors.go`, `NewGenericServerResponse` */
error_code decode_failure(http_request const& request, http_response const& answer, hide_function const& hide,
                          call_report& report);
/// The same for the `Status` in an ERROR event of a watch, as it came: client::redact() is the caller's.
error_code decode_status(std::string_view text, call_report& report);
/// Whether the fields of an answer name JSON of some kind.
bool is_json(http_fields const& fields);

/** Cancels the calls of `c`, also those that wait between two attempts or for their turn. Further calls end with
    `operation_aborted` until allow_calls(). Clients with another transport are not affected. */
void bar_calls(client const& c);
void allow_calls(client const& c);

/// Calls the hook of a client for a failure from which it recovers.
void log_repair(client const& c, resource_info const& followed, error_code ec, diagnostics const& why);

/// A call within a coroutine, cancelled with it. `report` must live until then.
asio::awaitable<std::tuple<error_code, std::string>> call(client const& c, result<http_request> request,
                                                          call_options options, call_report& report);
asio::awaitable<std::tuple<error_code, std::unique_ptr<body_stream>>>
open(client const& c, result<http_request> request, call_options options, call_report& report);

/// One piece of a body within a coroutine.
asio::awaitable<std::tuple<error_code, std::string>> read_piece(asio::any_io_executor executor, body_stream& body);

} // namespace detail
} // namespace kftrain::kube

#endif
