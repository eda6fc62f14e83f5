#include "job/v1/replica_job.hpp"

#include "job/contract/child_metadata.hpp"
#include "job/v1/gang.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_render.hpp"

#include <kftrain/model/ownership.hpp>

namespace kftrain::kubeflow_v1 {

owner_reference controller_reference(replica_job const& job) {
    return kftrain::controller_reference(job.resource, job.metadata);
}

bool is_controlled_by(object_meta const& object, replica_job const& job) noexcept {
    return kftrain::is_controlled_by(object, job.metadata.uid);
}

rules::emit_event name_is_taken(replica_job const& job, std::string_view kind, std::string_view consequence) {
    auto const& name = job.metadata.name;
    return rules::emit_event("Warning", std::string("FailedCreate").append(kind),
                             std::string("Error creating: ")
                                 .append(kind)
                                 .append(" \"")
                                 .append(name)
                                 .append("\" exists and is not controlled by ")
                                 .append(job.resource.kind)
                                 .append(" \"")
                                 .append(name)
                                 .append("\"; the operator does not change it")
                                 .append(consequence));
}

pod render_pod(replica_job const& job, membership const& layout, member const& r, gang_scheduler const& gang) {
    replica_spec const& spec = *job.spec_of(r.role);
    pod p;
    p.metadata = child_metadata(job, r.pod_name);
    p.metadata.labels = spec.template_.metadata.labels;
    p.metadata.annotations = spec.template_.metadata.annotations;
    if (job.constants.keeps_finalizers) p.metadata.finalizers = spec.template_.metadata.finalizers;
    for (auto& [key, value] : replica_labels(job, r)) p.metadata.labels[key] = value;
    if (job.is_master(r)) p.metadata.labels[std::string(label::job_role)] = "master";

    p.spec = spec.template_.spec;
    for (auto& c : p.spec.containers) {
        auto const environment = job.environment(layout, r, c);
        c.env.insert(c.env.end(), environment.begin(), environment.end());
    }
    for (auto& c : job.init_containers(r)) p.spec.init_containers.push_back(std::move(c));
    // The controller decides about exit codes itself, so the kubelet must not restart the container.
    p.spec.restart_policy = spec.restart_policy == "ExitCode" ? "Never" : spec.restart_policy;
    job.complete(p, r);
    join_gang(p, job, r, gang);
    return p;
}

service render_service(replica_job const& job, member const& r) {
    service s;
    s.metadata = child_metadata(job, r.pod_name);
    s.metadata.labels = replica_labels(job, r);
    s.spec.cluster_ip = "None";
    s.spec.selector = s.metadata.labels;
    for (auto const& c : job.spec_of(r.role)->template_.spec.containers) {
        if (c.name != job.constants.container) continue;
        for (auto const& port : c.ports) {
            core::service_port rendered;
            rendered.name = port.name;
            rendered.port = port.container_port_;
            // Upstream collects the ports in a map by name, so of equal names the last one wins.
            std::erase_if(s.spec.ports, [&](core::service_port const& other) { return other.name == port.name; });
            s.spec.ports.push_back(std::move(rendered));
        }
        break;
    }
    return s;
}

std::vector<any_object> render(replica_job const& job, gang_scheduler const& gang) {
    std::vector<any_object> children = job.own_children();
    if (gang) children.push_back(render_pod_group(job, gang));
    job.render_members(lay_out(job), gang, children);
    return children;
}

} // namespace kftrain::kubeflow_v1
