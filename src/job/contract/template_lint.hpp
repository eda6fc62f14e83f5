#ifndef KFTRAIN_SRC_JOB_CONTRACT_TEMPLATE_LINT_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_TEMPLATE_LINT_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/lint.hpp>

#include <span>

namespace kftrain {

/// Returns the rules for pod templates, which apply to every kind of job.
std::span<lint_rule const> template_lint_rules() noexcept;
/** Appends what these rules find. Rules about users, keys and networks look at the pods that the operator creates, so
    they apply only to valid jobs. */
void lint_templates(any_job const&, issues&);

} // namespace kftrain

#endif
