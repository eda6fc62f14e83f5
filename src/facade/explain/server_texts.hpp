#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_SERVER_TEXTS_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_SERVER_TEXTS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Parses structured messages of schedulers and servers.
namespace kftrain::explaining {

/** `0/3 nodes are available: 3 Insufficient nvidia.com/gpu. preemption: ...`, taken apart.
    @par Upstream kubernetes v1.31 `pkg/scheduler/framework/types.go`, `FitError.Error`; volcano v1.9.0
    `pkg/scheduler/api/unschedule_info.go`, which writes `unavailable` */
struct placement_refusal {
    placement_refusal() = default;

    std::int64_t nodes = 0;
    /// Why, and for how many nodes; 0 where the reason is about all of them at once.
    std::vector<std::pair<std::int64_t, std::string>> reasons;
};
std::optional<placement_refusal> parse_placement(std::string_view message);
/// The resource of `Insufficient cpu`; empty for other reasons.
std::string_view lacked_resource(std::string_view reason);

/** `exceeded quota: team, requested: cpu=4, used: cpu=10, limited: cpu=12`, wherever it stands in a message.
    @par Upstream kubernetes v1.31 `staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go` */
struct quota_refusal {
    quota_refusal() = default;

    std::string name;
    std::string requested, used, limited; ///< `cpu=4,pods=1`
    std::string must_specify; ///< the resources that pods must specify in this namespace; the others are empty then
};
std::optional<quota_refusal> parse_quota(std::string_view message);

/// The object that `configmap "x" not found` and the like name: kind and name; nothing else is recognised.
std::optional<std::pair<std::string, std::string>> parse_missing_object(std::string_view message);

} // namespace kftrain::explaining

#endif
