#ifndef KFTRAIN_SRC_APISERVER_APPLY_FIELD_WALK_HPP
#define KFTRAIN_SRC_APISERVER_APPLY_FIELD_WALK_HPP

#include "apiserver/apply/field_set.hpp"
#include "apiserver/apply/merge_shape.hpp"

#include <string>

// Walks over objects along their shapes. Upstream: structured-merge-diff v4 `typed/`.
namespace kftrain::apiserver {

/// Returns the fields of an object that have values.
field_set fields_of(json::object const& object, merge_shape const& shape);

/// The difference between two states of an object.
struct field_changes {
    field_set added, modified, removed;
};
field_changes compare_fields(json::object const& before, json::object const& after, merge_shape const& shape);

/// Returns `live` with the values of a configuration; items of lists with keys are merged.
json::object merge_configuration(json::object const& live, json::object const& configuration, merge_shape const& shape);

/// Returns the object without these fields. Atomic values are kept or removed as a whole.
json::object remove_fields(json::object const& object, merge_shape const& shape, field_set const& fields);

/// Adds the members of structs that contain fields of the set.
field_set with_parents(field_set const& fields, merge_shape const& shape);

/// Returns why a configuration cannot be merged, as `.spec.bogus: field not declared in schema`; empty if it can.
std::string configuration_fault(json::object const& configuration, merge_shape const& shape);

} // namespace kftrain::apiserver

#endif
