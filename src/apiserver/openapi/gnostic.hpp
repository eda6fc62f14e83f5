#ifndef KFTRAIN_SRC_APISERVER_OPENAPI_GNOSTIC_HPP
#define KFTRAIN_SRC_APISERVER_OPENAPI_GNOSTIC_HPP

#include "apiserver/json/json_access.hpp"

#include <string>

namespace kftrain::apiserver {

/** Encodes an OpenAPI v2 document in Protocol Buffers, which is the only form that clients of Go read.
    @param document As describe_v2() makes it: other members of the standard are left out
    @par Upstream gnostic-models `openapiv2/OpenAPIv2.proto`, v0.6.8 */
std::string encode_gnostic(json::object const& document);

} // namespace kftrain::apiserver

#endif
