#ifndef KFTRAIN_TEST_BENCH_SUPPORT_PAIRED_HPP
#define KFTRAIN_TEST_BENCH_SUPPORT_PAIRED_HPP

#include <algorithm>
#include <functional>
#include <string>
#include <time.h>
#include <vector>

namespace kftrain::bench {

/** Times several things in turn, round by round, so that what else the machine does meets all alike. The ratio of two
    is the median of their ratios in the same round; the time of one is its least. */
class paired {
public:
    /// `run` returns the seconds that it took, which lets it leave out what it prepares and cleans up.
    void add(std::string name, std::function<double()> run) { rows_.push_back({std::move(name), std::move(run), {}}); }

    void measure(int rounds) {
        for (int i = 0; i < rounds; ++i)
            for (auto& r : rows_) r.seconds.push_back(r.run());
    }

    std::size_t size() const { return rows_.size(); }
    std::string const& name(std::size_t i) const { return rows_[i].name; }
    double least(std::size_t i) const { return *std::min_element(rows_[i].seconds.begin(), rows_[i].seconds.end()); }
    double ratio(std::size_t i, std::size_t to) const {
        std::vector<double> all;
        for (std::size_t k = 0; k < rows_[i].seconds.size(); ++k)
            all.push_back(rows_[i].seconds[k] / rows_[to].seconds[k]);
        std::sort(all.begin(), all.end());
        return all[all.size() / 2];
    }

private:
    struct row {
        std::string name;
        std::function<double()> run;
        std::vector<double> seconds;
    };
    std::vector<row> rows_;
};

/// Processor time of this thread: what else runs on the machine does not count.
inline double processor_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Keeps the optimiser from dropping what made `value`.
template <class T> void keep(T const& value) { asm volatile("" : : "g"(&value) : "memory"); }

} // namespace kftrain::bench

#endif
