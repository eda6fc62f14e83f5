#ifndef KFTRAIN_SRC_OBJECTS_POD_VALIDATION_HPP
#define KFTRAIN_SRC_OBJECTS_POD_VALIDATION_HPP

#include <kftrain/model/schema.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <string>
#include <string_view>
#include <vector>

/** What a server finds wrong with the specification of a pod, in its order and words. What is absent counts as the server's
    default, so that pods are judged alike before and after they have got their defaults. Of maps, which upstream walks at
    random, in the order of their keys; of more than field_faults::most faults the first ones.

    Metadata is judged elsewhere (model/object_meta.hpp). Not looked at: annotations of seccomp, AppArmor and
    tolerations, Windows options, claims of resources, the inside of volumes other than hostPath, emptyDir, secret,
    configMap, projected, downwardAPI, nfs, persistentVolumeClaim.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, v1.31.3, with the feature gates of that release */
namespace kftrain {

/// Of a pod that is created. @par Upstream `ValidatePodCreate`
std::vector<schema_violation> created_pod_faults(pod const&);
/** Of a pod that replaces a stored one of the same name. Both have their defaults. The changes of a specification
    that are reported stand for the comparison that upstream prints.
    @par Upstream `ValidatePodUpdate` */
std::vector<schema_violation> updated_pod_faults(pod const& next, pod const& stored);

/** Stable id of the rule that a fault breaks: `pod.` and what of the pod it is about, in lower case with dashes:
    `pod.hostname`, `pod.volumes`, for containers of all sorts `pod.container.volume-mounts`, and `pod.containers` for their
    list. */
std::string pod_rule(schema_violation const&);

} // namespace kftrain

#endif
