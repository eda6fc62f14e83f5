#include "golden/clusters/visible_objects.hpp"

#include <kftrain/model/ownership.hpp>

#include <algorithm>
#include <stdexcept>

namespace golden {

using namespace kftrain;

namespace {

std::optional<apiserver::kind_id> kind_of(apiserver::object_store const& store, object_type const& type) {
    return store.find(type.info->group, type.info->version, type.info->plural);
}

bool any_controls(std::span<any_object const> owners, object_meta const& object) {
    return std::ranges::any_of(owners, [&](any_object const& o) { return is_controlled_by(object, o.metadata().uid); });
}

/// By which relation an object belongs to the primary one, among those that were found by earlier rows.
struct belongs {
    any_object const& primary;
    any_object const& object;
    rules::world const& so_far;

    object_meta const& meta() const { return object.metadata(); }
    bool at_home() const { return meta().namespace_ == primary.metadata().namespace_; }
    bool is_primary(rules::object_name const& n) const {
        return n.name == primary.metadata().name &&
               (n.namespace_.empty() || n.namespace_ == primary.metadata().namespace_);
    }

    bool operator()(rules::by_controller const&) const { return is_controlled_by(meta(), primary.metadata().uid); }
    bool operator()(rules::by_controller_of const& r) const { return any_controls(so_far.all(r.relation), meta()); }
    bool operator()(rules::by_labels const& r) const {
        auto const label = [&](std::string_view key) {
            auto const it = meta().labels.find(std::string(key));
            return it == meta().labels.end() ? std::string() : it->second;
        };
        if (label(r.name_key) != primary.metadata().name) return false;
        return r.namespace_key.empty() ? at_home() : label(r.namespace_key) == primary.metadata().namespace_;
    }
    bool operator()(rules::by_name_of_primary const& r) const {
        bool const namespaced = object.resource().where == resource_scope::namespaced;
        if (r.names == nullptr) return meta().name == primary.metadata().name && (!namespaced || at_home());
        return std::ranges::any_of(r.names(primary.erased().get()), [&](rules::object_name const& n) {
            return n.name == meta().name &&
                   (!namespaced || (n.namespace_.empty() ? at_home() : n.namespace_ == meta().namespace_));
        });
    }
    bool operator()(rules::by_reference const& r) const {
        auto const named = r.primary(object.erased().get());
        return named && is_primary(*named);
    }
    bool operator()(rules::by_selector const& r) const {
        auto const selector = r.selector(primary.erased().get());
        return at_home() && !selector.empty() && std::ranges::all_of(selector, [&](auto const& wanted) {
                   auto const at = meta().labels.find(wanted.first);
                   return at != meta().labels.end() && at->second == wanted.second;
               });
    }
};

} // namespace

std::vector<any_object> stored(apiserver::object_store const& store, object_type const& type, std::string const& ns) {
    std::vector<any_object> all;
    auto const kind = kind_of(store, type);
    if (!kind) throw std::runtime_error("the server does not serve " + std::string(type.info->plural));
    apiserver::list_query query;
    query.namespace_ = ns;
    auto const page = store.list(*kind, query);
    for (auto const& o : page.value().items) all.emplace_back(type, type.decode(o->text()).value());
    return all;
}

rules::world visible_from(any_object const& primary, rules::controller_rules const& controller,
                          apiserver::object_store const& store) {
    rules::world world;
    for (auto const& row : controller.watches()) {
        if (!row.label_selector.empty() || !row.field_selector.empty())
            throw std::runtime_error("this lane supports no selectors: " + std::string(row.name));
        auto const home = row.where == rules::reach::same_namespace ? primary.metadata().namespace_ : std::string();
        std::vector<any_object> found;
        for (auto& object : stored(store, *row.type, home))
            if (std::visit(belongs{primary, object, world}, row.by)) found.push_back(std::move(object));
        world.add(row.name, std::move(found));
    }
    return world;
}

std::uint64_t visible_version(rules::controller_rules const& controller, apiserver::object_store const& store) {
    std::uint64_t version = 0;
    auto const raise = [&](object_type const& type) {
        if (auto const kind = kind_of(store, type)) version = std::max(version, store.version(*kind));
    };
    raise(controller.primary());
    for (auto const& row : controller.watches()) raise(*row.type);
    return version;
}

} // namespace golden
