#ifndef KFTRAIN_SRC_FACADE_LOGS_LOG_RETRY_HPP
#define KFTRAIN_SRC_FACADE_LOGS_LOG_RETRY_HPP

#include <kftrain/base/backoff.hpp>
#include <kftrain/base/diagnostics.hpp>

#include <chrono>
#include <optional>

namespace kftrain {

/// Why a log cannot be read at the moment.
enum class log_fault {
    server_away, ///< the API server was not reached, is overloaded, or broke off: the state of the log is unknown
    node_away,   ///< the API server answers, but the node does not serve the log, or cuts it off
    refused,     ///< the server does not serve this log
};

/// Whether a failed request leaves its object unknown: the server was not reached, or failed.
bool is_outage(error_code ec, diagnostics const& why) noexcept;

/** Decides whether and when the log of one run is requested again. Pure: the caller passes the time and the jitter.

    An unreachable API server is retried without end, and so is an unreachable node while the run may continue. After
    the run, a node has `node_patience` to serve the rest. A refusal is retried a few times, because servers that have
    just started may refuse what they allow later. */
class log_retry {
public:
    using clock = std::chrono::steady_clock;

    static constexpr std::chrono::milliseconds first_pause{100};
    static constexpr std::chrono::milliseconds longest_pause{5000};
    static constexpr std::chrono::seconds node_patience{60};
    static constexpr unsigned most_refusals = 5;

    /// Something of the log was read since the last failure.
    void progress() noexcept;
    /// The pause before the next attempt; nothing if the log is given up. `over`: nothing is added to the log any more.
    std::optional<std::chrono::milliseconds> next(log_fault fault, bool over, clock::time_point now, double jitter);

private:
    backoff pauses_{first_pause, longest_pause};
    unsigned refusals_ = 0;
    std::optional<clock::time_point> unserved_since_; ///< by the node, after the run
};

} // namespace kftrain

#endif
