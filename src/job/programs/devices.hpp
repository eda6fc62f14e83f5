#ifndef KFTRAIN_SRC_JOB_PROGRAMS_DEVICES_HPP
#define KFTRAIN_SRC_JOB_PROGRAMS_DEVICES_HPP

#include <kftrain/objects/core.hpp>

#include <algorithm>
#include <cstdint>

namespace kftrain {

/// Returns the GPUs in the limits of a container, e.g. of `nvidia.com/gpu`.
inline std::int64_t gpus_of(core::container const& c) {
    std::int64_t sum = 0;
    for (auto const& [name, amount] : c.resources.limits)
        if (name.ends_with("/gpu")) sum += std::clamp<std::int64_t>(amount.value(), 0, 1'000'000);
    return sum;
}

} // namespace kftrain

#endif
