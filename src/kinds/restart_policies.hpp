#ifndef KFTRAIN_SRC_KINDS_RESTART_POLICIES_HPP
#define KFTRAIN_SRC_KINDS_RESTART_POLICIES_HPP

#include <kftrain/job/any_job.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// Returns the events for which policies of the job name this action, as the job writes them: `PodFailed`, `exit code
/// 3`. Most kinds have no such policies.
std::vector<std::string> policy_events(any_job const&, std::string_view action);

} // namespace kftrain

#endif
