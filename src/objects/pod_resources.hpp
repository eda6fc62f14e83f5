#ifndef KFTRAIN_SRC_OBJECTS_POD_RESOURCES_HPP
#define KFTRAIN_SRC_OBJECTS_POD_RESOURCES_HPP

#include <kftrain/objects/core/pod.hpp>

#include <string>
#include <string_view>

// Facts about pods that operators, servers, schedulers and clients compute alike.
namespace kftrain {

/// Returns whether the pod has ended and never runs again.
bool has_ended(core::pod const&) noexcept;
/// Returns whether this init container runs beside the containers of the pod.
bool is_sidecar(core::container const&) noexcept;

/// Returns whether Kubernetes itself defines the resource. @par Upstream `pkg/apis/core/helper/helpers.go`, v1.31.3
bool is_native_resource(std::string_view name) noexcept;
/// Returns whether quotas may name the requests of the resource without `requests.`.
bool has_short_quota_name(std::string_view resource) noexcept;
/** Returns amounts of a container or pod by the names that quotas have for them, such as `requests.cpu`.
    @par Upstream kubernetes `pkg/quota/v1/evaluator/core/pods.go`, v1.31.3 */
resource_list quota_amounts(resource_list const& requests, resource_list const& limits);

/** Returns the struct that servers print as an invalid amount: decimal spellings up to 18 digits, also below 0.
    @param kept Text of the amount that the struct keeps; empty after a default changed the amount
    @par Upstream apimachinery `pkg/api/resource/quantity.go`, v0.31.3 */
std::string go_syntax(quantity const& amount, std::string_view kept);

void add_amounts(resource_list& sum, resource_list const& amounts);

/** Computes what a pod needs at most at any time: its containers run together, and init containers one by one beside
    the sidecars that started before them. Does not add the overhead.
    @par Upstream component-helpers `resource/helpers.go`, v0.31 */
class pod_total {
public:
    void add_container(resource_list const& amounts) { add_amounts(sum_, amounts); }
    void add_init_container(resource_list const& amounts, bool is_sidecar);
    resource_list get() const;

private:
    resource_list sum_, sidecars_, most_;
};

/// `amounts_of` returns the amounts of a container: its requests or its limits.
template <class Amounts> resource_list total_of(core::pod_spec const& pod, Amounts amounts_of) {
    pod_total total;
    for (auto const& c : pod.containers) total.add_container(amounts_of(c));
    for (auto const& c : pod.init_containers) total.add_init_container(amounts_of(c), is_sidecar(c));
    return total.get();
}

} // namespace kftrain

#endif
