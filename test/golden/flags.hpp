#ifndef KFTRAIN_TEST_GOLDEN_FLAGS_HPP
#define KFTRAIN_TEST_GOLDEN_FLAGS_HPP

#include "golden/recordings.hpp"

#include <kftrain/job/plan.hpp>

namespace golden {

/// What the flags of the recorded operator (`flags` in case.json) tell the rules.
kftrain::operator_options read_flags(json::object const& about);

} // namespace golden

#endif
