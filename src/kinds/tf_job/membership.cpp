#include "kinds/tf_job/kind.hpp"
#include "kinds/tf_job/tf_config.hpp"

namespace kftrain::kubeflow_v1 {
namespace {

/// A job with a single task trains by itself and receives nothing. Only tasks of the known types count.
bool is_distributed(replica_job const& job) {
    std::int64_t tasks = 0;
    for (auto type : tf::types)
        if (auto const* const spec = job.spec_of(type)) tasks += spec->replicas.value_or(1);
    return tasks != 1;
}

} // namespace

/// A worker of a dynamic job gets the names of all parameter servers, and no other replica gets names of others.
std::int64_t tf_kind::names_in_environments() const noexcept {
    auto const count = [this](std::string_view type) {
        auto const* const spec = spec_of(type);
        return spec == nullptr ? std::int64_t{0} : std::max<std::int64_t>(spec->replicas.value_or(1), 0);
    };
    return job_.spec.enable_dynamic_worker ? count(tf::worker) * count(tf::parameter_server) : members() * members();
}

std::int64_t tf_kind::characters_around_name() const noexcept {
    constexpr std::string_view others = R"("..svc:1",)";
    return static_cast<std::int64_t>(others.size() + job_.metadata.namespace_.size() + told_.cluster_domain.size());
}

void tf_kind::assign_ranks(membership& layout) const {
    layout.rank_note = "TensorFlow identifies tasks by type and index, and has no ranks across all tasks";
}

bool tf_kind::is_master(member const& r) const {
    if (has_chief()) return r.role == tf::chief || r.role == tf::master;
    return r.role == tf::worker && r.index == 0;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/tensorflow/tfjob_controller.go`, `SetClusterSpec`.
std::vector<core::env_var> tf_kind::environment(membership const& layout, member const& r,
                                                core::container const& c) const {
    if (c.name != tf_kind::constants.container || !is_distributed(*this)) return {};
    if (!cluster_) cluster_ = tf::cluster_of(*this, layout, told_);
    std::vector<core::env_var> env;
    env.emplace_back("TF_CONFIG", job_.spec.enable_dynamic_worker ? tf::sparse_config(*cluster_, r)
                                                                  : tf::dense_config(*cluster_, r));
    return env;
}

std::optional<rules::scale_place> tf_kind::elastic_place() const {
    if (!job_.spec.enable_dynamic_worker) return std::nullopt;
    rules::scale_place place;
    place.least = 1;
    place.most = static_cast<std::int32_t>(constants.max_replicas);
    place.effect = "Workers are added and removed without notice to the others: each worker knows only itself and the "
                   "parameter servers.";
    return place;
}

} // namespace kftrain::kubeflow_v1
