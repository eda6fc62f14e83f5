#ifndef KFTRAIN_SRC_OBJECTS_POD_VALIDATION_HPP
#define KFTRAIN_SRC_OBJECTS_POD_VALIDATION_HPP

#include <kftrain/model/schema.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <string>
#include <string_view>
#include <vector>

/** Checks the specification of a pod as a server does, with its order and messages. Absent fields count as the server's
    defaults, so that the result is the same before and after defaults are set. Maps, which upstream visits in random
    order, are checked in the order of their keys. At most field_faults::most faults are reported, the first ones.

    Metadata is checked elsewhere (model/object_meta.hpp). Not checked: annotations of seccomp, AppArmor and
    tolerations, Windows options, claims of resources, and the content of volumes other than hostPath, emptyDir, secret,
    configMap, projected, downwardAPI, nfs, persistentVolumeClaim.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, v1.31.3, with the feature gates of that release
    */
namespace kftrain {

/// Checks a pod that is created. @par Upstream `ValidatePodCreate`
std::vector<schema_violation> created_pod_faults(pod const&);
/** Checks an update of a stored pod. Both have their defaults. The changes of a specification
    that are reported stand for the comparison that upstream prints.
    @par Upstream `ValidatePodUpdate` */
std::vector<schema_violation> updated_pod_faults(pod const& next, pod const& stored);

/** The stable id of the rule that a fault breaks: `pod.` and the part of the pod, in lower case with dashes:
    `pod.hostname`, `pod.volumes`, for all sorts of containers `pod.container.volume-mounts`, and `pod.containers` for
    their list. */
std::string pod_rule(schema_violation const&);

} // namespace kftrain

#endif
