#include "control/child_index.hpp"

#include "model/controller_of.hpp"

namespace kftrain::control {

std::string key_of(object_meta const& meta) { return meta.namespace_ + "/" + meta.name; }

void child_index::take(kube::detail::erased_event const& e) {
    if (e.old) {
        auto const& meta = type_->metadata(e.old.get());
        auto const* owner = controller_of(meta);
        auto const known = owner != nullptr ? by_controller_.find(owner->uid) : by_controller_.end();
        if (known != by_controller_.end()) {
            known->second.erase(key_of(meta));
            if (known->second.empty()) by_controller_.erase(known);
        }
    }
    if (e.kind == kube::event_kind::deleted) return;
    auto const& meta = type_->metadata(e.object.get());
    if (auto const* owner = controller_of(meta)) by_controller_[owner->uid].insert_or_assign(key_of(meta), e.object);
}

std::vector<erased_object> child_index::of(std::string_view controller_uid) const {
    std::vector<erased_object> list;
    auto const known = by_controller_.find(controller_uid);
    if (known == by_controller_.end()) return list;
    list.reserve(known->second.size());
    for (auto const& [key, object] : known->second) list.push_back(object);
    return list;
}

} // namespace kftrain::control
