#ifndef KFTRAIN_TEST_SUPPORT_DICE_HPP
#define KFTRAIN_TEST_SUPPORT_DICE_HPP

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace kftrain::test {

/// Numbers from a seed that are the same everywhere; the distributions of the standard library are not.
class dice {
public:
    explicit dice(std::uint64_t seed) : next_(seed) {}

    /// From `least` to `most`.
    int between(int least, int most) {
        return least + static_cast<int>(next_() % static_cast<std::uint64_t>(most - least + 1));
    }
    /// True once in `n` times.
    bool once_in(int n) { return between(1, n) == 1; }
    template <class T> T const& one_of(std::vector<T> const& values) {
        return values[static_cast<std::size_t>(between(0, static_cast<int>(values.size()) - 1))];
    }

private:
    std::mt19937_64 next_;
};

} // namespace kftrain::test

#endif
