#ifndef KFTRAIN_SRC_MODEL_RULES_OBJECT_META_HPP
#define KFTRAIN_SRC_MODEL_RULES_OBJECT_META_HPP

#include "model/rules/name_syntax.hpp"

#include <kftrain/model/meta.hpp>
#include <kftrain/model/resource.hpp>
#include <kftrain/model/schema.hpp>

#include <boost/json.hpp>

#include <string>
#include <vector>

/** What a server finds wrong with the metadata of an object. What has the wrong JSON type reads as absent: the decoder
    reports it. Maps, which upstream walks at random, are looked at in the order of their keys.
    @par Upstream apimachinery `pkg/api/validation/objectmeta.go`, v0.31.3, without `managedFields`: these are the server's */
namespace kftrain {

struct metadata_fault {
    metadata_fault() = default;
    metadata_fault(std::string reason, std::string field, std::string message, std::string at)
        : what(std::move(reason), std::move(field), std::move(message)), place(std::move(at)) {}

    schema_violation what;
    /// Path of the value at fault: `metadata.labels["a b"]` where upstream says `metadata.labels`.
    std::string place;

    /// As an issue; its rule is `metadata.labels`, `metadata.owner-references`, ... after the field. Without a reason: a warning.
    issue to_issue() const;
};

/// All of it, of an object that has got its name and namespace. @par Upstream `ValidateObjectMetaAccessor`
std::vector<metadata_fault> object_meta_faults(boost::json::object const& metadata, name_rule, resource_scope);
/// What is not bound to the kind: labels, annotations, owners, finalizers.
std::vector<metadata_fault> common_meta_faults(boost::json::object const& metadata);
/// The same without finalizers. @par Upstream `ValidateObjectMetaAccessorUpdate`, as far as it looks at the new object alone
std::vector<metadata_fault> updated_meta_faults(boost::json::object const& metadata);
/** What built-in kinds demand of finalizers besides.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `validateKubeFinalizerName`, v1.31.3 */
std::vector<metadata_fault> builtin_finalizer_faults(boost::json::object const& metadata);

/** What a server warns of in a custom resource that it takes: finalizers without a domain that `old` does not have. Null: a new
    object.
    @par Upstream apiextensions-apiserver `pkg/registry/customresource/{strategy,validator}.go`, v0.31.3 */
std::vector<metadata_fault> finalizer_warnings(boost::json::object const& metadata, boost::json::object const* old);

/** Clears what servers write into the metadata of an object, so that it can be created again. kubectl clears the
    resourceVersion, and servers the others where they create an object. Leaves name, labels and the like as they are,
    whatever fields an object_meta has. */
void clear_server_fields(object_meta&);

/// A name as a server makes of a `generateName`. @par Upstream apiserver `pkg/storage/names/generate.go`, v0.31.3
std::string sample_of_generated_name(std::string_view prefix);

/** What a server says to the creation of a custom resource, asked in a namespace of this name or, when the object names none, in
    some valid one. It gives a generated name and the first generation before it looks. */
std::vector<metadata_fault> created_meta_faults(boost::json::object const& metadata);

} // namespace kftrain

#endif
