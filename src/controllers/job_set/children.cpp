#include "controllers/job_set/children.hpp"

#include "base/sha1.hpp"

#include <kftrain/model/ownership.hpp>

#include <algorithm>

namespace kftrain::controllers::job_sets {
namespace {

constexpr std::string_view exclusive_key = "alpha.jobset.sigs.k8s.io/exclusive-topology";
constexpr std::string_view strategy_key = "alpha.jobset.sigs.k8s.io/node-selector";

std::int32_t replicas_of(jobset::replicated_job const& j) { return j.replicas.value_or(1); }

std::string label(std::string_view name) { return std::string("jobset.sigs.k8s.io/").append(name); }

/// Jobs of all entries, or of one group, and how many of them come before an entry.
struct numbering {
    numbering() = default;

    std::int64_t before = 0, all = 0;
};

numbering number(jobset::job_set const& set, jobset::replicated_job const& entry, bool in_group) {
    numbering n;
    bool reached = false;
    for (auto const& j : set.spec.replicated_jobs) {
        if (in_group && j.group_name != entry.group_name) continue;
        reached = reached || j.name == entry.name;
        if (!reached) n.before += replicas_of(j);
        n.all += replicas_of(j);
    }
    return n;
}

string_map marks_of(jobset::job_set const& set, jobset::replicated_job const& j, std::int32_t index) {
    auto const over_all = number(set, j, false), over_group = number(set, j, true);
    string_map marks;
    marks[label("jobset-name")] = set.metadata.name;
    marks[label("jobset-uid")] = set.metadata.uid;
    marks[label("replicatedjob-name")] = j.name;
    marks[label("replicatedjob-replicas")] = std::to_string(replicas_of(j));
    marks[label("restart-attempt")] = std::to_string(set.status.restarts);
    marks[label("job-index")] = std::to_string(index);
    marks[label("job-key")] = sha1_hex(set.metadata.namespace_ + "/" + job_name(set, j, index));
    marks[label("job-global-index")] = std::to_string(over_all.before + index);
    marks[label("global-replicas")] = std::to_string(over_all.all);
    marks[label("group-name")] = j.group_name;
    marks[label("group-replicas")] = std::to_string(over_group.all);
    marks[label("job-group-index")] = std::to_string(over_group.before + index);
    if (auto const& c = set.spec.coordinator)
        marks[label("coordinator")] = set.metadata.name + "-" + c->replicated_job + "-" + std::to_string(c->job_index) +
                                      "-" + std::to_string(c->pod_index) + "." + subdomain_of(set);
    return marks;
}

void mark(object_meta& meta, string_map const& marks, jobset::job_set const& set, jobset::replicated_job const& j) {
    for (auto const& [key, value] : marks) {
        meta.labels[key] = value;
        meta.annotations[key] = value;
    }
    // The annotation of the Job template overrides that of the JobSet.
    for (auto const* from : {&set.metadata.annotations, &j.template_.metadata.annotations}) {
        if (!from->contains(exclusive_key)) continue;
        for (auto const key : {exclusive_key, strategy_key})
            if (auto const at = from->find(key); at != from->end()) meta.annotations[std::string(key)] = at->second;
    }
}

bool mounts(core::pod_spec const& pod, std::string const& volume) {
    auto const in = [&](std::vector<core::container> const& containers) {
        return std::ranges::any_of(containers, [&](core::container const& c) {
            return std::ranges::find(c.volume_mounts, volume, &core::volume_mount::name) != c.volume_mounts.end();
        });
    };
    return in(pod.containers) || in(pod.init_containers);
}

std::string claim_name(jobset::job_set const& set, core::persistent_volume_claim const& claim) {
    return claim.metadata.name + "-" + set.metadata.name;
}

void add_claims(core::pod_spec& pod, jobset::job_set const& set) {
    for (auto const& policy : set.spec.volume_claim_policies)
        for (auto const& claim : policy.templates) {
            if (!mounts(pod, claim.metadata.name)) continue;
            auto& v = pod.volumes.emplace_back();
            v.name = claim.metadata.name;
            v.persistent_volume_claim.emplace().claim_name = claim_name(set, claim);
        }
}

/// Keeps the Job to nodes that bear its name, as the strategy of this annotation requires.
void select_nodes(core::pod_spec& pod, object_meta const& job) {
    if (!job.annotations.contains(exclusive_key) || !job.annotations.contains(strategy_key)) return;
    pod.node_selector["alpha." + label("namespaced-job")] = job.namespace_ + "_" + job.name;
    auto& t = pod.tolerations.emplace_back();
    t.key = "alpha." + label("no-schedule");
    t.operator_ = "Exists";
    t.effect = "NoSchedule";
}

} // namespace

void set_defaults(jobset::job_set& set) {
    auto& spec = set.spec;
    if (!spec.success_policy) spec.success_policy.emplace().operator_ = "All";
    if (!spec.startup_policy) spec.startup_policy.emplace().startup_policy_order = "AnyOrder";
    for (auto& j : spec.replicated_jobs) {
        if (j.group_name.empty()) j.group_name = "default";
        if (!j.replicas) j.replicas = 1;
        if (!j.template_.spec.completion_mode) j.template_.spec.completion_mode = "Indexed";
        auto& restart = j.template_.spec.template_.spec.restart_policy;
        if (restart.empty()) restart = "OnFailure";
    }
    auto& network = spec.network ? *spec.network : spec.network.emplace();
    if (!network.enable_dns_hostnames) network.enable_dns_hostnames = true;
    if (!network.publish_not_ready_addresses) network.publish_not_ready_addresses = true;
    if (spec.failure_policy)
        for (std::size_t i = 0; i < spec.failure_policy->rules.size(); ++i)
            if (auto& rule = spec.failure_policy->rules[i]; rule.name.empty())
                rule.name = "failurePolicyRule" + std::to_string(i);
    for (auto& policy : spec.volume_claim_policies)
        if (!policy.retention_policy) policy.retention_policy.emplace().when_deleted = "Delete";
}

bool has_too_many_jobs(jobset::job_set const& set) noexcept {
    std::int64_t jobs = 0;
    for (auto const& j : set.spec.replicated_jobs) jobs += std::max(replicas_of(j), 0);
    return jobs > most_jobs;
}

std::string job_name(jobset::job_set const& set, jobset::replicated_job const& j, std::int32_t index) {
    return set.metadata.name + "-" + j.name + "-" + std::to_string(index);
}

std::string subdomain_of(jobset::job_set const& set) {
    auto const& network = set.spec.network;
    return network && !network->subdomain.empty() ? network->subdomain : set.metadata.name;
}

batch::job new_job(jobset::job_set const& set, jobset::replicated_job const& j, std::int32_t index) {
    batch::job job;
    job.metadata.name = job_name(set, j, index);
    job.metadata.namespace_ = set.metadata.namespace_;
    job.metadata.labels = j.template_.metadata.labels;
    job.metadata.annotations = j.template_.metadata.annotations;
    job.metadata.owner_references.push_back(controller_reference(set));
    job.spec = j.template_.spec;
    auto& pods = job.spec.template_;
    auto const marks = marks_of(set, j, index);
    mark(job.metadata, marks, set, j);
    mark(pods.metadata, marks, set, j);
    if (set.spec.network && set.spec.network->enable_dns_hostnames.value_or(false))
        pods.spec.subdomain = subdomain_of(set);
    select_nodes(pods.spec, job.metadata);
    job.spec.suspend = set.spec.suspend.value_or(false);
    add_claims(pods.spec, set);
    return job;
}

core::service new_service(jobset::job_set const& set) {
    core::service s;
    s.metadata.name = subdomain_of(set);
    s.metadata.namespace_ = set.metadata.namespace_;
    s.metadata.owner_references.push_back(controller_reference(set));
    s.spec.cluster_ip = "None";
    s.spec.selector[label("jobset-name")] = set.metadata.name;
    s.spec.publish_not_ready_addresses =
        set.spec.network && set.spec.network->publish_not_ready_addresses.value_or(true);
    return s;
}

std::vector<core::persistent_volume_claim> new_claims(jobset::job_set const& set) {
    std::vector<core::persistent_volume_claim> all;
    for (auto const& policy : set.spec.volume_claim_policies)
        for (auto const& claim : policy.templates) {
            auto& made = all.emplace_back();
            made.metadata.name = claim_name(set, claim);
            made.metadata.namespace_ = set.metadata.namespace_;
            made.metadata.labels = claim.metadata.labels;
            made.metadata.labels[label("jobset-name")] = set.metadata.name;
            made.metadata.annotations = claim.metadata.annotations;
            made.spec = claim.spec;
            bool const kept = policy.retention_policy && policy.retention_policy->when_deleted == "Retain";
            if (!kept) made.metadata.owner_references.push_back(controller_reference(set));
        }
    return all;
}

} // namespace kftrain::controllers::job_sets
