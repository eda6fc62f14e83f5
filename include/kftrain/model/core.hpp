#ifndef KFTRAIN_MODEL_CORE_HPP
#define KFTRAIN_MODEL_CORE_HPP

/** @file
    Objects of the core group `v1`: pods, services, events.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/meta.hpp>

namespace kftrain {

struct env_var {
    env_var() = default;
    env_var(std::string n, std::string v) : name(std::move(n)), value(std::move(v)) {}

    std::string name;
    std::string value;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(env_var, (name, value))

struct container_port {
    container_port() = default;

    std::string name;
    std::int32_t container_port_ = 0;
    std::string protocol;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_port, (name, container_port_, protocol))

struct resource_requirements {
    resource_requirements() = default;

    std::map<std::string, quantity, std::less<>> limits;
    std::map<std::string, quantity, std::less<>> requests;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(resource_requirements, (limits, requests))

struct container {
    container() = default;

    std::string name;
    std::string image;
    std::string image_pull_policy;
    std::vector<std::string> command;
    std::vector<std::string> args;
    std::string working_dir;
    std::vector<env_var> env;
    std::vector<container_port> ports;
    resource_requirements resources;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container, (name, image, image_pull_policy, command, args, working_dir, env, ports, resources))

struct pod_spec {
    pod_spec() = default;

    std::vector<container> init_containers;
    std::vector<container> containers;
    std::string restart_policy; ///< Always, OnFailure or Never; empty means Always
    std::optional<std::int64_t> termination_grace_period_seconds;
    std::string node_name;
    std::string hostname;
    std::string subdomain;
    std::string scheduler_name;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_spec, (init_containers, containers, restart_policy, termination_grace_period_seconds, node_name,
                            hostname, subdomain, scheduler_name))

struct pod_template_spec {
    pod_template_spec() = default;

    object_meta metadata;
    pod_spec spec;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_template_spec, (metadata, spec))

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
    std::int32_t signal = 0;
    std::string reason;
    std::string message;
    std::optional<time_point> started_at;
    std::optional<time_point> finished_at;
    unknown_fields unknown;
};
template <> struct field_rules<container_state_terminated> {
    static constexpr std::array<field_rule, 1> list{{{"exit_code", {}, true}}};
};
KFTRAIN_DESCRIBE(container_state_terminated, (exit_code, signal, reason, message, started_at, finished_at))

/// At most one of the three is set; none means waiting.
struct container_state {
    container_state() = default;

    std::optional<container_state_waiting> waiting;
    std::optional<container_state_running> running;
    std::optional<container_state_terminated> terminated;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(container_state, (waiting, running, terminated))

struct container_status {
    container_status() = default;

    std::string name;
    container_state state;
    container_state last_state;
    bool ready = false;
    std::int32_t restart_count = 0;
    std::string image;
    std::string image_id;
    std::string container_id;
    std::optional<bool> started;
    unknown_fields unknown;
};
template <> struct field_rules<container_status> {
    static constexpr std::array<field_rule, 5> list{{{"ready", {}, true},
                                                     {"restart_count", {}, true},
                                                     {"image", {}, true},
                                                     {"image_id", "imageID", true},
                                                     {"container_id", "containerID"}}};
};
KFTRAIN_DESCRIBE(container_status,
                 (name, state, last_state, ready, restart_count, image, image_id, container_id, started))

struct pod_condition {
    pod_condition() = default;

    std::string type;
    std::string status;
    std::string reason;
    std::string message;
    std::optional<time_point> last_transition_time;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_condition, (type, status, reason, message, last_transition_time))

struct pod_ip {
    pod_ip() = default;

    std::string ip;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_ip, (ip))

struct pod_status {
    pod_status() = default;

    std::string phase; ///< Pending, Running, Succeeded, Failed or Unknown
    std::vector<pod_condition> conditions;
    std::string message;
    std::string reason;
    std::string host_ip;
    std::string pod_ip;
    std::vector<kftrain::pod_ip> pod_ips;
    std::optional<time_point> start_time;
    std::vector<container_status> init_container_statuses;
    std::vector<container_status> container_statuses;
    unknown_fields unknown;
};
template <> struct field_rules<pod_status> {
    static constexpr std::array<field_rule, 3> list{
        {{"host_ip", "hostIP"}, {"pod_ip", "podIP"}, {"pod_ips", "podIPs"}}};
};
KFTRAIN_DESCRIBE(pod_status, (phase, conditions, message, reason, host_ip, pod_ip, pod_ips, start_time,
                              init_container_statuses, container_statuses))

struct pod {
    pod() = default;

    static constexpr resource_info resource{"", "v1", "Pod", "pods"};

    object_meta metadata;
    pod_spec spec;
    pod_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pod, (metadata, spec, status))

struct service_port {
    service_port() = default;

    std::string name;
    std::string protocol;
    std::int32_t port = 0;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(service_port, (name, protocol, port))

struct service_spec {
    service_spec() = default;

    std::vector<service_port> ports;
    string_map selector;
    std::string cluster_ip; ///< `None` makes the service headless
    bool publish_not_ready_addresses = false;
    unknown_fields unknown;
};
template <> struct field_rules<service_spec> {
    static constexpr std::array<field_rule, 1> list{{{"cluster_ip", "clusterIP"}}};
};
KFTRAIN_DESCRIBE(service_spec, (ports, selector, cluster_ip, publish_not_ready_addresses))

struct service {
    service() = default;

    static constexpr resource_info resource{"", "v1", "Service", "services"};

    object_meta metadata;
    service_spec spec;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(service, (metadata, spec))

struct object_reference {
    object_reference() = default;

    std::string kind;
    std::string namespace_;
    std::string name;
    std::string uid;
    std::string api_version;
    std::string resource_version;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(object_reference, (kind, namespace_, name, uid, api_version, resource_version))

struct event_source {
    event_source() = default;

    std::string component;
    std::string host;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(event_source, (component, host))

struct event {
    event() = default;

    static constexpr resource_info resource{"", "v1", "Event", "events"};

    object_meta metadata;
    object_reference involved_object;
    std::string reason;
    std::string message;
    event_source source;
    std::optional<time_point> first_timestamp;
    std::optional<time_point> last_timestamp;
    std::int32_t count = 0;
    std::string type; ///< Normal or Warning
    std::string reporting_component;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(event, (metadata, involved_object, reason, message, source, first_timestamp, last_timestamp,
                                  count, type, reporting_component))

} // namespace kftrain

#endif
