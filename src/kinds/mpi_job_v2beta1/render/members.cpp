#include "kinds/mpi_job_v2beta1/render/members.hpp"

#include "kinds/mpi_job_v2beta1/render/texts.hpp"

namespace kftrain::kubeflow_v2beta1 {

membership lay_out(mpi_job const& job, mpi_operator_options const& options) {
    membership all;
    std::int32_t hosts = 0;
    auto const add = [&](std::string_view type, std::int32_t index, std::string pod, std::string host, bool works) {
        auto& m = all.members.emplace_back();
        m.role = type;
        m.index = index;
        m.pod_name = std::move(pod);
        if (host != m.pod_name) m.host = std::move(host);
        if (works) m.rank = hosts++;
    };
    auto& launcher = all.roles.emplace_back();
    launcher.name = launcher_type;
    launcher.labels = role_labels(job, launcher_role);
    add(launcher_type, 0, {}, launcher_name(job), launcher_works(job));
    if (worker_count(job) > 0) {
        auto& workers = all.roles.emplace_back();
        workers.name = worker_type;
        workers.labels = role_labels(job, worker_role);
        workers.index_label = label::replica_index;
        workers.first_label = first_index_label(job, options);
    }
    for (std::int32_t i = 0; i < worker_count(job); ++i)
        add(worker_type, i, worker_name(job, i), worker_name(job, i), true);
    std::string const address = address_of(job, {}, options);
    all.domain = address.substr(1); // behind the host's name
    if (hosts == 0) {
        all.rank_note = "the hostfile lists no host, so the launcher starts its processes in its own pod";
        return all;
    }
    all.world_size = hosts;
    if (slots_of(job) >= 1) all.processes_per_member = slots_of(job);
    all.rank_note = "mpirun assigns ranks when it starts, host by host in the order of the hostfile unless its options "
                    "set another order";
    return all;
}

} // namespace kftrain::kubeflow_v2beta1
