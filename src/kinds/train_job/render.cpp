#include "kinds/train_job/kind.hpp"

#include "model/rules/label_of.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <algorithm>

namespace kftrain::trainer {
namespace {

template <class T, class Same> void upsert(std::vector<T>& items, T const& item, Same same) {
    auto const at = std::ranges::find_if(items, [&](T const& old) { return same(old, item); });
    if (at == items.end())
        items.push_back(item);
    else
        *at = item;
}

bool has_equal_ports(std::vector<core::container_port> const& ports) {
    auto const protocol = [](core::container_port const& p) { return p.protocol.empty() ? "TCP" : p.protocol; };
    for (auto a = ports.begin(); a != ports.end(); ++a)
        for (auto b = a + 1; b != ports.end(); ++b)
            if (a->container_port_ == b->container_port_ && protocol(*a) == protocol(*b)) return true;
    return false;
}

/** The ports of the runtime with those of the policy. Ports without a name count as one; where two would become equal,
    which no server stores, those of the runtime stay. See upstream-differences.md, `#trainer-ports`. */
std::vector<core::container_port> merged_ports(std::vector<core::container_port> const& of_runtime,
                                               std::vector<core::container_port> const& of_policy) {
    auto all = of_runtime;
    for (auto const& p : of_policy) set_port(all, p);
    if (!has_equal_ports(all)) return all;
    all = of_runtime;
    bool const open = std::ranges::find(all, port, &core::container_port::container_port_) != all.end();
    if (!open) all.emplace_back().container_port_ = port;
    return all;
}

void merge_container(core::container& to, core::container const& from) {
    if (!from.command.empty()) to.command = from.command;
    if (!from.image.empty()) to.image = from.image;
    set_env(to.env, from.env);
    to.ports = merged_ports(to.ports, from.ports);
    for (auto const& m : from.volume_mounts) set_mount(to.volume_mounts, m);
}

void set_source(core::container& c, storage_source const& source) {
    if (!source.storage_uri.empty()) set_env(c.env, {{"STORAGE_URI", source.storage_uri}});
    set_env(c.env, copied_env(source.env));
    if (!source.secret_ref) return;
    c.env_from.emplace_back().secret_ref.emplace().name = source.secret_ref->name;
}

void set_sources(jobset::replicated_job& j, std::string_view step, train_job const& job) {
    bool const dataset = step == dataset_step;
    if (!dataset && step != model_step) return;
    j.replicas = 1;
    if (!job.spec.initializer) return;
    auto const& source = dataset ? job.spec.initializer->dataset : job.spec.initializer->model;
    if (auto* const c = find_named(j.template_.spec.template_.spec.containers, step); c != nullptr && source)
        set_source(*c, *source);
}

} // namespace

std::vector<core::env_var> copied_env(std::vector<core::env_var> const& all) {
    auto copies = all;
    for (auto& v : copies) {
        if (!v.value_from) continue;
        v.value.clear();
        v.value_from->file_key_ref.reset();
        if (v.value_from->field_ref) v.value_from->field_ref->api_version.clear();
    }
    return copies;
}

void set_env(std::vector<core::env_var>& all, std::vector<core::env_var> const& more) {
    for (auto const& v : more) upsert(all, v, [](auto const& a, auto const& b) { return a.name == b.name; });
}

core::env_var index_variable(std::string_view name) {
    core::env_var v;
    v.name = name;
    v.value_from.emplace().field_ref.emplace().field_path = index_path;
    return v;
}

void set_port(std::vector<core::container_port>& all, core::container_port const& p) {
    upsert(all, p,
           [](auto const& a, auto const& b) { return a.container_port_ == b.container_port_ || a.name == b.name; });
}

void open_rendezvous_port(core::container& c) {
    core::container_port p;
    p.container_port_ = port;
    set_port(c.ports, p);
}

void set_volume(std::vector<core::volume>& all, core::volume const& v) {
    upsert(all, v, [](auto const& a, auto const& b) { return a.name == b.name; });
}

void set_mount(std::vector<core::volume_mount>& all, core::volume_mount const& m) {
    upsert(all, m, [](auto const& a, auto const& b) { return a.mount_path == b.mount_path; });
}

jobset::job_set render_job_set(train_job const& job, layout const& l) {
    jobset::job_set set;
    set.metadata = child_metadata(job, job.metadata.name);
    set.metadata.labels = l.labels;
    set.metadata.annotations = l.annotations;
    set.spec = l.spec;
    set.spec.suspend = job.spec.suspend;
    auto const* const own = job.spec.trainer ? &*job.spec.trainer : nullptr;
    for (std::size_t i = 0; i < set.spec.replicated_jobs.size() && i < l.sets.size(); ++i) {
        auto& j = set.spec.replicated_jobs[i];
        auto const& pods = l.sets[i];
        j.template_.spec.parallelism = j.template_.spec.completions = pods.count;
        auto& pod_template = j.template_.spec.template_;
        auto& pod = pod_template.spec;
        for (auto const& v : pods.volumes) set_volume(pod.volumes, v);
        for (std::size_t k = 0; k < pod.containers.size(); ++k) merge_container(pod.containers[k], pods.containers[k]);
        for (std::size_t k = 0; k < pod.init_containers.size(); ++k)
            merge_container(pod.init_containers[k], pods.init_containers[k]);
        set_sources(j, pods.ancestor, job);
        auto* const c = find_named(pod.containers, node);
        if (pods.ancestor == trainer_step) {
            j.replicas = 1;
            if (c != nullptr && own != nullptr) {
                if (!own->image.empty()) c->image = own->image;
                if (!l.command.empty()) c->command = l.command;
                if (!own->args.empty()) c->args = own->args;
            }
        }
        if (c != nullptr && own != nullptr && pods.has_job_env) set_env(c->env, copied_env(own->env));
        for (auto const& [key, value] : l.pod_labels) pod_template.metadata.labels[key] = value;
        for (auto const& [key, value] : l.pod_annotations) pod_template.metadata.annotations[key] = value;
    }
    return set;
}

core::config_map render_snapshot(train_job const& job, any_object const& runtime) {
    core::config_map c;
    c.metadata = child_metadata(job, snapshot_name(job));
    c.data.emplace("runtime", runtime.to_yaml());
    return c;
}

core::secret render_ssh_secret(train_job const& job) {
    core::secret s;
    s.metadata = child_metadata(job, ssh_secret_name(job));
    s.type = "kubernetes.io/ssh-auth";
    s.immutable = true;
    return s;
}

rules::recipe ssh_recipe() {
    return rules::recipe_for<core::secret>(rules::ssh_key(rules::ssh_key::algorithm::ecdsa_p521),
                                           [](core::secret& s, rules::key_texts const& keys, std::size_t) {
                                               s.data[std::string(private_key)] = bytes(keys.private_pem);
                                               s.data[std::string(public_key)] = bytes(keys.public_line);
                                           });
}

core::config_map render_hostfile(train_job const& job, layout const& l, mpi_policy const& policy) {
    std::string const domain =
        l.spec.network && !l.spec.network->subdomain.empty() ? l.spec.network->subdomain : job.metadata.name;
    std::string hosts;
    for (std::size_t i = 0; i < l.sets.size(); ++i) {
        auto const& set = l.sets[i];
        bool const works = set.name == node || (set.name == launcher && policy.run_launcher_as_node.value_or(false));
        auto const replicas = works ? l.spec.replicated_jobs[i].replicas.value_or(1) : 0;
        for (std::int32_t r = 0; r < replicas; ++r)
            for (std::int32_t p = 0; p < set.count; ++p) {
                hosts.append(job.metadata.name).append("-").append(set.name).append("-").append(std::to_string(r));
                hosts.append("-").append(std::to_string(p)).append(".").append(domain);
                hosts.append(" slots=").append(std::to_string(l.slots)).append("\n");
            }
    }
    core::config_map c;
    c.metadata = child_metadata(job, hostfile_name(job));
    c.data.emplace("hostfile", std::move(hosts));
    return c;
}

result<std::vector<any_object>> render(train_job const& written, any_object const& runtime) {
    train_job job = written;
    set_defaults(job);
    failure f;
    f.code = errc::invalid_argument;
    auto const* const stored = spec_of(runtime);
    if (stored == nullptr) {
        auto const& ref = job.spec.runtime_ref;
        f.detail.path = "spec.runtimeRef";
        f.detail.message = "expected the " + *ref.kind + " \"" + ref.name + "\", got none";
        return f;
    }
    auto spec = *stored;
    set_defaults(spec);
    auto const l = lay_out_runtime(job, spec);
    if (!l.fault.empty()) {
        f.code = l.fault_code;
        f.detail.message = l.fault;
        return f;
    }
    std::vector<any_object> all{render_snapshot(job, runtime)};
    if (spec.ml_policy && spec.ml_policy->mpi) {
        all.emplace_back(render_ssh_secret(job));
        all.emplace_back(render_hostfile(job, l, *spec.ml_policy->mpi));
    }
    all.emplace_back(render_job_set(job, l));
    if (spec.pod_group_policy)
        if (auto gang = render_pod_group(job, l, *spec.pod_group_policy); !gang.empty()) all.push_back(std::move(gang));
    return all;
}

any_object render_pod_group(train_job const& job, layout const& l, pod_group_policy const& policy) {
    std::int32_t members = 0;
    resource_list sum;
    for (auto const& set : l.sets) {
        members += set.count;
        for (auto const& [name, amount] : set.requests) {
            auto const [it, first] = sum.try_emplace(name, amount * set.count);
            if (!first) it->second += amount * set.count;
        }
    }
    for (auto& [name, amount] : sum) amount = quantity(amount.canonical());
    if (policy.coscheduling) {
        coscheduling::pod_group g;
        g.metadata = child_metadata(job, job.metadata.name);
        g.spec.min_member = members;
        g.spec.min_resources = std::move(sum);
        g.spec.schedule_timeout_seconds = policy.coscheduling->schedule_timeout_seconds.value_or(60);
        return g;
    }
    if (!policy.volcano) return {};
    volcano::pod_group g;
    g.metadata = child_metadata(job, job.metadata.name);
    g.spec.min_member = members;
    g.spec.min_resources = std::move(sum);
    if (auto const queue = l.annotations.find(queue_annotation); queue != l.annotations.end())
        g.spec.queue = queue->second;
    for (auto const& j : l.spec.replicated_jobs)
        if (auto const& name = j.template_.spec.template_.spec.priority_class_name; !name.empty())
            g.spec.priority_class_name = name;
    if (auto const& topology = policy.volcano->network_topology) {
        auto stated = *topology;
        if (stated.mode.empty()) stated.mode = "hard";
        if (!stated.highest_tier_allowed) stated.highest_tier_allowed = 1;
        g.spec.unknown.set("networkTopology", raw_json(to_json(stated)));
    }
    return g;
}

} // namespace kftrain::trainer
