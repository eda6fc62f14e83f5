#ifndef KFTRAIN_SRC_APISERVER_APPLY_MERGE_SHAPE_HPP
#define KFTRAIN_SRC_APISERVER_APPLY_MERGE_SHAPE_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include "apiserver/json/json_access.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {
struct schema_node;
namespace model {
struct field;
}
} // namespace kftrain

namespace kftrain::apiserver {

/** How the values at a place of an object are merged, by the type of a built-in kind or the schema of a custom one.
    Refers to the definition of the kind.
    @par Upstream kube-openapi `pkg/schemaconv` */
class merge_shape {
public:
    static merge_shape of(resource_definition const&);

    enum class list { atomic, set, map };
    list list_kind() const;
    /// Whether an object is replaced as a whole.
    bool is_atomic() const;
    /// Whether this is a struct whose members are all known.
    bool is_closed() const;
    /// Whether this is a struct with a member of this name.
    bool declares(std::string_view name) const;
    merge_shape member(std::string_view name) const;
    merge_shape item() const;
    /// Returns the step to an item of a list, as in @ref field_set; nothing if an item of a map lacks a key.
    std::optional<std::string> step_to(json::value const& item) const;
    /// Returns why a configuration must not have an item, with the message of upstream; empty if it may.
    std::string item_fault(json::value const& item) const;

private:
    std::vector<std::string_view> keys() const;
    /// Returns the value of a key that an item omits; null if there is none.
    json::value default_of(std::string_view key) const;

    model::descriptor const* type_ = nullptr;
    model::field const* field_ = nullptr; ///< whose type it is
    schema_node const* node_ = nullptr;
    bool root_ = false;
    bool atomic_ = false;
};

} // namespace kftrain::apiserver

#endif
