#include "kinds/pytorch_job_v1alpha1/controller.hpp"

#include "kinds/pytorch_job_v1alpha1/plan.hpp"
#include "kinds/pytorch_job_v1alpha1/render.hpp"

#include <kftrain/job/observed_types.hpp>

namespace kftrain::kubeflow_v1alpha1::pytorch {
namespace {

constexpr std::string_view pods_row = "pods";
constexpr std::string_view owned_row = "owned pods";
constexpr std::string_view services_row = "services";

/// A service with such a name counts, whatever created it.
rules::by_name_of_primary called_like_services() {
    return rules::named_by<pytorch_job>([](pytorch_job const& job) {
        std::vector<rules::object_name> names;
        for (auto const& r : replicas_of(job.spec.replica_specs))
            names.emplace_back("", child_name(job, type_of(*r.set), r.index));
        return names;
    });
}

} // namespace

pytorch_controller::pytorch_controller(pytorch_operator_options options) : options_(std::move(options)) {
    rows_.emplace_back(pods_row, observed_pod_type(), rules::by_labels(label::job_name));
    rows_.emplace_back(owned_row, observed_pod_type(), rules::by_controller());
    rows_.emplace_back(services_row, observed_service_type(), rules::by_labels(label::job_name));
    rows_.emplace_back(services_row, observed_service_type(), called_like_services());
}

rules::plan pytorch_controller::make_plan(rules::look<pytorch_job> const& look) const {
    pytorch_world world;
    for (auto const& p : look.world.of<core::pod>(pods_row)) world.pods.push_back(&p);
    for (auto const& p : look.world.of<core::pod>(owned_row)) world.owned_pods.push_back(&p);
    for (auto const& s : look.world.of<core::service>(services_row)) world.services.push_back(&s);
    auto const* const remembered = dynamic_cast<first_observation const*>(look.remembered.get());
    return pytorch::make_plan(look.object, world, remembered, options_);
}

} // namespace kftrain::kubeflow_v1alpha1::pytorch
