#ifndef KFTRAIN_SRC_APISERVER_CHECKS_VALIDATION_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_VALIDATION_HPP

#include "apiserver/json/json_access.hpp"

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/apiserver/resource_definition.hpp>

#include <vector>

namespace kftrain::apiserver {

/** Checks the specification of a built-in object that is created, as a server does: all of pods, and the fields of
    services that operators of jobs set. The object has its defaults.
    @param typed The same object before its defaults, in the type of its kind
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidatePodCreate`, `ValidateService`, v1.31 */
std::vector<refusal_cause> check_builtin_specification(resource_definition const&, json::object const& object,
                                                       void const* typed);

/** Checks an update of a stored object. Both have their defaults. Only a few fields in the specification of a pod may
    change.
    @par Upstream as above, `ValidatePodUpdate` */
std::vector<refusal_cause> check_builtin_update(resource_definition const&, json::object const& old,
                                                json::object const& next);

/** Checks a new status of a built-in object: a terminated container stays terminated unless its pod restarts it.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidateContainerStateTransition`, v1.31 */
std::vector<refusal_cause> check_builtin_status(resource_definition const&, json::object const& old,
                                                json::object const& next);

} // namespace kftrain::apiserver

#endif
