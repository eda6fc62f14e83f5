#include "kinds/pytorch_job/processes.hpp"

#include "base/whole_number.hpp"

namespace kftrain::kubeflow_v1::pytorch {

std::optional<std::int64_t> process_count(std::string_view text) noexcept {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) return std::nullopt;
    }
    return read_whole_number<std::int64_t>(text);
}

std::optional<std::int64_t> stated_processes(pytorch_job const& job) noexcept {
    return job.spec.nproc_per_node ? process_count(*job.spec.nproc_per_node) : std::nullopt;
}

} // namespace kftrain::kubeflow_v1::pytorch
