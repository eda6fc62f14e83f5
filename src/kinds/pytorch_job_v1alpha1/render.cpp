#include "kinds/pytorch_job_v1alpha1/kind.hpp"

#include "job/contract/child_metadata.hpp"
#include "model/json/json_text.hpp"

#include <algorithm>
#include <map>

namespace kftrain::kubeflow_v1alpha1::pytorch {
namespace {

object_meta child_metadata(pytorch_job const& job, std::string_view type, std::int32_t number) {
    auto m = kftrain::child_metadata(job, std::string());
    m.labels = child_labels(job, type, number);
    return m;
}

/// Appends the additions to those of the user.
void add(pytorch_accelerator const& what, core::pod_spec& pod, core::container& c) {
    for (auto const& v : what.volumes) {
        auto& volume = pod.volumes.emplace_back();
        volume.name = v.name;
        volume.host_path.emplace().path = v.host_path;
        auto& mount = c.volume_mounts.emplace_back();
        mount.name = v.name;
        mount.mount_path = v.mount_path;
    }
    for (auto const& e : what.env_vars) c.env.emplace_back(e.name, e.value);
}

} // namespace

core::service render_service(pytorch_job const& job, pytorch_replica_spec const& set, std::int32_t index) {
    auto const& type = type_of(set);
    core::service s;
    s.metadata = child_metadata(job, type, index);
    s.metadata.name = child_name(job, type, index);
    s.spec.selector = s.metadata.labels;
    auto& port = s.spec.ports.emplace_back();
    port.name = port_name;
    port.port = port_of(set);
    return s;
}

/// If a type has several sets, all pods receive the last one.
pod_maker::pod_maker(pytorch_job const& job, replica_sets const& sets)
    : job_(job), world_size_(std::to_string(world_size(sets))) {
    std::map<std::string_view, pytorch_replica_spec const*> by_type; // names in order, as upstream writes them
    for (auto const& set : sets) by_type[lower_of(type_of(set))] = &set;
    for (auto const& [type, set] : by_type) {
        cluster_.append(cluster_.empty() ? "{" : ",").append("\"").append(type).append("\":[");
        std::string const port = ":" + std::to_string(port_of(*set));
        for (std::int32_t i = 0; i < count_of(*set); ++i) {
            if (i != 0) cluster_ += ',';
            kftrain::detail::append_string(child_name(job, type_of(*set), i) + port, cluster_);
        }
        cluster_ += ']';
    }
    cluster_ += cluster_.empty() ? "{}" : "}";
}

std::string pod_maker::config_of(std::string_view type, std::int32_t rank) const {
    return std::string(R"({"cluster":)")
        .append(cluster_)
        .append(R"(,"task":{"type":")")
        .append(lower_of(type))
        .append(R"(","index":)")
        .append(std::to_string(rank))
        .append(R"(},"environment":"cloud"})");
}

core::pod pod_maker::make(pytorch_replica_spec const& set, std::int32_t rank, std::size_t attempt) const {
    auto const& type = type_of(set);
    core::pod p;
    p.metadata = child_metadata(job_, type, rank);
    p.metadata.name = pod_name(job_, type, rank, attempt);
    p.spec = set.template_->spec;
    p.spec.scheduler_name = job_.spec.scheduler_name;
    for (auto& c : p.spec.containers) {
        if (c.name != main_container) continue;
        c.env.emplace_back("TF_CONFIG", config_of(type, rank));
        c.env.emplace_back("MASTER_PORT", std::to_string(port_of(set)));
        c.env.emplace_back("MASTER_ADDR", rank == 0 ? "localhost" : child_name(job_, master_type, 0));
        c.env.emplace_back("WORLD_SIZE", world_size_);
        c.env.emplace_back("RANK", std::to_string(rank));
        c.env.emplace_back("PYTHONUNBUFFERED", "0");
    }
    return p;
}

std::vector<placed> replicas_of(replica_sets const& sets) {
    std::vector<placed> all;
    std::map<std::string_view, std::int32_t> taken;
    for (auto const& set : sets) {
        if (!is_known(type_of(set))) continue; // the job may be stored and invalid, and have any number of these
        auto& next = taken[type_of(set)];
        for (; next < count_of(set); ++next) all.emplace_back(set, next);
    }
    return all;
}

std::vector<any_object> render(pytorch_job const& job) {
    auto const& sets = job.spec.replica_specs;
    pod_maker const pods(job, sets);
    auto const all = replicas_of(sets);
    std::vector<any_object> children;
    for (auto first = all.begin(); first != all.end();) {
        auto const& set = *first->set;
        auto const last = std::find_if(first, all.end(), [&](placed const& r) { return r.set != &set; });
        for (auto r = first; r != last; ++r) children.emplace_back(render_service(job, set, r->index));
        for (auto r = first; r != last; ++r) children.emplace_back(pods.make(set, rank_of(type_of(set), r->index)));
        first = last;
    }
    return children;
}

/// Upstream: pytorch-operator v0.3.0 `pkg/apis/pytorch/helper/helpers.go`. Only the first container with that name
/// counts; devices are in order.
void add_accelerators(pytorch_job_spec& spec, pytorch_operator_options const& options) {
    for (auto& set : spec.replica_specs) {
        if (!set.template_) continue;
        auto& pod = set.template_->spec;
        auto const main = std::ranges::find(pod.containers, main_container, &core::container::name);
        if (main == pod.containers.end()) continue;
        for (auto const& [device, what] : options.accelerators)
            if (main->resources.limits.contains(device) || main->resources.requests.contains(device))
                add(what, pod, *main);
    }
}

} // namespace kftrain::kubeflow_v1alpha1::pytorch
