#ifndef KFTRAIN_SRC_APISERVER_CHECKS_BUILTIN_CHECKS_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_BUILTIN_CHECKS_HPP

#include "apiserver/json/json_access.hpp"
#include "model/schema/field_faults.hpp"

#include <kftrain/apiserver/refusal.hpp>
#include <kftrain/apiserver/resource_definition.hpp>

#include <string_view>
#include <vector>

namespace kftrain::apiserver {

/// How many pods this server lets one object demand, where a real server has no limit: all are in the memory of one
/// machine.
inline constexpr std::int64_t most_replicas = 100'000;

/** Checks a Job as a server does: numbers, completion mode, policies, selector and, if the Job is created, its pods.
    @param typed The same object before its defaults as batch::job, if it is created
    @param stored The Job that is replaced, if any
    @par Upstream kubernetes `pkg/apis/batch/validation/validation.go`, v1.31.3 */
std::vector<refusal_cause> check_job(json::object const& job, void const* typed, json::object const* stored = nullptr);

/** Checks an update of a Job: its pods, and how they are selected and counted, are immutable. Messages show values as
    JSON; upstream prints those of Go. */
std::vector<refusal_cause> check_job_update(json::object const& old, json::object const& next);

/** Checks a StatefulSet as a server does: its name, its numbers and, if it is created, its pods.
    @param typed The same object before its defaults as apps::stateful_set, if it is created
    @par Upstream kubernetes `pkg/apis/apps/validation/validation.go`, v1.31 */
std::vector<refusal_cause> check_stateful_set(json::object const& set, void const* typed);

/// The same of one that replaces a stored one: most of its specification stays as it is.
std::vector<refusal_cause> check_stateful_set_update(json::object const& old, json::object const& next);

/** Checks the bounds, the target, the metrics and the speed of a HorizontalPodAutoscaler. Names of resources may be any
    text.
    @par Upstream kubernetes `pkg/apis/autoscaling/validation/validation.go`, v1.31 */
void check_autoscaler(json::object const& autoscaler, field_faults& found);

/** Checks the type of the addresses of an EndpointSlice, which stays that of `old`. `old` may be null.
    @par Upstream kubernetes `pkg/apis/discovery/validation/validation.go`, v1.31 */
void check_endpoint_slice(json::object const* old, json::object const& slice, field_faults& found);

/** Checks a config map or a secret with its defaults as a server does. Faults are in the order of the keys. For
    registry credentials that are not JSON, the message has fewer details than that of Go's parser.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidateConfigMap`, `ValidateSecret`, v1.31.3 */
void check_config_map(json::object const& map, field_faults& found);
void check_secret(json::object const& secret, field_faults& found);

/// Checks an update of a stored object. @par Upstream as above, `ValidateConfigMapUpdate`, `ValidateSecretUpdate`
void check_config_map_update(json::object const& old, json::object const& next, field_faults& found);
void check_secret_update(json::object const& old, json::object const& next, field_faults& found);

/// The definitions of pods, services, events, namespaces, config maps, secrets, nodes, leases, priority classes,
/// autoscalers and batch Jobs.
std::vector<resource_definition> builtin_resources();

} // namespace kftrain::apiserver

#endif
