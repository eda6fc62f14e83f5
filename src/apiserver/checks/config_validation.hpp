#ifndef KFTRAIN_SRC_APISERVER_CHECKS_CONFIG_VALIDATION_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_CONFIG_VALIDATION_HPP

#include "apiserver/text/json_access.hpp"
#include "model/schema/field_faults.hpp"

namespace kftrain::apiserver {

/** What a server finds wrong in a config map or a secret, in the order of the keys. The object has its defaults. Of credentials
    for registries that are no JSON, less is told than Go's parser does.
    @par Upstream kubernetes `pkg/apis/core/validation/validation.go`, `ValidateConfigMap`, `ValidateSecret`, v1.31.3 */
void check_config_map(json::object const& map, field_faults& found);
void check_secret(json::object const& secret, field_faults& found);

/// The same of one that replaces a stored one. @par Upstream as above, `ValidateConfigMapUpdate`, `ValidateSecretUpdate`
void check_config_map_update(json::object const& old, json::object const& next, field_faults& found);
void check_secret_update(json::object const& old, json::object const& next, field_faults& found);

} // namespace kftrain::apiserver

#endif
