#ifndef KFTRAIN_SRC_APISERVER_CHECKS_VALIDATION_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_VALIDATION_HPP

#include "apiserver/text/json_access.hpp"

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/apiserver/resource_definition.hpp>

#include <vector>

namespace kftrain::apiserver {

/** What a server finds wrong in the specification of a built-in object that is created: in pods, and in what operators of jobs
    can get wrong of services. The object has its defaults. @param typed The same object before its defaults, in the type of
    its kind
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidatePodCreate`, `ValidateService`, v1.31 */
std::vector<refusal_cause> check_builtin_specification(resource_definition const&, json::object const& object,
                                                       void const* typed);

/** The same of an object that replaces a stored one. Both have their defaults. The specification of a pod stays what it is,
    but for a few fields.
    @par Upstream as above, `ValidatePodUpdate` */
std::vector<refusal_cause> check_builtin_update(resource_definition const&, json::object const& old,
                                                json::object const& next);

/** What a server finds wrong in a new status of a built-in object: containers of pods do not come back to life unless their
    pod restarts them.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidateContainerStateTransition`, v1.31 */
std::vector<refusal_cause> check_builtin_status(resource_definition const&, json::object const& old,
                                                json::object const& next);

} // namespace kftrain::apiserver

#endif
