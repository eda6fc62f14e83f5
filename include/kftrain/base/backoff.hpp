#ifndef KFTRAIN_BASE_BACKOFF_HPP
#define KFTRAIN_BASE_BACKOFF_HPP

#include <chrono>

namespace kftrain {

/** Exponential delays: `first`, doubled with each failure, at most `limit`. Pure: it has no clock and no random
    numbers; the caller passes a factor for jitter. */
class backoff {
public:
    using duration = std::chrono::milliseconds;

    constexpr backoff(duration first, duration limit) noexcept : first_(first), limit_(limit) {}

    /// Returns the next delay, multiplied by `jitter` (1 for none).
    constexpr duration next(double jitter = 1.0) noexcept {
        duration d = first_;
        for (unsigned i = 0; i < failures_ && d < limit_; ++i) d *= 2;
        ++failures_;
        if (d > limit_) d = limit_;
        return duration(static_cast<duration::rep>(static_cast<double>(d.count()) * jitter));
    }
    constexpr void reset() noexcept { failures_ = 0; }
    constexpr unsigned failures() const noexcept { return failures_; }

private:
    duration first_;
    duration limit_;
    unsigned failures_ = 0;
};

} // namespace kftrain

#endif
