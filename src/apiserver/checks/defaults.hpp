#ifndef KFTRAIN_SRC_APISERVER_CHECKS_DEFAULTS_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_DEFAULTS_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include "apiserver/text/json_access.hpp"

namespace kftrain::apiserver {

/** Fills what a server fills in objects of the core group, as far as operators, kubelets and the comparison of updates look
    at it:

    | kind      | on every write | on create |
    |-----------|----------------|-----------|
    | Pod       | policies, scheduler, grace period, service links; of containers the pull policy, where the last message is, requests from limits, protocols of ports, numbers of probes; of volumes their modes, an emptyDir for those without a source | status.phase Pending |
    | Service   | type ClusterIP, sessionAffinity None; ports: protocol TCP, targetPort = port | |
    | Secret    | type Opaque; stringData moves into data | |
    | Namespace | label kubernetes.io/metadata.name | status.phase Active, the finalizer `kubernetes` of its specification |

    | Job       | completions and parallelism 1, backoffLimit, policies; those of its pods | the labels of the template; selector and labels of the pods by its uid, unless they are chosen by hand |

    | StatefulSet | one replica, OrderedReady, RollingUpdate, ten old revisions, claims are retained; those of its pods | |

    Nothing else: no cluster IPs, service accounts, tolerations or priorities, which admission plugins or controllers add.
    @par Upstream kubernetes `pkg/apis/core/v1/defaults.go`, `pkg/registry/core/namespace/strategy.go`,
    `pkg/apis/batch/v1/defaults.go`, `pkg/registry/batch/job/strategy.go`,
    `pkg/apis/scheduling/v1/defaults.go`, `pkg/registry/scheduling/priorityclass/strategy.go`, v1.31 */
void set_defaults(resource_definition const&, json::object& object, bool creating);

} // namespace kftrain::apiserver

#endif
