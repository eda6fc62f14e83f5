#ifndef KFTRAIN_SRC_MODEL_SCHEMA_KNOWN_RULES_HPP
#define KFTRAIN_SRC_MODEL_SCHEMA_KNOWN_RULES_HPP

#include "model/schema/schema_node.hpp"

namespace kftrain {

/// An expression that kftrain can evaluate, by its exact text.
struct known_rule {
    std::string_view text;
    schema_rule::predicate holds = nullptr; ///< null: a transition rule, the value must be as before
};

/// Returns null for other expressions.
known_rule const* find_known_rule(std::string_view text) noexcept;

} // namespace kftrain

#endif
