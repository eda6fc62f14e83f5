#include "kinds/train_job/pod_parts.hpp"

#include "kinds/train_job/kind.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/dynamic_object.hpp>

#include <algorithm>
#include <array>

namespace kftrain::trainer {
namespace {

constexpr std::string_view patch_manager = "kftrain.io/kftrain";

/// Fields of a pod that a patch has under the same name.
constexpr std::array<std::string_view, 9> patched_of_pod{
    "affinity",        "imagePullSecrets", "nodeSelector",
    "schedulingGates", "securityContext",  "serviceAccountName",
    "tolerations",     "volumes",          "terminationGracePeriodSeconds"};

/// A field of the container that trains, and where a TrainJob has it.
struct container_row {
    std::string_view name;
    pod_field_place place;
    std::string_view result;
};
constexpr std::array container_rows{
    container_row{"args", pod_field_place::trainer, "args"},
    container_row{"command", pod_field_place::trainer, "command"},
    container_row{"env", pod_field_place::trainer, "env"},
    container_row{"image", pod_field_place::trainer, "image"},
    container_row{"resources", pod_field_place::trainer, "resourcesPerNode"},
    container_row{"securityContext", pod_field_place::patch, "spec.containers[0].securityContext"},
    container_row{"volumeMounts", pod_field_place::patch, "spec.containers[0].volumeMounts"}};

/// The fields of a value that has no metadata.
template <class T> unknown_fields fields_of(T const& value) {
    return from_json<dynamic_object>(to_json(value)).value().unknown;
}

class division {
public:
    division(core::pod_template_spec const& pod, std::size_t container) : pod_(pod), container_(container) {}

    pod_parts run() {
        divide_metadata();
        for (auto const& [name, value] : fields_of(pod_.spec)) {
            if (name == "containers") continue;
            bool const fits = std::ranges::find(patched_of_pod, name) != patched_of_pod.end();
            bool const alias = name == "serviceAccount" && account() == pod_.spec.service_account;
            add("spec." + name, value.text, fits || alias ? pod_field_place::patch : pod_field_place::nowhere,
                alias ? "spec.serviceAccountName" : "spec." + name);
        }
        divide_containers();
        for (auto const& [name, value] : pod_.unknown) add(name, value.text, pod_field_place::nowhere, {});
        auto patch = patch_of_pod();
        if (!(patch == pod_spec_patch())) parts_.patch.spec = std::move(patch);
        return std::move(parts_);
    }

private:
    /// As servers do, which keep both fields equal.
    std::string const& account() const {
        auto const& name = pod_.spec.service_account_name;
        return name.empty() ? pod_.spec.service_account : name;
    }

    void add(std::string path, std::string_view value, pod_field_place place, std::string result) {
        auto& f = parts_.fields.emplace_back();
        f.path = std::move(path);
        f.value = value;
        f.place = place;
        if (place != pod_field_place::nowhere) f.result_path = std::move(result);
    }

    void divide_metadata() {
        auto& to = parts_.patch.metadata;
        to.labels = pod_.metadata.labels;
        to.annotations = pod_.metadata.annotations;
        for (auto const& [name, value] : fields_of(pod_.metadata)) {
            bool const fits = name == "labels" || name == "annotations";
            add("metadata." + name, value.text, fits ? pod_field_place::patch : pod_field_place::nowhere,
                "metadata." + name);
        }
    }

    void divide_containers() {
        auto const& all = pod_.spec.containers;
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::string const path = "spec.containers[" + std::to_string(i) + "]";
            if (i != container_) {
                add(path, to_json(all[i]), pod_field_place::nowhere, {});
                continue;
            }
            take(all[i]);
            for (auto const& [name, value] : fields_of(all[i])) {
                if (name == "name") continue;
                // They refer to resourceClaims of the pod, which only a runtime can set.
                if (auto const& claims = all[i].resources.claims; name == "resources" && !claims.empty()) {
                    add(path + ".resources.claims", to_json(claims), pod_field_place::nowhere, {});
                    if (!parts_.trainer.resources_per_node) continue;
                }
                auto const row = std::ranges::find(container_rows, name, &container_row::name);
                if (row == container_rows.end())
                    add(path + "." + name, value.text, pod_field_place::nowhere, {});
                else
                    add(path + "." + name, value.text, row->place, std::string(row->result));
            }
        }
    }

    void take(core::container const& c) {
        auto& to = parts_.trainer;
        to.image = c.image;
        to.command = c.command;
        to.args = c.args;
        to.env = c.env;
        auto resources = c.resources;
        resources.claims.clear();
        if (!(resources == core::resource_requirements())) to.resources_per_node = std::move(resources);
    }

    pod_spec_patch patch_of_pod() const {
        pod_spec_patch to;
        auto const& from = pod_.spec;
        to.service_account_name = account();
        to.node_selector = from.node_selector;
        to.affinity = from.affinity;
        to.tolerations = from.tolerations;
        to.volumes = from.volumes;
        to.scheduling_gates = from.scheduling_gates;
        to.image_pull_secrets = from.image_pull_secrets;
        to.security_context = from.security_context;
        to.termination_grace_period_seconds = from.termination_grace_period_seconds;
        if (container_ >= from.containers.size()) return to;
        auto const& c = from.containers[container_];
        if (c.volume_mounts.empty() && !c.security_context) return to;
        auto& patched = to.containers.emplace_back();
        patched.name = node;
        patched.volume_mounts = c.volume_mounts;
        patched.security_context = c.security_context;
        return to;
    }

    core::pod_template_spec const& pod_;
    std::size_t container_;
    pod_parts parts_;
};

template <class T> T& made(boxed<T>& part) { return part ? *part : part.emplace(); }

} // namespace

pod_parts divide_pod(core::pod_template_spec const& pod, std::size_t container) {
    return division(pod, container).run();
}

std::string add_patch(train_job_spec& spec, std::string_view job, pod_template_patch patch) {
    auto& all = spec.runtime_patches;
    auto at = std::ranges::find(all, patch_manager, &runtime_patch::manager);
    if (at == all.end()) {
        at = all.emplace(all.end());
        at->manager = patch_manager;
    }
    auto& jobs = made(made(made(at->training_runtime_spec).template_).spec).replicated_jobs;
    auto& changed = jobs.emplace_back();
    changed.name = job;
    made(made(changed.template_).spec).template_ = std::move(patch);
    return "spec.runtimePatches[" + std::to_string(at - all.begin()) +
           "].trainingRuntimeSpec.template.spec.replicatedJobs[" + std::to_string(jobs.size() - 1) +
           "].template.spec.template";
}

void resolve_installed(train_job& job) {
    if (has_own_runtime(job) || !has_known_runtime(job)) return;
    for (auto const& runtime : installed_runtimes())
        if (runtime.metadata().name == job.spec.runtime_ref.name) job.runtime = runtime;
}

} // namespace kftrain::trainer
