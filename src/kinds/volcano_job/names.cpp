#include "kinds/volcano_job/kind.hpp"

#include "base/ascii.hpp"

#include <kftrain/model/ownership.hpp>

#include <algorithm>

namespace kftrain::volcano {

std::string_view annotation_of(object_meta const& meta, std::string_view name) noexcept {
    auto const it = meta.annotations.find(name);
    return it == meta.annotations.end() ? std::string_view() : std::string_view(it->second);
}

std::string pod_name(job const& job, task_spec const& task, std::int64_t index) {
    return job.metadata.name + "-" + task.name + "-" + std::to_string(index);
}

std::string_view task_name(task_spec const& task) noexcept {
    return task.name.empty() ? default_task : std::string_view(task.name);
}

std::string host_name(job const& job, task_spec const& task, std::int64_t index) {
    auto const& fixed = task.template_.spec.hostname;
    return fixed.empty() ? pod_name(job, task, index) : fixed;
}

std::string subdomain(job const& job, task_spec const& task) {
    auto const& given = task.template_.spec.subdomain;
    return given.empty() ? job.metadata.name : given;
}

std::string address(job const& job, task_spec const& task, std::int64_t index) {
    return host_name(job, task, index) + "." + subdomain(job, task);
}

std::vector<std::string> hosts(job const& job, task_spec const& task) {
    std::int32_t const count =
        task.template_.spec.hostname.empty() ? replicas_of(task) : std::min(replicas_of(task), 1);
    std::vector<std::string> all;
    all.reserve(static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i) all.push_back(address(job, task, i));
    return all;
}

std::string identifier(task_spec const& task) {
    std::string text = task.name;
    std::ranges::replace(text, '-', '_');
    return text;
}

std::string upper_case(std::string text) {
    for (auto& c : text)
        if (is_lower(c)) c = static_cast<char>(c - 'a' + 'A');
    return text;
}

std::string group_name(job const& job) { return job.metadata.name + "-" + job.metadata.uid; }
std::string hosts_name(job const& job) { return job.metadata.name + "-svc"; }
std::string secret_name(job const& job) { return job.metadata.name + "-ssh"; }
std::string hostfile_name(job const& job) { return job.metadata.name + "-mpi"; }
std::string head_name(job const& job) { return job.metadata.name + "-head-svc"; }

std::string task_path(std::size_t number) { return "spec.tasks[" + std::to_string(number) + "]"; }

bool is_own(job const& job, object_meta const& object) noexcept { return is_controlled_by(object, job.metadata.uid); }

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
