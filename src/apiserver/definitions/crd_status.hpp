#ifndef KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_STATUS_HPP
#define KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_STATUS_HPP

#include "apiserver/definitions/crd.hpp"

#include <kftrain/model/scalars.hpp>

#include <set>
#include <string>
#include <string_view>

namespace kftrain::apiserver {

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
