#ifndef KFTRAIN_OBJECTS_CORE_CONTAINER_STATUS_HPP
#define KFTRAIN_OBJECTS_CORE_CONTAINER_STATUS_HPP

/** @file The status of containers.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/resource_requirements.hpp>

namespace kftrain::core {

struct container_state_waiting {
    container_state_waiting() = default;

    std::string reason;
    std::string message;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_state_waiting, (reason, message))

struct container_state_running {
    container_state_running() = default;

    std::optional<time_point> started_at;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_state_running, (started_at))

struct container_state_terminated {
    container_state_terminated() = default;

    std::int32_t exit_code = 0;
    std::int32_t signal = 0; ///< 0: exited without a signal
    std::string reason;
    std::string message;
    std::optional<time_point> started_at;
    std::optional<time_point> finished_at;
    std::string container_id;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(container_state_terminated, {.member = "container_id", .json_name = "containerID"})
KFTRAIN_REQUIRED(container_state_terminated, "exit_code")
KFTRAIN_DESCRIBE(container_state_terminated,
                 (exit_code, signal, reason, message, started_at, finished_at, container_id))

/// At most one of the three is set; none means waiting.
struct container_state {
    container_state() = default;

    boxed<container_state_waiting> waiting;
    boxed<container_state_running> running;
    boxed<container_state_terminated> terminated;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_state, (waiting, running, terminated))

/// The effective mount of a volume.
struct volume_mount_status {
    volume_mount_status() = default;

    std::string name;
    std::string mount_path;
    bool read_only = false;
    std::optional<std::string> recursive_read_only;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(volume_mount_status, "name", "mount_path")
KFTRAIN_DESCRIBE(volume_mount_status, (name, mount_path, read_only, recursive_read_only))

struct linux_container_user {
    linux_container_user() = default;

    std::int64_t uid = 0;
    std::int64_t gid = 0;
    std::vector<std::int64_t> supplemental_groups;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(linux_container_user, "uid", "gid")
KFTRAIN_DESCRIBE(linux_container_user, (uid, gid, supplemental_groups))

struct container_user {
    container_user() = default;

    boxed<linux_container_user> linux_; // `linux` is a macro in GNU dialects
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_user, (linux_))

/// The health of one device.
struct resource_health {
    resource_health() = default;

    std::string resource_id; ///< of the device, unique on the node
    std::string health;      ///< Healthy, Unhealthy or Unknown
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(resource_health, {.member = "resource_id", .json_name = "resourceID"})
KFTRAIN_REQUIRED(resource_health, "resource_id")
KFTRAIN_DESCRIBE(resource_health, (resource_id, health))

/// The health of the devices of one resource.
struct resource_status {
    resource_status() = default;

    std::string name;
    std::vector<resource_health> resources;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(resource_status, {.member = "resources", .list_keys = "resourceID"})
KFTRAIN_REQUIRED(resource_status, "name")
KFTRAIN_DESCRIBE(resource_status, (name, resources))

struct container_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(container_status);

    std::string name;
    container_state state;
    container_state last_state; ///< before the last restart
    bool ready = false;
    std::int32_t restart_count = 0;
    std::string image;
    std::string image_id;                   ///< with the digest
    std::string container_id;               ///< `runtime://id`
    std::optional<bool> started;            ///< whether the startup probe has succeeded
    resource_list allocated_resources;      ///< resources that the node has reserved
    boxed<resource_requirements> resources; ///< resources in effect
    std::vector<volume_mount_status> volume_mounts;
    boxed<container_user> user;
    std::vector<resource_status> allocated_resources_status;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(container_status, {.member = "image_id", .json_name = "imageID"},
                    {.member = "container_id", .json_name = "containerID"},
                    {.member = "volume_mounts", .merge_key = "mountPath"},
                    {.member = "allocated_resources_status", .merge_key = "name"})
KFTRAIN_REQUIRED(container_status, "name", "ready", "restart_count", "image", "image_id")
KFTRAIN_DESCRIBE(container_status,
                 (name, state, last_state, ready, restart_count, image, image_id, container_id, started,
                  allocated_resources, resources, volume_mounts, user, allocated_resources_status))

} // namespace kftrain::core

#endif
