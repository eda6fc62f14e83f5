#ifndef KFTRAIN_MODEL_CONTAINER_HPP
#define KFTRAIN_MODEL_CONTAINER_HPP

/** @file
    Containers of pods.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/boxed.hpp>
#include <kftrain/model/env.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/probe.hpp>
#include <kftrain/model/resource_requirements.hpp>
#include <kftrain/model/security.hpp>

namespace kftrain {

struct container_port {
    container_port() = default;

    std::string name;
    std::int32_t host_port = 0;
    std::int32_t container_port_ = 0;
    std::string protocol;
    std::string host_ip;
    unknown_fields unknown;
};
template <> struct field_rules<container_port> {
    static constexpr std::array<field_rule, 1> list{{{.member = "host_ip", .json_name = "hostIP"}}};
};
KFTRAIN_DESCRIBE(container_port, (name, host_port, container_port_, protocol, host_ip))

struct volume_mount {
    volume_mount() = default;

    std::string name;
    bool read_only = false;
    std::optional<std::string> recursive_read_only;
    std::string mount_path;
    std::string sub_path;
    std::optional<std::string> mount_propagation;
    std::string sub_path_expr;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volume_mount,
                 (name, read_only, recursive_read_only, mount_path, sub_path, mount_propagation, sub_path_expr))

struct volume_device {
    volume_device() = default;

    std::string name;
    std::string device_path;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(volume_device, (name, device_path))

struct container_resize_policy {
    container_resize_policy() = default;

    std::string resource_name;
    std::string restart_policy;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_resize_policy, (resource_name, restart_policy))

struct container {
    container() = default;

    std::string name;
    std::string image;
    std::vector<std::string> command;
    std::vector<std::string> args;
    std::string working_dir;
    std::vector<container_port> ports;
    std::vector<env_from_source> env_from;
    std::vector<env_var> env;
    resource_requirements resources;
    std::vector<container_resize_policy> resize_policy;
    std::optional<std::string> restart_policy;
    std::vector<volume_mount> volume_mounts;
    std::vector<volume_device> volume_devices;
    boxed<probe> liveness_probe;
    boxed<probe> readiness_probe;
    boxed<probe> startup_probe;
    boxed<kftrain::lifecycle> lifecycle;
    std::string termination_message_path;
    std::string termination_message_policy;
    std::string image_pull_policy;
    boxed<kftrain::security_context> security_context;
    bool stdin = false;
    bool stdin_once = false;
    bool tty = false;
    unknown_fields unknown;
};
template <> struct field_rules<container> {
    static constexpr std::array<field_rule, 4> list{
        {{.member = "ports", .merge_key = "containerPort", .list_keys = "containerPort,protocol"},
         {.member = "env", .merge_key = "name"},
         {.member = "volume_mounts", .merge_key = "mountPath"},
         {.member = "volume_devices", .merge_key = "devicePath"}}};
};
KFTRAIN_DESCRIBE(container, (name, image, command, args, working_dir, ports, env_from, env, resources, resize_policy,
                             restart_policy, volume_mounts, volume_devices, liveness_probe, readiness_probe,
                             startup_probe, lifecycle, termination_message_path, termination_message_policy,
                             image_pull_policy, security_context, stdin, stdin_once, tty))

struct ephemeral_container {
    ephemeral_container() = default;

    std::string name;
    std::string image;
    std::vector<std::string> command;
    std::vector<std::string> args;
    std::string working_dir;
    std::vector<container_port> ports;
    std::vector<env_from_source> env_from;
    std::vector<env_var> env;
    resource_requirements resources;
    std::vector<container_resize_policy> resize_policy;
    std::optional<std::string> restart_policy;
    std::vector<volume_mount> volume_mounts;
    std::vector<volume_device> volume_devices;
    boxed<probe> liveness_probe;
    boxed<probe> readiness_probe;
    boxed<probe> startup_probe;
    boxed<kftrain::lifecycle> lifecycle;
    std::string termination_message_path;
    std::string termination_message_policy;
    std::string image_pull_policy;
    boxed<kftrain::security_context> security_context;
    bool stdin = false;
    bool stdin_once = false;
    bool tty = false;
    std::string target_container_name;
    unknown_fields unknown;
};
template <> struct field_rules<ephemeral_container> {
    static constexpr std::array<field_rule, 4> list{
        {{.member = "ports", .merge_key = "containerPort", .list_keys = "containerPort,protocol"},
         {.member = "env", .merge_key = "name"},
         {.member = "volume_mounts", .merge_key = "mountPath"},
         {.member = "volume_devices", .merge_key = "devicePath"}}};
};
KFTRAIN_DESCRIBE(ephemeral_container,
                 (name, image, command, args, working_dir, ports, env_from, env, resources, resize_policy,
                  restart_policy, volume_mounts, volume_devices, liveness_probe, readiness_probe, startup_probe,
                  lifecycle, termination_message_path, termination_message_policy, image_pull_policy, security_context,
                  stdin, stdin_once, tty, target_container_name))

} // namespace kftrain

#endif
