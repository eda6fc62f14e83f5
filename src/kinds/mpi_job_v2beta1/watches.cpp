#include "kinds/mpi_job_v2beta1/kind.hpp"

#include <kftrain/objects/scheduling/priority_class.hpp>

#include <kftrain/job/observed_types.hpp>

#include <algorithm>
#include <set>

namespace kftrain::kubeflow_v2beta1 {
namespace {

constexpr std::string_view launcher_row = "launcher";
constexpr std::string_view launcher_pods_row = "launcher pods";
constexpr std::string_view workers_row = "workers";
constexpr std::string_view service_row = "service";
constexpr std::string_view config_map_row = "config map";
constexpr std::string_view secret_row = "secret";
constexpr std::string_view pod_group_row = "pod group";
constexpr std::string_view priorities_row = "priority classes";

using names = std::vector<rules::object_name>;

names workers_of(mpi_job const& job) {
    names all;
    // The job may be stored and invalid: there is no webhook.
    for (std::int32_t i = 0; i < std::min(worker_count(job), most_workers); ++i)
        all.emplace_back("", worker_name(job, i));
    return all;
}

names priorities_of(mpi_job const& job) {
    names all;
    for (auto const& [type, spec] : job.spec.mpi_replica_specs)
        if (auto const& name = spec.template_.spec.priority_class_name; !name.empty()) all.emplace_back("", name);
    return all;
}

template <resource K> std::shared_ptr<K const> first(rules::world const& world, std::string_view row) {
    for (auto const& object : world.all(row))
        if (auto found = object.share<K>()) return found;
    return nullptr;
}

} // namespace

/// Objects with the names that a job needs, whatever controls them: those of others are conflicts.
std::vector<rules::watched> watched_rows(mpi_operator_options const& options) {
    using rules::named_by;
    std::vector<rules::watched> rows;
    auto const& pods = observed_pod_type();
    rows.emplace_back(launcher_row, object_type_of<batch::job>, named_by<mpi_job, &launcher_name>());
    rows.emplace_back(launcher_pods_row, pods, rules::by_controller_of(launcher_row));
    rows.emplace_back(workers_row, pods, rules::by_labels(label::job_name));
    rows.emplace_back(workers_row, pods, named_by<mpi_job, &workers_of>());
    rows.emplace_back(service_row, object_type_of<core::service>, rules::by_name_of_primary());
    rows.emplace_back(config_map_row, object_type_of<core::config_map>, named_by<mpi_job, &config_map_name>());
    rows.emplace_back(secret_row, observed_secret_type(), named_by<mpi_job, &secret_name>());
    if (!has_gang(options)) return rows;
    rows.emplace_back(pod_group_row, pod_group_type(options), rules::by_name_of_primary());
    rows.emplace_back(priorities_row, object_type_of<scheduling::priority_class>, named_by<mpi_job, &priorities_of>(),
                      rules::reach::cluster);
    return rows;
}

mpi_world gather(rules::world const& related) {
    mpi_world world;
    world.launcher = first<batch::job>(related, launcher_row);
    world.service = first<core::service>(related, service_row);
    world.config_map = first<core::config_map>(related, config_map_row);
    world.secret = first<core::secret>(related, secret_row);
    if (auto const groups = related.all(pod_group_row); !groups.empty()) world.pod_group = groups.front();
    for (auto const& object : related.all(launcher_pods_row))
        if (auto pod = object.share<core::pod>()) world.launcher_pods.push_back(std::move(pod));
    std::set<std::string_view> known; // workers are there by their labels and by their names
    for (auto const& object : related.all(workers_row))
        if (auto pod = object.share<core::pod>(); pod && known.insert(pod->metadata.name).second)
            world.workers.push_back(std::move(pod));
    for (auto const& c : related.of<scheduling::priority_class>(priorities_row))
        world.priorities.emplace(c.metadata.name, c.value);
    return world;
}

} // namespace kftrain::kubeflow_v2beta1
