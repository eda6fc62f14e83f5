#include "job/contract/child_metadata.hpp"
#include "job/v1/replica_render.hpp"
#include "kinds/pytorch_job/kind.hpp"

#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

/** The autoscaler of the workers. Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/hpa.go`. It stays after
    the end of the job, and if its metrics are removed. Unlike upstream, an autoscaler that the job does not control is
    left alone. */

namespace kftrain::kubeflow_v1 {

namespace {

bool is_scaled(pytorch_job const& job) { return job.spec.elastic_policy && job.spec.elastic_policy->metrics; }

autoscaling::horizontal_pod_autoscaler autoscaler_of(pytorch_job const& job, replica_job const& view) {
    auto const& elastic = *job.spec.elastic_policy;
    autoscaling::horizontal_pod_autoscaler hpa;
    hpa.metadata = child_metadata(view, job.metadata.name);
    hpa.spec.scale_target_ref.kind = pytorch_job::resource.kind;
    hpa.spec.scale_target_ref.name = job.metadata.name;
    hpa.spec.scale_target_ref.api_version = pytorch_job::resource.api_version();
    hpa.spec.min_replicas = elastic.min_replicas;
    hpa.spec.max_replicas = elastic.max_replicas.value_or(0);
    hpa.spec.metrics = *elastic.metrics;
    return hpa;
}

} // namespace

void pytorch_kind::add_own_rows(std::vector<rules::watched>& rows) {
    add_rows(rows, object_type_of<autoscaling::horizontal_pod_autoscaler>);
}

std::vector<any_object> pytorch_kind::own_children() const {
    if (!is_scaled(job_)) return {};
    return {autoscaler_of(job_, *this)};
}

void pytorch_kind::reconcile_own(observed const& world, rules::plan_writer& todo) const {
    if (!is_scaled(job_)) return;
    bool const suspended = policy.suspend.value_or(false);
    auto wanted = autoscaler_of(job_, *this);
    auto const* found = world.find<autoscaling::horizontal_pod_autoscaler>(metadata.name);
    if (found == nullptr) {
        if (!suspended) todo.create(rules::create(std::move(wanted)));
    } else if (!is_controlled_by(found->metadata, *this)) {
        if (!suspended)
            todo.emit(name_is_taken(*this, autoscaling::horizontal_pod_autoscaler::resource.kind,
                                    ", and this job is not scaled by its metrics"));
    } else if (suspended) {
        if (!found->metadata.deletion_timestamp)
            todo.remove(
                rules::remove(rules::target(autoscaling::horizontal_pod_autoscaler::resource, found->metadata)));
    } else if (!(found->spec == wanted.spec)) {
        wanted.metadata.resource_version = found->metadata.resource_version;
        todo.add(rules::replace(std::move(wanted)));
    }
}

} // namespace kftrain::kubeflow_v1
