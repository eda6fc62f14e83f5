#include "kinds/volcano_job/kind.hpp"

#include "model/rules/namespace_of.hpp"

#include "base/joined.hpp"

namespace kftrain::volcano {
namespace {

string_map pod_labels(job const& job) {
    string_map labels;
    labels.emplace(key::job_name, job.metadata.name);
    labels.emplace(key::job_namespace, namespace_of(job.metadata));
    return labels;
}

core::service service_of(job const& job, std::string name) {
    core::service s;
    s.metadata = child_metadata(job, std::move(name));
    s.spec.selector = pod_labels(job);
    return s;
}

} // namespace

core::config_map render_hosts(job const& job) {
    core::config_map c;
    c.metadata = child_metadata(job, hosts_name(job));
    for (auto const& t : job.spec.tasks) {
        auto const all = hosts(job, t);
        std::string const name = identifier(t), start = "VC_" + upper_case(name);
        c.data[name + ".host"] = joined(all, "\n");
        c.data[start + "_HOSTS"] = joined(all, ",");
        c.data[start + "_NUM"] = std::to_string(all.size());
    }
    return c;
}

core::config_map render_hostfile(job const& job) {
    auto const s = mpi_of(job, framework_plugins::designed);
    core::config_map c;
    c.metadata = child_metadata(job, hostfile_name(job));
    std::vector<std::string> lines;
    if (auto const* const workers = find_task(job, s.worker))
        for (auto const& host : hosts(job, *workers)) lines.push_back(host + " slots=" + std::to_string(s.slots));
    c.data["hostfile"] = joined(lines, "\n");
    return c;
}

core::service render_service(job const& job) {
    auto s = service_of(job, job.metadata.name);
    s.spec.cluster_ip = "None";
    s.spec.publish_not_ready_addresses = svc_of(job).publish_not_ready_addresses;
    return s;
}

/// Only pods of the job can connect to pods of the job.
networking::network_policy render_network_policy(job const& job) {
    networking::network_policy p;
    p.metadata = child_metadata(job, job.metadata.name);
    p.spec.pod_selector.match_labels = pod_labels(job);
    p.spec.ingress.emplace_back().from.emplace_back().pod_selector.emplace().match_labels = pod_labels(job);
    p.spec.policy_types.emplace_back("Ingress");
    return p;
}

core::service render_head_service(job const& job) {
    auto const settings = ray_of(job);
    auto s = service_of(job, head_name(job));
    s.spec.selector[std::string(key::task_name)] = settings.head;
    auto const open = [&](std::string_view name, std::int64_t number) {
        auto& p = s.spec.ports.emplace_back();
        p.name = name;
        p.protocol = "TCP";
        p.port = static_cast<std::int32_t>(number);
        p.target_port = int_or_string(std::string(name));
    };
    open("gcs", settings.port);
    open("dashboard", settings.dashboard_port);
    open("client-server", settings.client_port);
    return s;
}

std::string ssh_config(job const& job) {
    std::string text = "StrictHostKeyChecking no\nUserKnownHostsFile /dev/null\n";
    for (auto const& t : job.spec.tasks)
        for (std::int32_t i = 0; i < replicas_of(t); ++i) {
            text += "Host " + host_name(job, t, i) + "\n  HostName " + address(job, t, i) + "\n";
            if (!t.template_.spec.hostname.empty()) break;
        }
    return text;
}

core::secret render_secret(job const& job) {
    core::secret s;
    s.metadata = child_metadata(job, secret_name(job));
    s.data["config"] = bytes(ssh_config(job));
    auto const settings = ssh_of(job);
    if (settings.private_key.empty()) return s;
    s.data["id_rsa"] = bytes(settings.private_key);
    s.data["id_rsa.pub"] = bytes(settings.public_key);
    s.data["authorized_keys"] = bytes(settings.public_key);
    return s;
}

std::vector<rules::recipe> secret_recipes(job const& job) {
    if (!ssh_of(job).private_key.empty()) return {};
    return {rules::recipe_for<core::secret>(rules::ssh_key(rules::ssh_key::algorithm::rsa_2048),
                                            [](core::secret& s, rules::key_texts const& keys, std::size_t) {
                                                s.data["id_rsa"] = bytes(keys.private_pem);
                                                s.data["id_rsa.pub"] = bytes(keys.public_line);
                                                s.data["authorized_keys"] = bytes(keys.public_line);
                                            })};
}

std::vector<rendered_object> render_plugin_objects(job const& job, volcano_operator_options const& options) {
    std::vector<rendered_object> all;
    for (auto const& [name, arguments] : job.spec.plugins) {
        if (!is_plugin(name, options)) continue;
        if (name == plugin::mpi && is_designed(options)) all.emplace_back(render_hostfile(job));
        if (name == plugin::ray) all.emplace_back(render_head_service(job));
        if (name == plugin::ssh) all.emplace_back(render_secret(job)).made = secret_recipes(job);
        if (name != plugin::svc) continue;
        all.emplace_back(render_hosts(job));
        all.emplace_back(render_service(job));
        if (!svc_of(job).disable_network_policy) all.emplace_back(render_network_policy(job));
    }
    return all;
}

std::vector<rendered_object> render(job const& given, priority_map const& priorities,
                                    volcano_operator_options const& options) {
    auto const job = with_claim_names(given);
    auto all = render_plugin_objects(job, options);
    for (auto const& v : job.spec.volumes)
        if (v.volume_claim) all.emplace_back(render_claim(job, v));
    all.emplace_back(render_pod_group(job, priorities, options.release));
    for (auto const& t : job.spec.tasks)
        for (std::int32_t i = 0; i < replicas_of(t); ++i)
            all.emplace_back(render_pod(job, t, i, options)).made = pod_recipes(job);
    return all;
}

} // namespace kftrain::volcano
