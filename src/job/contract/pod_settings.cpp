#include <kftrain/job/pod_settings.hpp>

#include "base/ascii.hpp"

#include <algorithm>
#include <cstdint>

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

/// FNV-1a of 32 bits: the same everywhere and for ever, unlike std::hash.
std::string digest(std::string_view text) {
    std::uint32_t hash = 2166136261U;
    for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    std::string digits(8, '0');
    for (std::size_t i = digits.size(); i-- > 0; hash >>= 4U) digits[i] = "0123456789abcdef"[hash & 0xFU];
    return digits;
}

constexpr std::size_t longest_label = 63;

/// Turns a text into a DNS label of at most `most` characters; may be empty.
std::string label_from(std::string_view text, std::size_t most) {
    std::string label;
    for (char const c : text) label += is_alnum(c) ? to_lower(c) : '-';
    label.erase(0, std::min(label.find_first_not_of('-'), label.size()));
    if (label.size() > most) label.resize(most);
    label.erase(label.find_last_not_of('-') + 1);
    return label;
}

core::volume* find_volume(pod_choices& to, std::string_view name) {
    auto& all = to.pod.spec.volumes;
    auto const it = std::find_if(all.begin(), all.end(), [&](core::volume const& v) { return v.name == name; });
    return it == all.end() ? nullptr : &*it;
}

/// A name that no volume has: `wanted` itself, or with a digest of `source` that distinguishes it from others.
std::string free_name(pod_choices& to, std::string const& wanted, std::string const& source) {
    if (label_from(wanted, longest_label) == wanted && !wanted.empty() && find_volume(to, wanted) == nullptr)
        return wanted;
    for (std::string seed = source;; seed += '+') {
        auto const end = "-" + digest(seed);
        auto const begin = label_from(wanted, longest_label - end.size());
        auto name = (begin.empty() ? "volume" : begin) + end;
        if (find_volume(to, name) == nullptr) return name;
    }
}

template <class Container> void rename_volume_of(Container& c, std::string const& name, std::string const& next) {
    for (auto& m : c.volume_mounts)
        if (m.name == name) m.name = next;
    for (auto& d : c.volume_devices)
        if (d.name == name) d.name = next;
}

/// Makes way for a volume of the caller's. Earlier settings for this name apply to the volume that has it.
void rename_volume(pod_choices& to, std::string const& source, std::string& name) {
    auto next = free_name(to, name, source);
    auto& spec = to.pod.spec;
    find_volume(to, name)->name = next;
    rename_volume_of(to.training, name, next);
    for (auto& c : spec.containers) rename_volume_of(c, name, next);
    for (auto& c : spec.init_containers) rename_volume_of(c, name, next);
    for (auto& c : spec.ephemeral_containers) rename_volume_of(c, name, next);
    name = std::move(next);
}

/// A repeated mount keeps the caller's changes to its volume, except for fields that the setters set.
void mount_again(core::volume& known, core::volume const& source) {
    // Of a claim that is written to anywhere, the volume must allow it.
    if (known.persistent_volume_claim && source.persistent_volume_claim && !source.persistent_volume_claim->read_only)
        known.persistent_volume_claim->read_only = false;
    if (known.empty_dir && source.empty_dir) known.empty_dir->size_limit = source.empty_dir->size_limit;
}

/// In the place of another one at this path.
void add_mount(pod_choices& to, std::string const& name, std::string path, bool read_only) {
    core::volume_mount m;
    m.name = name;
    m.mount_path = std::move(path);
    m.read_only = read_only;
    std::erase_if(to.training.volume_mounts,
                  [&](core::volume_mount const& other) { return other.mount_path == m.mount_path; });
    to.training.volume_mounts.push_back(std::move(m));
}

} // namespace

KFTRAIN_DEFINE_SPECIAL_MEMBERS(pod_choices);

namespace detail {

void set_variable(pod_choices& to, core::env_var variable) { put(to.training.env, std::move(variable)); }

void set_resource(pod_choices& to, std::string const& resource, std::string const& amount) {
    to.training.resources.requests.insert_or_assign(resource, quantity(amount));
    to.training.resources.limits.insert_or_assign(resource, quantity(amount));
}

void add_pull_secret(pod_choices& to, std::string name) {
    to.pod.spec.image_pull_secrets.emplace_back().name = std::move(name);
}

void add_toleration(pod_choices& to, core::toleration t) { to.pod.spec.tolerations.push_back(std::move(t)); }

void add_side_container(pod_choices& to, core::container c) { to.pod.spec.containers.push_back(std::move(c)); }

void add_init_container(pod_choices& to, core::container c) { to.pod.spec.init_containers.push_back(std::move(c)); }

void add_volume(pod_choices& to, core::volume source, std::string path, bool read_only) {
    for (auto& [mounted, name] : to.named_volumes)
        if (name == source.name && find_volume(to, name) != nullptr) rename_volume(to, mounted, name);
    add_mount(to, source.name, std::move(path), read_only);
    put(to.pod.spec.volumes, std::move(source));
}

void add_named_volume(pod_choices& to, std::string_view kind, core::volume source, std::string path, bool read_only) {
    auto const what = std::string(kind) + " " + source.name;
    auto& name = to.named_volumes[what];
    if (auto* known = name.empty() ? nullptr : find_volume(to, name)) {
        mount_again(*known, source);
    } else {
        name = free_name(to, source.name, what);
        source.name = name;
        to.pod.spec.volumes.push_back(std::move(source));
    }
    add_mount(to, name, std::move(path), read_only);
}

core::volume claim_volume(std::string const& claim, bool read_only) {
    core::volume v;
    v.name = claim;
    v.persistent_volume_claim.emplace();
    v.persistent_volume_claim->claim_name = claim;
    v.persistent_volume_claim->read_only = read_only;
    return v;
}

core::volume config_map_volume(std::string const& name) {
    core::volume v;
    v.name = name;
    v.config_map.emplace();
    v.config_map->name = name;
    return v;
}

core::volume secret_volume(std::string const& name) {
    core::volume v;
    v.name = name;
    v.secret.emplace();
    v.secret->secret_name = name;
    return v;
}

core::volume memory_volume(std::string const& size) {
    core::volume v;
    v.name = "shared-memory";
    v.empty_dir.emplace();
    v.empty_dir->medium = "Memory";
    v.empty_dir->size_limit = quantity(size);
    return v;
}

core::env_var secret_variable(std::string name, std::string secret, std::string key) {
    core::env_var variable(std::move(name), {});
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
