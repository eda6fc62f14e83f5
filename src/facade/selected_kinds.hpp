#ifndef KFTRAIN_SRC_FACADE_SELECTED_KINDS_HPP
#define KFTRAIN_SRC_FACADE_SELECTED_KINDS_HPP

#include <kftrain/kinds/registry.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace kftrain {

/// Why options that name kinds cannot be used: a kind is null. @par Errors `errc::invalid_argument`
inline std::optional<failure> fault_of_kinds(std::vector<rules::job_rules const*> const& named) {
    if (std::ranges::find(named, nullptr) == named.end()) return std::nullopt;
    return rules::cannot("kinds", "expected the rules of a kind, got null");
}

/// The kinds that the options of lists and watches name, each once and in order; all kinds if the options name none.
inline std::vector<rules::job_rules const*> selected_kinds(std::vector<rules::job_rules const*> const& named) {
    auto const known = known_job_rules();
    if (named.empty()) return {known.begin(), known.end()};
    std::vector<rules::job_rules const*> kinds;
    for (auto const* k : named)
        if (std::ranges::find(kinds, k) == kinds.end()) kinds.push_back(k);
    return kinds;
}

} // namespace kftrain

#endif
