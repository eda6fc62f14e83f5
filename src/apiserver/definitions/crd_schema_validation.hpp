#ifndef KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_SCHEMA_VALIDATION_HPP
#define KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_SCHEMA_VALIDATION_HPP

#include "apiserver/text/json_access.hpp"
#include "model/schema/field_faults.hpp"

#include <string>

namespace kftrain::apiserver {

/** Finds what keeps a schema from being structural, and what no schema of a definition may contain.
    @param path The path of the schema, as `spec.validation.openAPIV3Schema`
    @param has_status Whether a version that uses the schema has the subresource `status`
    @par Upstream apiextensions-apiserver `pkg/apiserver/schema/{validation,complete}.go` and
    `pkg/apis/apiextensions/validation/validation.go`, v0.31 */
void check_crd_schema(json::value const& schema, bool has_status, std::string const& path, field_faults&);

} // namespace kftrain::apiserver

#endif
