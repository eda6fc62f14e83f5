#ifndef KFTRAIN_OBJECTS_CORE_ENV_HPP
#define KFTRAIN_OBJECTS_CORE_ENV_HPP

/** @file
    The environment of containers.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::core {

/// The source of the value of a variable. At most one member is set.
struct env_var_source {
    env_var_source() = default;

    boxed<object_field_selector> field_ref;            ///< a field of the pod
    boxed<resource_field_selector> resource_field_ref; ///< a request or limit of a container
    boxed<config_map_key_selector> config_map_key_ref; ///< a key of a config map of the same namespace
    boxed<secret_key_selector> secret_key_ref;         ///< a key of a secret of the same namespace
    boxed<file_key_selector> file_key_ref;             ///< a key of a file in a volume of the pod
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(env_var_source, (field_ref, resource_field_ref, config_map_key_ref, secret_key_ref, file_key_ref))

/// A name with either a value or a source; `$(NAME)` in the value is replaced by an earlier variable.
struct env_var {
    env_var() = default;
    env_var(std::string n, std::string v) : name(std::move(n)), value(std::move(v)) {}

    std::string name;                 ///< name of the variable; must not contain `=`
    std::string value;                ///< `$$` stands for a dollar sign; empty by default
    boxed<env_var_source> value_from; ///< source of the value; only if `value` is empty
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(env_var, "name")
KFTRAIN_DESCRIBE(env_var, (name, value, value_from))

/// A config map of the same namespace whose keys become variables.
struct config_map_env_source {
    config_map_env_source() = default;

    std::string name;             ///< name of the ConfigMap
    std::optional<bool> optional; ///< if true, a missing object is ignored; absent means false
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(config_map_env_source, (name, optional))

/// A secret of the same namespace whose keys become variables.
struct secret_env_source {
    secret_env_source() = default;

    std::string name;             ///< name of the Secret
    std::optional<bool> optional; ///< if true, a missing object is ignored; absent means false
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(secret_env_source, (name, optional))

/// Defines a variable for every key of a config map or secret; one of the two is set.
struct env_from_source {
    env_from_source() = default;

    std::string prefix;                          ///< prefix of the names of the variables
    boxed<config_map_env_source> config_map_ref; ///< the config map
    boxed<secret_env_source> secret_ref;         ///< the secret
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(env_from_source, (prefix, config_map_ref, secret_ref))

} // namespace kftrain::core

#endif
