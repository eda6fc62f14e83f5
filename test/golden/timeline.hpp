#ifndef KFTRAIN_TEST_GOLDEN_TIMELINE_HPP
#define KFTRAIN_TEST_GOLDEN_TIMELINE_HPP

#include "golden/compare.hpp"

#include <kftrain/model/scalars.hpp>

#include <vector>

namespace golden {

/// The beginnings of the steps of a replay, for telling times as the recordings do.
class timeline {
public:
    /// Where replays begin.
    static kftrain::time_point start();

    void begin_step(kftrain::time_point now) { steps_.push_back(now); }
    /// When the step ends that began last: a second after its begin, or after the wait that the event demands.
    kftrain::time_point end_of(json::object const& event) const;

    /// `status` without empty values and with `<tK>` for a time in step K.
    json::value reported(json::object const& status) const;

private:
    void write_times(json::value&) const;

    std::vector<kftrain::time_point> steps_;
};

} // namespace golden

#endif
