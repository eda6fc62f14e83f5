#ifndef KFTRAIN_OBJECTS_CORE_CONFIG_MAP_HPP
#define KFTRAIN_OBJECTS_CORE_CONFIG_MAP_HPP

/** @file Configuration of pods: config maps, secrets, service accounts.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/reference.hpp>

namespace kftrain::core {

/// Configuration that pods of the namespace read as variables or files, 1 MiB at most.
struct config_map {
    config_map() = default;

    static constexpr resource_info resource{"", "v1", "ConfigMap", "configmaps"};

    object_meta metadata;          ///< name, namespace, labels and other metadata
    std::optional<bool> immutable; ///< if true, the data can no longer be changed; absent means false
    string_map data;               ///< UTF-8 text by key; keys consist of letters, digits, `-`, `_` and `.`
    bytes_map binary_data;         ///< its keys must differ from those of `data`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(config_map, (metadata, immutable, data, binary_data))

/// Confidential data that pods of the namespace read as variables or files, 1 MiB at most. Values are stored decoded.
struct secret {
    secret() = default;

    static constexpr resource_info resource{"", "v1", "Secret", "secrets"};

    object_meta metadata;          ///< name, namespace, labels and other metadata
    std::optional<bool> immutable; ///< if true, the data can no longer be changed; absent means false
    bytes_map data;                ///< any bytes by key; keys consist of letters, digits, `-`, `_` and `.`
    string_map string_data;        ///< only when writing: the server moves it into `data`
    std::string type;              ///< e.g. Opaque, `kubernetes.io/tls`; empty means Opaque; cannot be changed
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(secret, (metadata, immutable, data, string_data, type))

/// The identity of pods towards the API server.
struct service_account {
    service_account() = default;

    static constexpr resource_info resource{"", "v1", "ServiceAccount", "serviceaccounts"};

    object_meta metadata; ///< name, namespace, labels and other metadata
    /// Secrets that its pods may use; enforced with the annotation `kubernetes.io/enforce-mountable-secrets` only.
    std::vector<object_reference> secrets;
    /// Credentials of registries for pods that have no `image_pull_secrets`.
    std::vector<local_object_reference> image_pull_secrets;
    /// Whether pods get a token as a file; absent means true; the pod takes precedence.
    std::optional<bool> automount_service_account_token;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(service_account, {.member = "secrets", .merge_key = "name"})
KFTRAIN_DESCRIBE_RESOURCE(service_account, (metadata, secrets, image_pull_secrets, automount_service_account_token))

} // namespace kftrain::core

#endif
