#include "kinds/mpi_job_v1/texts.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1::mpi {

std::string hostfile(mpi_kind const& job) {
    std::string const slots = " slots=" + std::to_string(job.slots()) + "\n";
    std::string text;
    if (job.launcher_works()) text += job.launcher_name() + slots;
    for (std::int32_t i = 0; i < job.workers(); ++i) text += job.name_of(worker, i) + slots;
    return text;
}

std::string kubexec_script(mpi_kind const& job) {
    std::string text = "#!/bin/sh\nset -x\nPOD_NAME=$1\nshift\n";
    text.append(kubectl_path).append("/kubectl exec ${POD_NAME}");
    if (auto const& main = job.spec().main_container; !main.empty()) text.append(" --container ").append(main);
    return text.append(" -- /bin/sh -c \"$*\"");
}

/// Lines begin with their end of line; that of the launcher has another one behind it.
std::string discovery_script(mpi_kind const& job, std::vector<std::string> running) {
    std::ranges::sort(running);
    std::string const slots = ":" + std::to_string(job.slots());
    std::string text = "#!/bin/sh";
    if (job.launcher_works()) text += "\necho " + job.launcher_name() + slots + "\n";
    for (auto const& host : running) text += "\necho " + host + slots;
    return text;
}

} // namespace kftrain::kubeflow_v1::mpi
