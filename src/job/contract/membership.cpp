#include <kftrain/job/membership.hpp>

#include "base/joined.hpp"
#include "base/whole_number.hpp"
#include "model/rules/label_of.hpp"

#include <algorithm>

namespace kftrain {
namespace {

bool bears(object_meta const& pod, string_map const& labels) noexcept {
    return std::ranges::all_of(labels, [&](auto const& l) {
        auto const it = pod.labels.find(l.first);
        return it != pod.labels.end() && it->second == l.second;
    });
}

} // namespace

std::string role::label_selector() const {
    return joined(labels, ",", [](auto const& l) { return l.first + "=" + l.second; });
}

member const* membership::find(std::string_view pod_name) const noexcept {
    for (auto const& m : members)
        if (m.pod_name == pod_name && !pod_name.empty()) return &m;
    return nullptr;
}

member const* membership::of(object_meta const& pod) const noexcept {
    for (auto const& r : roles) {
        if (!bears(pod, r.labels)) continue;
        std::int64_t index = 0;
        if (!r.index_label.empty()) {
            auto const label = read_whole_number<std::int32_t>(label_of(pod, r.index_label));
            if (!label) return nullptr;
            index = std::int64_t{*label} - r.first_label;
        }
        // Counting the members of the role would make a loop over all pods quadratic.
        auto const first = std::ranges::find(members, r.name, &member::role) - members.begin();
        if (index < 0 || index >= std::ssize(members) - first) return nullptr;
        auto const& m = members[static_cast<std::size_t>(first + index)];
        if (m.role != r.name) return nullptr;
        return m.pod_name.empty() || m.pod_name == pod.name ? &m : nullptr;
    }
    return nullptr;
}

std::span<member const> membership::of_role(std::string_view name) const noexcept {
    std::size_t first = 0;
    while (first < members.size() && members[first].role != name) ++first;
    std::size_t last = first;
    while (last < members.size() && members[last].role == name) ++last;
    return std::span(members).subspan(first, last - first);
}

} // namespace kftrain
