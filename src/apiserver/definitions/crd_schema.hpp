#ifndef KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_SCHEMA_HPP
#define KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_SCHEMA_HPP

#include "apiserver/json/json_access.hpp"
#include "model/schema/field_faults.hpp"

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/schema.hpp>

#include <string>
#include <string_view>

namespace kftrain::apiserver {

/** Finds what keeps a schema from being structural, and what no schema of a definition may contain.
    @param path The path of the schema, as `spec.validation.openAPIV3Schema`
    @param has_status Whether a version that uses the schema has the subresource `status`
    @par Upstream apiextensions-apiserver `pkg/apiserver/schema/{validation,complete}.go` and
    `pkg/apis/apiextensions/validation/validation.go`, v0.31 */
void check_crd_schema(json::value const& schema, bool has_status, std::string const& path, field_faults&);

/** Compiles a regular expression of a schema. The result returns whether a part of a text matches, in time linear in
    the text and with bounded memory.
    @par Errors `errc::invalid_argument`, with the reason as the message
    @par Upstream Go `regexp/syntax`, which has the syntax of RE2 */
result<text_predicate> compile_pattern(std::string_view text);

} // namespace kftrain::apiserver

#endif
