#include "control/watched_world.hpp"

#include "model/rules/label_of.hpp"

#include <kftrain/kube/resource_version.hpp>
#include <kftrain/model/ownership.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace kftrain::control {
namespace {

template <class... F> struct cases : F... {
    using F::operator()...;
};
template <class... F> cases(F...) -> cases<F...>;

bool same(primary_ref const& a, primary_ref const& b) { return a.key == b.key && a.uid == b.uid; }

void add_missing(std::vector<primary_ref>& list, std::vector<primary_ref> more) {
    for (auto& one : more)
        if (std::none_of(list.begin(), list.end(), [&](primary_ref const& l) { return same(l, one); }))
            list.push_back(std::move(one));
}

std::vector<any_object> values_of(std::map<std::string, any_object> by_key) {
    std::vector<any_object> list;
    list.reserve(by_key.size());
    for (auto& [key, object] : by_key) list.push_back(std::move(object));
    return list;
}

/// Throws for a row that cannot work.
void check(rules::watched const& w, object_type const& primary) {
    auto const refuse = [&](std::string_view why) {
        throw std::invalid_argument(std::string("the row \"").append(w.name).append("\" ").append(why));
    };
    auto const* names = std::get_if<rules::by_name_of_primary>(&w.by);
    if (names != nullptr && names->of != nullptr && names->of != primary.model)
        refuse("takes names from a type that differs from the type of the primary objects");
    auto const* selector = std::get_if<rules::by_selector>(&w.by);
    if (selector != nullptr && selector->of != primary.model)
        refuse("takes a selector from a type that differs from the type of the primary objects");
    auto const* reference = std::get_if<rules::by_reference>(&w.by);
    if (reference != nullptr && reference->of != w.type->model)
        refuse("reads a reference from a type that differs from its own");
    if (w.changes && std::holds_alternative<rules::by_controller_of>(w.by))
        refuse("cannot report changes, because the objects in between are watched separately"); // in no common order
}

/// The key of the primary object that the labels name; empty if they name none.
std::string labelled_key(object_meta const& meta, rules::by_labels const& by, bool namespaced) {
    auto const name = label_of(meta, by.name_key);
    if (name.empty()) return {};
    if (!namespaced) return key_of("", name);
    return key_of(by.namespace_key.empty() ? meta.namespace_ : label_of(meta, by.namespace_key), name);
}

kube::informer_options selecting(std::string_view label_selector, std::string_view field_selector) {
    kube::informer_options o;
    o.label_selector = label_selector;
    o.field_selector = field_selector;
    return o;
}

label_query parsed(std::string_view selector) {
    auto query = label_query::parse(selector);
    if (!query) throw std::invalid_argument("label selector: " + query.error().to_string());
    return std::move(*query);
}

} // namespace

bool version_mark::observe(std::string const& version) {
    bool const is_older = kube::compare_resource_versions(version, last_) < 0;
    if (version != last_) last_ = version;
    return is_older;
}

followed::followed(object_type const& t, std::string ns, std::string_view label_selector,
                   std::string_view field_selector, kube::shared_informers const& shared, kube::client const& c)
    : type(&t),
      namespace_(std::move(ns)),
      selection(selecting(label_selector, field_selector)),
      labels(parsed(label_selector)),
      key(type_key(*t.info) + " " + namespace_ + " " + selection.label_selector + " " + selection.field_selector),
      objects(kube::any_api(c, t, namespace_), shared, selection) {}

bool followed::is(object_type const& t, std::string_view ns, std::string_view label_selector,
                  std::string_view field_selector) const {
    return type == &t && namespace_ == ns && selection.label_selector == label_selector &&
           selection.field_selector == field_selector;
}

bool followed::receives(resource_info const& t, std::string_view ns, std::string_view name,
                        string_map const* its) const {
    if (t.plural != type->info->plural || t.group != type->info->group) return false;
    if (its != nullptr && selection.field_selector.empty() && (namespace_.empty() || namespace_ == ns) &&
        labels.matches(*its))
        return true;
    return !objects.find(ns, name).empty();
}

bool followed::has_observed(pending_writes& written) const {
    if (auto const it = written.versions.find(key);
        it != written.versions.end() && !it->second.empty() &&
        kube::compare_resource_versions(objects.last_resource_version(), it->second) < 0)
        return false;
    auto const deleted = written.deleted.find(key);
    if (deleted == written.deleted.end()) return true;
    // Each is searched for until it is gone, and not again: this runs at every change of the children.
    auto& left = deleted->second;
    for (auto at = left.begin(); at != left.end(); at = left.erase(at)) {
        auto const object = objects.find(at->second.namespace_, at->second.name);
        if (object.empty()) continue;
        auto const& meta = object.metadata();
        if (meta.uid == at->first && !meta.deletion_timestamp) return false;
    }
    return true;
}

bool contains_primary(std::vector<primary_ref> const& list, std::string_view key, std::string_view uid) {
    return std::any_of(list.begin(), list.end(),
                       [&](primary_ref const& l) { return l.key == key && (l.uid.empty() || l.uid == uid); });
}

watched_world::watched_world(rules::controller_rules const& r, kube::shared_informers const& shared,
                             kube::client const& c, std::string const& ns)
    : primary_(&r.primary()), primaries_(kube::any_api(c, *primary_, ns), shared) {
    for (auto const& w : r.watches()) {
        check(w, *primary_);
        auto& added = rows_.emplace_back(w, follow(w, shared, c, ns), index_for(w));
        auto const* over = std::get_if<rules::by_controller_of>(&w.by);
        if (over == nullptr) continue;
        for (std::size_t i = 0; i + 1 < rows_.size(); ++i)
            if (rows_[i].rule->name == over->relation) added.over.push_back(i);
        if (added.over.empty())
            throw std::invalid_argument(std::string("the row \"")
                                            .append(w.name)
                                            .append("\" refers to \"")
                                            .append(over->relation)
                                            .append("\", which is not an earlier row"));
    }
}

void watched_world::take_primary(kube::any_event const& e) {
    for (auto& r : rows_) {
        if (auto const* by = std::get_if<rules::by_selector>(&r.rule->by)) {
            auto const key = key_of(e.object.metadata());
            if (e.kind == change_kind::deleted)
                r.selected.forget(key);
            else
                r.selected.select(key, by->selector(e.object.erased().get()),
                                  [&] { return sources_[r.source].objects.list(); });
        }
        if (!std::holds_alternative<rules::by_name_of_primary>(r.rule->by)) continue;
        if (!e.old.empty()) r.named.remove(key_of(e.old.metadata()), names_in(r, e.old.erased().get()));
        if (e.kind != change_kind::deleted)
            r.named.add(key_of(e.object.metadata()), names_in(r, e.object.erased().get()));
    }
}

std::vector<std::string> watched_world::effect::keys() const {
    std::vector<std::string> all;
    for (auto const* list : {&before, &after})
        for (auto const& l : *list)
            if (std::find(all.begin(), all.end(), l.key) == all.end()) all.push_back(l.key);
    return all;
}

std::vector<watched_world::effect> watched_world::take(std::size_t source, kube::any_event const& e) {
    std::vector<effect> effects;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        auto& r = rows_[i];
        if (r.source != source) continue;
        r.objects.take(e);
        if (std::holds_alternative<rules::by_selector>(r.rule->by)) r.selected.take(e);
        effect& f = effects.emplace_back();
        f.row = i;
        // The primary object that has lost an object must be planned again as well.
        if (!e.old.empty()) f.before = primaries_of(r, e.old.erased().get());
        f.after = primaries_of(r, e.object.erased().get());
    }
    return effects;
}

bool watched_world::all_synced() const {
    return primaries_.has_synced() &&
           std::all_of(sources_.begin(), sources_.end(), [](followed const& f) { return f.objects.has_synced(); });
}

rules::world watched_world::world_of(void const* primary) const {
    rules::world related;
    for (auto const& r : rows_) {
        related.add(r.rule->name, belong_to(r, primary));
    }
    return related;
}

std::vector<std::string> watched_world::informers_of(resource_info const& type, std::string_view ns,
                                                     std::string_view name, string_map const* labels) const {
    std::vector<std::string> keys;
    for (auto const& f : sources_)
        if (f.receives(type, ns, name, labels)) keys.push_back(f.key);
    return keys;
}

bool watched_world::has_observed(pending_writes& written) const {
    if (!written.job_version.empty() &&
        kube::compare_resource_versions(primaries_.last_resource_version(), written.job_version) < 0)
        return false;
    return std::all_of(sources_.begin(), sources_.end(), [&](followed const& f) { return f.has_observed(written); });
}

std::vector<std::string> watched_world::rolled_back() {
    std::vector<std::string> keys;
    if (primaries_shown_.observe(primaries_.last_resource_version())) keys.emplace_back();
    for (auto& f : sources_)
        if (f.shown.observe(f.objects.last_resource_version())) keys.push_back(f.key);
    return keys;
}

std::size_t watched_world::follow(rules::watched const& w, kube::shared_informers const& shared, kube::client const& c,
                                  std::string const& ns) {
    auto const where = w.where == rules::reach::same_namespace ? ns : std::string();
    for (std::size_t i = 0; i < sources_.size(); ++i)
        if (sources_[i].is(*w.type, where, w.label_selector, w.field_selector)) return i;
    sources_.emplace_back(*w.type, where, w.label_selector, w.field_selector, shared, c);
    return sources_.size() - 1;
}

child_index watched_world::index_for(rules::watched const& w) const {
    auto const* type = w.type;
    bool const namespaced = primary_->info->where == resource_scope::namespaced;
    if (auto const* labels = std::get_if<rules::by_labels>(&w.by))
        return child_index([type, by = *labels, namespaced](void const* object) {
            return labelled_key(type->metadata(object), by, namespaced);
        });
    if (auto const* reference = std::get_if<rules::by_reference>(&w.by))
        return child_index([this, type, by = *reference](void const* object) {
            auto const name = by.primary(object);
            return name ? primary_key(type->metadata(object), *name) : std::string();
        });
    if (std::holds_alternative<rules::by_name_of_primary>(w.by) || // the informer itself finds them
        std::holds_alternative<rules::by_selector>(w.by))          // selector_index does
        return child_index([](void const*) { return std::string(); });
    std::vector<resource_info const*> controllers;
    if (auto const* over = std::get_if<rules::by_controller_of>(&w.by)) {
        for (auto const& r : rows_)
            if (r.rule->name == over->relation) controllers.push_back(r.rule->type->info);
    } else {
        controllers.push_back(primary_->info);
    }
    return child_index(*type, std::move(controllers));
}

object_meta const& watched_world::meta_of(row const& r, void const* object) const {
    return r.rule->type->metadata(object);
}

std::vector<primary_ref> watched_world::primaries_of(row const& r, void const* object) const {
    auto const& meta = meta_of(r, object);
    auto const* owner = controller_of(meta);
    auto const to_primary = [&](rules::by_controller const&) -> std::vector<primary_ref> {
        if (owner == nullptr || owner->kind != primary_->info->kind ||
            owner->api_version != primary_->info->api_version())
            return {};
        return {primary_ref(primary_key(meta, rules::object_name(std::string(), owner->name)), owner->uid)};
    };
    auto const through_another = [&](rules::by_controller_of const&) {
        std::vector<primary_ref> list;
        for (std::size_t i : r.over) {
            if (owner == nullptr) break;
            auto const& source = sources_[rows_[i].source];
            auto const between = source.objects.find(
                source.type->info->where == resource_scope::cluster ? std::string() : meta.namespace_, owner->name);
            if (!between.empty() && between.metadata().uid == owner->uid)
                add_missing(list, primaries_of(rows_[i], between.erased().get()));
        }
        return list;
    };
    auto const by_label = [&](rules::by_labels const& by) -> std::vector<primary_ref> {
        auto key = labelled_key(meta, by, primary_->info->where == resource_scope::namespaced);
        if (key.empty()) return {};
        return {primary_ref(std::move(key))};
    };
    auto const by_name = [&](rules::by_name_of_primary const&) {
        std::vector<primary_ref> list;
        for (auto& key : r.named.primaries_naming(key_of(meta))) list.emplace_back(std::move(key));
        return list;
    };
    auto const by_field = [&](rules::by_reference const& by) -> std::vector<primary_ref> {
        auto const name = by.primary(object);
        if (!name) return {};
        return {primary_ref(primary_key(meta, *name))};
    };
    auto const by_selector = [&](rules::by_selector const&) {
        std::vector<primary_ref> list;
        for (auto& key : r.selected.primaries_selecting(meta)) list.emplace_back(std::move(key));
        return list;
    };
    return std::visit(cases{to_primary, through_another, by_label, by_name, by_field, by_selector}, r.rule->by);
}

std::vector<any_object> watched_world::belong_to(row const& r, void const* primary) const {
    auto const& meta = primary_->metadata(primary);
    auto const by_uid = [&](rules::by_controller const&) { return r.objects.of(meta.uid); };
    auto const through_another = [&](rules::by_controller_of const&) {
        std::map<std::string, any_object> in_order; // two rows in between may lead to one object
        for (std::size_t i : r.over)
            for (auto const& between : belong_to(rows_[i], primary))
                for (auto& object : r.objects.of(between.metadata().uid))
                    in_order.emplace(key_of(object.metadata()), std::move(object));
        return values_of(std::move(in_order));
    };
    auto const by_key = [&](auto const&) { return r.objects.of(key_of(meta)); };
    auto const by_name = [&](rules::by_name_of_primary const&) {
        auto const named = names_in(r, primary);
        std::vector<any_object> list;
        for (auto const& key : std::set<std::string_view>(named.begin(), named.end())) {
            auto const slash = key.find('/');
            auto object = sources_[r.source].objects.find(key.substr(0, slash), key.substr(slash + 1));
            if (!object.empty()) list.push_back(std::move(object));
        }
        return list;
    };
    auto const by_selector = [&](rules::by_selector const& by) {
        return r.selected.of(meta.namespace_, by.selector(primary));
    };
    return std::visit(cases{by_uid, through_another, by_name, by_selector, by_key}, r.rule->by);
}

std::vector<std::string> watched_world::names_in(row const& r, void const* primary) const {
    auto const& by = std::get<rules::by_name_of_primary>(r.rule->by);
    auto const& meta = primary_->metadata(primary);
    std::vector<rules::object_name> names;
    if (by.names == nullptr)
        names.emplace_back(std::string(), meta.name);
    else
        names = by.names(primary);
    std::vector<std::string> keys;
    for (auto const& n : names) {
        bool const inherits = n.namespace_.empty() && r.rule->type->info->where == resource_scope::namespaced;
        keys.push_back(key_of(inherits ? meta.namespace_ : n.namespace_, n.name));
    }
    return keys;
}

std::string watched_world::primary_key(object_meta const& from, rules::object_name const& name) const {
    if (primary_->info->where == resource_scope::cluster) return key_of("", name.name);
    return key_of(name.namespace_.empty() ? from.namespace_ : name.namespace_, name.name);
}

} // namespace kftrain::control
