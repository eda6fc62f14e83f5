#ifndef KFTRAIN_SRC_JOB_CONTRACT_TEMPLATE_LINT_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_TEMPLATE_LINT_HPP

#include <kftrain/job/lint.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <vector>

namespace kftrain {

/// Returns the rules for pod templates, which apply to every kind of job.
std::vector<lint_rule> template_lint_rules();
/** Appends what these rules find. Rules about users, keys and networks look at the pods that the operator creates, so
    they apply only to valid jobs. */
void lint_templates(prepared_job const&, issues&);

} // namespace kftrain

#endif
