#include "control/child_index.hpp"

#include "model/rules/controller_of.hpp"

namespace kftrain::control {

std::string key_of(object_meta const& meta) { return key_of(meta.namespace_, meta.name); }
std::string key_of(std::string_view ns, std::string_view name) { return std::string(ns).append("/").append(name); }

child_index::child_index(object_type const& type)
    : owner_([&type](void const* object) {
          auto const* const owner = controller_of(type.metadata(object));
          return owner == nullptr ? std::string() : owner->uid;
      }) {}

void child_index::take(kube::any_event const& e) {
    if (!e.old.empty()) {
        auto const known = by_owner_.find(owner_(e.old.erased().get()));
        if (known != by_owner_.end()) {
            known->second.erase(key_of(e.old.metadata()));
            if (known->second.empty()) by_owner_.erase(known);
        }
    }
    if (e.kind == kube::event_kind::deleted) return;
    if (auto owner = owner_(e.object.erased().get()); !owner.empty())
        by_owner_[std::move(owner)].insert_or_assign(key_of(e.object.metadata()), e.object);
}

std::vector<any_object> child_index::of(std::string_view owner) const {
    std::vector<any_object> list;
    auto const known = by_owner_.find(owner);
    if (known == by_owner_.end()) return list;
    list.reserve(known->second.size());
    for (auto const& [key, object] : known->second) list.push_back(object);
    return list;
}

void name_index::add(std::string const& key, std::vector<std::string> const& names) {
    for (auto const& name : names) by_name_[name].insert(key);
}

void name_index::remove(std::string const& key, std::vector<std::string> const& names) {
    for (auto const& name : names) {
        auto const known = by_name_.find(name);
        if (known == by_name_.end()) continue;
        known->second.erase(key);
        if (known->second.empty()) by_name_.erase(known);
    }
}

std::vector<std::string> name_index::who_names(std::string_view name) const {
    auto const known = by_name_.find(name);
    if (known == by_name_.end()) return {};
    return {known->second.begin(), known->second.end()};
}

} // namespace kftrain::control
