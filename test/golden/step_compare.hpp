#ifndef KFTRAIN_TEST_GOLDEN_STEP_COMPARE_HPP
#define KFTRAIN_TEST_GOLDEN_STEP_COMPARE_HPP

#include "golden/operator_pass.hpp"

namespace golden {

/// Compares what the rules did in a step, and what is there after it, with the recorded step. `status` has its times
/// written as the recording writes them.
std::optional<std::string> compare_step(json::object const& recorded, traces const& done, cluster const& world,
                                        json::value const& status);

} // namespace golden

#endif
