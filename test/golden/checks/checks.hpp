#ifndef KFTRAIN_TEST_GOLDEN_CHECKS_CHECKS_HPP
#define KFTRAIN_TEST_GOLDEN_CHECKS_CHECKS_HPP

#include "golden/recordings.hpp"

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace golden {

/** What differences.json lets a comparison overlook.

    | name | allows |
    |---|---|
    | `error-order` | the errors of a refusal stand in another order |
    | `no-timers` | nobody is woken at the times that the rules name |
    | `shifted-scale-down` | MPIJobs whose launcher works lose the workers that upstream takes |
    | `unwatched-pods` | where upstream had not seen yet what happened to pods, the step and the one after it are one | */
using allowances = std::set<std::string, std::less<>>;

/// One way in which kftrain is compared with a recording. Each returns the first difference, or an empty string.
struct check {
    std::string_view name;
    std::string (*run)(recorded_case const&, allowances const&);
};

/// Defaults and validation of the kind's definition and of the kind's rules.
std::string check_admission(recorded_case const&, allowances const&);
/// What `render` promises, against what was created.
std::string check_render(recorded_case const&, allowances const&);
/// The rules in a simulated cluster.
std::string check_plan(recorded_case const&, allowances const&);

/// What the API server in the process answers to the job.
std::string check_served_admission(recorded_case const&, allowances const&);
/// An operator over the API server in the process.
std::string check_operator(recorded_case const&, allowances const&);

} // namespace golden

#endif
