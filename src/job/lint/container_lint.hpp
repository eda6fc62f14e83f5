#ifndef KFTRAIN_SRC_JOB_LINT_CONTAINER_LINT_HPP
#define KFTRAIN_SRC_JOB_LINT_CONTAINER_LINT_HPP

#include <kftrain/job/lint.hpp>
#include <kftrain/objects/core.hpp>

#include <span>
#include <string>

namespace kftrain {

/// Returns the rules for containers of pod templates, which apply to every kind of job.
std::span<lint_rule const> container_lint_rules() noexcept;
/// Appends what these rules find in the container at the path.
void lint_container(core::container const&, std::string const& path, issues&);

} // namespace kftrain

#endif
