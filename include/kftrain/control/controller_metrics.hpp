#ifndef KFTRAIN_CONTROL_CONTROLLER_METRICS_HPP
#define KFTRAIN_CONTROL_CONTROLLER_METRICS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kftrain::control {

/// How many durations fell into which range.
class duration_histogram {
public:
    /// `bounds`: the upper ends of the ranges in seconds, ascending; a last range takes all that is longer.
    explicit duration_histogram(std::vector<double> bounds = usual_bounds());

    void add(std::chrono::nanoseconds took);

    std::vector<double> const& bounds() const noexcept { return bounds_; }
    /// Of each range alone, one more than there are bounds.
    std::vector<std::uint64_t> const& counts() const noexcept { return counts_; }
    std::uint64_t count() const noexcept { return count_; }
    double sum() const noexcept { return sum_; } ///< in seconds

    /// From 5 ms to a minute.
    static std::vector<double> usual_bounds();

private:
    std::vector<double> bounds_;
    std::vector<std::uint64_t> counts_;
    std::uint64_t count_ = 0;
    double sum_ = 0;
};

/// What a controller has done since it was made, and what it has to do.
struct controller_metrics {
    controller_metrics() = default;

    std::string name; ///< as controller_options::name
    std::uint64_t succeeded = 0;
    std::uint64_t requeued = 0; ///< succeeded, and asked to be called again after some time
    std::uint64_t failed = 0;
    duration_histogram durations; ///< of all of these
    std::uint64_t adds = 0;       ///< of keys to the queue that did not wait there already
    std::uint64_t retries = 0;    ///< of keys that failed
    std::size_t depth = 0;        ///< keys that wait for a worker
    std::size_t active_workers = 0;
    std::size_t workers = 0;
};

} // namespace kftrain::control

#endif
