#ifndef KFTRAIN_KUBE_RESOURCE_VERSION_HPP
#define KFTRAIN_KUBE_RESOURCE_VERSION_HPP

#include <compare>
#include <string_view>

namespace kftrain::kube {

/** Orders two resource versions of one kind. Unordered if one is not a plain decimal, is empty or `0`.
    @par Upstream apimachinery `pkg/util/resourceversion` */
std::partial_ordering compare_resource_versions(std::string_view a, std::string_view b) noexcept;

} // namespace kftrain::kube

#endif
