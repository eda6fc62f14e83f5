#include "job/lint_rules.hpp"
#include "job/lint_table.hpp"

#include <algorithm>

namespace kftrain {
namespace {

/// Only what is native and no huge page may be requested below its limit.
/// Upstream: Kubernetes 1.31 `pkg/apis/core/helper/helpers.go`, `IsOvercommitAllowed`.
bool may_overcommit(std::string_view name) {
    bool const native =
        name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
    return native && !name.starts_with("hugepages-");
}

bool is_whole(quantity const& amount) {
    return amount.value() <= INT64_MAX / 1000 && amount.milli_value() == amount.value() * 1000;
}

void lint_amounts(resource_list const& amounts, std::string const& path, issues& found) {
    for (auto const& [name, amount] : amounts) {
        std::string const at = path + "[" + name + "]";
        if (amount.sign() < 0)
            report(found, lint::resources, at, in_quotes(amount.text()) + ", expected at least 0");
        else if (name.find('/') != std::string::npos && !is_whole(amount))
            report(found, lint::resources, at, in_quotes(amount.text()) + ", expected a whole number of devices");
    }
}

void lint_container_resources(container const& c, std::string const& path, issues& found) {
    auto const& limits = c.resources.limits;
    auto const& requests = c.resources.requests;
    lint_amounts(limits, path + ".resources.limits", found);
    lint_amounts(requests, path + ".resources.requests", found);
    for (auto const& [name, requested] : requests) {
        std::string const at = path + ".resources.requests[" + name + "]";
        auto const limit = limits.find(name);
        if (limit == limits.end()) {
            if (!may_overcommit(name))
                report(found, lint::resources, at, "has no limit, expected one of " + in_quotes(requested.text()));
        } else if (requested > limit->second) {
            report(found, lint::resources, at,
                   in_quotes(requested.text()) + " is more than the limit, expected at most " +
                       in_quotes(limit->second.text()));
        } else if (requested < limit->second && !may_overcommit(name)) {
            report(found, lint::resources, at,
                   in_quotes(requested.text()) + " is not the limit, expected " + in_quotes(limit->second.text()));
        }
    }
}

} // namespace

void lint_resources(replica_job const& job, std::string_view type, issues& found) {
    auto const& spec = job.spec_of(type)->template_.spec;
    auto const is_mounted = [&](volume_mount const& m) {
        return std::any_of(spec.volumes.begin(), spec.volumes.end(), [&](volume const& v) { return v.name == m.name; });
    };
    auto const look_at = [&](std::vector<container> const& list, std::string_view field) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            std::string const path = container_path(job, type, i, field);
            lint_container_resources(list[i], path, found);
            auto const& mounts = list[i].volume_mounts;
            for (std::size_t k = 0; k < mounts.size(); ++k)
                if (!is_mounted(mounts[k]))
                    report(found, lint::volume_mount, path + ".volumeMounts[" + std::to_string(k) + "].name",
                           in_quotes(mounts[k].name) + ", expected the name of one of the pod's volumes");
        }
    };
    look_at(spec.init_containers, "initContainers");
    look_at(spec.containers, "containers");
}

} // namespace kftrain
