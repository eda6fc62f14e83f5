#ifndef KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_HPP
#define KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_HPP

#include "apiserver/json/json_access.hpp"

#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/model/scalars.hpp>

#include <set>
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

/// The finalizer of a definition that is being deleted and whose objects still exist.
inline constexpr std::string_view cleanup_finalizer = "customresourcecleanup.apiextensions.k8s.io";

/// The names in use by other resources of the group of a definition.
struct taken_names {
    std::set<std::string, std::less<>> resources; ///< plural, singular and short names
    std::set<std::string, std::less<>> kinds;     ///< kinds and kinds of lists
};

/** Sets the status of a definition as the controllers of a server do: the stored versions, the accepted names and the
    conditions NamesAccepted and Established.
    @return Whether the resource is served
    @par Upstream apiextensions-apiserver `pkg/controller/{status,establish}`,
    `pkg/registry/customresourcedefinition/strategy.go`, v0.31 */
bool set_crd_status(json::object& crd, taken_names const& taken, time_point now);

/// Sets the condition Terminating.
void set_crd_terminating(json::object& crd, bool holds, std::string_view reason, std::string_view message,
                         time_point now);

/// Returns whether the names of a definition were accepted.
bool is_established(json::object const& crd);

} // namespace kftrain::apiserver

#endif
