#include "job/v1/replica_job.hpp"

#include <kftrain/job/v1/training_operator_options.hpp>

#include <array>

namespace kftrain::kubeflow_v1 {
namespace {

result<void> read_gang_scheduler(operator_options& options, std::string_view value) {
    auto family = options.get<training_operator_options>();
    family.gang_scheduler_name = value;
    options.set(std::move(family));
    return {};
}

constexpr std::array<operator_flag, 1> family{{{"gang-scheduler-name", &read_gang_scheduler}}};

} // namespace

std::span<operator_flag const> family_flags() noexcept { return family; }

} // namespace kftrain::kubeflow_v1
