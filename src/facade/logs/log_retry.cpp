#include "facade/logs/log_retry.hpp"

namespace kftrain {

bool is_outage(error_code ec, diagnostics const& why) noexcept {
    // An answer without a place in it came from a proxy; one with a place is the server's own, and stays wrong.
    return is_retryable(ec) || (ec == errc::protocol && why.path.empty()) || why.http_status == 429 ||
           why.http_status >= 500;
}

void log_retry::progress() noexcept {
    pauses_.reset();
    refusals_ = 0;
    unserved_since_.reset();
}

std::optional<std::chrono::milliseconds> log_retry::next(log_fault fault, bool over, clock::time_point now,
                                                         double jitter) {
    refusals_ = fault == log_fault::refused ? refusals_ + 1 : 0;
    if (refusals_ == most_refusals) return {};
    if (fault != log_fault::node_away || !over)
        unserved_since_.reset();
    else if (!unserved_since_)
        unserved_since_ = now;
    if (unserved_since_ && now - *unserved_since_ >= node_patience) return {};
    return pauses_.next(jitter);
}

} // namespace kftrain
