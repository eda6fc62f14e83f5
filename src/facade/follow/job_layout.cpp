#include "facade/follow/job_layout.hpp"

#include "base/whole_number.hpp"
#include "model/rules/label_of.hpp"

#include <algorithm>

namespace kftrain {
namespace {

bool bears_all(object_meta const& pod, string_map const& labels) noexcept {
    return std::ranges::all_of(labels, [&](auto const& l) {
        auto const it = pod.labels.find(l.first);
        return it != pod.labels.end() && it->second == l.second;
    });
}

/** Whether the job may be laid out. A stored one may have what its operator wrote into it, and a new one must not have: the names of the
    claims of volumes, which Volcano puts beside the claims. They make no members. */
bool is_sound(issues const& found) {
    return std::ranges::all_of(
        found, [](issue const& i) { return i.level != issue::severity::error || i.path.starts_with("spec.volumes["); });
}

} // namespace

job_layout::job_layout(membership all) : all_(std::move(all)) {
    std::size_t at = 0;
    for (auto const& r : all_.roles) {
        while (at < all_.members.size() && all_.members[at].role == r.name) ++at;
        ends_.push_back(at);
    }
}

std::optional<std::size_t> job_layout::place_of(object_meta const& pod) const noexcept {
    std::size_t first = 0;
    for (std::size_t i = 0; i != ends_.size(); first = ends_[i++]) {
        auto const& r = all_.roles[i];
        if (!bears_all(pod, r.labels)) continue;
        std::int64_t index = 0;
        if (!r.index_label.empty()) {
            auto const told = read_whole_number<std::int32_t>(label_of(pod, r.index_label));
            if (!told) return std::nullopt;
            index = std::int64_t{*told} - r.first_label;
        }
        if (index < 0 || index >= static_cast<std::int64_t>(ends_[i] - first)) return std::nullopt;
        auto const place = first + static_cast<std::size_t>(index);
        auto const& name = all_.members[place].pod_name;
        if (!name.empty() && name != pod.name) return std::nullopt;
        return place;
    }
    return std::nullopt;
}

std::shared_ptr<job_layout const> lay_out_job(rules::job_rules const& kind, void const* job) {
    if (!is_sound(kind.validate(job, nullptr))) return nullptr;
    return std::make_shared<job_layout const>(any_job(kind, job).lay_out());
}

} // namespace kftrain
