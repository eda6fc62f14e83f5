#include "facade/follow/job_layout.hpp"

#include "base/whole_number.hpp"
#include "model/rules/label_of.hpp"

#include <algorithm>
#include <utility>

namespace kftrain {
namespace {

bool bears_all(string_map const& borne, string_map const& labels) noexcept {
    return std::ranges::all_of(labels, [&](auto const& l) {
        auto const it = borne.find(l.first);
        return it != borne.end() && it->second == l.second;
    });
}

/// Returns the labels that all roles of a job have in common.
string_map common_labels(membership const& all) {
    string_map common;
    if (all.roles.empty()) return common;
    for (auto const& [key, value] : all.roles.front().labels) {
        string_map const one{{key, value}};
        bool const everywhere = std::ranges::all_of(all.roles, [&](role const& r) { return bears_all(r.labels, one); });
        if (everywhere) common.emplace(key, value);
    }
    return common;
}

} // namespace

job_layout::job_layout(prepared_job const& job) : job_(job), all_(job_.layout()) {
    std::size_t at = 0;
    for (auto const& r : all_.roles) {
        while (at < all_.members.size() && all_.members[at].role == r.name) ++at;
        ends_.push_back(at);
    }
    find_distinguishing_label();
}

/// A job may have as many roles as members, and the role of each pod is looked up.
void job_layout::find_distinguishing_label() {
    if (all_.roles.empty()) return;
    for (auto const& [key, value] : all_.roles.front().labels) {
        role_of_value_.clear();
        for (std::size_t i = 0; i != all_.roles.size(); ++i) {
            auto const own = all_.roles[i].labels.find(key);
            if (own == all_.roles[i].labels.end() || !role_of_value_.emplace(own->second, i).second) break;
        }
        if (role_of_value_.size() != all_.roles.size()) continue;
        apart_ = key;
        return;
    }
    role_of_value_.clear();
}

std::optional<std::size_t> job_layout::role_of(object_meta const& pod) const noexcept {
    auto const fits = [&](std::size_t i) { return bears_all(pod.labels, all_.roles[i].labels); };
    if (!apart_.empty()) {
        auto const known = role_of_value_.find(label_of(pod, apart_));
        return known != role_of_value_.end() && fits(known->second) ? std::optional(known->second) : std::nullopt;
    }
    for (std::size_t i = 0; i != all_.roles.size(); ++i)
        if (fits(i)) return i;
    return std::nullopt;
}

std::optional<std::size_t> job_layout::place_of(object_meta const& pod) const noexcept {
    auto const i = role_of(pod);
    if (!i) return std::nullopt;
    auto const& r = all_.roles[*i];
    std::size_t const first = *i == 0 ? 0 : ends_[*i - 1];
    std::int64_t index = 0;
    if (!r.index_label.empty()) {
        auto const label = read_whole_number<std::int32_t>(label_of(pod, r.index_label));
        if (!label) return std::nullopt;
        index = std::int64_t{*label} - r.first_label;
    }
    if (index < 0 || index >= static_cast<std::int64_t>(ends_[*i] - first)) return std::nullopt;
    auto const place = first + static_cast<std::size_t>(index);
    auto const& name = all_.members[place].pod_name;
    if (!name.empty() && name != pod.name) return std::nullopt;
    return place;
}

bool job_layout::knows(object_meta const& pod) const noexcept { return role_of(pod).has_value(); }

std::vector<std::string> pod_selectors(membership const& all) {
    role together;
    together.labels = common_labels(all);
    std::vector<std::string> selectors;
    if (!together.labels.empty())
        selectors.push_back(together.label_selector());
    else
        for (auto const& r : all.roles) selectors.push_back(r.label_selector());
    return selectors;
}

std::shared_ptr<job_layout const> lay_out_job(prepared_job const& job) {
    return job.is_valid() ? std::make_shared<job_layout const>(job) : nullptr;
}

} // namespace kftrain
