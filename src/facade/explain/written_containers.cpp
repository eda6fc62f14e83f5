#include "facade/explain/written_containers.hpp"

#include "kinds/training_container.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/objects/core.hpp>

#include <algorithm>
#include <tuple>

namespace kftrain::explaining {
namespace {

/// Containers that only serve another container.
constexpr std::string_view helpers[]{"istio-proxy",
                                     "linkerd-proxy",
                                     "envoy",
                                     "envoy-sidecar",
                                     "dapr",
                                     "daprd",
                                     "vault-agent",
                                     "fluent-bit",
                                     "fluentd",
                                     "filebeat",
                                     "promtail",
                                     "vector",
                                     "otc-container",
                                     "datadog-agent",
                                     "consul-dataplane",
                                     "cloud-sql-proxy",
                                     "gke-gcsfuse-sidecar"};

bool is_helper(std::string_view name) { return std::ranges::find(helpers, name) != std::end(helpers); }

/// Whether it requests a device, such as nvidia.com/gpu.
bool requests_device(core::container const& c) {
    return std::ranges::any_of(c.resources.limits, [](auto const& r) { return r.first.find('/') != r.first.npos; });
}

} // namespace

std::vector<std::string> const& written_containers::of(member const& m) {
    auto [at, added] = known_.try_emplace(m.role);
    if (!added) return at->second;
    auto const list = job_.pod_of(m).spec.containers;
    auto const trains = training_container(job_->resource());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < list.size(); ++i) order.push_back(i);
    // Where the kind has no rule, a container with a device trains.
    std::ranges::sort(order, {}, [&](std::size_t i) {
        auto const& c = list[i];
        bool const other = trains && !trains->empty() && c.name != *trains;
        bool const guess = !trains;
        return std::tuple(other, guess && is_helper(c.name), guess && !requests_device(c), i);
    });
    for (auto const i : order) at->second.push_back(list[i].name);
    return at->second;
}

} // namespace kftrain::explaining
