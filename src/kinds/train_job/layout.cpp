#include "kinds/train_job/kind.hpp"

#include "base/ascii.hpp"
#include "model/rules/label_of.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/patch.hpp>

#include <algorithm>

namespace kftrain::trainer {
namespace {

void overlay(resource_list& all, resource_list const& amounts) {
    for (auto const& [name, amount] : amounts) all[name] = amount;
}

void apply_patches(layout& l, train_job const& job) {
    std::vector<std::string> order;
    for (auto const& j : l.spec.replicated_jobs) order.push_back(j.name);
    for (auto const& patch : job.spec.runtime_patches) {
        if (!patch.training_runtime_spec || !patch.training_runtime_spec->template_) continue;
        auto const& change = *patch.training_runtime_spec->template_;
        for (auto const& [key, value] : change.metadata.labels) l.labels[key] = value;
        for (auto const& [key, value] : change.metadata.annotations) l.annotations[key] = value;
        if (!change.spec) continue;
        if (auto r = apply_strategic_patch(l.spec, to_json(*change.spec)); !r && l.fault.empty())
            l.fault = r.error().to_string();
    }
    // A patch may change the order, and add entries, which come first.
    auto const place = [&](jobset::replicated_job const& j) {
        auto const at = std::ranges::find(order, j.name);
        return at == order.end() ? std::ptrdiff_t{0} : at - order.begin();
    };
    auto& jobs = l.spec.replicated_jobs;
    for (std::size_t i = 1; i < jobs.size(); ++i) // a stable insertion sort of a few entries
        for (std::size_t k = i; k > 0 && place(jobs[k]) < place(jobs[k - 1]); --k) std::swap(jobs[k], jobs[k - 1]);
}

/// Whether these are the pods that train, or the nodes beside a launcher that works.
bool trains(jobset::replicated_job const& j, ml_policy const* policy) {
    return label_of(j.template_.metadata, ancestor_label) == trainer_step ||
           (policy != nullptr && policy->mpi && policy->mpi->run_launcher_as_node.value_or(false) && j.name == node);
}

/** Returns the fault of the replicated jobs of a runtime; empty if there is none.
    @par Upstream jobset v0.12.0 `pkg/webhooks/jobset_webhook.go`: an entry may wait for earlier entries only. Without
    entries the JobSet would never end. */
std::string fault_of_entries(jobset::job_set_spec const& set) {
    if (set.replicated_jobs.empty()) return "the runtime has no replicated jobs";
    for (auto j = set.replicated_jobs.begin(); j != set.replicated_jobs.end(); ++j)
        for (auto const& other : j->depends_on)
            if (std::none_of(set.replicated_jobs.begin(), j, [&](auto const& e) { return e.name == other.name; }))
                return "the replicated job \"" + j->name + "\" of the runtime depends on \"" + other.name +
                       "\", which is no earlier replicated job";
    return {};
}

} // namespace

pod_set* layout::find(std::string_view name) noexcept { return find_named(sets, name); }

pod_set* layout::find_step(std::string_view ancestor) noexcept {
    auto const at = std::ranges::find(sets, ancestor, &pod_set::ancestor);
    return at == sets.end() ? nullptr : &*at;
}

core::container* layout::find_container(std::string_view job, std::string_view container) noexcept {
    auto* const set = find(job);
    if (set == nullptr) return nullptr;
    auto* const found = find_named(set->containers, container);
    return found != nullptr ? found : find_named(set->init_containers, container);
}

resource_list pod_requests(core::pod_spec const& pod) {
    auto all = total_of(pod, [](core::container const& c) { return c.resources.requests; });
    if (pod.resources) overlay(all, pod.resources->requests);
    add_amounts(all, pod.overhead);
    return all;
}

std::int64_t gpu_count(core::resource_requirements const& resources) {
    auto const count = [](resource_list const& amounts) -> std::int64_t {
        for (auto const& [name, amount] : amounts)
            if (to_lower(name).find("gpu") != std::string::npos) return amount.value();
        return 0;
    };
    auto const requested = count(resources.requests);
    return requested != 0 ? requested : count(resources.limits);
}

bool has_too_many_pods(layout const& l) noexcept {
    std::int64_t pods = 0;
    for (std::size_t i = 0; i < l.sets.size() && pods <= most_pods; ++i)
        pods += std::int64_t{l.sets[i].count} * std::max(l.spec.replicated_jobs[i].replicas.value_or(1), 1);
    return pods > most_pods;
}

core::resource_requirements counted_resources(train_job const& job, layout const& l) {
    if (job.spec.trainer && job.spec.trainer->resources_per_node) return *job.spec.trainer->resources_per_node;
    for (auto const& j : l.spec.replicated_jobs) {
        if (j.name != node && label_of(j.template_.metadata, ancestor_label) != trainer_step) continue;
        if (auto const* c = find_named(j.template_.spec.template_.spec.containers, node)) return c->resources;
    }
    return {};
}

layout lay_out_template(train_job const& job, training_runtime_spec const& runtime) {
    layout l;
    l.spec = runtime.template_.spec;
    l.labels = runtime.template_.metadata.labels;
    l.annotations = runtime.template_.metadata.annotations;
    apply_patches(l, job);
    auto const* const policy = runtime.ml_policy ? &*runtime.ml_policy : nullptr;
    auto const* const own = job.spec.trainer ? &*job.spec.trainer : nullptr;
    if (own != nullptr) l.command = own->command;
    for (auto& j : l.spec.replicated_jobs) {
        auto& pod = j.template_.spec.template_.spec;
        if (own != nullptr && own->resources_per_node && policy != nullptr && trains(j, policy))
            if (auto* c = find_named(pod.containers, node)) {
                overlay(c->resources.limits, own->resources_per_node->limits);
                overlay(c->resources.requests, own->resources_per_node->requests);
                c->resources.claims.clear(); // the operator does not copy them
            }
        auto& set = l.sets.emplace_back();
        set.name = j.name;
        set.ancestor = label_of(j.template_.metadata, ancestor_label);
        set.count = j.template_.spec.parallelism.value_or(1);
        if (set.ancestor == trainer_step && policy != nullptr) set.count = policy->num_nodes.value_or(1);
        set.count = std::max(set.count, 1);
        set.volumes = pod.volumes;
        set.containers = pod.containers;
        set.init_containers = pod.init_containers;
        set.requests = pod_requests(pod);
        set.has_job_env = trains(j, policy);
    }
    return l;
}

layout lay_out_runtime(train_job const& job, training_runtime_spec const& runtime) {
    auto l = lay_out_template(job, runtime);
    static ml_policy const none;
    auto const& policy = runtime.ml_policy ? *runtime.ml_policy : none;
    if (policy.flux) {
        l.fault = "runtimes with the policy flux are not supported";
        l.fault_code = errc::not_supported;
    } else if (policy.torch) {
        apply_torch(l, job, *policy.torch);
    } else if (policy.mpi) {
        apply_mpi(l, job, *policy.mpi);
    } else if (policy.jax) {
        apply_jax(l, job);
    } else if (policy.xgboost) {
        apply_xgboost(l, job);
    } else {
        apply_plain(l, job);
    }
    if (runtime.pod_group_policy && runtime.pod_group_policy->coscheduling)
        l.pod_labels["scheduling.x-k8s.io/pod-group"] = job.metadata.name;
    if (runtime.pod_group_policy && runtime.pod_group_policy->volcano)
        l.pod_annotations["scheduling.k8s.io/group-name"] = job.metadata.name;
    if (auto fault = fault_of_entries(l.spec); !fault.empty() && l.fault.empty()) {
        l.fault = std::move(fault);
        l.fault_code = errc::invalid_argument;
    }
    if (has_too_many_pods(l)) {
        l.fault = "the job has more than " + std::to_string(most_pods) + " pods, the limit of kftrain";
        l.fault_code = errc::invalid_argument;
    }
    return l;
}

} // namespace kftrain::trainer
