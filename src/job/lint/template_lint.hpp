#ifndef KFTRAIN_SRC_JOB_LINT_TEMPLATE_LINT_HPP
#define KFTRAIN_SRC_JOB_LINT_TEMPLATE_LINT_HPP

#include <kftrain/job/lint.hpp>

#include <vector>

namespace kftrain {

/// Returns the rules for pod templates, which apply to every kind of job.
std::vector<lint_rule> template_lint_rules();

} // namespace kftrain

#endif
