#ifndef KFTRAIN_SRC_MODEL_JSON_JSON_DOCUMENT_HPP
#define KFTRAIN_SRC_MODEL_JSON_JSON_DOCUMENT_HPP

#include "model/json/json_members.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace kftrain::detail {

/// Thrown inside patch functions, and caught at their border.
struct patch_refused {
    failure why;
};
[[noreturn]] void refuse_patch(std::string message, std::string path = {});

/// The nesting limit for objects and lists in documents, patches and patched documents.
inline constexpr std::size_t most_levels = 512;

/// Null and `ec` if the text is no JSON or nests deeper than @ref most_levels.
boost::json::value parse_json(std::string_view text, error_code& ec);
/// `who` names the text in the error: `document` or `patch`. Throws patch_refused.
boost::json::value parse_document(std::string_view text, std::string_view who);

/// A place in documents of described types: what is known about the value there. Beyond the described, nothing is.
class schema {
public:
    explicit schema(model::descriptor const* type) : type_(skip_optional(type)) {}
    explicit schema(model::descriptor const& type) : schema(&type) {}

    /// The schema of a field of an object, or of an entry of a map.
    schema at(std::string_view name) const;
    /// The schema of the items of a list.
    schema item() const;
    model::descriptor const* type() const noexcept { return type_; }
    /// The key that identifies an item of a list; `*` for a set of scalars; empty if the list is replaced as a whole.
    std::string_view merge_key() const noexcept { return merge_key_; }
    bool retains_keys() const noexcept { return retains_keys_; }

private:
    static model::descriptor const* skip_optional(model::descriptor const* d) {
        while (d != nullptr && d->kind == model::shape::optional) d = d->element;
        return d;
    }

    model::descriptor const* type_;
    std::string_view merge_key_{};
    bool retains_keys_ = false;
};

/// Equality of JSON; of texts by the value that they stand for.
bool same_value(schema const& s, boost::json::value const& a, boost::json::value const& b);

/// Equality of JSON texts, whatever the order of members; what is no JSON is equal only to itself.
bool same_json(std::string_view a, std::string_view b);

} // namespace kftrain::detail

#endif
