#ifndef KFTRAIN_SRC_APISERVER_APPLY_FIELD_MANAGERS_HPP
#define KFTRAIN_SRC_APISERVER_APPLY_FIELD_MANAGERS_HPP

#include "apiserver/apply/field_walk.hpp"

#include <kftrain/model/scalars.hpp>

#include <string>
#include <vector>

namespace kftrain::apiserver {

/// The fields that one client manages: an entry of `metadata.managedFields`.
struct field_manager {
    field_manager() = default;

    std::string name, operation, api_version, time, subresource;
    field_set fields;

    bool applies() const noexcept { return operation == "Apply"; }
    /// Whether it is the same manager; that of applied fields has no version.
    bool is(field_manager const& other) const noexcept;
    /// Returns `"kubectl-edit" using v1`, as conflicts print it.
    std::string text() const;
};

/// The managers of the fields of an object. Upstream: structured-merge-diff v4 `merge/update.go`.
class field_managers {
public:
    explicit field_managers(json::object const& object);

    bool empty() const noexcept { return managers_.empty(); }
    json::array to_json() const;

    /// Makes the client of a write the manager of the fields that it changed.
    void update(json::object const& before, json::object const& after, merge_shape const&, field_manager by);

    /// Removes the fields without managers from every manager.
    void strip(resource_definition const&);

    /** Merges a configuration into an object.
        @param by The manager, without fields
        @param allowed Fields that the manager takes from others without a conflict
        @return The object to write; 409 if another manager has a field with another value, unless forced */
    answer<json::object> apply(resource_definition const&, json::object const& live, json::object const& configuration,
                               merge_shape const&, field_manager by, bool force, field_set const& allowed = {});

private:
    field_manager* find(field_manager const&);
    void take(field_changes const&, field_manager const& from);
    json::object prune(json::object const& merged, merge_shape const&, field_set const& last) const;

    std::vector<field_manager> managers_;
};

/// Removes the fields that belong to the server, and those of the other subresources.
void strip_fields(field_set&, resource_definition const&, std::string_view subresource);

} // namespace kftrain::apiserver

#endif
