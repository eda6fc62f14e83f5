#ifndef KFTRAIN_JOB_TOPOLOGY_HPP
#define KFTRAIN_JOB_TOPOLOGY_HPP

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// One member of a job: a pod, its service and its place among the others.
struct replica {
    replica() = default;

    std::string type;                 ///< replica type as in the job, e.g. `Worker`
    std::int32_t index = 0;           ///< 0-based within its type
    std::optional<std::int32_t> rank; ///< 0-based over the job; absent where the framework assigns ranks at run time
    std::string name;                 ///< of the pod and the service; also the address its peers use

    friend bool operator==(replica const&, replica const&) = default;
};

/// Who belongs to a job: computed once from the spec, everything that pods are told is a projection of it.
struct topology {
    topology() = default;

    std::vector<replica> replicas;            ///< types in the kind's canonical order, then by index
    std::optional<std::int32_t> world_size{}; ///< number of ranks; absent where the framework counts them at run time
    /// Processes that each replica starts, at least 1; absent where that is decided at run time.
    std::optional<std::int64_t> processes_per_replica{};
    std::string rank_note; ///< one clause that says why ranks are absent; empty when they are not

    /// The replica of this pod name, or null.
    replica const* find(std::string_view pod_name) const noexcept {
        for (auto const& r : replicas)
            if (r.name == pod_name) return &r;
        return nullptr;
    }

    /// The replicas of a type, by index.
    std::span<replica const> of(std::string_view type) const noexcept {
        std::size_t first = 0;
        while (first < replicas.size() && replicas[first].type != type) ++first;
        std::size_t last = first;
        while (last < replicas.size() && replicas[last].type == type) ++last;
        return std::span(replicas).subspan(first, last - first);
    }

    friend bool operator==(topology const&, topology const&) = default;
};

/** The name of a replica's pod and service: `<job>-<type in lower case>-<index>`.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/util.go`, `GenGeneralName` */
std::string replica_name(std::string_view job, std::string_view type, std::int32_t index);

} // namespace kftrain

#endif
