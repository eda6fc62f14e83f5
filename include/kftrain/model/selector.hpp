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

    std::string key;
    relation what = relation::exists;
    std::vector<std::string> values;

    /// Whether it holds for a label of this value; nothing stands for no such label.
    bool holds(std::optional<std::string_view> value) const;
    /// `a=b`, `a in (b,c)`, `!a`, ...
    std::string to_string() const;

    friend bool operator==(label_requirement const&, label_requirement const&) = default;
};

/** What a list or watch selects by labels: all requirements must hold.
    @par Upstream apimachinery `pkg/labels/selector.go`, `pkg/apis/meta/v1/helpers.go`, v0.31
    @par Thread safety Distinct objects: safe. Shared objects: reading is safe. */
struct label_query {
    label_query() = default;

    std::vector<label_requirement> requirements; ///< sorted by key

    /** Reads `a=b,c!=d,e in (x,y),f notin (z),g,!h,i>1,j<2`; the empty text selects everything. Never throws but for
        memory.
        @par Errors `errc::invalid_argument` with the server's text. */
    static result<label_query> parse(std::string_view text);
    /// The same from the object form. @par Errors as for parse().
    static result<label_query> from(label_selector const& selector);

    bool empty() const noexcept { return requirements.empty(); }
    bool matches(string_map const& labels) const;
    /// `find(key)` returns `std::optional<std::string_view>`, the label's value if it is there.
    template <class Find> bool matches_labels(Find&& find) const {
        for (auto const& r : requirements)
            if (!r.holds(find(std::string_view(r.key)))) return false;
        return true;
    }
    /// Reads back to the same query.
    std::string to_string() const;

    friend bool operator==(label_query const&, label_query const&) = default;
};

/// One condition on one field, as `status.phase!=Running`.
struct field_requirement {
    field_requirement() = default;

    std::string path;
    std::string value;
    bool equal = true; ///< false: must differ

    friend bool operator==(field_requirement const&, field_requirement const&) = default;
};

/** What a list or watch selects by fields: all requirements must hold. Which fields a kind can be selected by is the
    server's to know.
    @par Upstream apimachinery `pkg/fields/selector.go`, v0.31
    @par Thread safety Distinct objects: safe. Shared objects: reading is safe. */
struct field_query {
    field_query() = default;

    std::vector<field_requirement> requirements; ///< in the order of their texts

    /** Reads `a=b,c==d,e!=f`, in values `\\`, `\,` and `\=` for the characters themselves. Never throws but for memory.
        @par Errors `errc::invalid_argument` with the server's text. */
    static result<field_query> parse(std::string_view text);

    bool empty() const noexcept { return requirements.empty(); }
    /// `get(path)` returns the field's text, empty when there is none; as `std::string` or `std::string_view`.
    template <class Get> bool matches_fields(Get&& get) const {
        for (auto const& r : requirements)
            if ((get(std::string_view(r.path)) == r.value) != r.equal) return false;
        return true;
    }
    /// Reads back to the same query.
    std::string to_string() const;

    friend bool operator==(field_query const&, field_query const&) = default;
};

} // namespace kftrain

#endif
