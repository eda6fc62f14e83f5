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

} // namespace kftrain::volcano
