#ifndef KFTRAIN_OBJECTS_CORE_CONTAINER_HPP
#define KFTRAIN_OBJECTS_CORE_CONTAINER_HPP

/** @file
    Containers of pods.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/env.hpp>
#include <kftrain/objects/core/probe.hpp>
#include <kftrain/objects/core/resource_requirements.hpp>
#include <kftrain/objects/core/security.hpp>

namespace kftrain::core {

/// A declared port of a container. Ports that are not declared are reachable, too.
struct container_port {
    container_port() = default;

    std::string name;                 ///< unique in the pod; services and probes may refer to it
    std::int32_t host_port = 0;       ///< port of the node that leads to it, 1 to 65535; 0: none
    std::int32_t container_port_ = 0; ///< port on the address of the pod, 1 to 65535
    std::string protocol;             ///< TCP, UDP or SCTP; empty means TCP
    std::string host_ip;              ///< address of the node to which `host_port` is bound; empty: all
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(container_port, {.member = "host_ip", .json_name = "hostIP"})
KFTRAIN_REQUIRED(container_port, "container_port_")
KFTRAIN_DESCRIBE(container_port, (name, host_port, container_port_, protocol, host_ip))

/// The place of a volume in a container.
struct volume_mount {
    volume_mount() = default;

    std::string name;       ///< name of a volume of the pod
    bool read_only = false; ///< whether the container cannot write to the volume
    /// Whether `read_only` applies to mounts below, too: Disabled, IfPossible or Enabled; absent means Disabled.
    boxed<std::string> recursive_read_only;
    std::string mount_path;               ///< path in the container; may not contain `:`
    std::string sub_path;                 ///< path within the volume; empty: the whole volume
    boxed<std::string> mount_propagation; ///< None, HostToContainer or Bidirectional; absent means None
    std::string sub_path_expr;            ///< in place of `sub_path`, with `$(NAME)` expanded from the environment
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(volume_mount, "name", "mount_path")
KFTRAIN_DESCRIBE(volume_mount,
                 (name, read_only, recursive_read_only, mount_path, sub_path, mount_propagation, sub_path_expr))

/// A claim of mode Block, as a device in the container.
struct volume_device {
    volume_device() = default;

    std::string name;        ///< name of a volume of the pod that is a claim
    std::string device_path; ///< path of the device in the container
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(volume_device, "name", "device_path")
KFTRAIN_DESCRIBE(volume_device, (name, device_path))

/// Whether changing a resource of a running container restarts it.
struct container_resize_policy {
    container_resize_policy() = default;

    std::string resource_name;  ///< cpu or memory
    std::string restart_policy; ///< NotRequired or RestartContainer
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(container_resize_policy, "resource_name", "restart_policy")
KFTRAIN_DESCRIBE(container_resize_policy, (resource_name, restart_policy))

/// The exit codes to which a rule applies.
struct container_restart_rule_on_exit_codes {
    container_restart_rule_on_exit_codes() = default;

    std::string operator_;            ///< In or NotIn
    std::vector<std::int32_t> values; ///< exit codes that are compared, at most 255
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(container_restart_rule_on_exit_codes, {.member = "values", .list_keys = "*"})
KFTRAIN_REQUIRED(container_restart_rule_on_exit_codes, "operator_")
KFTRAIN_DESCRIBE(container_restart_rule_on_exit_codes, (operator_, values))

/// The action after a container ended. @par Upstream k8s.io/api v0.34
struct container_restart_rule {
    container_restart_rule() = default;

    std::string action;                                     ///< Restart or RestartAllContainers
    boxed<container_restart_rule_on_exit_codes> exit_codes; ///< exit codes of the container to which the rule applies
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(container_restart_rule, "action")
KFTRAIN_DESCRIBE(container_restart_rule, (action, exit_codes))

/// A container of a pod.
struct container {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(container);

    std::string name;                  ///< a DNS label, unique in the pod; cannot be changed
    std::string image;                 ///< e.g. `docker.io/library/busybox:1.36`; the tag `latest` by default
    std::vector<std::string> command;  ///< replaces the entry point of the image; not run in a shell
    std::vector<std::string> args;     ///< replaces the arguments of the image
    std::string working_dir;           ///< empty: that of the image
    std::vector<container_port> ports; ///< declared ports; without effect on the ports that are reachable
    /// Objects whose keys become variables; later entries and `env` take precedence.
    std::vector<env_from_source> env_from;
    std::vector<env_var> env;        ///< environment variables; take precedence over `env_from`
    resource_requirements resources; ///< requests and limits, e.g. of `cpu`, `memory` and `nvidia.com/gpu`
    /// Whether a change of a resource restarts the container; NotRequired by default.
    std::vector<container_resize_policy> resize_policy;
    boxed<std::string> restart_policy; ///< absent: that of the pod; Always makes an init container a sidecar
    /// The first matching rule takes precedence over `restart_policy`, which must be set.
    std::vector<container_restart_rule> restart_policy_rules;
    std::vector<volume_mount> volume_mounts;   ///< volumes of the pod that are directories or files in the container
    std::vector<volume_device> volume_devices; ///< claims of mode Block that are devices in the container
    boxed<probe> liveness_probe;               ///< ends the container when it fails; the restart policy then applies
    boxed<probe> readiness_probe;              ///< while it fails, services do not route requests to the pod
    boxed<probe> startup_probe; ///< the other probes wait until it succeeds; ends the container when it fails
    boxed<kftrain::core::lifecycle> lifecycle; ///< hooks after the start and before the end of the container
    /// File with the last message of the container; empty means `/dev/termination-log`.
    std::string termination_message_path;
    std::string termination_message_policy; ///< File or FallbackToLogsOnError; empty means File
    /// Always, Never or IfNotPresent; empty means Always for the tag `latest`, otherwise IfNotPresent.
    std::string image_pull_policy;
    boxed<kftrain::core::security_context> security_context; ///< takes precedence over that of the pod
    bool stdin = false;      ///< whether the container has a standard input to which clients can attach
    bool stdin_once = false; ///< whether the input closes when the first client detaches
    bool tty = false;        ///< whether the container has a terminal; requires `stdin`
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(container, {.member = "ports", .merge_key = "containerPort", .list_keys = "containerPort,protocol"},
                    {.member = "env", .merge_key = "name"}, {.member = "volume_mounts", .merge_key = "mountPath"},
                    {.member = "volume_devices", .merge_key = "devicePath"})
KFTRAIN_REQUIRED(container, "name")
KFTRAIN_DESCRIBE(container, (name, image, command, args, working_dir, ports, env_from, env, resources, resize_policy,
                             restart_policy, restart_policy_rules, volume_mounts, volume_devices, liveness_probe,
                             readiness_probe, startup_probe, lifecycle, termination_message_path,
                             termination_message_policy, image_pull_policy, security_context, stdin, stdin_once, tty))

/// A container that is added to a running pod for debugging; it is never restarted.
struct ephemeral_container {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(ephemeral_container);

    std::string name;                  ///< a DNS label, unique among all containers of the pod
    std::string image;                 ///< e.g. `docker.io/library/busybox:1.36`; the tag `latest` by default
    std::vector<std::string> command;  ///< replaces the entry point of the image; not run in a shell
    std::vector<std::string> args;     ///< replaces the arguments of the image
    std::string working_dir;           ///< empty: that of the image
    std::vector<container_port> ports; ///< not allowed
    /// Objects whose keys become variables; later entries and `env` take precedence.
    std::vector<env_from_source> env_from;
    std::vector<env_var> env;                           ///< environment variables; take precedence over `env_from`
    resource_requirements resources;                    ///< not allowed
    std::vector<container_resize_policy> resize_policy; ///< not allowed
    boxed<std::string> restart_policy;                  ///< not allowed
    std::vector<container_restart_rule> restart_policy_rules; ///< not allowed
    /// Volumes of the pod that are directories in the container; `sub_path` is not allowed.
    std::vector<volume_mount> volume_mounts;
    std::vector<volume_device> volume_devices; ///< claims of mode Block that are devices in the container
    boxed<probe> liveness_probe;               ///< not allowed
    boxed<probe> readiness_probe;              ///< not allowed
    boxed<probe> startup_probe;                ///< not allowed
    boxed<kftrain::core::lifecycle> lifecycle; ///< not allowed
    /// File with the last message of the container; empty means `/dev/termination-log`.
    std::string termination_message_path;
    std::string termination_message_policy; ///< File or FallbackToLogsOnError; empty means File
    /// Always, Never or IfNotPresent; empty means Always for the tag `latest`, otherwise IfNotPresent.
    std::string image_pull_policy;
    boxed<kftrain::core::security_context> security_context; ///< takes precedence over that of the pod
    bool stdin = false;                ///< whether the container has a standard input to which clients can attach
    bool stdin_once = false;           ///< whether the input closes when the first client detaches
    bool tty = false;                  ///< whether the container has a terminal; requires `stdin`
    std::string target_container_name; ///< container whose processes it can see; empty: only its own
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(ephemeral_container,
                    {.member = "ports", .merge_key = "containerPort", .list_keys = "containerPort,protocol"},
                    {.member = "env", .merge_key = "name"}, {.member = "volume_mounts", .merge_key = "mountPath"},
                    {.member = "volume_devices", .merge_key = "devicePath"})
KFTRAIN_REQUIRED(ephemeral_container, "name")
KFTRAIN_DESCRIBE(ephemeral_container,
                 (name, image, command, args, working_dir, ports, env_from, env, resources, resize_policy,
                  restart_policy, restart_policy_rules, volume_mounts, volume_devices, liveness_probe, readiness_probe,
                  startup_probe, lifecycle, termination_message_path, termination_message_policy, image_pull_policy,
                  security_context, stdin, stdin_once, tty, target_container_name))

} // namespace kftrain::core

#endif
