#include "control/watched_type.hpp"

#include <kftrain/kube/resource_version.hpp>
#include <kftrain/model/core.hpp>

namespace kftrain::control {
namespace {

kube::informer_options following(child_type const& t) {
    kube::informer_options o;
    o.label_selector = t.selector;
    return o;
}

} // namespace

bool version_mark::falls_to(std::string const& shown) {
    bool const falls = kube::compare_resource_versions(shown, last_) < 0;
    if (shown != last_) last_ = shown;
    return falls;
}

watched_type::watched_type(child_type const& t, kube::shared_informers const& shared, kube::client const& c,
                           std::string const& ns)
    : type(t.type), objects(kube::detail::follow(shared, c, ns, *t.type, following(t))), controlled(*t.type) {}

bool watched_type::is_replica() const noexcept {
    return type->model == &descriptor_of<pod>() || type->model == &descriptor_of<service>();
}

bool watched_type::shows(pending_writes& written, std::string_view ns) const {
    auto const key = type_key(*type->info);
    if (auto const it = written.versions.find(key);
        it != written.versions.end() && !it->second.empty() &&
        kube::compare_resource_versions(objects->last_resource_version(), it->second) < 0)
        return false;
    auto const deleted = written.deleted.find(key);
    if (deleted == written.deleted.end()) return true;
    for (auto const& [uid, name] : deleted->second) {
        auto const object = objects->find(ns, name);
        if (!object) continue;
        auto const& meta = type->metadata(object.get());
        if (meta.uid == uid && !meta.deletion_timestamp) return false;
    }
    deleted->second.clear();
    return true;
}

std::vector<watched_type> watch(std::vector<child_type> const& types, kube::shared_informers const& shared,
                                kube::client const& c, std::string const& ns) {
    std::vector<watched_type> result;
    for (auto const& t : types) result.emplace_back(t, shared, c, ns);
    return result;
}

} // namespace kftrain::control
