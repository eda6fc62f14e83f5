#include "kinds/volcano_job/tasks.hpp"

#include <algorithm>

namespace kftrain::volcano {

task_spec const* find_task(job const& job, std::string_view name) noexcept {
    auto const at = task_number(job, name);
    return at ? &job.spec.tasks[*at] : nullptr;
}

std::optional<std::size_t> task_number(job const& job, std::string_view name) noexcept {
    for (std::size_t i = 0; i < job.spec.tasks.size(); ++i)
        if (job.spec.tasks[i].name == name) return i;
    return std::nullopt;
}

std::int32_t replicas_of(task_spec const& task) noexcept { return std::clamp(task.replicas, 0, most_replicas); }

std::int32_t min_available_of(task_spec const& task) noexcept { return task.min_available.value_or(task.replicas); }

std::int64_t total_replicas(job const& job) noexcept {
    std::int64_t sum = 0;
    for (auto const& t : job.spec.tasks) sum += t.replicas;
    return sum;
}

std::int64_t total_min_available(job const& job) noexcept {
    std::int64_t sum = 0;
    for (auto const& t : job.spec.tasks) sum += min_available_of(t);
    return sum;
}

} // namespace kftrain::volcano
