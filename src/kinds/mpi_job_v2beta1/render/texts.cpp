#include "kinds/mpi_job_v2beta1/render/texts.hpp"

#include "model/rules/namespace_of.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v2beta1 {

std::string address_of(mpi_job const& job, std::string_view host, mpi_operator_options const& options) {
    std::string address(host);
    address.append(".").append(job.metadata.name).append(".").append(namespace_of(job.metadata)).append(".svc");
    if (!options.cluster_domain.empty() && options.release >= mpi_operator_release::v0_7_0)
        address.append(".").append(options.cluster_domain);
    return address;
}

std::string hostfile(mpi_job const& job, mpi_operator_options const& options) {
    std::string_view const separator = job.spec.mpi_implementation == open_mpi ? " slots=" : ":";
    std::string const slots = std::to_string(slots_of(job));
    std::string text;
    auto const add = [&](std::string_view host) {
        text.append(address_of(job, host, options)).append(separator).append(slots).append("\n");
    };
    if (launcher_works(job)) add(launcher_name(job));
    for (std::int32_t i = 0; i < worker_count(job); ++i) add(worker_name(job, i));
    return text;
}

std::string discovery_script(mpi_job const& job, std::vector<std::string> running,
                             mpi_operator_options const& options) {
    std::ranges::sort(running);
    std::string text = "#!/bin/sh\n";
    auto const add = [&](std::string_view host) {
        text.append("echo ").append(address_of(job, host, options)).append("\n");
    };
    if (launcher_works(job)) add(launcher_name(job));
    for (auto const& host : running) add(host);
    return text;
}

} // namespace kftrain::kubeflow_v2beta1
