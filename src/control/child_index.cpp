#include "control/child_index.hpp"

#include <kftrain/model/ownership.hpp>

#include <algorithm>
#include <tuple>

namespace kftrain::control {

std::string key_of(object_meta const& meta) { return key_of(meta.namespace_, meta.name); }
std::string key_of(std::string_view ns, std::string_view name) { return std::string(ns).append("/").append(name); }

namespace {

/// Whatever the version: an object may have been created through another one.
bool is_kind(owner_reference const& owner, resource_info const& type) noexcept {
    std::string_view const version = owner.api_version;
    auto const slash = version.find('/');
    return owner.kind == type.kind &&
           (slash == version.npos ? std::string_view() : version.substr(0, slash)) == type.group;
}

} // namespace

child_index::child_index(object_type const& type, std::vector<resource_info const*> controllers)
    : owner_([&type, controllers = std::move(controllers)](void const* object) {
          auto const* const owner = controller_of(type.metadata(object));
          bool const counts = owner != nullptr && std::ranges::any_of(controllers, [&](resource_info const* c) {
                                  return is_kind(*owner, *c);
                              });
          return counts ? owner->uid : std::string();
      }) {}

bool child_index::by_name::operator()(any_object const& a, any_object const& b) const noexcept {
    auto const &x = a.metadata(), &y = b.metadata();
    return std::tie(x.namespace_, x.name) < std::tie(y.namespace_, y.name);
}

void child_index::take(kube::any_event const& e) {
    if (!e.old.empty()) {
        auto const known = by_owner_.find(owner_(e.old.erased().get()));
        if (known != by_owner_.end()) {
            known->second.erase(e.old);
            if (known->second.empty()) by_owner_.erase(known);
        }
    }
    if (e.kind == change_kind::deleted) return;
    auto owner = owner_(e.object.erased().get());
    if (owner.empty()) return;
    auto& objects = by_owner_[std::move(owner)];
    objects.erase(e.object); // an earlier state
    objects.insert(e.object);
}

std::vector<any_object> child_index::of(std::string_view owner) const {
    std::vector<any_object> list;
    auto const known = by_owner_.find(owner);
    if (known == by_owner_.end()) return list;
    list.assign(known->second.begin(), known->second.end());
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
