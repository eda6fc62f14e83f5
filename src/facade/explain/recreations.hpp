#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_RECREATIONS_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_RECREATIONS_HPP

#include "facade/explain/findings.hpp"

namespace kftrain::explaining {

/// The earlier pods of a member, from events and pods that still exist.
struct recreation {
    recreation() = default;

    std::int64_t created = 0;              ///< creations of its pod that events report
    std::int64_t deleted = 0;              ///< deletions of its pod by the operator that events report
    std::int64_t failed = 0;               ///< ends of its pods with a code other than 0
    std::int64_t times = 0;                ///< how often its pod was created again
    std::optional<std::int32_t> code;      ///< the exit code of the last pod that failed
    std::optional<time_point> last;        ///< when the last pod was created, deleted or failed
    job_event const* last_event = nullptr; ///< of the last failure or deletion
};

/// By member.
std::vector<recreation> count_recreations(findings const& f);

/// Whether events about pods were combined, so that they cannot be counted by pod.
bool has_combined_events(findings const& f);

/// The last action that a policy of the job caused, and not a command of a user; empty: none did.
std::string policy_action(findings const& f);

} // namespace kftrain::explaining

#endif
