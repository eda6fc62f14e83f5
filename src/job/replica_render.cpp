#include <kftrain/job/replica_job.hpp>

#include "job/gang.hpp"
#include "job/labels.hpp"
#include "job/replica_render.hpp"
#include "model/controller_of.hpp"

namespace kftrain {
owner_reference controller_reference(replica_job const& job) {
    owner_reference owner;
    owner.api_version = job.resource.api_version();
    owner.kind = job.resource.kind;
    owner.name = job.metadata.name;
    owner.uid = job.metadata.uid;
    owner.controller = true;
    owner.block_owner_deletion = true;
    return owner;
}

bool is_controlled_by(object_meta const& object, replica_job const& job) noexcept {
    return is_controlled_by(object, job.metadata.uid);
}

raise_event name_is_taken(replica_job const& job, std::string_view kind, std::string_view consequence) {
    auto const& name = job.metadata.name;
    return raise_event("Warning", std::string("FailedCreate").append(kind),
                       std::string("Error creating: ")
                           .append(kind)
                           .append(" \"")
                           .append(name)
                           .append("\" exists and is not controlled by ")
                           .append(job.resource.kind)
                           .append(" \"")
                           .append(name)
                           .append("\"; it is left alone")
                           .append(consequence));
}

pod render_pod(replica_job const& job, topology const& layout, replica const& r, operator_options const& options) {
    replica_spec const& spec = *job.spec_of(r.type);
    pod p;
    p.metadata.name = r.name;
    p.metadata.namespace_ = job.metadata.namespace_;
    p.metadata.labels = spec.template_.metadata.labels;
    p.metadata.annotations = spec.template_.metadata.annotations;
    p.metadata.finalizers = spec.template_.metadata.finalizers;
    for (auto& [key, value] : replica_labels(job, r)) p.metadata.labels[key] = value;
    if (job.is_master(r)) p.metadata.labels[std::string(label::job_role)] = "master";
    p.metadata.owner_references.push_back(controller_reference(job));

    p.spec = spec.template_.spec;
    for (auto& c : p.spec.containers) {
        auto const environment = job.environment(layout, r, c);
        c.env.insert(c.env.end(), environment.begin(), environment.end());
    }
    for (auto& c : job.init_containers(r, options)) p.spec.init_containers.push_back(std::move(c));
    // The controller decides about exit codes itself, so the kubelet must not restart the container.
    p.spec.restart_policy = spec.restart_policy == "ExitCode" ? "Never" : spec.restart_policy;
    join_gang(p, job, r, gang_of(options));
    return p;
}

service render_service(replica_job const& job, replica const& r) {
    service s;
    s.metadata.name = r.name;
    s.metadata.namespace_ = job.metadata.namespace_;
    s.metadata.labels = replica_labels(job, r);
    s.metadata.owner_references.push_back(controller_reference(job));
    s.spec.cluster_ip = "None";
    s.spec.selector = s.metadata.labels;
    for (auto const& c : job.spec_of(r.type)->template_.spec.containers) {
        if (c.name != job.constants.container) continue;
        for (auto const& port : c.ports) {
            service_port rendered;
            rendered.name = port.name;
            rendered.port = port.container_port_;
            // Upstream collects the ports in a map by name, so of equal names the last one wins.
            std::erase_if(s.spec.ports, [&](service_port const& other) { return other.name == port.name; });
            s.spec.ports.push_back(std::move(rendered));
        }
        break;
    }
    return s;
}

std::vector<child> render(replica_job const& job, operator_options const& options) {
    std::vector<child> children = job.own_children();
    if (auto const gang = gang_of(options)) children.push_back(render_pod_group(job, gang));
    auto const layout = lay_out(job);
    children.reserve(children.size() + 2 * layout.replicas.size());
    for (auto type : job.types()) {
        auto const members = layout.of(type);
        for (auto const& r : members) children.emplace_back(render_pod(job, layout, r, options));
        for (auto const& r : members) children.emplace_back(render_service(job, r));
    }
    return children;
}

} // namespace kftrain
