#ifndef KFTRAIN_SRC_MODEL_RULES_OBJECT_META_HPP
#define KFTRAIN_SRC_MODEL_RULES_OBJECT_META_HPP

#include "model/rules/name_syntax.hpp"

#include <kftrain/model/meta.hpp>
#include <kftrain/model/resource.hpp>
#include <kftrain/model/schema.hpp>

#include <boost/json.hpp>

#include <string>
#include <vector>

/** Checks the metadata of an object as a server does. A value with the wrong JSON type counts as absent: the decoder
    reports it. Maps, which upstream visits in random order, are checked in the order of their keys.
    @par Upstream apimachinery `pkg/api/validation/objectmeta.go`, v0.31.3, without `managedFields`: these are the
    server's */
namespace kftrain {

struct metadata_fault {
    metadata_fault() = default;
    metadata_fault(std::string reason, std::string field, std::string message, std::string at)
        : what(std::move(reason), std::move(field), std::move(message)), place(std::move(at)) {}

    schema_violation what;
    /// Path of the value at fault: `metadata.labels["a b"]` where upstream has `metadata.labels`.
    std::string place;

    /// Converts to an issue with the rule `metadata.labels`, `metadata.owner-references`, ... after the field. Without
    /// a reason it is a warning.
    issue to_issue() const;
};

/// All of it, of an object that has got its name and namespace. @par Upstream `ValidateObjectMetaAccessor`
std::vector<metadata_fault> object_meta_faults(boost::json::object const& metadata, name_rule, resource_scope);
/// Checks the parts that do not depend on the kind: labels, annotations, owners, finalizers.
std::vector<metadata_fault> common_meta_faults(boost::json::object const& metadata);
/// The same without finalizers. @par Upstream `ValidateObjectMetaAccessorUpdate`, as far as it looks at the new object
/// alone
std::vector<metadata_fault> updated_meta_faults(boost::json::object const& metadata);
/** Additional checks of finalizers for built-in kinds.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `validateKubeFinalizerName`, v1.31.3 */
std::vector<metadata_fault> builtin_finalizer_faults(boost::json::object const& metadata);

/** The warnings of a server for a custom resource that it accepts: finalizers without a domain that `old` does not
    have. `old` is null for a new object.
    @par Upstream apiextensions-apiserver `pkg/registry/customresource/{strategy,validator}.go`, v0.31.3 */
std::vector<metadata_fault> finalizer_warnings(boost::json::object const& metadata, boost::json::object const* old);

/** The faults that a server reports when a custom resource is created in the namespace of the object or, if it has
    none, in any valid one. The server sets a generated name and the first generation before it checks. */
std::vector<metadata_fault> created_meta_faults(boost::json::object const& metadata);

} // namespace kftrain

#endif
