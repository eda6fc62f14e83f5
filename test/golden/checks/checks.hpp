#ifndef KFTRAIN_TEST_GOLDEN_CHECKS_CHECKS_HPP
#define KFTRAIN_TEST_GOLDEN_CHECKS_CHECKS_HPP

#include "golden/recordings.hpp"

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace golden {

/** The differences that differences.json allows in a comparison.

    | name | allows |
    |---|---|
    | `error-order` | the errors of a refusal are in another order |
    | `no-timers` | no plans at the times that the rules return |
    | `shifted-scale-down` | MPIJobs with a running launcher lose the same workers as upstream |
    | `unwatched-pods` | if upstream had not observed changes of pods yet, the step and the next one count as one | */
using allowances = std::set<std::string, std::less<>>;

/// One way in which kftrain is compared with a recording. Each returns the first difference, or an empty string.
struct check {
    std::string_view name;
    std::string (*run)(recorded_case const&, allowances const&);
};

/// Defaults and validation of the kind's definition and of the kind's rules.
std::string check_admission(recorded_case const&, allowances const&);
/// Compares the objects of `render` with the created ones.
std::string check_render(recorded_case const&, allowances const&);
/// The rules in a simulated cluster.
std::string check_plan(recorded_case const&, allowances const&);

/// Compares the answer of the API server in this process to the job.
std::string check_served_admission(recorded_case const&, allowances const&);
/// An operator over the API server in the process.
std::string check_operator(recorded_case const&, allowances const&);

} // namespace golden

#endif
