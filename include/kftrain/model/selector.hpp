#ifndef KFTRAIN_MODEL_SELECTOR_HPP
#define KFTRAIN_MODEL_SELECTOR_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/meta.hpp>

#include <optional>

namespace kftrain {

/// One condition on one label.
struct label_requirement {
    enum class relation { in, not_in, equals, double_equals, not_equals, greater, less, exists, absent };

    label_requirement() = default;

    std::string key;                  ///< name of the label
    relation what = relation::exists; ///< relation of the label to the values
    /// None for `exists` and `absent`, any number for `in` and `not_in`, otherwise one.
    std::vector<std::string> values;

    /// Returns whether it holds for a label of this value; no value represents an absent label.
    bool holds(std::optional<std::string_view> value) const;
    /// Returns `a=b`, `a in (b,c)`, `!a`, ...
    std::string to_string() const;

    friend bool operator==(label_requirement const&, label_requirement const&) = default;
};

/** The label selector of a list or watch: all requirements must hold.
    @par Upstream apimachinery `pkg/labels/selector.go`, `pkg/apis/meta/v1/helpers.go`, v0.31
    @par Thread safety Distinct objects: safe. Shared objects: reading is safe. */
struct label_query {
    label_query() = default;

    std::vector<label_requirement> requirements; ///< sorted by key

    /** Parses `a=b,c!=d,e in (x,y),f notin (z),g,!h,i>1,j<2`; the empty text selects everything. Throws only if
        memory runs out.
        @par Errors `errc::invalid_argument` with the text of the server. */
    [[nodiscard]] static result<label_query> parse(std::string_view text);
    /// The same from the object form. @par Errors as for parse().
    [[nodiscard]] static result<label_query> from(label_selector const& selector);

    bool empty() const noexcept { return requirements.empty(); }
    bool matches(string_map const& labels) const;
    /// `find(key)` returns `std::optional<std::string_view>`, the value of the label if present.
    template <class Find> bool matches_labels(Find&& find) const {
        for (auto const& r : requirements)
            if (!r.holds(find(std::string_view(r.key)))) return false;
        return true;
    }
    /// Returns a text that parses to the same query.
    std::string to_string() const;

    friend bool operator==(label_query const&, label_query const&) = default;
};

/// One condition on one field, e.g. `status.phase!=Running`.
struct field_requirement {
    field_requirement() = default;

    std::string path;  ///< path of the field, e.g. `status.phase`
    std::string value; ///< text to which the field is compared
    bool equal = true; ///< false: must differ

    friend bool operator==(field_requirement const&, field_requirement const&) = default;
};

/** The field selector of a list or watch: all requirements must hold. The server determines which fields of a kind
    are supported.
    @par Upstream apimachinery `pkg/fields/selector.go`, v0.31
    @par Thread safety Distinct objects: safe. Shared objects: reading is safe. */
struct field_query {
    field_query() = default;

    std::vector<field_requirement> requirements; ///< in the order of their texts

    /** Parses `a=b,c==d,e!=f`; in values, `\\`, `\,` and `\=` stand for the characters themselves. Throws only if
        memory runs out.
        @par Errors `errc::invalid_argument` with the text of the server. */
    [[nodiscard]] static result<field_query> parse(std::string_view text);

    bool empty() const noexcept { return requirements.empty(); }
    /// `get(path)` returns the text of the field, empty if absent, as `std::string` or `std::string_view`.
    template <class Get> bool matches_fields(Get&& get) const {
        for (auto const& r : requirements)
            if ((get(std::string_view(r.path)) == r.value) != r.equal) return false;
        return true;
    }
    /// Returns a text that parses to the same query.
    std::string to_string() const;

    friend bool operator==(field_query const&, field_query const&) = default;
};

} // namespace kftrain

#endif
