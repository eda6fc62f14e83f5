#ifndef KFTRAIN_SRC_CONTROLLERS_AUTOSCALER_SPEED_HPP
#define KFTRAIN_SRC_CONTROLLERS_AUTOSCALER_SPEED_HPP

#include <kftrain/job/plan.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

// How fast an autoscaler scales.
namespace kftrain::controllers::autoscalers {

/// Memory of an autoscaler.
struct history final : rules::memory {
    struct change {
        std::int32_t replicas = 0; ///< above 0: scaled up
        time_point when;
    };

    /// When each number was last recommended: of equal recommendations only the latest matters.
    std::map<std::int32_t, time_point> recommended;
    std::vector<change> changes;

    /// Removes what no window or period of an autoscaler reaches back to.
    void forget_before(time_point now);
};

/// A number of replicas, and what the conditions say about it.
struct verdict {
    verdict() = default;
    verdict(std::int32_t n, std::string_view r, std::string_view m) : replicas(n), reason(r), message(m) {}

    std::int32_t replicas = 0;
    std::string_view reason, message;
};

/// Within the stabilization windows.
verdict stabilize(autoscaling::horizontal_pod_autoscaler_spec const&, history const&, std::int32_t current,
                  std::int32_t wanted, time_point now);
/// Within the bounds of the autoscaler and its policies.
verdict limit(autoscaling::horizontal_pod_autoscaler_spec const&, history const&, std::int32_t current,
              std::int32_t wanted, time_point now);

} // namespace kftrain::controllers::autoscalers

#endif
