#include "kinds/mpi_job_v1/kind.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {

std::int32_t mpi_kind::workers() const noexcept {
    auto const* const found = spec_of(mpi::worker);
    return found == nullptr ? 0 : std::max(found->replicas.value_or(0), 0);
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob.go`, `isGPULauncher`.
bool mpi_kind::launcher_works() const noexcept {
    auto const* const found = spec_of(mpi::launcher);
    return found != nullptr && std::ranges::any_of(found->template_.spec.containers, [](core::container const& c) {
               return std::ranges::any_of(
                   c.resources.limits, [](auto const& entry) { return entry.first.find("gpu") != std::string::npos; });
           });
}

std::string mpi_kind::account_name() const {
    auto const* const found = spec_of(mpi::launcher);
    bool const named = found != nullptr && !found->template_.spec.service_account_name.empty();
    return named ? found->template_.spec.service_account_name : launcher_name();
}

/// A rank is that of a host, in the order of the hostfile.
void mpi_kind::assign_ranks(membership& layout) const {
    std::int32_t hosts = 0;
    for (auto& r : layout.members)
        if (r.role == mpi::worker || launcher_works()) r.rank = hosts++;
    layout.world_size = hosts;
    if (slots() >= 1) layout.processes_per_member = slots();
    layout.rank_note = "mpirun assigns ranks when it starts, host by host in the order of the hostfile unless its "
                       "options set another order";
}

std::optional<rules::scale_place> mpi_kind::elastic_place() const {
    rules::scale_place place;
    place.least = 1; // without workers the launcher may start processes in every pod of its namespace
    place.most = static_cast<std::int32_t>(constants.max_replicas);
    place.effect =
        "The launcher keeps running and sees the change in the hostfile and in discover_hosts.sh. Elastic programs use "
        "the new hosts, which get new ranks. Other programs do not notice the change, or fail if a host is removed.";
    return place;
}

} // namespace kftrain::kubeflow_v1
