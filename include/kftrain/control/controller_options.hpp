#ifndef KFTRAIN_CONTROL_CONTROLLER_OPTIONS_HPP
#define KFTRAIN_CONTROL_CONTROLLER_OPTIONS_HPP

#include <kftrain/base/logger.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace kftrain::control {

/// Delays of failed keys: `first`, doubled with each failure, at most `limit`.
struct retry_policy {
    retry_policy() = default;

    std::chrono::milliseconds first{5};
    std::chrono::milliseconds limit{300'000};
};

/** The clock of a controller's delays. A simulation passes its own, so that hours pass instantly.
    @par Thread safety Unsafe; used on the controller's executor. */
class controller_clock {
public:
    using instant = std::chrono::steady_clock::time_point;

    virtual ~controller_clock() = default;

    virtual instant now() = 0;
    /// Calls `wake` once, at `when` or later, on the controller's executor and not from inside this function. A further
    /// call of wake_at() or cancel() replaces the previous one.
    virtual void wake_at(instant when, std::function<void()> wake) = 0;
    virtual void cancel() = 0;
};

/// How a controller processes its queue.
struct controller_options {
    controller_options() = default;

    std::string name;     ///< the managed kind, as a rule; used in log records
    unsigned workers = 1; ///< maximum number of keys processed concurrently; 0 counts as 1
    retry_policy retry;
    std::shared_ptr<controller_clock> clock; ///< for this controller alone; null: std::chrono::steady_clock
    kftrain::logger logger;
};

} // namespace kftrain::control

#endif
