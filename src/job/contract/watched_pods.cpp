#include "job/contract/watched_pods.hpp"

#include <kftrain/model/ownership.hpp>

#include <algorithm>

namespace kftrain {

pod_claim::pod_claim(rules::job_rules const& kind, object_meta const& job)
    : kind_(kind), job_(job), controls_pods_(std::ranges::any_of(kind.watches(), [](rules::watched const& row) {
          return row.type->info->plural == "pods" && std::holds_alternative<rules::by_controller>(row.by);
      })) {}

bool pod_claim::is_of_another(object_meta const& pod) const {
    if (pod.namespace_ != job_.namespace_) return true;
    auto const* const owner = controller_of(pod);
    if (owner == nullptr) return false;
    auto const& info = *kind_.primary().info;
    bool const by_kind = owner->kind == info.kind && owner->api_version == info.api_version();
    return (controls_pods_ || by_kind) && owner->uid != job_.uid;
}

std::string pod_selector_of(rules::job_rules const& kind) {
    std::string selector;
    for (auto const& row : kind.watches()) {
        // Rows by name find pods of other owners that have the name of a member.
        if (row.type->info->plural != "pods" || std::holds_alternative<rules::by_name_of_primary>(row.by)) continue;
        std::string wanted(row.label_selector);
        if (auto const* const labels = std::get_if<rules::by_labels>(&row.by); labels != nullptr && wanted.empty())
            wanted = labels->name_key;
        if (wanted.empty() || (!selector.empty() && selector != wanted)) return {};
        selector = std::move(wanted);
    }
    return selector;
}

} // namespace kftrain
