#ifndef KFTRAIN_SRC_APISERVER_CHECKS_DEFAULTS_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_DEFAULTS_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include "apiserver/json/json_access.hpp"

namespace kftrain::apiserver {

/** Sets the defaults of a server for built-in objects, as far as operators, kubelets and the comparison of updates read
    them:

    - Pod: policies, scheduler, grace period and service links; for containers the pull policy, the path of the
      termination message, requests from limits, protocols of ports and numbers of probes; for volumes their modes, and
      an emptyDir for those without a source. On create: status.phase Pending.
    - Service: type ClusterIP, sessionAffinity None; for ports protocol TCP and targetPort = port.
    - Secret: type Opaque; stringData moves into data.
    - Namespace: the label kubernetes.io/metadata.name. On create: status.phase Active, the finalizer `kubernetes` of
      its specification.
    - Job: completions and parallelism 1, backoffLimit, policies, and the defaults of its pods. On create: the labels of
      the template; the selector and the labels of the pods from its uid, unless `manualSelector` is set.
    - StatefulSet: one replica, OrderedReady, RollingUpdate, ten old revisions, retained claims, and the defaults of its
      pods.

    Sets nothing else: cluster IPs, service accounts, tolerations and priorities come from admission plugins or
    controllers.
    @par Upstream kubernetes `pkg/apis/core/v1/defaults.go`, `pkg/registry/core/namespace/strategy.go`,
    `pkg/apis/batch/v1/defaults.go`, `pkg/registry/batch/job/strategy.go`,
    `pkg/apis/scheduling/v1/defaults.go`, `pkg/registry/scheduling/priorityclass/strategy.go`, v1.31 */
void set_defaults(resource_definition const&, json::object& object, bool creating);

} // namespace kftrain::apiserver

#endif
