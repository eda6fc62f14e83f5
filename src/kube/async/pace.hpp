#ifndef KFTRAIN_SRC_KUBE_ASYNC_PACE_HPP
#define KFTRAIN_SRC_KUBE_ASYNC_PACE_HPP

#include <chrono>
#include <optional>

namespace kftrain::kube::detail {

/** A bucket of tokens that fills with time, and by what is put into it. Pure: it has no clock.
    @par Upstream client-go `util/flowcontrol/throttle.go` */
class token_bucket {
public:
    using clock = std::chrono::steady_clock;

    /// Full at first.
    token_bucket(double per_second, double capacity) : per_second_(per_second), capacity_(capacity), level_(capacity) {}

    /// Adds tokens; those above the limit are lost.
    void put(double tokens, clock::time_point now);
    /// Takes a token, if there is one.
    bool take(clock::time_point now);
    /// Takes a token, and returns how long to wait for it. Later callers wait longer. Returns nothing, and takes no
    /// token, if the wait is `limit` or longer.
    std::optional<clock::duration> take_in_turn(clock::time_point now, clock::duration limit = clock::duration::max());

private:
    double per_second_;
    double capacity_;
    double level_; // negative: what is promised
    clock::time_point filled_{};
};

} // namespace kftrain::kube::detail

#endif
