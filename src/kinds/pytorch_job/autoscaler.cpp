#include "job/replica_render.hpp"
#include "kinds/pytorch_job/constants.hpp"

#include <kftrain/model/autoscaling.hpp>

/** @file
    The autoscaler of the workers. Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/hpa.go`. It outlives the
    end of the job, and the removal of its metrics. Unlike upstream, one that the job does not control is left alone. */

namespace kftrain {

using rules = job_rules<pytorch_job>;

namespace {

bool is_scaled(pytorch_job const& job) { return job.spec.elastic_policy && job.spec.elastic_policy->metrics; }

horizontal_pod_autoscaler autoscaler_of(pytorch_job const& job, replica_job const& view) {
    auto const& elastic = *job.spec.elastic_policy;
    horizontal_pod_autoscaler hpa;
    hpa.metadata.name = job.metadata.name;
    hpa.metadata.namespace_ = job.metadata.namespace_;
    hpa.metadata.owner_references.push_back(controller_reference(view));
    hpa.spec.scale_target_ref.kind = pytorch_job::resource.kind;
    hpa.spec.scale_target_ref.name = job.metadata.name;
    hpa.spec.scale_target_ref.api_version = pytorch_job::resource.api_version();
    hpa.spec.min_replicas = elastic.min_replicas;
    hpa.spec.max_replicas = elastic.max_replicas.value_or(0);
    hpa.spec.metrics = *elastic.metrics;
    return hpa;
}

} // namespace

std::vector<child_type> rules::child_types(operator_options const& options) {
    auto types = replica_job_rules::child_types(options);
    types.emplace_back(object_type_of<horizontal_pod_autoscaler>, std::string_view());
    return types;
}

std::vector<child> rules::view::own_children() const {
    if (!is_scaled(job_)) return {};
    return {autoscaler_of(job_, *this)};
}

void rules::view::reconcile_own(observed const& world, std::vector<action>& actions) const {
    if (!is_scaled(job_)) return;
    bool const suspended = policy.suspend.value_or(false);
    auto wanted = autoscaler_of(job_, *this);
    auto const* found = world.find<horizontal_pod_autoscaler>(metadata.name);
    if (found == nullptr) {
        if (!suspended) actions.emplace_back(create_child(std::move(wanted)));
    } else if (!is_controlled_by(found->metadata, *this)) {
        if (!suspended)
            actions.emplace_back(name_is_taken(*this, horizontal_pod_autoscaler::resource.kind,
                                               ", and this job is not scaled by its metrics"));
    } else if (suspended) {
        if (!found->metadata.deletion_timestamp)
            actions.emplace_back(delete_child(horizontal_pod_autoscaler::resource, found->metadata));
    } else if (!(found->spec == wanted.spec)) {
        wanted.metadata.resource_version = found->metadata.resource_version;
        actions.emplace_back(replace_child(std::move(wanted)));
    }
}

} // namespace kftrain
