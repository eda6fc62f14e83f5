#include "base/joined.hpp"
#include "job/contract/field_error.hpp"
#include "kinds/train_job/kind.hpp"
#include "model/rules/label_of.hpp"
#include "model/rules/name_syntax.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace kftrain::trainer {
namespace {

/// `value` as it is printed: JSON for structs and lists.
issue refused(std::string_view rule, std::string path, std::string const& value, std::string_view detail) {
    issue i;
    i.rule = rule;
    i.message = path + ": Invalid value: " + value + ": " + std::string(detail);
    i.path = std::move(path);
    return i;
}

template <class T> std::string json_list(std::vector<T> const& items) {
    return "[" + joined(items, ",", [](T const& item) { return to_json(item); }) + "]";
}

/// A job under check, and what is wrong with it.
class check {
public:
    check(train_job const& job, layout const& l, training_runtime_spec const& r, issues& found)
        : job_(job), layout_(l), runtime_(r), found_(found) {}

    void run(train_job const* before) {
        check_initializer("datasetConfig", dataset_step, job_.spec.initializer && job_.spec.initializer->dataset);
        check_initializer("modelConfig", model_step, job_.spec.initializer && job_.spec.initializer->model);
        check_change(before);
        for (auto const& patch : job_.spec.runtime_patches) check_patch(patch);
        if (!runtime_.ml_policy) return;
        if (runtime_.ml_policy->torch) check_torch(*runtime_.ml_policy->torch);
        if (runtime_.ml_policy->mpi) check_mpi(*runtime_.ml_policy->mpi);
        if (runtime_.ml_policy->xgboost) check_xgboost();
        if (runtime_.ml_policy->flux) check_flux(*runtime_.ml_policy->flux);
    }

private:
    void refuse(std::string_view rule, std::string path, std::string const& value, std::string_view detail) {
        found_.push_back(refused(rule, std::move(path), value, detail));
    }
    void refuse_runtime(std::string_view detail) {
        refuse("train.initializer", "spec.runtimeRef", to_json(job_.spec.runtime_ref), detail);
    }
    void refuse_patches(std::string_view detail) {
        refuse("train.patch", "spec.runtimePatches", json_list(job_.spec.runtime_patches), detail);
    }

    void check_initializer(std::string_view config, std::string_view step, bool wanted) {
        if (!wanted) return;
        std::string const name(step);
        if (layout_.find(step) == nullptr)
            return refuse_runtime("must have " + name + " job when trainJob is configured with input " +
                                  std::string(config));
        if (layout_.find_container(step, step) == nullptr)
            return refuse_runtime("must have container with name - " + name + " in the " + name + " job");
        auto const* const c = find_named(layout_.find(step)->containers, step);
        if (c == nullptr || find_named(c->volume_mounts, shared_volume) == nullptr)
            refuse_runtime("must have volumeMount with name - initializer in container " + name + " of the " + name +
                           " job");
    }

    void check_change(train_job const* before) {
        if (before == nullptr || is_suspended(*before) || is_suspended(job_)) return;
        if (json_list(before->spec.runtime_patches) != json_list(job_.spec.runtime_patches))
            found_.push_back(forbidden("train.patch", "spec.runtimePatches",
                                       "RuntimePatches can only be modified when the TrainJob is suspended before or "
                                       "after the update"));
    }

    void check_manager(std::string const& manager) {
        std::string const path = "spec.runtimePatches.manager";
        if (manager.empty()) {
            found_.push_back(required("train.patch", path, ""));
            return;
        }
        auto const slash = manager.find('/');
        if (slash == manager.npos || slash == 0 || slash + 1 == manager.size()) {
            found_.push_back(
                invalid("train.patch", path, manager, "must be a domain-prefixed path (such as \"acme.io/foo\")"));
            return;
        }
        auto const host = manager.substr(0, slash);
        for (auto const& why : dns_subdomain_faults(host)) found_.push_back(invalid("train.patch", path, host, why));
        constexpr std::string_view others = "/-._~%!$&'()*+,;=:";
        auto const rest = manager.substr(slash + 1);
        auto const fits = [&](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   others.find(c) != others.npos;
        };
        if (!std::ranges::all_of(rest, fits))
            found_.push_back(invalid("train.patch", path, rest,
                                     "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"));
    }

    void check_patch(runtime_patch const& patch) {
        check_manager(patch.manager);
        auto const& runtime = patch.training_runtime_spec;
        if (!runtime || !runtime->template_ || !runtime->template_->spec) return;
        for (auto const& j : runtime->template_->spec->replicated_jobs) {
            if (!j.template_ || !j.template_->spec || !j.template_->spec->template_ ||
                !j.template_->spec->template_->spec)
                continue;
            // The patch itself has added the parts that the template lacks.
            for (auto const& c : j.template_->spec->template_->spec->containers)
                if (!c.env.empty() && (c.name == dataset_step || c.name == model_step || c.name == node))
                    refuse_patches("must not have envs for the dataset-initializer, model-initializer, node "
                                   "containers");
        }
    }

    void check_reserved(std::span<std::string_view const> names) {
        std::set<std::string> reserved;
        if (!job_.spec.trainer) return;
        for (auto const& v : job_.spec.trainer->env)
            if (std::ranges::find(names, v.name) != names.end()) reserved.insert(v.name);
        if (reserved.empty()) return;
        refuse("train.reserved-env", "spec.trainer.env", json_list(job_.spec.trainer->env),
               "must not have reserved envs, invalid envs configured: [" + joined(reserved, " ") + "]");
    }

    void check_torch(torch_policy const& policy) {
        if (policy.env_injection)
            for (auto const& target : policy.env_injection->targets)
                for (auto const& name : target.container_names)
                    if (layout_.find_container(target.job_name, name) == nullptr)
                        refuse("train.env-injection", "spec.runtimeRef", to_json(target),
                               "envInjection target podSet \"" + target.job_name + "\" container \"" + name +
                                   "\" not found in runtime template");
        constexpr std::array<std::string_view, 5> reserved{"PET_MASTER_ADDR", "PET_MASTER_PORT", "PET_NNODES",
                                                           "PET_NODE_RANK", "PET_NPROC_PER_NODE"};
        check_reserved(reserved);
        if (job_.spec.trainer && runs_torchtune(*job_.spec.trainer)) check_torchtune();
    }

    void check_torchtune() {
        auto const& own = *job_.spec.trainer;
        std::string const at = "spec.trainer.", name = job_.spec.runtime_ref.name, model = model_of_runtime(name);
        if (!is_supported_model(model))
            found_.push_back(invalid("train.torchtune", "spec.runtimeRef.name", name,
                                     "must have a supported pretrained model, invalid model configured: " + model));
        auto const nodes = own.num_nodes.value_or(1);
        if (nodes > 1 && model != "llama3_3/70B")
            refuse("train.torchtune", at + "numNodes", std::to_string(nodes), "must be 1 for " + model + " model");
        auto const choice =
            choose_recipe(nodes, own.num_proc_per_node, gpu_count(counted_resources(job_, layout_)), own.args);
        if (choice.suffix.starts_with("_qlora")) {
            if (model == "qwen2_5/1.5B")
                found_.push_back(invalid("train.torchtune", "spec.runtimeRef.name", name,
                                         "QLoRA is not supported for " + model + " model"));
            bool const small = model == "llama3_2/1B" || model == "llama3_2/3B";
            if (choice.suffix == "_qlora" && small) {
                refuse("train.torchtune", at + "numProcPerNode",
                       own.num_proc_per_node ? std::to_string(*own.num_proc_per_node) : "\"auto\"",
                       "must be auto or 1 for " + model + " model when using QLoRA");
                refuse("train.torchtune", at + "resourcesPerNode",
                       own.resources_per_node ? to_json(*own.resources_per_node) : "null",
                       "must have gpu resource with value 1 for " + model + " model when using QLoRA");
            }
        }
        if (nodes > 1 && (uses_lora(own.args) || uses_qlora(own.args)))
            refuse("train.torchtune", at + "numNodes", std::to_string(nodes),
                   "LoRA fine-tuning is not supported for multi-node training in TorchTune");
        for (std::size_t i = 0; i < own.args.size(); ++i)
            if (auto const& arg = own.args[i]; is_set_by_runtime(arg))
                found_.push_back(invalid("train.torchtune", at + "args[" + std::to_string(i) + "]", arg,
                                         "must not set immutable config \"" + arg.substr(0, arg.find('=')) +
                                             "\" in trainer args; it is managed by the runtime"));
    }

    void check_mpi(mpi_policy const& policy) {
        auto const* const own = job_.spec.trainer ? &*job_.spec.trainer : nullptr;
        bool const several = own != nullptr && own->num_nodes.value_or(1) >= 2;
        if (several && policy.run_launcher_as_node.value_or(false) &&
            (layout_.find(launcher) == nullptr || layout_.find(node) == nullptr))
            refuse("train.mpi", "spec.trainer.numNodes", std::to_string(*own->num_nodes),
                   "must have 1 when MPI trainingRuntime with enabled runLauncherAsNode does not have either launcher "
                   "and node");
        constexpr std::array<std::string_view, 4> reserved{"OMPI_MCA_orte_default_hostfile",
                                                           "OMPI_MCA_orte_keep_fqdn_hostnames",
                                                           "OMPI_MCA_orte_set_default_slots", "OMPI_MCA_plm_rsh_args"};
        check_reserved(reserved);
    }

    void check_xgboost() {
        constexpr std::array<std::string_view, 4> reserved{"DMLC_NUM_WORKER", "DMLC_TASK_ID", "DMLC_TRACKER_PORT",
                                                           "DMLC_TRACKER_URI"};
        if (!job_.spec.trainer) return;
        auto const& env = job_.spec.trainer->env;
        for (std::size_t i = 0; i < env.size(); ++i)
            if (std::ranges::find(reserved, env[i].name) != reserved.end())
                found_.push_back(forbidden("train.reserved-env", "spec.trainer.env[" + std::to_string(i) + "]",
                                           env[i].name + " is reserved for the XGBoost runtime"));
    }

    void check_flux(flux_policy const& policy) {
        auto processes = policy.num_proc_per_node;
        if (job_.spec.trainer && job_.spec.trainer->num_proc_per_node) processes = job_.spec.trainer->num_proc_per_node;
        if (processes && *processes < 1)
            refuse("train.flux", "spec.trainer.numProcPerNode", std::to_string(*processes),
                   "must be greater than or equal to 1 for Flux TrainJob");
        auto const* const set = layout_.find(node);
        if (set != nullptr && find_named(set->init_containers, "flux-installer") != nullptr)
            found_.push_back(invalid("train.flux", "spec.trainer.initContainers", "flux-installer",
                                     "InitContainer 'flux-installer' is reserved"));
    }

    train_job const& job_;
    layout const& layout_;
    training_runtime_spec const& runtime_;
    issues& found_;
};

issue missing_runtime(train_job const& job) {
    bool const own = has_own_runtime(job);
    std::string const kind(own ? training_runtime::resource.kind : cluster_training_runtime::resource.kind);
    return refused("train.runtime-ref", own ? "spec.runtimeRef" : "spec.RuntimeRef", to_json(job.spec.runtime_ref),
                   kind + "." + std::string(group) + " \"" + job.spec.runtime_ref.name + "\" not found: specified " +
                       (own ? "trainingRuntime" : "clusterTrainingRuntime") +
                       " must be created before the TrainJob is created");
}

issue deprecated_runtime(std::string const& name) {
    issue i;
    i.rule = "train.deprecated-runtime";
    i.level = issue::severity::warning;
    i.path = "spec.runtimeRef";
    i.message =
        "Referenced ClusterTrainingRuntime \"" + name +
        "\" is deprecated and will be removed in a future release of Kubeflow Trainer. See runtime deprecation "
        "policy: https://trainer.kubeflow.org/en/latest/operator-guides/runtime.html#runtime-deprecation-policy";
    return i;
}

/// Patches may change only while no pods run.
void check_active(train_job const& job, rules::admission_context const& context, issues& found) {
    auto const stored = context.look_up({object_type_of<jobset::job_set>, job.metadata.namespace_, job.metadata.name});
    auto const* const set = stored.get_if<jobset::job_set>();
    if (set == nullptr) return;
    for (auto const& s : set->status.replicated_jobs_status)
        if (s.active > 0)
            found.push_back(forbidden("train.patch", "spec.runtimePatches",
                                      "RuntimePatches cannot be modified when the JobSet's ReplicatedJob " + s.name +
                                          " is still active"));
}

void check_gang(layout const& l, rules::admission_context const& context, issues& found) {
    if (auto const queue = l.annotations.find(queue_annotation); queue != l.annotations.end() && queue->second.empty())
        found.push_back(invalid("train.gang", "spec.annotations[" + std::string(queue_annotation) + "]", "",
                                "Volcano queue name must not be empty"));
    for (auto const& j : l.spec.replicated_jobs) {
        auto const& name = j.template_.spec.template_.spec.priority_class_name;
        if (name.empty()) continue;
        if (name == "system-cluster-critical" || name == "system-node-critical") return;
        if (!context.look_up({object_type_of<scheduling::priority_class>, "", name}).empty()) continue;
        found.push_back(invalid("train.gang", "spec.templateSpec.priorityClassName", name,
                                "PriorityClass \"" + name + "\" doesn't exist: PriorityClass.scheduling.k8s.io \"" +
                                    name + "\" not found"));
    }
}

} // namespace

training_runtime_spec const* spec_of(any_object const& runtime) noexcept {
    if (auto const* r = runtime.get_if<training_runtime>()) return &r->spec;
    if (auto const* r = runtime.get_if<cluster_training_runtime>()) return &r->spec;
    return nullptr;
}

issues validate(train_job const& written, any_object const& runtime, train_job const* before) {
    issues found;
    train_job job = written;
    set_defaults(job);
    if (!has_known_runtime(job)) {
        auto const& ref = job.spec.runtime_ref;
        auto& i = found.emplace_back();
        i.rule = "train.runtime-ref";
        i.path = "spec.runtimeRef";
        i.message = "unsupported runtime: " + *ref.kind + (ref.api_group->empty() ? "" : "." + *ref.api_group);
        return found;
    }
    auto const* const spec = spec_of(runtime);
    if (spec == nullptr) {
        found.push_back(missing_runtime(job));
        return found;
    }
    if (runtime.is<cluster_training_runtime>() && label_of(runtime.metadata(), support_label) == "deprecated")
        found.push_back(deprecated_runtime(runtime.metadata().name));
    check(job, lay_out_template(job, *spec), *spec, found).run(before);
    if (auto const l = lay_out_runtime(job, *spec); has_too_many_pods(l)) {
        bool const own = job.spec.trainer && job.spec.trainer->num_nodes.value_or(1) > most_pods;
        found.push_back(forbidden("kftrain.replica-limit", own ? "spec.trainer.numNodes" : "spec.runtimeRef", l.fault));
    }
    return found;
}

issues validate(training_runtime_spec const& runtime) {
    issues found;
    auto const& jobs = runtime.template_.spec.replicated_jobs;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        auto const ancestor = label_of(jobs[i].template_.metadata, ancestor_label);
        bool const is_trainer = ancestor == trainer_step;
        if (!is_trainer && ancestor != dataset_step && ancestor != model_step) continue;
        auto const path = "spec.template.spec.replicatedJobs[" + std::to_string(i) + "]";
        if (auto const replicas = jobs[i].replicas.value_or(1); replicas != 1)
            found.push_back(
                refused("runtime.replicas", path + ".replicas", std::to_string(replicas), "always must be 1"));
        auto const& containers = jobs[i].template_.spec.template_.spec.containers;
        if (find_named(containers, is_trainer ? node : ancestor) == nullptr)
            found.push_back(refused("runtime.container", path + ".template.spec.template.spec.containers",
                                    json_list(containers),
                                    "must contain the required container for the ancestor: " + std::string(ancestor)));
    }
    return found;
}

rules::admission_answer admit(train_job const& job, rules::admission_context const& context) {
    auto const* const before = static_cast<train_job const*>(context.before);
    auto const reference = runtime_of(job);
    any_object runtime;
    if (reference.type != nullptr && context.look_up) runtime = context.look_up(reference);
    auto found = validate(job, runtime, before);
    auto const* const spec = spec_of(runtime);
    if (spec == nullptr || !context.look_up) return rules::answer_of(found);
    if (before != nullptr && (is_suspended(job) || is_suspended(*before)) &&
        !(before->spec.runtime_patches == job.spec.runtime_patches))
        check_active(job, context, found);
    if (spec->pod_group_policy && spec->pod_group_policy->volcano)
        check_gang(lay_out_template(job, *spec), context, found);
    return rules::answer_of(found);
}

} // namespace kftrain::trainer
