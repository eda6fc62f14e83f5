#ifndef KFTRAIN_SRC_APISERVER_OPENAPI_TYPE_SCHEMA_HPP
#define KFTRAIN_SRC_APISERVER_OPENAPI_TYPE_SCHEMA_HPP

#include "apiserver/json/json_access.hpp"

#include <string>
#include <string_view>

namespace kftrain::model {
struct descriptor;
}

namespace kftrain::apiserver {

/// The name of the definition of ObjectMeta.
inline constexpr std::string_view object_meta_definition = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** Returns the name under which Kubernetes publishes the schema of a type: `io.k8s.api.core.v1.PodSpec`.
    @param type_name The qualified name of the struct: `kftrain::core::pod_spec` */
std::string definition_name(std::string_view type_name);

/// Whether objects of a type are applied as a whole. Upstream: `x-kubernetes-map-type: atomic`.
bool is_atomic_type(model::descriptor const& type);
/// Likewise, for the lists and maps that are members of structs.
bool is_atomic_member(model::descriptor const& owner, std::string_view member);

/// Collects the schemas of described types, each once, as definitions that refer to each other.
class type_schemas {
public:
    /// @param prefix Stands before a name in references: `#/definitions/`
    explicit type_schemas(std::string prefix) : prefix_(std::move(prefix)) {}

    /// Adds the schema of a struct, and of those that it uses. Returns the definition.
    json::object& add(model::descriptor const& type);
    /// Returns a reference to a definition.
    json::object refer(std::string_view name) const;
    json::object& definitions() noexcept { return definitions_; }

private:
    json::object schema_of(model::descriptor const& type);
    json::object scalar(std::string_view name, char const* type, char const* format);

    std::string prefix_;
    json::object definitions_;
};

} // namespace kftrain::apiserver

#endif
