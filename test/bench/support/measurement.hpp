#ifndef KFTRAIN_TEST_BENCH_SUPPORT_MEASUREMENT_HPP
#define KFTRAIN_TEST_BENCH_SUPPORT_MEASUREMENT_HPP

#include "bench/support/paired.hpp"

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::bench {

/// Seconds of the clock on the wall, and of this process so far.
struct instant {
    double wall = 0, user = 0, sys = 0;

    static instant now();
};

/// Megabytes that malloc has given out, with what could be given back to the system given back.
double live_heap_mb();

/// The cost of a piece of work. Fields that do not apply stay 0 and are left out of reports.
struct measurement {
    double wall = 0, user = 0, sys = 0;            ///< seconds
    double count = 1;                              ///< things done
    double maxrss_mb = 0;                          ///< of the process that did them
    double items = 0, live_mb = 0;                 ///< what was kept at the end, and its heap
    double added = 0, sync_wall = 0, sync_cpu = 0; ///< of an informer before the work: the first list
    double free_cpu = 0;                           ///< seconds to free what was kept
    double p50_us = 0, p90_us = 0, p99_us = 0;     ///< delays

    double cpu() const { return user + sys; }
    double per_us() const { return 1e6 * cpu() / count; }
};

measurement between(instant begin, instant end, double count);
void set_delays(measurement& m, std::vector<double> microseconds);

/// One line of JSON.
void print_json(std::string_view what, measurement const& m);

/// Runs `work` in a process of its own, so that no work meets the heap or the peak that another left.
measurement measured_apart(std::function<measurement()> const& work);

/** Ways to do the same, in turn within each round, each time in a new process. Ratios are those to the first way: the
    median of the ratios within rounds, see paired. All else is the median over the rounds. */
class comparison {
public:
    void add(std::string name, std::function<measurement()> work);
    void run(std::string const& title, int rounds);

private:
    double median(std::size_t way, double (*value)(measurement const&)) const;

    paired times_;
    std::deque<std::vector<measurement>> results_; ///< for each way, for each round; does not move
};

} // namespace kftrain::bench

#endif
