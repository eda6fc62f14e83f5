#include "kinds/pytorch_job_v1alpha1/render.hpp"

#include <kftrain/model/codec.hpp>

#include <algorithm>

namespace kftrain::kubeflow_v1alpha1 {
namespace {

/// Behind what the user has.
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

/// Upstream: pytorch-operator v0.3.0 `pkg/apis/pytorch/helper/helpers.go`. Only the first container with that name
/// counts; devices are in order.
void pytorch::add_accelerators(pytorch_job_spec& spec, pytorch_operator_options const& options) {
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

result<pytorch_operator_options> read_controller_config(std::string_view yaml) {
    return from_yaml<pytorch_operator_options>(yaml);
}

} // namespace kftrain::kubeflow_v1alpha1
