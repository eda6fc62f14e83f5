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

namespace {

std::string pair_key(std::string_view ns, string_map::value_type const& label) {
    return std::string(ns).append("/").append(label.first).append("=").append(label.second);
}

bool selects(string_map const& selector, string_map const& labels) {
    return std::ranges::all_of(selector, [&](auto const& wanted) {
        auto const at = labels.find(wanted.first);
        return at != labels.end() && at->second == wanted.second;
    });
}

} // namespace

void selector_index::take(kube::any_event const& e) {
    auto const each_pair = [](any_object const& object, auto f) {
        auto const& meta = object.metadata();
        for (auto const& label : meta.labels) f(pair_key(meta.namespace_, label));
    };
    if (!e.old.empty())
        each_pair(e.old, [&](std::string const& pair) {
            auto const known = objects_.find(pair);
            if (known == objects_.end()) return;
            known->second.erase(e.old);
            if (known->second.empty()) objects_.erase(known);
        });
    if (e.kind == change_kind::deleted) return;
    each_pair(e.object, [&](std::string pair) {
        auto& objects = objects_[std::move(pair)];
        objects.erase(e.object); // an earlier state
        objects.insert(e.object);
    });
}

std::vector<any_object> selector_index::of(std::string_view ns, string_map const& selector) const {
    child_index::ordered_set const* fewest = nullptr;
    for (auto const& label : selector) {
        auto const known = objects_.find(pair_key(ns, label));
        if (known == objects_.end()) return {};
        if (fewest == nullptr || known->second.size() < fewest->size()) fewest = &known->second;
    }
    std::vector<any_object> list;
    if (fewest == nullptr) return list;
    for (auto const& object : *fewest)
        if (selects(selector, object.metadata().labels)) list.push_back(object);
    return list;
}

void selector_index::select(std::string const& primary, string_map selector) {
    forget(primary);
    if (selector.empty()) return;
    auto const ns = std::string_view(primary).substr(0, primary.find('/'));
    chosen c;
    std::size_t fewest = 0;
    for (auto const& label : selector) {
        auto pair = pair_key(ns, label);
        auto const known = by_pair_.find(pair);
        auto const size = known == by_pair_.end() ? 0 : known->second.size();
        if (!c.pair.empty() && size >= fewest) continue;
        fewest = size;
        c.pair = std::move(pair);
    }
    by_pair_[c.pair].insert(primary);
    c.selector = std::move(selector);
    selectors_.insert_or_assign(primary, std::move(c));
}

void selector_index::forget(std::string const& primary) {
    auto const at = selectors_.find(primary);
    if (at == selectors_.end()) return;
    auto const known = by_pair_.find(at->second.pair);
    known->second.erase(primary);
    if (known->second.empty()) by_pair_.erase(known);
    selectors_.erase(at);
}

std::vector<std::string> selector_index::who_selects(object_meta const& meta) const {
    std::set<std::string> keys;
    for (auto const& label : meta.labels) {
        auto const known = by_pair_.find(pair_key(meta.namespace_, label));
        if (known == by_pair_.end()) continue;
        for (auto const& key : known->second)
            if (selects(selectors_.at(key).selector, meta.labels)) keys.insert(key);
    }
    return {keys.begin(), keys.end()};
}

} // namespace kftrain::control
