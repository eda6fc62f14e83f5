#include "control/child_index.hpp"

#include <kftrain/model/ownership.hpp>

#include <algorithm>
#include <tuple>

namespace kftrain::control {
namespace {

/// Whatever the version: an object may have been created through another one.
bool is_kind(owner_reference const& owner, resource_info const& type) noexcept {
    std::string_view const version = owner.api_version;
    auto const slash = version.find('/');
    return owner.kind == type.kind &&
           (slash == version.npos ? std::string_view() : version.substr(0, slash)) == type.group;
}

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

std::string key_of(object_meta const& meta) { return key_of(meta.namespace_, meta.name); }
std::string key_of(std::string_view ns, std::string_view name) { return std::string(ns).append("/").append(name); }

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

std::vector<std::string> name_index::primaries_naming(std::string_view name) const {
    auto const known = by_name_.find(name);
    if (known == by_name_.end()) return {};
    return {known->second.begin(), known->second.end()};
}

void selector_index::indexed_label::take(std::string_view name, kube::any_event const& e) {
    auto const key_in = [&](any_object const& object) {
        auto const& meta = object.metadata();
        auto const at = meta.labels.find(name);
        return at == meta.labels.end() ? std::string() : key_of(meta.namespace_, at->second);
    };
    if (!e.old.empty())
        if (auto const known = objects.find(key_in(e.old)); known != objects.end()) {
            known->second.erase(e.old);
            if (known->second.empty()) objects.erase(known);
        }
    if (e.kind == change_kind::deleted) return;
    auto key = key_in(e.object);
    if (key.empty()) return;
    auto& same = objects[std::move(key)];
    same.erase(e.object); // an earlier state
    same.insert(e.object);
}

void selector_index::take(kube::any_event const& e) {
    for (auto& [name, label] : labels_) label.take(name, e);
}

std::vector<any_object> selector_index::of(std::string_view ns, string_map const& selector) const {
    child_index::ordered_set const* fewest = nullptr;
    for (auto const& [name, value] : selector) {
        auto const indexed = labels_.find(name);
        if (indexed == labels_.end()) continue;
        auto const known = indexed->second.objects.find(key_of(ns, value));
        if (known == indexed->second.objects.end()) return {};
        if (fewest == nullptr || known->second.size() < fewest->size()) fewest = &known->second;
    }
    std::vector<any_object> list;
    if (fewest == nullptr) return list;
    for (auto const& object : *fewest)
        if (selects(selector, object.metadata().labels)) list.push_back(object);
    return list;
}

void selector_index::select(std::string const& primary, string_map selector,
                            std::function<std::vector<any_object>()> const& objects) {
    if (auto const at = selectors_.find(primary); at != selectors_.end() && at->second.selector == selector) return;
    forget(primary);
    if (selector.empty()) return;
    auto const ns = std::string_view(primary).substr(0, primary.find('/'));
    chosen c;
    std::size_t fewest = 0;
    for (auto const& label : selector) {
        auto const known = by_pair_.find(pair_key(ns, label));
        auto const size = known == by_pair_.end() ? 0 : known->second.size();
        if (!c.label.first.empty() && size >= fewest) continue;
        fewest = size;
        c.label = label;
    }
    by_pair_[pair_key(ns, c.label)].insert(primary);
    auto& indexed = labels_[c.label.first];
    if (indexed.primaries++ == 0)
        for (auto& object : objects()) {
            kube::any_event known;
            known.object = std::move(object);
            indexed.take(c.label.first, known);
        }
    c.selector = std::move(selector);
    selectors_.insert_or_assign(primary, std::move(c));
}

void selector_index::forget(std::string const& primary) {
    auto const at = selectors_.find(primary);
    if (at == selectors_.end()) return;
    auto const& label = at->second.label;
    auto const ns = std::string_view(primary).substr(0, primary.find('/'));
    auto const known = by_pair_.find(pair_key(ns, label));
    known->second.erase(primary);
    if (known->second.empty()) by_pair_.erase(known);
    auto const indexed = labels_.find(label.first);
    if (--indexed->second.primaries == 0) labels_.erase(indexed);
    selectors_.erase(at);
}

std::vector<std::string> selector_index::primaries_selecting(object_meta const& meta) const {
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
