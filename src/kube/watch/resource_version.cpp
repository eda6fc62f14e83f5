#include <kftrain/kube/resource_version.hpp>

#include <algorithm>

namespace kftrain::kube {
namespace {

bool is_ordered(std::string_view v) {
    return !v.empty() && v.front() != '0' &&
           std::all_of(v.begin(), v.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

std::partial_ordering compare_resource_versions(std::string_view a, std::string_view b) noexcept {
    if (!is_ordered(a) || !is_ordered(b)) return std::partial_ordering::unordered;
    if (a.size() != b.size()) return a.size() <=> b.size();
    return a.compare(b) <=> 0;
}

} // namespace kftrain::kube
