#include "control/watched_world.hpp"

#include <kftrain/kube/resource_version.hpp>

#include <stdexcept>

namespace kftrain::control {
namespace {

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

bool version_mark::falls_to(std::string const& shown) {
    bool const falls = kube::compare_resource_versions(shown, last_) < 0;
    if (shown != last_) last_ = shown;
    return falls;
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

bool followed::will_show(resource_info const& t, std::string_view ns, std::string_view name,
                         string_map const* its) const {
    if (t.plural != type->info->plural || t.group != type->info->group) return false;
    if (its != nullptr && selection.field_selector.empty() && (namespace_.empty() || namespace_ == ns) &&
        labels.matches(*its))
        return true;
    return !objects.find(ns, name).empty();
}

bool followed::shows(pending_writes& written) const {
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

} // namespace kftrain::control
