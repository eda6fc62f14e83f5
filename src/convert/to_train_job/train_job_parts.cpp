#include "convert/to_train_job/train_job_parts.hpp"

#include "base/in_quotes.hpp"
#include "model/rules/name_syntax.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/model/schema.hpp>

#include <algorithm>

namespace kftrain::convert {
namespace {

using trainer::pod_field;
using trainer::pod_field_place;

constexpr std::string_view policy_path = "spec.runPolicy.";

/// Why a field of a pod has no counterpart.
std::string_view why_nowhere(pod_field const& field) {
    if (field.path == "spec.restartPolicy") return "The operator replaced it by the restart policy of the replicas.";
    if (field.path == "spec.serviceAccount") return "serviceAccountName has another value and takes precedence.";
    if (field.path.starts_with("metadata.")) return "A patch sets labels and annotations only.";
    return "Only a runtime can set this field. Use a TrainingRuntime of your own that does.";
}

} // namespace

void train_draft::convert_limits(std::optional<std::string> const& cleaning, std::optional<std::int32_t> lifetime,
                                 std::optional<std::int32_t> limit, std::string_view kept, std::string_view why_kept) {
    std::string const path(policy_path);
    if (cleaning == kept)
        changes.changed(path + "cleanPodPolicy", json_text(*cleaning), "", why_kept);
    else if (cleaning)
        changes.approximated(path + "cleanPodPolicy", json_text(*cleaning), "", why_kept);
    if (lifetime)
        changes.dropped(path + "ttlSecondsAfterFinished", std::to_string(*lifetime),
                        "The runtime has this field in the template of its JobSet; the TrainJob itself stays.");
    if (limit)
        changes.dropped(path + "backoffLimit", std::to_string(*limit),
                        "The Jobs of the runtime have this field; by default the sixth restart of a container fails "
                        "the job.");
}

void train_draft::convert_state(std::optional<bool> suspend, std::optional<std::string> const& manager,
                                std::string_view own) {
    std::string const path(policy_path);
    if (suspend) {
        job.spec.suspend = suspend;
        changes.changed(path + "suspend", *suspend ? "true" : "false", "spec.suspend", "The field is now in spec.");
    }
    if (!manager) return;
    job.spec.managed_by = *manager == own ? std::string(trainer::own_manager) : *manager;
    changes.changed(path + "managedBy", json_text(*manager), "spec.managedBy",
                    *manager == own ? "The operators have different names." : "The field is now in spec.");
}

std::optional<failure> train_draft::convert_deadline(std::optional<std::int64_t> seconds) {
    if (!seconds) return std::nullopt;
    std::string const path = std::string(policy_path) + "activeDeadlineSeconds";
    if (*seconds < 1) return refused_field(path, std::to_string(*seconds) + ", expected at least 1 for a TrainJob");
    job.spec.active_deadline_seconds = seconds;
    changes.approximated(path, std::to_string(*seconds), "spec.activeDeadlineSeconds",
                         "The time begins at the creation or the last resumption of the TrainJob, not when its pods "
                         "start. At the end all pods are deleted.");
    return std::nullopt;
}

void train_draft::clean(source_pod& pod, std::initializer_list<std::string_view> reserved,
                        std::initializer_list<std::string_view> volumes) {
    auto& env = pod.parts.trainer.env;
    std::vector<core::env_var> kept;
    for (std::size_t i = 0; i < env.size(); ++i) {
        auto const& name = env[i].name;
        bool const taken = std::ranges::find(reserved, name) != reserved.end();
        bool const repeated = std::any_of(env.begin() + static_cast<std::ptrdiff_t>(i) + 1, env.end(),
                                          [&](core::env_var const& later) { return later.name == name; });
        if (taken || repeated)
            changes.dropped(pod.container_path() + ".env[" + std::to_string(i) + "]", to_json(env[i]),
                            taken ? "The operator sets this variable and rejects jobs that do."
                                  : "A later variable has the same name, and a TrainJob has each name once.");
        else
            kept.push_back(env[i]);
    }
    env = std::move(kept);
    auto& patch = pod.parts.patch.spec;
    if (!patch) return;
    drop_repeated(patch->image_pull_secrets, pod.path + ".spec.imagePullSecrets");
    drop_repeated(patch->scheduling_gates, pod.path + ".spec.schedulingGates");
    if (patch->containers.empty()) return;
    auto& mounts = patch->containers.front().volume_mounts;
    std::vector<core::volume_mount> valid;
    for (std::size_t i = 0; i < mounts.size(); ++i) {
        bool const exists = trainer::find_named(patch->volumes, mounts[i].name) != nullptr ||
                            std::ranges::find(volumes, mounts[i].name) != volumes.end();
        if (exists && trainer::find_named(valid, mounts[i].name) == nullptr)
            valid.push_back(mounts[i]);
        else
            changes.dropped(pod.container_path() + ".volumeMounts[" + std::to_string(i) + "]", to_json(mounts[i]),
                            exists ? "An earlier mount has this volume, and a TrainJob can mount a volume once."
                                   : "The pods of the result have no volume with this name.");
    }
    mounts = std::move(valid);
    if (!mounts.empty() || patch->containers.front().security_context) return;
    patch->containers.clear();
    if (*patch == trainer::pod_spec_patch()) patch.reset();
}

std::string train_draft::result_path(pod_field const& field, source_pod const& pod) const {
    auto const& parts = pod.parts;
    bool const no_env = field.result_path == "env" && parts.trainer.env.empty();
    bool const no_mounts =
        field.result_path.ends_with(".volumeMounts") && (!parts.patch.spec || parts.patch.spec->containers.empty() ||
                                                         parts.patch.spec->containers.front().volume_mounts.empty());
    if (no_env || no_mounts) return {};
    return (field.place == pod_field_place::trainer ? std::string("spec.trainer") : patch_path_) + "." +
           field.result_path;
}

void train_draft::place(source_pod const& pod, std::string_view of_job, bool trains) {
    if (pod.parts.is_patched()) {
        patch_path_ = trainer::add_patch(job.spec, of_job, pod.parts.patch);
        moved_.emplace_back(patch_path_, pod.path);
    }
    if (trains) {
        auto made = pod.parts.trainer;
        made.num_nodes = job.spec.trainer->num_nodes;
        made.num_proc_per_node = job.spec.trainer->num_proc_per_node;
        job.spec.trainer = std::move(made);
        moved_.emplace_back("spec.trainer", pod.container_path());
    }
    if (auto const& all = pod.template_.spec.containers; pod.container < all.size())
        changes.changed(pod.container_path() + ".name", json_text(all[pod.container].name), "",
                        "The container of the runtime is called node.");
    for (auto const& field : pod.parts.fields) {
        std::string const path = pod.path + "." + field.path;
        auto to = result_path(field, pod);
        bool const remains = !to.empty(); // otherwise clean() has dropped each of its items
        if (field.place == pod_field_place::nowhere)
            changes.dropped(path, field.value, why_nowhere(field));
        else if (field.place == pod_field_place::patch && remains)
            changes.changed(path, field.value, std::move(to), "A patch of the runtime sets this field.");
        else if (field.place == pod_field_place::trainer && trains && remains)
            changes.changed(path, field.value, std::move(to), "The field is now in spec.trainer.");
    }
}

void train_draft::replace(source_pod const& pod, source_pod const& by, std::string_view why) {
    // The containers that train may have different places.
    auto const key = [](source_pod const& of, pod_field const& field) {
        auto const own = "spec.containers[" + std::to_string(of.container) + "].";
        return field.path.starts_with(own) ? field.path.substr(own.size() - 1) : field.path;
    };
    std::string const why_same = "The pods have one template, which has the same value.";
    if (auto const& all = pod.template_.spec.containers; pod.container < all.size())
        changes.changed(pod.container_path() + ".name", json_text(all[pod.container].name), "",
                        "The container of the runtime is called node.");
    for (auto const& field : pod.parts.fields) {
        auto const same = std::ranges::any_of(by.parts.fields, [&](pod_field const& other) {
            return key(by, other) == key(pod, field) && other.value == field.value;
        });
        std::string const path = pod.path + "." + field.path;
        if (same && field.place != pod_field_place::nowhere)
            changes.changed(path, field.value, "", why_same);
        else
            changes.dropped(path, field.value, same ? why_nowhere(field) : why);
    }
    for (auto const& field : by.parts.fields) {
        if (field.place == pod_field_place::nowhere) continue;
        bool const has = std::ranges::any_of(pod.parts.fields,
                                             [&](pod_field const& other) { return key(pod, other) == key(by, field); });
        auto const own = "spec.containers[" + std::to_string(by.container) + "].";
        auto const path = field.path.starts_with(own) ? pod.container_path() + field.path.substr(own.size() - 1)
                                                      : pod.path + "." + field.path;
        if (auto to = result_path(field, by); !has && !to.empty())
            changes.approximated(path, absent, std::move(to), "All pods have this field now.");
    }
}

void train_draft::report_restarts(std::string const& path, std::string const& policy) {
    if (policy == "OnFailure")
        changes.changed(path + ".restartPolicy", json_text(policy), "", "Pods of a JobSet do this by default.");
    else if (!policy.empty())
        changes.dropped(path + ".restartPolicy", json_text(policy),
                        "The pods of the runtime restart their containers on failure.");
}

result<converted<train_job>> train_draft::finish() {
    trainer::resolve_installed(job);
    auto const& name = job.metadata.name;
    if (auto const faults = dns_1035_label_faults(name); !name.empty() && !faults.empty())
        return refused_field("metadata.name", in_quotes(name) + ", expected the name of a JobSet: " + faults.front());
    auto const found = any_job(job).lint();
    for (auto const& fault : found)
        if (fault.level == issue::severity::error && fault.path == "metadata.name")
            return refused_field(fault.path, fault.message.substr(fault.path.size() + 2)); // without `PATH: `
    if (auto fault = result_fault(job_rules_for<train_job>(), &job, changes.all(), moved_)) return *std::move(fault);
    // The lists of a TrainJob are shorter than those of a pod.
    auto const by_schema = schema_issues(job_rules_for<train_job>().schema(), to_json(job));
    if (by_schema)
        for (auto const& fault : *by_schema)
            if (fault.level == issue::severity::error)
                return rejected(refused_field(fault.path, fault.message.substr(fault.path.size() + 2)),
                                train_job::resource, changes.all(), moved_);
    return converted<train_job>(std::move(job), changes.take());
}

} // namespace kftrain::convert
