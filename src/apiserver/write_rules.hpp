#ifndef KFTRAIN_SRC_APISERVER_WRITE_RULES_HPP
#define KFTRAIN_SRC_APISERVER_WRITE_RULES_HPP

#include <kftrain/apiserver/object_store.hpp>

#include "json_access.hpp"

#include <memory>
#include <string>

// What is asked of the objects that clients write, besides metadata and schema.
namespace kftrain::apiserver {

/// A body as the type of its kind holds it; null for kinds without a type.
using typed_body = std::shared_ptr<void const>;

/** The body in its type. Null for kinds without one, and for the body of another kind, of which is told elsewhere.
    @return What the type cannot hold, as `spec.containers[0].image: expected string, got 5`. */
boost::system::result<typed_body, std::string> read_type(resource_definition const&, json::object const& object);
/// The same, or 400.
answer<typed_body> check_type(resource_definition const&, json::object const& body);

/// While an object is being deleted, finalizers may only go.
answer<void> check_finalizers(resource_definition const&, stored_object const& old, json::object const& next);
/// That the update is one of the object that is stored, and of its latest version if it names one.
answer<void> check_precondition(resource_definition const&, stored_object const& old, json::object const& body);

} // namespace kftrain::apiserver

#endif
