#include <kftrain/job/pod_settings.hpp>

#include <algorithm>

namespace kftrain {
namespace {

/// Puts an item in the place of the one of its name, or behind.
template <class T> void put(std::vector<T>& list, T item) {
    auto const it = std::find_if(list.begin(), list.end(), [&](T const& other) { return other.name == item.name; });
    if (it == list.end())
        list.push_back(std::move(item));
    else
        *it = std::move(item);
}

} // namespace

namespace detail {

void set_variable(pod_choices& to, env_var variable) { put(to.training.env, std::move(variable)); }

void set_resource(pod_choices& to, std::string const& resource, std::string const& amount) {
    to.training.resources.requests.insert_or_assign(resource, quantity(amount));
    to.training.resources.limits.insert_or_assign(resource, quantity(amount));
}

void add_volume(pod_choices& to, volume source, std::string path, bool read_only) {
    volume_mount m;
    m.name = source.name;
    m.mount_path = std::move(path);
    m.read_only = read_only;
    std::erase_if(to.training.volume_mounts,
                  [&](volume_mount const& other) { return other.mount_path == m.mount_path; });
    to.training.volume_mounts.push_back(std::move(m));
    put(to.pod.spec.volumes, std::move(source));
}

volume claim_volume(std::string const& claim, bool read_only) {
    volume v;
    v.name = claim;
    v.persistent_volume_claim.emplace();
    v.persistent_volume_claim->claim_name = claim;
    v.persistent_volume_claim->read_only = read_only;
    return v;
}

volume config_map_volume(std::string const& name) {
    volume v;
    v.name = name;
    v.config_map.emplace();
    v.config_map->name = name;
    return v;
}

volume secret_volume(std::string const& name) {
    volume v;
    v.name = name;
    v.secret.emplace();
    v.secret->secret_name = name;
    return v;
}

volume memory_volume(std::string const& size) {
    volume v;
    v.name = "shared-memory";
    v.empty_dir.emplace();
    v.empty_dir->medium = "Memory";
    v.empty_dir->size_limit = quantity(size);
    return v;
}

env_var secret_variable(std::string name, std::string secret, std::string key) {
    env_var variable(std::move(name), {});
    variable.value_from.emplace();
    variable.value_from->secret_key_ref.emplace();
    variable.value_from->secret_key_ref->name = std::move(secret);
    variable.value_from->secret_key_ref->key = std::move(key);
    return variable;
}

std::string_view to_wire(restart when) noexcept {
    switch (when) {
    case restart::always: return "Always";
    case restart::on_failure: return "OnFailure";
    case restart::never: return "Never";
    case restart::exit_code: return "ExitCode";
    }
    return "";
}

} // namespace detail

} // namespace kftrain
