#ifndef KFTRAIN_OBJECTS_CORE_CONTAINER_STATUS_HPP
#define KFTRAIN_OBJECTS_CORE_CONTAINER_STATUS_HPP

/** @file The status of containers.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/resource_requirements.hpp>

namespace kftrain::core {

/// The state of a container that has not started yet or will be restarted.
struct container_state_waiting {
    container_state_waiting() = default;

    std::string reason;  ///< e.g. ContainerCreating, ImagePullBackOff, CrashLoopBackOff
    std::string message; ///< details of the reason
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_state_waiting, (reason, message))

/// The state of a container that runs.
struct container_state_running {
    container_state_running() = default;

    std::optional<time_point> started_at; ///< time of the last start
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_state_running, (started_at))

/// The state of a container that has ended.
struct container_state_terminated {
    container_state_terminated() = default;

    std::int32_t exit_code = 0;            ///< exit code of the first process; 0 is success
    std::int32_t signal = 0;               ///< number of the signal that ended it; 0: none is reported
    std::string reason;                    ///< e.g. Completed, Error, OOMKilled
    std::string message;                   ///< text of its termination message, or details of the reason
    std::optional<time_point> started_at;  ///< time of the start of this run
    std::optional<time_point> finished_at; ///< time of the end of this run
    std::string container_id;              ///< `runtime://id`
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(container_state_terminated, {.member = "container_id", .json_name = "containerID"})
KFTRAIN_REQUIRED(container_state_terminated, "exit_code")
KFTRAIN_DESCRIBE(container_state_terminated,
                 (exit_code, signal, reason, message, started_at, finished_at, container_id))

/// At most one of the three is set; none means waiting.
struct container_state {
    container_state() = default;

    boxed<container_state_waiting> waiting;       ///< not started yet, or before a restart
    boxed<container_state_running> running;       ///< runs now
    boxed<container_state_terminated> terminated; ///< has ended
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_state, (waiting, running, terminated))

/// The effective mount of a volume.
struct volume_mount_status {
    volume_mount_status() = default;

    std::string name;                               ///< name of the volume
    std::string mount_path;                         ///< path in the container
    bool read_only = false;                         ///< whether the container cannot write to the volume
    std::optional<std::string> recursive_read_only; ///< Disabled or Enabled; absent for writable mounts
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(volume_mount_status, "name", "mount_path")
KFTRAIN_DESCRIBE(volume_mount_status, (name, mount_path, read_only, recursive_read_only))

/// The user of the first process of a Linux container.
struct linux_container_user {
    linux_container_user() = default;

    std::int64_t uid = 0;                          ///< number of the user
    std::int64_t gid = 0;                          ///< number of the primary group
    std::vector<std::int64_t> supplemental_groups; ///< numbers of the other groups
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(linux_container_user, "uid", "gid")
KFTRAIN_DESCRIBE(linux_container_user, (uid, gid, supplemental_groups))

/// The user of the first process of a container.
struct container_user {
    container_user() = default;

    /// User in a Linux container; absent for other operating systems.
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

    std::string name;                       ///< name of the resource, e.g. `nvidia.com/gpu`
    std::vector<resource_health> resources; ///< health by device
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(resource_status, {.member = "resources", .list_keys = "resourceID"})
KFTRAIN_REQUIRED(resource_status, "name")
KFTRAIN_DESCRIBE(resource_status, (name, resources))

/// The status of one container of a pod.
struct container_status {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(container_status);

    std::string name;                       ///< name of the container in the specification
    container_state state;                  ///< current state
    container_state last_state;             ///< state before the last restart; empty if there was none
    bool ready = false;                     ///< whether the readiness probe succeeds; without one, equal to `started`
    std::int32_t restart_count = 0;         ///< number of restarts; restarts of the node may reset it
    std::string image;                      ///< name of the image as the runtime resolved it
    std::string image_id;                   ///< with the digest
    std::string container_id;               ///< `runtime://id`; empty before the first start
    std::optional<bool> started;            ///< whether the startup probe has succeeded; absent means false
    resource_list allocated_resources;      ///< resources that the node has reserved
    boxed<resource_requirements> resources; ///< resources in effect
    std::vector<volume_mount_status> volume_mounts;          ///< effective mounts, by `mount_path`
    boxed<container_user> user;                              ///< user of its first process
    std::vector<resource_status> allocated_resources_status; ///< health of its devices, by resource
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
