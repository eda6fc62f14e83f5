#ifndef KFTRAIN_SRC_MODEL_SCHEMA_KNOWN_RULES_HPP
#define KFTRAIN_SRC_MODEL_SCHEMA_KNOWN_RULES_HPP

#include "model/schema/schema_node.hpp"

#include <kftrain/model/schema.hpp>

#include <span>
#include <string_view>

namespace kftrain {

/// An expression that kftrain can evaluate, by its exact text.
struct known_rule {
    std::string_view text;
    schema_rule::predicate holds = nullptr; ///< null: a transition rule, the value must be as before
};

/// Returns null for other expressions.
known_rule const* find_known_rule(std::string_view text) noexcept;

/// A regular expression of the shipped CRDs, by its exact text, with a function that matches the same texts.
struct known_pattern {
    std::string_view text;
    bool (*matches)(std::string_view) noexcept; ///< in time linear in the text, and constant memory
};

/// All of them.
std::span<known_pattern const> known_patterns() noexcept;

/// The function of a known pattern, else the result of the judge, which may be empty.
text_predicate matcher_of(std::string_view pattern, pattern_judge const&);

} // namespace kftrain

#endif
