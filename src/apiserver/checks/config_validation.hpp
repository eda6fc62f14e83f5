#ifndef KFTRAIN_SRC_APISERVER_CHECKS_CONFIG_VALIDATION_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_CONFIG_VALIDATION_HPP

#include "apiserver/text/json_access.hpp"
#include "model/schema/field_faults.hpp"

namespace kftrain::apiserver {

/** Checks a config map or a secret with its defaults as a server does. Faults are in the order of the keys. For
    registry credentials that are not JSON, the message has fewer details than that of Go's parser.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidateConfigMap`, `ValidateSecret`, v1.31.3 */
void check_config_map(json::object const& map, field_faults& found);
void check_secret(json::object const& secret, field_faults& found);

/// Checks an update of a stored object. @par Upstream as above, `ValidateConfigMapUpdate`, `ValidateSecretUpdate`
void check_config_map_update(json::object const& old, json::object const& next, field_faults& found);
void check_secret_update(json::object const& old, json::object const& next, field_faults& found);

} // namespace kftrain::apiserver

#endif
