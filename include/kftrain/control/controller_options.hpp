#ifndef KFTRAIN_CONTROL_CONTROLLER_OPTIONS_HPP
#define KFTRAIN_CONTROL_CONTROLLER_OPTIONS_HPP

#include <kftrain/base/logger.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace kftrain::control {

/// Waiting times of keys that failed: `first` doubled per failure, at most `limit`.
struct retry_policy {
    retry_policy() = default;

    std::chrono::milliseconds first{5};
    std::chrono::milliseconds limit{300'000};
};

/** The time in which a controller waits. A simulation gives one of its own, so that hours pass in no time.
    @par Thread safety Unsafe; used on the controller's executor. */
class controller_clock {
public:
    using instant = std::chrono::steady_clock::time_point;

    virtual ~controller_clock() = default;

    virtual instant now() = 0;
    /// Calls `wake` once, at `when` or later, on the controller's executor and not from inside this function. A further
    /// call of wake_at() or cancel() makes it forget the one before.
    virtual void wake_at(instant when, std::function<void()> wake) = 0;
    virtual void cancel() = 0;
};

/// How a controller works through its queue.
struct controller_options {
    controller_options() = default;

    std::string name;     ///< of what it looks after, in log records: the kind, as a rule
    unsigned workers = 1; ///< keys in work at the same time; 0 counts as 1
    retry_policy retry;
    std::shared_ptr<controller_clock> clock; ///< of this controller alone; null: std::chrono::steady_clock
    kftrain::logger logger;
};

} // namespace kftrain::control

#endif
