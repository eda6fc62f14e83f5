#ifndef KFTRAIN_SRC_APISERVER_APPLY_FIELD_SET_HPP
#define KFTRAIN_SRC_APISERVER_APPLY_FIELD_SET_HPP

#include "apiserver/json/json_access.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace kftrain::apiserver {

/** A set of fields of an object, as a tree. The steps of a path are spelled as in `fieldsV1`: `f:spec` is a member,
    `k:{"name":"c"}` the item of a list with these keys, `v:"x"` the item with this value.
    @par Upstream structured-merge-diff v4 `fieldpath/set.go` */
struct field_set {
    field_set() = default;

    bool member = false; ///< the field itself is in the set
    std::map<std::string, field_set, std::less<>> below;

    bool empty() const noexcept;
    void insert(std::span<std::string const> path);
    /// Removes a field and all fields below it.
    void erase(std::span<std::string_view const> path);
    /// Calls `visit` with the path of each field.
    void visit(std::function<void(std::vector<std::string> const& path)> const& visit) const;

    static field_set from_json(json::object const& fields_v1);
    json::object to_json() const;

    friend bool operator==(field_set const&, field_set const&) = default;
};

field_set unite(field_set a, field_set const& b);
/// Returns the fields of `a` that are not in `b`.
field_set subtract(field_set const& a, field_set const& b);
field_set intersect(field_set const& a, field_set const& b);

/// Returns a path as conflicts print it: `.spec.containers[name="c"].image`.
std::string print_path(std::vector<std::string> const& path);

} // namespace kftrain::apiserver

#endif
