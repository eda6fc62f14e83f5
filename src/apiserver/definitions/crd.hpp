#ifndef KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_HPP
#define KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include "apiserver/text/json_access.hpp"

#include <string>
#include <string_view>
#include <vector>

// CustomResourceDefinitions of apiextensions.k8s.io/v1: the kind itself, and what its objects contain.
namespace kftrain::apiserver {

/// Returns the definition of the kind CustomResourceDefinition.
resource_definition crd_resource();
bool is_crd(resource_definition const&) noexcept;

/// The names in a definition.
struct crd_names {
    enum class part { requested, accepted };
    explicit crd_names(json::object const& crd, part = part::requested);

    std::string_view group, plural, singular, kind, list_kind;
    std::vector<std::string_view> short_names, categories;
    bool namespaced = true;
};

/// Returns the members of `spec.versions`, without those that are no objects.
std::vector<json::object const*> versions_of(json::object const& crd);

/** Sets the defaults of a definition.
    @par Upstream apiextensions-apiserver `pkg/apis/apiextensions/v1/defaults.go`, v0.31 */
void set_crd_defaults(json::object& crd);

/** Removes keywords that schemas of a definition do not have, as decoding does.
    @return The sorted paths of the removed keywords, as `spec.versions[0].schema.openAPIV3Schema.example2`. */
std::vector<std::string> prune_crd_schemas(json::object& crd);

/** Returns every fault of a definition that has its defaults.
    @param old The stored definition; null on creation
    @par Upstream apiextensions-apiserver `pkg/apis/apiextensions/validation/validation.go`, v0.31 */
std::vector<refusal_cause> check_crd(json::object const& crd, json::object const* old);

} // namespace kftrain::apiserver

#endif
