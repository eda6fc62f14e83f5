#ifndef KFTRAIN_JOB_LINT_HPP
#define KFTRAIN_JOB_LINT_HPP

#include <kftrain/base/diagnostics.hpp>

#include <span>
#include <string>
#include <string_view>

namespace kftrain {

/** A rule about what admission accepts and is hardly meant. An error keeps the job from running or finishing; a warning does
    not do what it says; an info is worth knowing. */
struct lint_rule {
    constexpr lint_rule() = default;
    constexpr lint_rule(std::string_view i, issue::severity l, std::string_view r, bool keeps = false)
        : id(i), level(l), reason(r), keeps_from_starting(keeps) {}

    std::string_view id; ///< stable, e.g. `lint.child-name`
    issue::severity level = issue::severity::warning;
    std::string_view reason;          ///< one sentence: why this matters
    bool keeps_from_starting = false; ///< whether its issues bear issue::keeps_from_starting
};

/// Rules of every kind of the replica family.
std::span<lint_rule const> replica_lint_rules() noexcept;

/// Appends what a rule found at a field; the message is made of path and text.
void report(issues&, lint_rule const&, std::string path, std::string_view text);

} // namespace kftrain

#endif
