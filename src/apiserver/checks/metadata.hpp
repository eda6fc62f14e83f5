#ifndef KFTRAIN_SRC_APISERVER_CHECKS_METADATA_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_METADATA_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include "apiserver/json/json_access.hpp"

// Checks of `metadata` for every kind.
namespace kftrain::apiserver {

/// 400 if a part that the store itself reads has the wrong JSON type. Everything else may then rely on the types.
answer<void> check_shape(json::object const& body);
/// 400 or 422 unless apiVersion and kind are those of the definition; built-in kinds may leave them out.
answer<void> check_kind(resource_definition const&, json::object const& body);
/** 422 with every fault of names, labels, annotations, owner references and finalizers.
    @par Upstream apiserver `pkg/registry/rest/{create,update}.go`, v0.31.3 */
answer<void> check_metadata(resource_definition const&, json::object const& body, bool created);

/// The warnings of a server before it calls webhooks; `old` is null on creation.
std::vector<std::string> warnings_of(resource_definition const&, json::object const& body, json::object const* old);

/// The body with apiVersion, kind, metadata first and without what servers do not store.
json::object canonical(resource_definition const&, json::object&& body);

} // namespace kftrain::apiserver

#endif
