#ifndef KFTRAIN_SRC_KINDS_TRAIN_JOB_LINT_HPP
#define KFTRAIN_SRC_KINDS_TRAIN_JOB_LINT_HPP

#include <kftrain/job/lint.hpp>
#include <kftrain/kinds/train_job.hpp>

namespace kftrain::trainer {

/// Appends likely mistakes that admission accepts. Without a runtime, only those that the job alone shows.
void lint(train_job const&, any_object const& runtime, issues& found);
std::span<lint_rule const> lint_rules() noexcept;

} // namespace kftrain::trainer

#endif
