#ifndef KFTRAIN_SRC_KUBE_CLIENT_CORE_HPP
#define KFTRAIN_SRC_KUBE_CLIENT_CORE_HPP

#include <kftrain/kube/client.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace kftrain::kube {

namespace detail {
class watch_guard;
}

struct client::state {
    state(std::shared_ptr<transport> t, client_options o)
        : link(std::move(t)),
          options(std::move(o)),
          completion_executor(link->get_executor()),
          random(std::random_device()()) {}

    /// A random factor in [0, 1).
    double jitter() { return std::uniform_real_distribution<>(0, 1)(random); }

    std::shared_ptr<transport> link;
    client_options options;
    asio::any_completion_executor completion_executor; ///< that of the link, where handlers run that name no other
    std::minstd_rand random;
    std::uint64_t restorations = 0;        ///< how often the server was found to have gone back to an older state
    std::set<detail::watch_guard*> guards; ///< of the watches that stand or are begun
};

namespace detail {

/// What a failed call tells the library itself, beyond the diagnostics.
struct call_report {
    call_report() = default;

    diagnostics detail;
    std::chrono::milliseconds retry_after{0};
    bool asked_to_wait = false; ///< by a Retry-After field or the Status
    bool resource_version_too_large = false;
};

/// Takes out of a text what must not be shown.
using hide_function = std::function<std::string(std::string)>;
/// Lets all that a server may have said go through `hide`.
void hide_in(diagnostics& d, hide_function const& hide);

/** The code and report of an answer that is no success. What is shown of it goes through `hide`.
    @par Upstream apimachinery `pkg/api/errors/errors.go`, `NewGenericServerResponse` */
error_code decode_failure(http_request const& request, http_response const& answer, hide_function const& hide,
                          call_report& report);
/// The same for the `Status` in an ERROR event of a watch, as it came: client::redact() is the caller's.
error_code decode_status(std::string_view text, call_report& report);

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
