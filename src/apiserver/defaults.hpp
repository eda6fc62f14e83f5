#ifndef KFTRAIN_SRC_APISERVER_DEFAULTS_HPP
#define KFTRAIN_SRC_APISERVER_DEFAULTS_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include "json_access.hpp"

namespace kftrain::apiserver {

/** Fills what a server fills in objects of the core group, as far as operators and kubelets look at it:

    | kind      | on every write                                                                                 | on create |
    |-----------|------------------------------------------------------------------------------------------------|-----------|
    | Pod       | restartPolicy Always, dnsPolicy ClusterFirst, schedulerName default-scheduler, terminationGracePeriodSeconds 30; container ports: protocol TCP | status.phase Pending |
    | Service   | type ClusterIP, sessionAffinity None; ports: protocol TCP, targetPort = port                   | |
    | Secret    | type Opaque; stringData moves into data                                                        | |
    | Namespace | label kubernetes.io/metadata.name                                                              | status.phase Active |

    Nothing else: no cluster IPs, image pull policies, service accounts or tolerations.
    @par Upstream kubernetes `pkg/apis/core/v1/defaults.go`, v1.31 */
void set_defaults(resource_definition const&, json::object& object, bool creating);

} // namespace kftrain::apiserver

#endif
