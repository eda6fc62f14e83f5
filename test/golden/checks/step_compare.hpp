#ifndef KFTRAIN_TEST_GOLDEN_CHECKS_STEP_COMPARE_HPP
#define KFTRAIN_TEST_GOLDEN_CHECKS_STEP_COMPARE_HPP

#include "golden/checks/traces.hpp"
#include "golden/clusters/cluster.hpp"

#include <optional>

namespace golden {

/// Compares the requests of a step, and the objects after it, with the recorded step.
std::optional<std::string> compare_step(json::object const& recorded, traces const& done, aftermath const& left);

/** Reports a status that was written more often than in any run of the recording. Fewer writes are correct, because the
    number of passes over one state varies. Counts only passes that begin after the whole stimulus; a pass in between
    writes, too. */
std::optional<std::string> compare_status_writes(json::object const& recorded, traces const& done);

/// Compares the answers to the requests of the step's stimulus.
std::optional<std::string> compare_refusals(json::object const& recorded, std::vector<refusal> const& refused);

} // namespace golden

#endif
