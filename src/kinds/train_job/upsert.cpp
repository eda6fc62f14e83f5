#include "kinds/train_job/layout.hpp"

#include <algorithm>

namespace kftrain::trainer {
namespace {

template <class T, class Same> void upsert(std::vector<T>& items, T const& item, Same same) {
    auto const at = std::ranges::find_if(items, [&](T const& old) { return same(old, item); });
    if (at == items.end())
        items.push_back(item);
    else
        *at = item;
}

} // namespace

std::vector<core::env_var> copied_env(std::vector<core::env_var> const& all) {
    auto copies = all;
    for (auto& v : copies) {
        if (!v.value_from) continue;
        v.value.clear();
        v.value_from->file_key_ref.reset();
        if (v.value_from->field_ref) v.value_from->field_ref->api_version.clear();
    }
    return copies;
}

void set_env(std::vector<core::env_var>& all, std::vector<core::env_var> const& more) {
    for (auto const& v : more) upsert(all, v, [](auto const& a, auto const& b) { return a.name == b.name; });
}

core::env_var index_variable(std::string_view name) {
    core::env_var v;
    v.name = name;
    v.value_from.emplace().field_ref.emplace().field_path = index_path;
    return v;
}

void set_port(std::vector<core::container_port>& all, core::container_port const& p) {
    upsert(all, p,
           [](auto const& a, auto const& b) { return a.container_port_ == b.container_port_ || a.name == b.name; });
}

void open_rendezvous_port(core::container& c) {
    core::container_port p;
    p.container_port_ = port;
    set_port(c.ports, p);
}

void set_volume(std::vector<core::volume>& all, core::volume const& v) {
    upsert(all, v, [](auto const& a, auto const& b) { return a.name == b.name; });
}

void set_mount(std::vector<core::volume_mount>& all, core::volume_mount const& m) {
    upsert(all, m, [](auto const& a, auto const& b) { return a.mount_path == b.mount_path; });
}

} // namespace kftrain::trainer
