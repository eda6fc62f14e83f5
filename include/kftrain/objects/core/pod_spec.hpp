#ifndef KFTRAIN_OBJECTS_CORE_POD_SPEC_HPP
#define KFTRAIN_OBJECTS_CORE_POD_SPEC_HPP

/** @file The specification of a pod.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/objects/core/affinity.hpp>
#include <kftrain/objects/core/container.hpp>
#include <kftrain/objects/core/reference.hpp>
#include <kftrain/objects/core/security.hpp>
#include <kftrain/objects/core/volume.hpp>

namespace kftrain::core {

/// A line of `/etc/hosts`.
struct host_alias {
    host_alias() = default;

    std::string ip;                     ///< IP address of the host names
    std::vector<std::string> hostnames; ///< names that resolve to the address
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(host_alias, "ip")
KFTRAIN_DESCRIBE(host_alias, (ip, hostnames))

/// An option of the DNS resolver, as in `/etc/resolv.conf`.
struct pod_dns_config_option {
    pod_dns_config_option() = default;

    std::string name;                 ///< name of the option, e.g. `ndots`
    std::optional<std::string> value; ///< value of the option; absent: the option has none
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_dns_config_option, (name, value))

/// DNS settings that are added to those of the DNS policy.
struct pod_dns_config {
    pod_dns_config() = default;

    std::vector<std::string> nameservers;       ///< IP addresses of further name servers
    std::vector<std::string> searches;          ///< further domains for the lookup of short names
    std::vector<pod_dns_config_option> options; ///< resolver options; they override those of the policy
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_dns_config, (nameservers, searches, options))

/// A condition that must be True before the pod counts as ready.
struct pod_readiness_gate {
    pod_readiness_gate() = default;

    std::string condition_type; ///< type of a condition in the status of the pod
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_readiness_gate, "condition_type")
KFTRAIN_DESCRIBE(pod_readiness_gate, (condition_type))

/// The operating system of the containers.
struct pod_os {
    pod_os() = default;

    std::string name; ///< linux or windows
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_os, "name")
KFTRAIN_DESCRIBE(pod_os, (name))

/// The pod is not scheduled while it has a gate.
struct pod_scheduling_gate {
    pod_scheduling_gate() = default;

    std::string name; ///< unique in the pod, e.g. `example.com/quota`
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_scheduling_gate, "name")
KFTRAIN_DESCRIBE(pod_scheduling_gate, (name))

/// A claim of devices, or its template, that containers refer to by name.
struct pod_resource_claim {
    pod_resource_claim() = default;

    std::string name; ///< unique in the pod
    /// Name of a ResourceClaim of the same namespace; excludes a template.
    std::optional<std::string> resource_claim_name;
    /// ResourceClaimTemplate of the same namespace, for a claim that the pod owns.
    std::optional<std::string> resource_claim_template_name;
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(pod_resource_claim, "name")
KFTRAIN_DESCRIBE(pod_resource_claim, (name, resource_claim_name, resource_claim_template_name))

/// The position of a pod in a workload that is scheduled as a unit. @par Upstream k8s.io/api v0.35
struct workload_reference {
    workload_reference() = default;

    std::string name;                  ///< name of a Workload of the same namespace
    std::string pod_group;             ///< name of a pod group in the workload
    std::string pod_group_replica_key; ///< distinguishes replicas of the group; each is scheduled as a separate unit
    unknown_fields unknown;
};
KFTRAIN_REQUIRED(workload_reference, "name", "pod_group")
KFTRAIN_DESCRIBE(workload_reference, (name, pod_group, pod_group_replica_key))

/// The desired state of a pod.
struct pod_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(pod_spec);

    std::vector<volume> volumes; ///< volumes that containers can mount
    /// Run in order, each to completion, before `containers`; sidecars keep running.
    std::vector<container> init_containers;
    std::vector<container> containers; ///< run in parallel; at least one
    /// For debugging; added to running pods by the subresource `ephemeralcontainers`.
    std::vector<ephemeral_container> ephemeral_containers;
    std::string restart_policy;                                   ///< Always, OnFailure or Never; empty means Always
    std::optional<std::int64_t> termination_grace_period_seconds; ///< absent means 30
    std::optional<std::int64_t> active_deadline_seconds;          ///< time since the start after which the pod fails
    std::string dns_policy;   ///< ClusterFirst, ClusterFirstWithHostNet, Default or None; empty means ClusterFirst
    string_map node_selector; ///< required labels of the node
    std::string service_account_name; ///< ServiceAccount of the same namespace; empty means `default`
    std::string service_account;      ///< deprecated name of `service_account_name`; servers keep both equal
    std::optional<bool> automount_service_account_token; ///< absent: the setting of the service account, or true
    std::string node_name;     ///< node of the pod, usually set by the scheduler; empty: not scheduled
    bool host_network = false; ///< if true, the pod uses the network of the node
    bool host_pid = false;     ///< if true, the pod sees the processes of the node
    bool host_ipc = false;     ///< if true, the pod uses the IPC namespace of the node
    /// Whether containers see the processes of each other; absent means false.
    std::optional<bool> share_process_namespace;
    boxed<pod_security_context> security_context; ///< user, groups and other settings of all containers
    /// Secrets of the same namespace; empty: those of the service account.
    std::vector<local_object_reference> image_pull_secrets;
    std::string hostname;  ///< empty: the name of the pod
    std::string subdomain; ///< name of a headless service; makes `hostname.subdomain.namespace.svc` resolvable
    boxed<kftrain::core::affinity> affinity; ///< rules about nodes and about other pods on them
    std::string scheduler_name;              ///< empty means `default-scheduler`
    std::vector<toleration> tolerations;     ///< taints of nodes that the pod tolerates
    std::vector<host_alias> host_aliases;    ///< further lines of `/etc/hosts`
    std::string priority_class_name;      ///< name of a PriorityClass; empty: the default class of the cluster, if any
    std::optional<std::int32_t> priority; ///< set by the server from the class
    boxed<pod_dns_config> dns_config;     ///< added to the settings of `dns_policy`; required if that is None
    std::vector<pod_readiness_gate> readiness_gates; ///< further conditions of readiness
    boxed<std::string> runtime_class_name;        ///< name of a RuntimeClass; absent: the default handler of the node
    std::optional<bool> enable_service_links;     ///< variables for each service of the namespace; absent means true
    std::optional<std::string> preemption_policy; ///< PreemptLowerPriority or Never; absent means PreemptLowerPriority
    resource_list overhead;                       ///< of the runtime, in addition to the containers; set by the server
    std::vector<topology_spread_constraint> topology_spread_constraints; ///< all must hold
    std::optional<bool> set_hostname_as_fqdn; ///< if true, the host name is the full domain name; absent means false
    boxed<pod_os> os;                         ///< absent: any; restricts which other fields may be set
    std::optional<bool> host_users; ///< if false, uids are mapped in a separate user namespace; absent means true
    std::vector<pod_scheduling_gate> scheduling_gates; ///< set on creation; clients can later only remove them
    std::vector<pod_resource_claim> resource_claims; ///< claims of devices that must be allocated before the pod starts
    boxed<resource_requirements> resources;          ///< of all containers together: cpu, memory and huge pages
    boxed<std::string> hostname_override;            ///< takes precedence over `hostname` and `subdomain`
    boxed<workload_reference> workload_ref;          ///< unit with which the pod is scheduled; absent: none
    unknown_fields unknown;
};
KFTRAIN_FIELD_RULES(
    pod_spec, {.member = "volumes", .merge_key = "name", .retain_keys = true},
    {.member = "init_containers", .merge_key = "name"}, {.member = "containers", .merge_key = "name"},
    {.member = "ephemeral_containers", .merge_key = "name"}, {.member = "host_pid", .json_name = "hostPID"},
    {.member = "host_ipc", .json_name = "hostIPC"}, {.member = "image_pull_secrets", .merge_key = "name"},
    {.member = "host_aliases", .merge_key = "ip"},
    {.member = "topology_spread_constraints", .merge_key = "topologyKey", .list_keys = "topologyKey,whenUnsatisfiable"},
    {.member = "set_hostname_as_fqdn", .json_name = "setHostnameAsFQDN"},
    {.member = "scheduling_gates", .merge_key = "name"},
    {.member = "resource_claims", .merge_key = "name", .retain_keys = true})
KFTRAIN_DESCRIBE(pod_spec,
                 (volumes, init_containers, containers, ephemeral_containers, restart_policy,
                  termination_grace_period_seconds, active_deadline_seconds, dns_policy, node_selector,
                  service_account_name, service_account, automount_service_account_token, node_name, host_network,
                  host_pid, host_ipc, share_process_namespace, security_context, image_pull_secrets, hostname,
                  subdomain, affinity, scheduler_name, tolerations, host_aliases, priority_class_name, priority,
                  dns_config, readiness_gates, runtime_class_name, enable_service_links, preemption_policy, overhead,
                  topology_spread_constraints, set_hostname_as_fqdn, os, host_users, scheduling_gates, resource_claims,
                  resources, hostname_override, workload_ref))

/// The template of pods, e.g. of a replica type or a batch job.
struct pod_template_spec {
    pod_template_spec() = default;

    object_meta metadata; ///< labels and annotations of the pods
    pod_spec spec;        ///< desired state of the pods
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pod_template_spec, (metadata, spec))

} // namespace kftrain::core

#endif
