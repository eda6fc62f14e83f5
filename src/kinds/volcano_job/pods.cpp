#include "kinds/volcano_job/kind.hpp"

#include "model/rules/namespace_of.hpp"

#include <kftrain/model/ownership.hpp>

#include <set>

namespace kftrain::volcano {
namespace {

constexpr std::size_t random_length = 12;

/// Takes the place of the random characters that a recipe makes later: the same number, and valid in a name.
std::string provisional_end(std::size_t number) {
    std::string const digits = std::to_string(number);
    return std::string(random_length - digits.size(), '0') + digits;
}

std::string provisional_name(std::string const& job, std::size_t number) { return job + "-" + provisional_end(number); }

std::string claim_name(job const& job, std::string_view ending) {
    return job.metadata.name + "-pvc-" + std::string(ending);
}

/// The first volume of each claim: a claim is mounted once.
std::vector<volume_spec const*> mounted(job const& job) {
    std::vector<volume_spec const*> all;
    std::set<std::string_view> claims;
    for (auto const& v : job.spec.volumes)
        if (claims.insert(v.volume_claim_name).second) all.push_back(&v);
    return all;
}

void mount_claims(core::pod_spec& pod, job const& job) {
    std::size_t number = 0;
    for (auto const* volume : mounted(job)) {
        std::string const name = provisional_name(job.metadata.name, number++);
        auto& v = pod.volumes.emplace_back();
        v.name = name;
        v.persistent_volume_claim.emplace().claim_name = volume->volume_claim_name;
        for (auto& c : pod.containers) {
            auto& m = c.volume_mounts.emplace_back();
            m.mount_path = volume->mount_path;
            m.name = name;
        }
    }
}

void copy_annotation(core::pod& pod, job const& job, std::string_view name) {
    auto const it = job.metadata.annotations.find(name);
    if (it != job.metadata.annotations.end()) pod.metadata.annotations[it->first] = it->second;
}

void annotate(core::pod& pod, job const& job, task_spec const& task, std::int32_t index, volcano_release release) {
    auto& all = pod.metadata.annotations;
    auto const put = [&](std::string_view name, std::string value) { all[std::string(name)] = std::move(value); };
    put(key::task_index, std::to_string(index));
    put(key::task_name, std::string(task_name(task)));
    put(key::group_name, group_name(job));
    put(key::job_name, job.metadata.name);
    put(key::queue_name, job.spec.queue);
    put(key::job_version, std::to_string(job.status.version));
    put(key::template_id, job.metadata.name + "-" + task.name);
    if (release >= volcano_release::v1_10_0) put(key::job_retries, std::to_string(job.status.retry_count));
    if (!task.topology_policy.empty()) put(key::numa_policy, task.topology_policy);
    for (auto name : {key::preemptable, key::cooldown, key::revocable_zone}) copy_annotation(pod, job, name);
    bool const least = job.metadata.annotations.contains(key::budget_min);
    copy_annotation(pod, job, least ? key::budget_min : key::budget_max);
}

void label(core::pod& pod, job const& job, task_spec const& task, std::int32_t index) {
    auto& all = pod.metadata.labels;
    auto const put = [&](std::string_view name, std::string value) { all[std::string(name)] = std::move(value); };
    put(key::task_index, std::to_string(index));
    put(key::task_name, std::string(task_name(task)));
    put(key::job_name, job.metadata.name);
    put(key::job_namespace, namespace_of(job.metadata));
    put(key::queue_name, job.spec.queue);
    for (auto name : {key::preemptable, key::cooldown}) {
        auto const it = job.metadata.labels.find(name);
        if (it != job.metadata.labels.end()) all[it->first] = it->second;
    }
}

} // namespace

core::pod render_pod(job const& job, task_spec const& task, std::int32_t index, volcano_operator_options const& options,
                     bool forwarded) {
    core::pod pod;
    pod.metadata = child_metadata(job, pod_name(job, task, index));
    pod.metadata.labels = task.template_.metadata.labels;
    pod.metadata.annotations = task.template_.metadata.annotations;
    pod.spec = task.template_.spec;
    if (pod.spec.scheduler_name.empty()) pod.spec.scheduler_name = job.spec.scheduler_name;
    if (pod.spec.priority_class_name.empty() && options.release >= volcano_release::v1_11_0)
        pod.spec.priority_class_name = job.spec.priority_class_name;
    mount_claims(pod.spec, job);
    annotate(pod, job, task, index, options.release);
    label(pod, job, task, index);
    if (forwarded) {
        pod.metadata.labels[std::string(key::job_forwarding)] = "true";
        pod.metadata.annotations[std::string(key::job_forwarding)] = "true";
    }
    apply_plugins(pod, job, task, index, options);
    return pod;
}

std::vector<rules::recipe> pod_recipes(job const& job) {
    std::vector<rules::recipe> all;
    for (std::size_t i = 0; i < mounted(job).size(); ++i)
        all.push_back(rules::recipe_for<core::pod>(
            rules::random_text(random_length),
            [](core::pod& p, std::string const& text, std::size_t number) {
                auto const* const owner = controller_of(p.metadata);
                if (owner == nullptr) return;
                std::string const from = provisional_name(owner->name, number), to = owner->name + "-" + text;
                for (auto& v : p.spec.volumes)
                    if (v.name == from) v.name = to;
                for (auto& c : p.spec.containers)
                    for (auto& m : c.volume_mounts)
                        if (m.name == from) m.name = to;
            },
            i));
    return all;
}

core::persistent_volume_claim render_claim(job const& job, volume_spec const& volume) {
    core::persistent_volume_claim claim;
    claim.metadata = child_metadata(job, volume.volume_claim_name);
    if (volume.volume_claim) claim.spec = *volume.volume_claim;
    return claim;
}

rules::recipe claim_name_recipe(std::size_t number) {
    return rules::recipe_for<job>(
        rules::random_text(random_length),
        [](job& j, std::string const& text, std::size_t at) {
            j.spec.volumes.at(at).volume_claim_name = claim_name(j, text);
        },
        number);
}

job with_claim_names(job const& given) {
    job named = given;
    for (std::size_t i = 0; i < named.spec.volumes.size(); ++i)
        if (auto& name = named.spec.volumes[i].volume_claim_name; name.empty())
            name = claim_name(given, provisional_end(i));
    return named;
}

} // namespace kftrain::volcano
