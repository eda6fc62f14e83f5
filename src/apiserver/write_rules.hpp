#ifndef KFTRAIN_SRC_APISERVER_WRITE_RULES_HPP
#define KFTRAIN_SRC_APISERVER_WRITE_RULES_HPP

#include <kftrain/apiserver/object_store.hpp>

#include "json_access.hpp"

#include <optional>
#include <string>

// What is asked of the objects that clients write, besides metadata and schema.
namespace kftrain::apiserver {

/// What the type of a built-in kind cannot hold, as `spec.containers[0].image: expected string, got 5`. Nothing for other
/// kinds.
std::optional<std::string> misfit(resource_definition const&, json::object const& object);
/// The same as 400.
answer<void> check_type(resource_definition const&, json::object const& body);

/// While an object is being deleted, finalizers may only go.
answer<void> check_finalizers(resource_definition const&, stored_object const& old, json::object const& next);
/// That the update is one of the object that is stored, and of its latest version if it names one.
answer<void> check_precondition(resource_definition const&, stored_object const& old, json::object const& body);

} // namespace kftrain::apiserver

#endif
