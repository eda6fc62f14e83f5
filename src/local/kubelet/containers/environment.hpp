#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_ENVIRONMENT_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_ENVIRONMENT_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/objects/core.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local {

/// The sources of variables. A null object does not exist.
struct environment_sources {
    environment_sources() = default;

    std::string pod_address;
    std::string host_address;
    std::map<std::string, std::shared_ptr<core::config_map const>, std::less<>> config_maps; ///< by name
    std::map<std::string, std::shared_ptr<core::secret const>, std::less<>> secrets;         ///< by name
};

/// Gives every config map and secret that the variables of a container take from a place, without the object.
void add_references(core::container const& c, environment_sources& to);

/// A variable that comes from another object.
struct foreign_variable {
    foreign_variable() = default;
    foreign_variable(std::string n, std::string_view v) : name(std::move(n)), value(v) {}

    std::string name;
    std::string_view value; ///< of the object
};

/** All keys of the object that `from` names, none if it is optional and does not exist.
    @par Errors `errc::invalid_argument` with upstream's message: `configmap "x" not found`
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `makeEnvironmentVariables` */
result<std::vector<foreign_variable>> variables_of(core::env_from_source const& from,
                                                   environment_sources const& sources);

/** The value that a variable takes from elsewhere; nothing if the variable is left out, as one that is optional.
    @param own the container of the variable
    @par Errors `errc::invalid_argument` with upstream's message: `couldn't find key k in ConfigMap ns/x`
    @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet_pods.go`, `makeEnvironmentVariables` */
result<std::optional<std::string>> value_of(core::env_var_source const& from, pod const& p, core::container const& own,
                                            environment_sources const& sources);

/** A request or limit of a container of the pod, in units of the divisor, rounded up. A limit that the container does
    not have is that of this machine, a request that it does not have the limit of the container, or 0.
    @param own the container that is meant if the reference names none
    @par Errors `errc::invalid_argument` with upstream's words: `container x not found`
    @par Upstream kubernetes v1.31 `pkg/api/v1/resource/helpers.go`, `ExtractContainerResourceValue` */
result<std::string> resource_value(core::resource_field_selector const& from, pod const& p, core::container const* own);

/** Whether value_of() knows the field: `metadata.name`, `.namespace` and `.uid`, one label or annotation,
    `spec.nodeName`, `spec.serviceAccountName`, `status.hostIP(s)`, `status.podIP(s)`. */
bool is_known_field(std::string_view path);

} // namespace kftrain::local

#endif
