#ifndef KFTRAIN_SRC_APISERVER_STORE_WRITE_PRECONDITIONS_HPP
#define KFTRAIN_SRC_APISERVER_STORE_WRITE_PRECONDITIONS_HPP

#include <kftrain/apiserver/object_store.hpp>

#include "apiserver/json/json_access.hpp"

#include <string>
#include <vector>

// Preconditions of a write on the stored object.
namespace kftrain::apiserver {

/// While an object is being deleted, finalizers may only go.
answer<void> check_finalizers(resource_definition const&, stored_object const& old, json::object const& next);
/// Checks that the update is for the stored object, and for its latest version if it names one.
answer<void> check_precondition(resource_definition const&, stored_object const& old, json::object const& body);

/// Adds warnings before those of an answer, also of a refusal.
answer<written> with_warnings(answer<written> done, std::vector<std::string> first);

} // namespace kftrain::apiserver

#endif
