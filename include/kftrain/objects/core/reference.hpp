#ifndef KFTRAIN_OBJECTS_CORE_REFERENCE_HPP
#define KFTRAIN_OBJECTS_CORE_REFERENCE_HPP

/** @file References between objects.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/meta.hpp>

namespace kftrain::core {

/// An object of the same namespace, of a kind that the context determines.
struct local_object_reference {
    local_object_reference() = default;

    std::string name; ///< name of the object, e.g. of a Secret
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(local_object_reference, (name))

/// An object of the same namespace.
struct typed_local_object_reference {
    typed_local_object_reference() = default;

    std::optional<std::string> api_group; ///< empty for the core group
    std::string kind;                     ///< e.g. `PersistentVolumeClaim`
    std::string name;                     ///< name of the object
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(typed_local_object_reference, "kind", "name")
KFTRAIN_DESCRIBE(typed_local_object_reference, (api_group, kind, name))

/// An object of any namespace.
struct typed_object_reference {
    typed_object_reference() = default;

    std::optional<std::string> api_group;  ///< empty for the core group
    std::string kind;                      ///< e.g. `PersistentVolumeClaim`
    std::string name;                      ///< name of the object
    std::optional<std::string> namespace_; ///< absent: the namespace of the object that contains the reference
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(typed_object_reference, "kind", "name")
KFTRAIN_DESCRIBE(typed_object_reference, (api_group, kind, name, namespace_))

/// Any object; the writer decides which members are set.
struct object_reference {
    object_reference() = default;

    std::string kind;             ///< e.g. `Pod`
    std::string namespace_;       ///< empty for objects without a namespace
    std::string name;             ///< name of the object
    std::string uid;              ///< differs from those of earlier objects with this name
    std::string api_version;      ///< group and version, e.g. `batch/v1`
    std::string resource_version; ///< version of the object to which the reference was made
    std::string field_path;       ///< a part of the object, e.g. `spec.containers{main}`
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(object_reference, (kind, namespace_, name, uid, api_version, resource_version, field_path))

/// The path of one key of a config map or secret in a volume.
struct key_to_path {
    key_to_path() = default;

    std::string key;                  ///< a key of the config map or secret
    std::string path;                 ///< relative to the mount; must not contain `..`
    std::optional<std::int32_t> mode; ///< permission bits 0 to 0777; absent: that of the volume
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(key_to_path, "key", "path")
KFTRAIN_DESCRIBE(key_to_path, (key, path, mode))

/// A field of the pod itself.
struct object_field_selector {
    object_field_selector() = default;

    std::string api_version; ///< version in which `field_path` is expressed; empty means v1
    std::string field_path;  ///< e.g. `metadata.name`, `metadata.labels['a']`, `status.podIP`
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(object_field_selector, "field_path")
KFTRAIN_DESCRIBE(object_field_selector, (api_version, field_path))

/// A request or limit of a container of the pod.
struct resource_field_selector {
    resource_field_selector() = default;

    std::string container_name; ///< required in volumes; empty in variables: the container itself
    std::string resource;       ///< e.g. `limits.cpu`, `requests.memory`
    quantity divisor;           ///< the unit of the result; empty means 1
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(resource_field_selector, "resource")
KFTRAIN_DESCRIBE(resource_field_selector, (container_name, resource, divisor))

/// A key of a config map of the same namespace.
struct config_map_key_selector {
    config_map_key_selector() = default;

    std::string name; ///< name of the ConfigMap
    std::string key;  ///< key whose value the variable gets
    /// If true, the variable is omitted if the config map or key does not exist; absent means false.
    std::optional<bool> optional;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(config_map_key_selector, "key")
KFTRAIN_DESCRIBE(config_map_key_selector, (name, key, optional))

/// A key of a secret of the same namespace.
struct secret_key_selector {
    secret_key_selector() = default;

    std::string name; ///< name of the Secret
    std::string key;  ///< key whose value the variable gets
    /// If true, the variable is omitted if the secret or key does not exist; absent means false.
    std::optional<bool> optional;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(secret_key_selector, "key")
KFTRAIN_DESCRIBE(secret_key_selector, (name, key, optional))

/// A variable from a file that an init container wrote. @par Upstream k8s.io/api v0.34
struct file_key_selector {
    file_key_selector() = default;

    std::string volume_name; ///< an emptyDir of the pod
    std::string path;        ///< path of the file within the volume; must not contain `..`
    std::string key;         ///< name in the file whose value the variable gets
    /// If true, the variable is omitted if the key or file does not exist; absent means false.
    std::optional<bool> optional;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(file_key_selector, "volume_name", "path", "key")
KFTRAIN_DESCRIBE(file_key_selector, (volume_name, path, key, optional))

} // namespace kftrain::core

#endif
