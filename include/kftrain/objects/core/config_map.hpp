#ifndef KFTRAIN_OBJECTS_CORE_CONFIG_MAP_HPP
#define KFTRAIN_OBJECTS_CORE_CONFIG_MAP_HPP

/** @file Configuration of pods: config maps, secrets, service accounts.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::core {

struct config_map {
    config_map() = default;

    static constexpr resource_info resource{"", "v1", "ConfigMap", "configmaps"};

    object_meta metadata;
    std::optional<bool> immutable; ///< if true, the data can no longer be changed
    string_map data;               ///< UTF-8
    bytes_map binary_data;         ///< its keys must differ from those of `data`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(config_map, (metadata, immutable, data, binary_data))

/// Values are stored decoded.
struct secret {
    secret() = default;

    static constexpr resource_info resource{"", "v1", "Secret", "secrets"};

    object_meta metadata;
    std::optional<bool> immutable; ///< if true, the data can no longer be changed
    bytes_map data;
    string_map string_data; ///< only when writing: the server moves it into `data`
    std::string type;       ///< e.g. Opaque, `kubernetes.io/tls`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(secret, (metadata, immutable, data, string_data, type))

struct service_account {
    service_account() = default;

    static constexpr resource_info resource{"", "v1", "ServiceAccount", "serviceaccounts"};

    object_meta metadata;
    std::vector<object_reference> secrets; ///< secrets that its pods may use
    std::vector<local_object_reference> image_pull_secrets;
    std::optional<bool> automount_service_account_token;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(service_account, {.member = "secrets", .merge_key = "name"})
KFTRAIN_DESCRIBE_RESOURCE(service_account, (metadata, secrets, image_pull_secrets, automount_service_account_token))

} // namespace kftrain::core

#endif
