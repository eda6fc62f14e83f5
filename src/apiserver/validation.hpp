#ifndef KFTRAIN_SRC_APISERVER_VALIDATION_HPP
#define KFTRAIN_SRC_APISERVER_VALIDATION_HPP

#include "json_access.hpp"

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/apiserver/resource_definition.hpp>

#include <vector>

namespace kftrain::apiserver {

/** What a server finds wrong in the specification of a built-in object that is created or replaced. Only what operators
    of jobs can get wrong is looked for: the ports of services. The object has its defaults.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidateService`, v1.31 */
std::vector<refusal_cause> check_builtin_specification(resource_definition const&, json::object const& object);

/** What a server finds wrong in a new status of a built-in object: containers of pods do not come back to life unless their
    pod restarts them.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidateContainerStateTransition`, v1.31 */
std::vector<refusal_cause> check_builtin_status(resource_definition const&, json::object const& old,
                                                json::object const& next);

} // namespace kftrain::apiserver

#endif
