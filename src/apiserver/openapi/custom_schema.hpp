#ifndef KFTRAIN_SRC_APISERVER_OPENAPI_CUSTOM_SCHEMA_HPP
#define KFTRAIN_SRC_APISERVER_OPENAPI_CUSTOM_SCHEMA_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include "apiserver/json/json_access.hpp"

#include <string>

namespace kftrain::apiserver {

/// The name under which Kubernetes publishes the schema of a custom resource: `org.kubeflow.v1.PyTorchJob`.
std::string custom_definition_name(resource_definition const&);

/// Writes a compiled schema out again, without descriptive keywords. An empty schema accepts every object.
json::object print_schema(resource_schema const&);

/// Whether clients that check fields must let every field of this schema pass.
bool keeps_all_fields(json::object const& schema);

/** Turns the schema of a CRD into the one that a server publishes: with apiVersion, kind and metadata.
    @param meta A reference to the definition of ObjectMeta
    @par Upstream apiextensions-apiserver `pkg/controller/openapi/builder/builder.go`, v0.31 */
void complete_schema(json::object& schema, json::object meta);

/** Removes parts of a schema that OpenAPI v2 cannot express, so that older clients do not refuse valid objects.
    @par Upstream apiextensions-apiserver `pkg/controller/openapi/v2/conversion.go`, v0.31 */
void reduce_to_v2(json::object& schema);

} // namespace kftrain::apiserver

#endif
