#include "local/dns/dns_message.hpp"
#include "local/kubelet/containers/container_command.hpp"
#include "local/kubelet/containers/container_security.hpp"
#include "local/kubelet/containers/environment.hpp"
#include "local/kubelet/images/image_commands.hpp"
#include "local/kubelet/images/image_source.hpp"
#include "local/kubelet/volumes/machine_folders.hpp"
#include "local/kubelet/volumes/volume_files.hpp"
#include "model/json/json_document.hpp"

#include <kftrain/local/kubelet.hpp>
#include <kftrain/model/codec.hpp>

#include <boost/json/value.hpp>

#include <unistd.h>

#include <algorithm>

namespace kftrain::local {
namespace {

issue refusal(std::string path, std::string_view why) {
    issue i;
    i.rule = "local.unsupported";
    i.message = path + ": the local cluster does not support this: " + std::string(why);
    i.path = std::move(path);
    return i;
}

bool is_unset(bool v) { return !v; }
bool is_unset(std::string const& v) { return v.empty(); }
template <class T> bool is_unset(std::optional<T> const& v) { return !v || is_unset(*v); }
template <class T> bool is_unset(std::vector<T> const& v) { return v.empty(); }
template <class T> bool is_unset(boxed<T> const& v) { return !v || *v == T(); }

/// Rejects a value at `path`.`name`.
class refuser {
public:
    refuser(std::string path, issues& found) : path_(std::move(path)), found_(found) {}

    template <class T> void operator()(std::string_view name, T const& value, std::string_view why) const {
        if (!is_unset(value)) found_.push_back(refusal(path_ + "." + std::string(name), why));
    }

private:
    std::string path_;
    issues& found_;
};

std::string element(std::string const& list, std::size_t i) { return list + "[" + std::to_string(i) + "]"; }

/// Whether pods can be reached there: they have no way to other networks.
bool is_of_the_node(std::string const& address) {
    auto const parsed = parse_ipv4(address);
    return parsed && (*parsed)[0] == 10 && (*parsed)[1] == 244;
}

/// `persistentVolumeClaim "data"`: the kind of a volume, and the first text in it.
std::string source_of(core::volume const& v) {
    error_code ec;
    auto const tree = detail::parse_json(to_json(v), ec);
    if (ec) return "of unknown kind";
    for (auto const& [kind, source] : tree.as_object()) {
        if (kind == "name") continue;
        std::string text(kind);
        if (auto const* const members = source.if_object())
            for (auto const& [key, value] : *members)
                if (value.is_string()) return text + " \"" + std::string(value.get_string()) + "\"";
        return text;
    }
    return "of no kind"; // a server refuses it
}

void check_host_path(core::volume const& v, std::string const& at, pod_options const& options, issues& found) {
    auto const& path = v.host_path->path;
    std::string const type = v.host_path->type.value_or("");
    if (type == "Socket" || type == "CharDevice" || type == "BlockDevice")
        found.push_back(refusal(at + ".type", "only files and directories can be mounted"));
    else if (!is_allowed_path(path, options))
        found.push_back(refusal(at + ".path", "volume \"" + v.name + "\" is hostPath \"" + path +
                                                  "\", which is in no directory that pods may mount; allow it with "
                                                  "--host-path " +
                                                  path + " (host_paths in C++ and Python)"));
}

void check_files(std::vector<core::downward_api_volume_file> const& files, std::string const& at, issues& found) {
    for (std::size_t i = 0; i < files.size(); ++i) {
        auto const item = element(at + ".items", i);
        if (files[i].field_ref && !is_known_file_field(files[i].field_ref->field_path))
            found.push_back(refusal(item + ".fieldRef.fieldPath",
                                    "\"" + files[i].field_ref->field_path + "\" is not a supported field for files"));
    }
}

void check_projections(core::projected_volume_source const& v, std::string const& at, issues& found) {
    for (std::size_t i = 0; i < v.sources.size(); ++i) {
        auto const source = element(at + ".sources", i);
        refuser const refuse(source, found);
        refuse("clusterTrustBundle", v.sources[i].cluster_trust_bundle, "the local cluster has no trust bundles");
        refuse("podCertificate", v.sources[i].pod_certificate, "the local cluster signs no certificates");
        if (v.sources[i].downward_api) check_files(v.sources[i].downward_api->items, source + ".downwardAPI", found);
    }
}

void check_volumes(pod const& p, pod_options const& options, issues& found) {
    for (std::size_t i = 0; i < p.spec.volumes.size(); ++i) {
        auto rest = p.spec.volumes[i];
        auto const at = element("spec.volumes", i);
        if (rest.host_path) check_host_path(rest, at + ".hostPath", options, found);
        if (rest.downward_api) check_files(rest.downward_api->items, at + ".downwardAPI", found);
        if (rest.projected) check_projections(*rest.projected, at + ".projected", found);
        if (rest.empty_dir && rest.empty_dir->medium.starts_with("HugePages"))
            found.push_back(refusal(at + ".emptyDir.medium", "the local cluster reserves no huge pages"));
        rest.config_map.reset();
        rest.secret.reset();
        rest.empty_dir.reset();
        rest.host_path.reset();
        rest.downward_api.reset();
        rest.projected.reset();
        rest.persistent_volume_claim.reset();
        rest.ephemeral.reset();
        core::volume only_named;
        only_named.name = rest.name;
        if (rest == only_named) continue;
        found.push_back(refusal(at, "volume \"" + rest.name + "\" is " + source_of(rest) +
                                        ", which this machine cannot mount; use a persistentVolumeClaim and bind it to "
                                        "a directory with --volume CLAIM=DIR (volumes in C++ and Python)"));
    }
}

bool is_in_memory(pod const& p, std::string const& volume) {
    auto const v = std::ranges::find(p.spec.volumes, volume, &core::volume::name);
    return v != p.spec.volumes.end() && v->empty_dir && v->empty_dir->medium == "Memory";
}

void check_mounts(pod const& p, core::container const& c, std::string const& path, isolation mode, issues& found) {
    if (mode == isolation::processes) {
        refuser(path, found)("volumeMounts", c.volume_mounts, "without namespaces pods cannot mount volumes");
        return;
    }
    for (std::size_t i = 0; i < c.volume_mounts.size(); ++i) {
        auto const& m = c.volume_mounts[i];
        refuser const refuse(element(path + ".volumeMounts", i), found);
        if (is_in_memory(p, m.name)) {
            refuse("subPath", m.sub_path, "a volume in memory can be mounted only as a whole");
            refuse("subPathExpr", m.sub_path_expr, "a volume in memory can be mounted only as a whole");
        }
        if (m.mount_propagation && *m.mount_propagation != "None")
            refuse("mountPropagation", *m.mount_propagation, "a mount is visible only in its container");
    }
}

void check_variables(core::container const& c, std::string const& path, issues& found) {
    for (std::size_t i = 0; i < c.env.size(); ++i) {
        if (!c.env[i].value_from) continue;
        auto const& from = *c.env[i].value_from;
        auto const at = element(path + ".env", i) + ".valueFrom";
        refuser const refuse(at, found);
        refuse("fileKeyRef", from.file_key_ref, "variables cannot come from files");
        if (from.field_ref && !is_known_field(from.field_ref->field_path))
            found.push_back(refusal(at + ".fieldRef.fieldPath",
                                    "\"" + from.field_ref->field_path + "\" is not a supported field for variables"));
    }
}

void check_host(std::string const& host, std::string const& at, issues& found) {
    if (!host.empty() && !parse_ipv4(host)) found.push_back(refusal(at + ".host", "only IPv4 addresses are supported"));
}

/// Of a probe or a hook.
void check_connections(auto const& given, std::string const& path, issues& found) {
    if (!given) return;
    if (given->tcp_socket) check_host(given->tcp_socket->host, path + ".tcpSocket", found);
    if (given->http_get) check_host(given->http_get->host, path + ".httpGet", found);
}

void check_probe(boxed<core::probe> const& given, std::string const& path, issues& found) {
    if (given) refuser(path, found)("grpc", given->grpc, "only exec, tcpSocket and httpGet probes are supported");
    check_connections(given, path, found);
}

/// Whether the command may be in the image, or the image is refused in another place.
bool has_other_command(core::container const& c, pod_options const& options) {
    auto const source = source_of_image(c.image, options);
    return !source || source->is_unpacked();
}

void check_image(core::container const& c, std::string const& path, isolation mode, pod_options const& options,
                 issues& found) {
    auto const source = source_of_image(c.image, options);
    if (mode == isolation::processes && source && source->has_root())
        found.push_back(refusal(path + ".image", "without namespaces containers use the files of the machine, and \"" +
                                                     c.image + "\" is served by " + to_string(*source)));
}

sandbox_abilities abilities_of(isolation mode) {
    sandbox_abilities sandbox;
    sandbox.is_root = ::geteuid() == 0;
    sandbox.has_namespaces = mode != isolation::processes;
    return sandbox;
}

void refuse_all(issues const& unkept, std::string const& before, issues& found) {
    for (auto const& i : unkept) found.push_back(refusal(before + i.path, i.message));
}

void check_container(pod const& p, core::container const& c, std::string const& path, isolation mode,
                     pod_options const& options, issues& found) {
    auto const before = found.size();
    check_image(c, path, mode, options, found);
    if (c.command.empty() && !has_other_command(c, options))
        found.push_back(refusal(path + ".command",
                                "images are not pulled; set command to a program of this machine, or give the image "
                                "one with --command '" +
                                    c.image + "=PROGRAM' (commands in C++ and Python)"));
    refuser const refuse(path, found);
    check_mounts(p, c, path, mode, found);
    auto const source = source_of_image(c.image, options);
    refuse_all(unkept_parts(p, c, source ? &*source : nullptr, abilities_of(mode)), path + ".", found);
    if (c.lifecycle) {
        refuser(path + ".lifecycle", found)("stopSignal", c.lifecycle->stop_signal,
                                            "containers are stopped by SIGTERM");
        check_connections(c.lifecycle->post_start, path + ".lifecycle.postStart", found);
        check_connections(c.lifecycle->pre_stop, path + ".lifecycle.preStop", found);
    }
    refuse("restartPolicyRules", c.restart_policy_rules, "only the restart policy of the pod applies");
    check_probe(c.readiness_probe, path + ".readinessProbe", found);
    check_probe(c.liveness_probe, path + ".livenessProbe", found);
    check_probe(c.startup_probe, path + ".startupProbe", found);
    check_variables(c, path, found);
    if (found.size() != before) return;
    if (auto const command = command_of(p, c); !command)
        found.push_back(refusal(path + "." + command.error().detail.path, command.error().detail.message));
}

/// Arguments, variables and paths would be cut there.
void check_nul_bytes(boost::json::value const& part, std::string const& path, issues& found) {
    if (auto const* const text = part.if_string(); text != nullptr && text->find('\0') != text->npos)
        found.push_back(refusal(path, "a text with a NUL byte"));
    if (auto const* const list = part.if_array(); list != nullptr)
        for (std::size_t i = 0; i < list->size(); ++i) check_nul_bytes((*list)[i], element(path, i), found);
    if (auto const* const object = part.if_object(); object != nullptr)
        for (auto const& [name, value] : *object) check_nul_bytes(value, path + "." + std::string(name), found);
}

void check_nul_bytes(pod const& p, issues& found) {
    auto const text = to_json(p.spec);
    if (text.find("\\u0000") == text.npos) return;
    error_code ec;
    auto const tree = detail::parse_json(text, ec);
    if (ec) found.push_back(refusal("spec", "a text with a NUL byte"));
    check_nul_bytes(tree, "spec", found);
}

void check_names(pod const& p, isolation mode, issues& found) {
    constexpr std::string_view no_names = "without namespaces the names of pods and services cannot be resolved";
    refuser const refuse("spec", found);
    if (mode == isolation::processes) {
        if (!p.spec.init_containers.empty()) found.push_back(refusal("spec.initContainers", no_names));
        refuse("subdomain", p.spec.subdomain, no_names);
        refuse("dnsConfig", p.spec.dns_config, no_names);
    } else if (p.spec.dns_config) {
        auto const& servers = p.spec.dns_config->nameservers;
        for (std::size_t i = 0; i < servers.size(); ++i)
            if (!is_of_the_node(servers[i]))
                found.push_back(
                    refusal(element("spec.dnsConfig.nameservers", i), "pods have no connection to other networks"));
    }
    if (mode == isolation::processes)
        refuse("hostAliases", p.spec.host_aliases, "without namespaces a pod has no hosts file of its own");
    refuse("hostnameOverride", p.spec.hostname_override, "the host name is always that of the pod");
}

} // namespace

issues unsupported_parts(pod const& given, isolation mode, pod_options const& options) {
    auto p = given;
    add_image_commands(p.spec, options);
    issues found;
    check_nul_bytes(p, found);
    if (!found.empty()) return found;
    check_names(p, mode, found);
    check_volumes(p, options, found);
    if (p.spec.security_context) refuse_all(unkept_parts(*p.spec.security_context, abilities_of(mode)), "", found);
    refuser const refuse("spec", found);
    refuse("runtimeClassName", p.spec.runtime_class_name, "all containers run in the same runtime");
    refuse("resourceClaims", p.spec.resource_claims, "the local cluster does not allocate devices");
    refuse("hostNetwork", p.spec.host_network, "every pod has its own network");
    refuse("hostPID", p.spec.host_pid, "every pod has its own process ids");
    refuse("hostIPC", p.spec.host_ipc, "pods are isolated from each other");
    refuse("shareProcessNamespace", p.spec.share_process_namespace,
           "the containers of a pod always share their process ids");
    for (std::size_t i = 0; i < p.spec.init_containers.size(); ++i) {
        auto const path = element("spec.initContainers", i);
        check_container(p, p.spec.init_containers[i], path, mode, options, found);
        if (auto const& policy = p.spec.init_containers[i].restart_policy; policy && *policy != "Always")
            found.push_back(
                refusal(path + ".restartPolicy", "expected Always, which makes a sidecar, got \"" + *policy + "\""));
    }
    for (std::size_t i = 0; i < p.spec.containers.size(); ++i)
        check_container(p, p.spec.containers[i], element("spec.containers", i), mode, options, found);
    return found;
}

} // namespace kftrain::local
