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

struct container_port {
    container_port() = default;

    std::string name;           ///< unique in the pod; services may refer to it
    std::int32_t host_port = 0; ///< 0: none
    std::int32_t container_port_ = 0;
    std::string protocol; ///< TCP, UDP or SCTP; empty means TCP
    std::string host_ip;  ///< address of the node to which the port is bound
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(container_port, {.member = "host_ip", .json_name = "hostIP"})
KFTRAIN_REQUIRED(container_port, "container_port_")
KFTRAIN_DESCRIBE(container_port, (name, host_port, container_port_, protocol, host_ip))

struct volume_mount {
    volume_mount() = default;

    std::string name; ///< name of the volume
    bool read_only = false;
    boxed<std::string> recursive_read_only; ///< Disabled, IfPossible or Enabled
    std::string mount_path;                 ///< in the container; may not contain `:`
    std::string sub_path;                   ///< within the volume; empty: the whole volume
    boxed<std::string> mount_propagation;   ///< None, HostToContainer or Bidirectional
    std::string sub_path_expr;              ///< as `sub_path`, with `$(NAME)` expanded from the environment
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(volume_mount, "name", "mount_path")
KFTRAIN_DESCRIBE(volume_mount,
                 (name, read_only, recursive_read_only, mount_path, sub_path, mount_propagation, sub_path_expr))

/// A claim of mode Block, as a device in the container.
struct volume_device {
    volume_device() = default;

    std::string name;        ///< name of the claim in the pod
    std::string device_path; ///< in the container
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

    std::string operator_; ///< In or NotIn
    std::vector<std::int32_t> values;
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(container_restart_rule_on_exit_codes, {.member = "values", .list_keys = "*"})
KFTRAIN_REQUIRED(container_restart_rule_on_exit_codes, "operator_")
KFTRAIN_DESCRIBE(container_restart_rule_on_exit_codes, (operator_, values))

/// The action after a container ended. @par Upstream k8s.io/api v0.34
struct container_restart_rule {
    container_restart_rule() = default;

    std::string action; ///< Restart or RestartAllContainers
    boxed<container_restart_rule_on_exit_codes> exit_codes;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(container_restart_rule, "action")
KFTRAIN_DESCRIBE(container_restart_rule, (action, exit_codes))

struct container {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(container);

    std::string name;
    std::string image;
    std::vector<std::string> command; ///< replaces the entry point of the image
    std::vector<std::string> args;    ///< replaces the arguments of the image
    std::string working_dir;          ///< empty: that of the image
    std::vector<container_port> ports;
    std::vector<env_from_source> env_from; ///< `env` takes precedence
    std::vector<env_var> env;
    resource_requirements resources;
    std::vector<container_resize_policy> resize_policy;
    boxed<std::string> restart_policy; ///< in init containers, Always makes a sidecar
    /// The first matching rule takes precedence over `restart_policy`
    std::vector<container_restart_rule> restart_policy_rules;
    std::vector<volume_mount> volume_mounts;
    std::vector<volume_device> volume_devices;
    boxed<probe> liveness_probe;
    boxed<probe> readiness_probe;
    boxed<probe> startup_probe; ///< the other probes wait until it succeeds
    boxed<kftrain::core::lifecycle> lifecycle;
    std::string termination_message_path;   ///< empty means `/dev/termination-log`
    std::string termination_message_policy; ///< File or FallbackToLogsOnError; empty means File
    std::string image_pull_policy;          ///< Always, Never or IfNotPresent
    boxed<kftrain::core::security_context> security_context;
    bool stdin = false;
    bool stdin_once = false;
    bool tty = false;
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

    std::string name;
    std::string image;
    std::vector<std::string> command;      ///< replaces the entry point of the image
    std::vector<std::string> args;         ///< replaces the arguments of the image
    std::string working_dir;               ///< empty: that of the image
    std::vector<container_port> ports;     ///< not allowed
    std::vector<env_from_source> env_from; ///< `env` takes precedence
    std::vector<env_var> env;
    resource_requirements resources; ///< not allowed
    std::vector<container_resize_policy> resize_policy;
    boxed<std::string> restart_policy;                        ///< not allowed
    std::vector<container_restart_rule> restart_policy_rules; ///< not allowed
    std::vector<volume_mount> volume_mounts;
    std::vector<volume_device> volume_devices;
    boxed<probe> liveness_probe; ///< probes and hooks are not allowed
    boxed<probe> readiness_probe;
    boxed<probe> startup_probe;
    boxed<kftrain::core::lifecycle> lifecycle;
    std::string termination_message_path;   ///< empty means `/dev/termination-log`
    std::string termination_message_policy; ///< File or FallbackToLogsOnError; empty means File
    std::string image_pull_policy;          ///< Always, Never or IfNotPresent
    boxed<kftrain::core::security_context> security_context;
    bool stdin = false;
    bool stdin_once = false;
    bool tty = false;
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
