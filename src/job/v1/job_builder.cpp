#include "job/v1/built_job.hpp"

#include "job/contract/field_error.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <algorithm>

namespace kftrain {

KFTRAIN_DEFINE_SPECIAL_MEMBERS(job_choices);

} // namespace kftrain

namespace kftrain::detail {
namespace {

/// Lint reports amounts that are valid but make no sense, as it does everything else that a server rejects.
void check_amounts(resource_list const& amounts, std::string const& path, issues& found) {
    for (auto const& [name, amount] : amounts) {
        std::string const at = path + "[" + name + "]";
        if (auto const why = quantity::why_invalid(amount.text()); !why.empty() || amount.text().empty())
            found.push_back(
                invalid_value(at, "\"" + amount.text() + "\", expected a quantity such as 4, 500m or 16Gi"));
    }
}

void check_pod(core::pod_spec const& pod, std::string const& path, issues& found) {
    for (std::size_t i = 0; i < pod.init_containers.size(); ++i)
        check_resources(pod.init_containers[i].resources, path + ".initContainers[" + std::to_string(i) + "].resources",
                        found);
    for (std::size_t i = 0; i < pod.containers.size(); ++i)
        check_resources(pod.containers[i].resources, path + ".containers[" + std::to_string(i) + "].resources", found);
    for (std::size_t i = 0; i < pod.volumes.size(); ++i) {
        auto const& source = pod.volumes[i].empty_dir;
        if (source && source->size_limit && !quantity::why_invalid(source->size_limit->text()).empty())
            found.push_back(invalid_value(path + ".volumes[" + std::to_string(i) + "].emptyDir.sizeLimit",
                                          "\"" + source->size_limit->text() + "\", expected a quantity such as 8Gi"));
    }
}

} // namespace

issue invalid_value(std::string path, std::string const& text) {
    issue i;
    i.rule = "builder.value";
    i.message = path + ": " + text;
    i.path = std::move(path);
    return i;
}

void check_resources(core::resource_requirements const& given, std::string const& path, issues& found) {
    check_amounts(given.limits, path + ".limits", found);
    // A value from a setter is in both, and is reported once.
    resource_list only;
    for (auto const& [name, amount] : given.requests)
        if (!given.limits.contains(name)) only.emplace(name, amount);
    check_amounts(only, path + ".requests", found);
}

std::int32_t fit(std::int64_t value, std::string_view path, issues& problems) {
    constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max();
    if (value < low || value > high)
        problems.push_back(invalid_value(std::string(path), std::to_string(value) + ", expected a 32-bit integer"));
    return static_cast<std::int32_t>(std::clamp(value, low, high));
}

std::string_view to_wire(clean_pods which) noexcept {
    switch (which) {
    case clean_pods::all: return "All";
    case clean_pods::running: return "Running";
    case clean_pods::none: return "None";
    }
    return "";
}

kubeflow_v1::replica_spec make_replicas(std::string_view training_container, pod_choices const& common,
                                        replica_choices const& chosen) {
    pod_settings settings{common};
    if (chosen.own) chosen.own(settings);
    pod_choices pod = settings.pod();
    pod.training.name = training_container;

    kubeflow_v1::replica_spec spec;
    spec.replicas = chosen.count;
    spec.restart_policy = std::move(pod.restart_policy);
    spec.template_ = std::move(pod.pod);
    auto& containers = spec.template_.spec.containers;
    containers.insert(containers.begin(), std::move(pod.training));
    return spec;
}

pod_choices without_command(pod_choices pod) {
    pod.training.command.clear();
    pod.training.args.clear();
    return pod;
}

pod_choices without_devices(pod_choices pod) {
    for (auto* amounts : {&pod.training.resources.limits, &pod.training.resources.requests})
        for (auto entry = amounts->begin(); entry != amounts->end();)
            entry = entry->first.find('/') == std::string::npos ? entry + 1 : amounts->erase(entry);
    return pod;
}

std::vector<built_pod> pods_of(kubeflow_v1::replica_job const& job) {
    std::vector<built_pod> pods;
    for (auto type : job.types())
        pods.push_back({&job.spec_of(type)->template_.spec, job.path_of(type) + ".template.spec"});
    return pods;
}

std::optional<failure> why_refused(rules::job_rules const& rules, void const* job, std::span<built_pod const> pods,
                                   issues found) {
    auto const checked = prepared_job::admitted(any_job(rules, job));
    for (auto const& i : checked.faults()) found.push_back(i);
    for (auto const& pod : pods) check_pod(*pod.spec, pod.path, found);
    for (auto& i : checked.lint()) found.push_back(std::move(i));
    if (!has_errors(found)) return std::nullopt;
    return refused(found);
}

failure refused(issues const& found) { return invalid_job(found, "; ", true); }

} // namespace kftrain::detail
