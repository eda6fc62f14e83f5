#include "kinds/mpi_job_v2beta1/plan/pass.hpp"
#include "kinds/mpi_job_v2beta1/render/creation.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v2beta1 {

bool pass::sync_service() {
    auto wanted = render_service(job_, options_);
    if (world_.service == nullptr) {
        todo_.create(rules::create(std::move(wanted)));
        return true;
    }
    if (!is_mine(world_.service->metadata)) return false;
    auto const& spec = world_.service->spec;
    bool const publishes = options_.release >= mpi_operator_release::v0_7_0; // others leave the field alone
    if (spec.selector == wanted.spec.selector &&
        (!publishes || spec.publish_not_ready_addresses == wanted.spec.publish_not_ready_addresses))
        return true;
    core::service next = *world_.service;
    next.spec.selector = std::move(wanted.spec.selector);
    if (publishes) next.spec.publish_not_ready_addresses = wanted.spec.publish_not_ready_addresses;
    todo_.add(rules::replace(std::move(next)));
    return true;
}

bool pass::sync_config_map() {
    auto wanted = render_config_map(job_, running_workers(), options_);
    if (world_.config_map == nullptr) {
        todo_.create(rules::create(std::move(wanted)));
        return true;
    }
    if (!is_mine(world_.config_map->metadata)) return false;
    if (world_.config_map->data == wanted.data) return true;
    core::config_map next = *world_.config_map;
    next.data = std::move(wanted.data);
    todo_.add(rules::replace(std::move(next)));
    return true;
}

/// Keys are never renewed; lost keys are replaced, both together. Only the metadata of the stored secret is known.
bool pass::sync_secret() {
    core::secret wanted = render_secret(job_);
    if (world_.secret == nullptr) {
        rules::create c(std::move(wanted));
        c.made.push_back(ssh_recipe());
        todo_.create(std::move(c));
        return true;
    }
    auto const& stored = *world_.secret;
    if (!is_mine(stored.metadata)) return false;
    if (stored.data.size() == 2 && stored.data.contains(private_key) && stored.data.contains(public_key)) return true;
    wanted.metadata.uid = stored.metadata.uid;
    wanted.metadata.resource_version = stored.metadata.resource_version;
    for (auto const& [key, value] : stored.metadata.labels) wanted.metadata.labels[key] = value;
    rules::replace r(std::move(wanted));
    r.made.push_back(ssh_recipe());
    todo_.add(std::move(r));
    return true;
}

bool pass::sync_pod_group() {
    auto const& stored = world_.pod_group;
    if (stored.empty()) {
        todo_.create(rules::create(render_pod_group(job_, world_.priorities, options_)));
        return true;
    }
    if (!is_mine(stored.metadata(), "PodGroup")) return false;
    if (auto next = changed_pod_group(stored, job_, world_.priorities, options_); !next.empty())
        todo_.add(rules::replace(std::move(next)));
    return true;
}

/// A suspended job has no workers to wait for.
bool pass::may_launch(std::vector<core::pod const*> const& workers) const {
    auto const is_ready = [](core::pod const* p) {
        return p != nullptr && std::ranges::any_of(p->status.conditions, [](core::pod_condition const& c) {
                   return c.type == "Ready" && c.status == "True";
               });
    };
    return job_.spec.launcher_creation_policy == at_startup || std::ranges::all_of(workers, is_ready);
}

void pass::warn_of_overridden_policy() {
    if (!spec_of(job_, launcher_type)->template_.spec.restart_policy.empty())
        todo_.emit("Warning", "SetPodTemplateRestartPolicy",
                   "Restart policy in pod template overridden by restart policy in replica spec");
}

void pass::align_launcher(batch::job const& launcher) {
    bool const suspended = launcher.spec.suspend.value_or(false);
    if (suspended == is_suspended(job_)) return;
    batch::job next = launcher;
    next.spec.suspend = !suspended;
    if (suspended && options_.release >= mpi_operator_release::v0_8_0) resume_launcher(next);
    todo_.add(rules::replace(std::move(next)));
}

/// What may change of a suspended Job is taken from the template as it is now; what it had besides stays.
void pass::resume_launcher(batch::job& next) {
    if (next.status.start_time) {
        // Servers keep the template of a Job that has started. The Job controller forgets the start of a
        // suspended one by itself, as a rule.
        next.status.start_time.reset();
        todo_.add(rules::replace(next, rules::subresource::status));
        next.metadata.resource_version.clear(); // that of the answer, which nobody knows yet
    }
    warn_of_overridden_policy();
    auto wanted = render_launcher_template(job_, options_);
    auto& pod = next.spec.template_;
    for (auto& [key, value] : wanted.metadata.labels) pod.metadata.labels[key] = value;
    for (auto& [key, value] : wanted.metadata.annotations) pod.metadata.annotations[key] = value;
    pod.spec.node_selector = std::move(wanted.spec.node_selector);
    pod.spec.tolerations = std::move(wanted.spec.tolerations);
    pod.spec.scheduling_gates = std::move(wanted.spec.scheduling_gates);
}

} // namespace kftrain::kubeflow_v2beta1
