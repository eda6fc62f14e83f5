#ifndef KFTRAIN_SRC_APISERVER_CHECKS_BODY_TYPE_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_BODY_TYPE_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include "apiserver/text/json_access.hpp"

#include <memory>
#include <string>

// Whether what clients write fits the type of its kind.
namespace kftrain::apiserver {

/// A body as the type of its kind holds it; null for kinds without a type.
using typed_body = std::shared_ptr<void const>;

/** The body in its type. Null for kinds without one, and for the body of another kind, of which is told elsewhere.
    @return What the type cannot hold, as `spec.containers[0].image: expected string, got 5`. */
boost::system::result<typed_body, std::string> read_type(resource_definition const&, json::object const& object);
/// The same, or 400.
answer<typed_body> check_type(resource_definition const&, json::object const& body);

} // namespace kftrain::apiserver

#endif
