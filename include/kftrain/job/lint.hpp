#ifndef KFTRAIN_JOB_LINT_HPP
#define KFTRAIN_JOB_LINT_HPP

#include <kftrain/base/diagnostics.hpp>

#include <span>
#include <string>
#include <string_view>

namespace kftrain {

/** A rule about a likely mistake that admission accepts. An error keeps the job from running or finishing; a warning
    marks a setting without the expected effect; an info is worth knowing. */
struct lint_rule {
    constexpr lint_rule() = default;
    constexpr lint_rule(std::string_view i, issue::severity l, std::string_view r, bool keeps = false)
        : id(i), level(l), reason(r), keeps_from_starting(keeps) {}

    std::string_view id;                              ///< stable, e.g. `lint.child-name`
    issue::severity level = issue::severity::warning; ///< severity of its issues
    std::string_view reason;                          ///< one sentence: why this matters
    bool keeps_from_starting = false;                 ///< whether its issues set issue::keeps_from_starting
};

/// Returns the rules that apply to every kind of the replica family.
std::span<lint_rule const> replica_lint_rules() noexcept;

/// Appends an issue of this rule at a field; the message consists of path and text.
void report(issues&, lint_rule const&, std::string path, std::string_view text);

} // namespace kftrain

#endif
