#ifndef KFTRAIN_SRC_MODEL_SCHEMA_SCHEMA_NODE_HPP
#define KFTRAIN_SRC_MODEL_SCHEMA_SCHEMA_NODE_HPP

#include <kftrain/model/schema.hpp>

#include <boost/json.hpp>

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain {

/// An expression of `x-kubernetes-validations`. What it means is decided by a table over its exact text.
struct schema_rule {
    using predicate = bool (*)(boost::json::value const& self);

    predicate holds = nullptr; ///< null: `self == oldSelf`, evaluated only if the value existed before
    std::string message;
};

/// One subschema. Absent limits are nullopt, absent subschemas null.
struct schema_node {
    schema_node() = default;

    std::string type;               ///< as written
    std::vector<std::string> types; ///< what is accepted: `type`, or integer and string; empty: anything
    std::string format;             ///< empty when the server does not check it, as int32
    bool nullable = false;
    bool preserve_unknown = false;
    bool unique_items = false;
    bool exclusive_minimum = false, exclusive_maximum = false;
    bool any_additional = false; ///< `additionalProperties: true`
    bool atomic_map = false;     ///< `x-kubernetes-map-type: atomic`

    std::vector<std::pair<std::string, schema_node const*>> properties; ///< sorted by name
    schema_node const* additional = nullptr;
    schema_node const* items = nullptr;
    schema_node const* not_ = nullptr;
    std::vector<schema_node const*> all_of, any_of, one_of;

    std::vector<std::string> required;
    std::vector<boost::json::value> enumeration;
    std::optional<boost::json::value> default_value;
    std::optional<double> minimum, maximum, multiple_of;
    std::optional<std::int64_t> min_length, max_length, min_items, max_items, min_properties, max_properties;
    std::string pattern_text;
    text_predicate matches; ///< of the pattern; empty without one

    std::string list_type;
    std::vector<std::string> list_map_keys;
    std::vector<schema_rule> rules;

    schema_node const* property(std::string_view name) const noexcept;
    /// The schema of a member: its property, else the one for additional properties, else null.
    schema_node const* member(std::string_view name) const noexcept;
};

struct resource_schema::compiled {
    compiled() = default;
    compiled(compiled const&) = delete;
    compiled& operator=(compiled const&) = delete;

    schema_node const* root = nullptr;
    bool has_rules = false;    ///< there is an expression somewhere
    bool shows_values = false; ///< refusals by expressions show the value, as servers since v1.36 do
    std::optional<scale_paths> scale;
    std::deque<schema_node> nodes;
};

inline std::string_view text_of(boost::json::string_view s) noexcept { return {s.data(), s.size()}; }

/// Whether the compiler takes a schema with this format, which may be one that no server checks.
bool can_check_format(std::string_view format);
/// Whether it takes a rule of `x-kubernetes-validations`.
bool can_check_rule(boost::json::object const& rule);

/// The members of an object by name, the order in which faults are reported.
std::vector<boost::json::key_value_pair const*> by_name(boost::json::object const&);

/** Checks a value against a schema, and what is below it.
    @param old The value before, if this is an update and there was one; what is wrong in both is let pass.
    @param prefix Stands before the fields of violations, but not in their messages; may be empty. */
std::vector<schema_violation> validate_structure(schema_node const&, boost::json::value const&,
                                                 boost::json::value const* old, std::string_view prefix);
/// Uniqueness in lists of the types map and set.
std::vector<schema_violation> validate_lists(schema_node const&, boost::json::value const&);
/// Expressions; `old` is null on creation. The messages show the value, or its type.
std::vector<schema_violation> validate_rules(schema_node const&, boost::json::value const&,
                                             boost::json::value const* old, bool shows_values);

} // namespace kftrain

#endif
