#include "job/lint/torchrun_lint.hpp"

#include "base/whole_number.hpp"
#include "job/programs/devices.hpp"
#include "job/programs/started_programs.hpp"

namespace kftrain {

std::string standalone_fault(core::container const& c, std::int64_t pods) {
    if (pods < 2) return {};
    auto const torchrun = plain_torchrun(c);
    if (!torchrun || !torchrun_option(*torchrun, "standalone")) return {};
    return "--standalone gives the pod a rendezvous of its own, and the job has " + std::to_string(pods) +
           " pods; expected no --standalone";
}

std::string nodes_fault(core::container const& c, std::int64_t pods) {
    auto const torchrun = plain_torchrun(c);
    auto const nodes = torchrun ? torchrun_nodes(*torchrun) : std::nullopt;
    if (!nodes || pods < 1 || (nodes->min <= pods && pods <= nodes->max)) return {};
    return "--nnodes=" + *torchrun_option(*torchrun, "nnodes") + ", expected " + std::to_string(pods) +
           ", the number of pods";
}

std::string processes_fault(core::container const& c) {
    auto const gpus = gpus_of(c);
    if (gpus == 0) return {};
    for (auto const& p : started_programs(c)) {
        auto const stated = is_torchrun(p) ? torchrun_option(p, "nproc-per-node") : std::nullopt;
        auto const processes = stated ? read_whole_number<std::int64_t>(*stated) : std::nullopt;
        if (processes && *processes > gpus)
            return "--nproc-per-node=" + *stated + " for " + std::to_string(gpus) + (gpus == 1 ? " GPU" : " GPUs") +
                   ", expected at most one process for each GPU";
    }
    return {};
}

} // namespace kftrain
