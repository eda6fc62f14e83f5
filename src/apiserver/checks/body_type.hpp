#ifndef KFTRAIN_SRC_APISERVER_CHECKS_BODY_TYPE_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_BODY_TYPE_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include "apiserver/json/json_access.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Whether what clients write fits the type of its kind.
namespace kftrain::apiserver {

/// A body as the type of its kind holds it; null for kinds without a type.
using typed_body = std::shared_ptr<void const>;

/** Decodes the body into its type. Returns null for kinds without one, and for the body of another kind, which another
    check rejects. A MicroTime must have exactly six fractional digits, as for the type of a server.
    @par Upstream apimachinery `pkg/apis/meta/v1/micro_time.go`, v0.31
    @return What the type cannot hold, as `spec.containers[0].image: expected string, got 5`. */
boost::system::result<typed_body, std::string> read_type(resource_definition const&, json::object const& object);
/// The same, or 400.
answer<typed_body> check_type(resource_definition const&, json::object const& body);

/** Spells quantities, times and other values with several spellings as a server writes them, for kinds with a type. The
    object must fit it.
    @par Upstream apimachinery `pkg/api/resource/quantity.go`, v0.31 */
void spell_canonically(resource_definition const&, json::object&);

/** Returns the fields that the type of the kind does not have, and those that occur twice, as `unknown field
    "spec.bogus"` and `duplicate field "metadata.name"`. Only the latter for kinds without a type: their schema has the
    fields. Each once, the first hundred. Empty for a text that does not fit the type, which is refused elsewhere.
    @param text Valid JSON
    @par Upstream sigs.k8s.io/json `internal/golang/encoding/json/kubernetes_patch.go` */
std::vector<std::string> strict_faults(resource_definition const&, std::string_view text);

} // namespace kftrain::apiserver

#endif
