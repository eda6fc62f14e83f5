#include "job/lint/template_lint.hpp"

#include "base/in_quotes.hpp"
#include "job/contract/pod_templates.hpp"
#include "job/lint/container_lint.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace kftrain {
namespace {

using enum issue::severity;

constexpr lint_rule host_network{"lint.host-network", warning,
                                 "With hostNetwork and another dnsPolicy than ClusterFirstWithHostNet, a pod does not "
                                 "resolve the names of the services by which the replicas find each other."};
constexpr lint_rule host_port{"lint.host-port", info,
                              "A port of a node belongs to one pod, and with hostNetwork every container port is a "
                              "port of the node. Pods with the same port need a node each."};
constexpr lint_rule pod_annotation{"lint.pod-annotation", warning,
                                   "Sidecar injectors and similar tools read annotations and labels of pods. The "
                                   "operator does not copy those of the job to its pods."};
constexpr lint_rule ssh_key_group{"lint.ssh-key-group", warning,
                                  "fsGroup makes files of a Secret readable for the group. ssh rejects a private key "
                                  "of its own user that others can read."};
constexpr lint_rule ssh_key_user{"lint.ssh-key-user", warning,
                                 "Only root can read the ssh keys below /root, and ssh of another user looks for keys "
                                 "in the home directory of that user."};

constexpr std::array template_rules{host_network, host_port, pod_annotation, ssh_key_group, ssh_key_user};

/// Whether tools read this annotation or label from pods only.
bool is_of_pods(std::string_view key) {
    static constexpr std::array<std::string_view, 11> prefixes{"sidecar.istio.io/",
                                                               "traffic.sidecar.istio.io/",
                                                               "proxy.istio.io/",
                                                               "linkerd.io/inject",
                                                               "config.linkerd.io/",
                                                               "kuma.io/sidecar-injection",
                                                               "consul.hashicorp.com/connect-inject",
                                                               "vault.hashicorp.com/agent-inject",
                                                               "k8s.v1.cni.cncf.io/networks",
                                                               "cluster-autoscaler.kubernetes.io/safe-to-evict",
                                                               "container.apparmor.security.beta.kubernetes.io/"};
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return key.starts_with(prefix); });
}

/// A pod of a role, with the template that it comes from.
struct role_sample {
    role_sample() = default;

    pod_template_place const* from = nullptr;
    core::pod made;
    std::size_t count = 0;
    bool has_services = false; ///< members find each other by the names of services
};

std::vector<role_sample> samples_of(prepared_job const& job, std::vector<pod_template_place> const& templates) {
    std::vector<role_sample> all;
    auto const& layout = job.layout();
    for (auto const& role : layout.roles) {
        auto const members = layout.of_role(role.name);
        auto const* const from = template_of(templates, role.name);
        if (members.empty() || from == nullptr) continue;
        auto& s = all.emplace_back();
        s.from = from;
        s.made = job.pod_of(members.front());
        s.count = members.size();
        s.has_services = !layout.domain.empty();
    }
    return all;
}

void lint_metadata(any_job const& job, std::vector<role_sample> const& samples, issues& found) {
    if (samples.empty()) return;
    auto const look_at = [&](string_map const& written, string_map object_meta::* list, std::string_view name) {
        for (auto const& [key, value] : written) {
            auto const has = [&](role_sample const& s) { return (s.made.metadata.*list).contains(key); };
            if (!is_of_pods(key) || std::ranges::any_of(samples, has)) continue;
            report(found, pod_annotation, "metadata." + std::string(name) + "[" + key + "]",
                   in_quotes(value) + " reaches no pod, expected in " + samples.front().from->path + ".metadata." +
                       std::string(name));
        }
    };
    look_at(job.metadata().annotations, &object_meta::annotations, "annotations");
    look_at(job.metadata().labels, &object_meta::labels, "labels");
}

void lint_network(std::vector<role_sample> const& samples, issues& found) {
    std::size_t total = 0;
    for (auto const& s : samples) total += s.count;
    if (total < 2) return;
    using claimed = std::tuple<std::int32_t, std::string, std::string>; // port, protocol, address
    std::map<claimed, std::pair<std::size_t, role_sample const*>> claims;
    for (auto const& s : samples) {
        auto const& spec = s.made.spec;
        auto const& policy = spec.dns_policy;
        if (spec.host_network && s.has_services && policy != "ClusterFirstWithHostNet" && policy != "None")
            report(found, host_network, s.from->path + ".spec.dnsPolicy",
                   in_quotes(policy.empty() ? "ClusterFirst" : policy) +
                       " with hostNetwork, expected ClusterFirstWithHostNet");
        std::set<claimed> of_pod;
        for (auto const& c : spec.containers)
            for (auto const& port : c.ports) {
                auto const number = spec.host_network ? port.container_port_ : port.host_port;
                if (number == 0) continue;
                bool const any_address = spec.host_network || port.host_ip == "0.0.0.0";
                of_pod.emplace(number, port.protocol.empty() ? "TCP" : port.protocol, any_address ? "" : port.host_ip);
            }
        for (auto const& claim : of_pod) claims.try_emplace(claim, std::size_t{0}, &s).first->second.first += s.count;
    }
    for (auto const& [place, claim] : claims)
        if (claim.first > 1)
            return report(found, host_port,
                          claim.second->from->path +
                              (claim.second->made.spec.host_network ? ".spec.hostNetwork" : ".spec"),
                          std::to_string(claim.first) + " pods use port " + std::to_string(std::get<0>(place)) +
                              " of their node, so no two of them run on one node");
}

/// Where a pod mounts the private key of ssh; empty if it mounts none.
std::string key_folder(core::pod_spec const& spec, core::container const& c) {
    static constexpr std::array<std::string_view, 4> keys{"id_rsa", "id_ed25519", "id_ecdsa", "ssh-privatekey"};
    for (auto const& v : spec.volumes) {
        auto const is_key = [](core::key_to_path const& item) {
            std::string_view const path = item.path;
            return std::ranges::find(keys, path.substr(path.find_last_of('/') + 1)) != keys.end();
        };
        if (!v.secret || std::ranges::none_of(v.secret->items, is_key)) continue;
        auto const mount = std::ranges::find(c.volume_mounts, v.name, &core::volume_mount::name);
        if (mount != c.volume_mounts.end()) return mount->mount_path;
    }
    return {};
}

/// One finding of each rule for a job: all its pods have the same keys, and the first of them starts the others.
void lint_keys(std::vector<role_sample> const& samples, issues& found) {
    bool group = false, user = false;
    for (auto const& s : samples)
        for (std::size_t i = 0; i < s.from->given->spec.containers.size(); ++i) {
            auto const& spec = s.made.spec;
            if (i >= spec.containers.size()) break;
            auto const& c = spec.containers[i];
            auto const folder = key_folder(spec, c);
            if (folder.empty()) continue;
            auto const own = c.security_context ? c.security_context->run_as_user : std::nullopt;
            auto const shared = spec.security_context ? spec.security_context->run_as_user : std::nullopt;
            auto const uid = own ? own : shared;
            auto const path = s.from->path + ".spec";
            bool const of_root = folder == "/root" || folder.starts_with("/root/");
            if (of_root && uid.value_or(0) != 0 && !user) {
                user = true;
                report(found, ssh_key_user,
                       path + (own ? ".containers[" + std::to_string(i) + "]" : "") + ".securityContext.runAsUser",
                       std::to_string(*uid) + " cannot use the ssh keys in " + folder +
                           ", expected user 0, or keys in the home directory of the user");
            }
            if (uid.value_or(0) == 0 && spec.security_context && spec.security_context->fs_group && !group) {
                group = true;
                report(found, ssh_key_group, path + ".securityContext.fsGroup",
                       std::to_string(*spec.security_context->fs_group) + " makes the private key in " + folder +
                           " readable for the group, and ssh rejects it; expected no fsGroup");
            }
        }
}

/// Appends what these rules find. Rules about users, keys and networks look at the pods that the operator creates, so
/// they apply only to valid jobs.
void lint_templates(prepared_job const& job, issues& found) {
    auto const templates = pod_templates(*job);
    for (auto const& t : templates)
        for (auto const* list : {"initContainers", "containers"}) {
            bool const init = *list == 'i';
            auto const& containers = init ? t.given->spec.init_containers : t.given->spec.containers;
            for (std::size_t i = 0; i < containers.size(); ++i)
                lint_container(containers[i], t.path + ".spec." + list + "[" + std::to_string(i) + "]", found);
        }
    auto const samples = samples_of(job, templates);
    lint_metadata(*job, samples, found);
    lint_network(samples, found);
    lint_keys(samples, found);
}

} // namespace

std::vector<lint_rule> template_lint_rules() {
    auto const of_containers = container_lint_rules();
    std::vector<lint_rule> all(of_containers.begin(), of_containers.end());
    all.insert(all.end(), template_rules.begin(), template_rules.end());
    return all;
}

issues prepared_job::lint() const {
    if (empty()) return {};
    auto found = rules().lint(named().get(), complete().get());
    lint_templates(*this, found);
    return found;
}

} // namespace kftrain
