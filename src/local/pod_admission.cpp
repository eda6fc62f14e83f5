#include "local/container_command.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/local/kubelet.hpp>
#include <kftrain/model/codec.hpp>

#include <set>

namespace kftrain::local {
namespace {

issue refusal(std::string path, std::string_view why) {
    issue i;
    i.rule = "local.unsupported";
    i.message = path + ": the local cluster cannot serve this: " + std::string(why);
    i.path = std::move(path);
    return i;
}

bool asks_for_nothing(bool v) { return !v; }
bool asks_for_nothing(std::int64_t) { return false; }
template <class T> bool asks_for_nothing(std::optional<T> const& v) { return !v || asks_for_nothing(*v); }
template <class T> bool asks_for_nothing(std::vector<T> const& v) { return v.empty(); }
template <class T> bool asks_for_nothing(boxed<T> const& v) { return !v || *v == T(); }

/// Refuses what is asked for at `path`.`name`.
class refuser {
public:
    refuser(std::string path, issues& found) : path_(std::move(path)), found_(found) {}

    template <class T> void operator()(std::string_view name, T const& value, std::string_view why) const {
        if (!asks_for_nothing(value)) found_.push_back(refusal(path_ + "." + std::string(name), why));
    }

private:
    std::string path_;
    issues& found_;
};

void check_container(pod const& p, container const& c, std::string const& path, issues& found) {
    auto const before = found.size();
    if (c.command.empty())
        found.push_back(refusal(path + ".command", "images are not pulled, so the command must be given"));
    refuser const refuse(path, found);
    refuse("volumeMounts", c.volume_mounts, "volumes are not supported");
    refuse("envFrom", c.env_from, "values from other objects are not supported");
    refuse("lifecycle", c.lifecycle, "hooks are not supported");
    refuse("readinessProbe", c.readiness_probe, "probes are not supported");
    refuse("livenessProbe", c.liveness_probe, "probes are not supported");
    refuse("startupProbe", c.startup_probe, "probes are not supported");
    auto const refuse_nul = [&](std::string const& text, std::string where) {
        if (text.find('\0') != std::string::npos)
            found.push_back(refusal(std::move(where), "no program can be given a NUL byte"));
    };
    refuse_nul(c.working_dir, path + ".workingDir");
    for (std::size_t i = 0; i < c.command.size(); ++i)
        refuse_nul(c.command[i], path + ".command[" + std::to_string(i) + "]");
    for (std::size_t i = 0; i < c.args.size(); ++i) refuse_nul(c.args[i], path + ".args[" + std::to_string(i) + "]");
    for (std::size_t i = 0; i < c.env.size(); ++i)
        refuse_nul(c.env[i].value, path + ".env[" + std::to_string(i) + "].value");
    for (std::size_t i = 0; i < c.env.size(); ++i)
        refuser(path + ".env[" + std::to_string(i) + "]", found)("valueFrom", c.env[i].value_from,
                                                                 "values from other objects are not supported");
    if (found.size() != before) return;
    if (auto const command = command_of(p, c); !command)
        found.push_back(refusal(path + "." + command.error().detail.path, command.error().detail.message));
}

} // namespace

issues unsupported_parts(pod const& p, isolation mode) {
    issues found;
    constexpr std::string_view no_names = "without namespaces the names of pods and services cannot be resolved";
    if (mode == isolation::processes && !p.spec.init_containers.empty())
        found.push_back(refusal("spec.initContainers", no_names));
    if (mode == isolation::processes && !p.spec.subdomain.empty()) found.push_back(refusal("spec.subdomain", no_names));
    refuser const refuse("spec", found);
    refuse("volumes", p.spec.volumes, "volumes are not supported");
    refuse("activeDeadlineSeconds", p.spec.active_deadline_seconds, "pods have no deadlines of their own");
    refuse("hostAliases", p.spec.host_aliases, "the hosts file of a pod holds its own name only");
    refuse("dnsConfig", p.spec.dns_config, "names are those of the cluster");
    refuse("runtimeClassName", p.spec.runtime_class_name, "all containers run in the same way");
    refuse("resourceClaims", p.spec.resource_claims, "devices are not handed out");
    refuse("hostNetwork", p.spec.host_network, "pods have a network of their own");
    refuse("hostPID", p.spec.host_pid, "pods have process ids of their own");
    refuse("hostIPC", p.spec.host_ipc, "pods are kept apart");
    refuse("shareProcessNamespace", p.spec.share_process_namespace,
           "containers of a pod share their process ids always");
    for (std::size_t i = 0; i < p.spec.init_containers.size(); ++i) {
        auto const path = "spec.initContainers[" + std::to_string(i) + "]";
        check_container(p, p.spec.init_containers[i], path, found);
        refuser(path, found)("restartPolicy", p.spec.init_containers[i].restart_policy, "sidecars are not supported");
    }
    for (std::size_t i = 0; i < p.spec.containers.size(); ++i)
        check_container(p, p.spec.containers[i], "spec.containers[" + std::to_string(i) + "]", found);
    return found;
}

issues unsupported_parts(any_job const& given, isolation mode, operator_options const& rules) {
    auto const job = given.with_defaults();
    auto const layout = job.lay_out();
    issues found;
    std::set<std::string_view> seen;
    for (auto const& r : layout.replicas) {
        // Replicas of a type differ by their names and numbers only, and there may be a hundred thousand.
        if (!seen.insert(r.type).second) continue;
        auto const p = job.render_pod(layout, r, rules);
        for (auto& i : unsupported_parts(p, mode)) {
            i.message.insert(0, "pod " + p.metadata.name + ": ");
            found.push_back(std::move(i));
        }
    }
    return found;
}

} // namespace kftrain::local
