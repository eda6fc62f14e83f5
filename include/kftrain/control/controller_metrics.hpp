#ifndef KFTRAIN_CONTROL_CONTROLLER_METRICS_HPP
#define KFTRAIN_CONTROL_CONTROLLER_METRICS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kftrain::control {

/// A histogram of durations.
class duration_histogram {
public:
    /// `bounds`: the upper bounds of the buckets in seconds, ascending; a last bucket counts all longer durations.
    explicit duration_histogram(std::vector<double> bounds = usual_bounds());

    void add(std::chrono::nanoseconds took);

    std::vector<double> const& bounds() const noexcept { return bounds_; }
    /// Returns the count of each bucket alone, one more than there are bounds.
    std::vector<std::uint64_t> const& counts() const noexcept { return counts_; }
    std::uint64_t count() const noexcept { return count_; }
    double sum() const noexcept { return sum_; } ///< in seconds

    /// Returns bounds from 5 ms to one minute.
    static std::vector<double> usual_bounds();

private:
    std::vector<double> bounds_;
    std::vector<std::uint64_t> counts_;
    std::uint64_t count_ = 0;
    double sum_ = 0;
};

/// The work that a controller has done since its creation, and the work that is queued.
struct controller_metrics {
    controller_metrics() = default;

    std::string name; ///< as controller_options::name
    std::uint64_t succeeded = 0;
    std::uint64_t requeued = 0; ///< succeeded with requeue_after
    std::uint64_t failed = 0;
    duration_histogram durations; ///< of all of these
    std::uint64_t adds = 0;       ///< keys added to the queue that were not already waiting there
    std::uint64_t retries = 0;    ///< retries of failed keys
    std::size_t depth = 0;        ///< keys that wait for a worker
    std::size_t active_workers = 0;
    std::size_t workers = 0;
};

} // namespace kftrain::control

#endif
