#ifndef KFTRAIN_TEST_GOLDEN_SIMULATED_TIME_HPP
#define KFTRAIN_TEST_GOLDEN_SIMULATED_TIME_HPP

#include <kftrain/control/controller.hpp>
#include <kftrain/model/scalars.hpp>

#include <memory>
#include <vector>

namespace golden {

/// Time that passes only when told to. Several controllers may wait in it, each with a clock of its own.
class simulated_time : public std::enable_shared_from_this<simulated_time> {
public:
    using instant = kftrain::control::controller_clock::instant;

    explicit simulated_time(kftrain::time_point start) : start_(start) {}

    /// A clock, which keeps this alive.
    std::shared_ptr<kftrain::control::controller_clock> make_clock();
    instant now() const noexcept { return now_; }
    kftrain::time_point wall() const;
    /// Lets time pass until somebody is to be woken, at most until just before `end`, and wakes him. False if it is nobody.
    bool advance_before(kftrain::time_point end);
    void set(kftrain::time_point wall) { now_ = at(wall); }

private:
    class clock;
    instant at(kftrain::time_point wall) const;

    kftrain::time_point start_;
    instant now_{};
    std::vector<std::weak_ptr<clock>> clocks_;
};

} // namespace golden

#endif
