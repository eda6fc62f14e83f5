#ifndef KFTRAIN_SRC_MODEL_RULES_CONDITION_OF_HPP
#define KFTRAIN_SRC_MODEL_RULES_CONDITION_OF_HPP

#include <string_view>
#include <vector>

namespace kftrain {

/// The first condition of this type, or null; of any API, as all have a `type`.
template <class Conditions>
auto condition_of(Conditions const& conditions, std::string_view type) noexcept -> decltype(&*conditions.begin()) {
    for (auto const& c : conditions)
        if (c.type == type) return &c;
    return nullptr;
}

/// Whether the condition of this type exists and is True.
template <class Conditions> bool is_true(Conditions const& conditions, std::string_view type) noexcept {
    auto const* const c = condition_of(conditions, type);
    return c != nullptr && c->status == "True";
}

} // namespace kftrain

#endif
