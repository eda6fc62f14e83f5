#include "objects/pod_validation/checks.hpp"

#include <array>
#include <set>

namespace kftrain::pod_checks {
namespace {

using texts = std::set<std::string_view>;

constexpr std::array<std::string_view, 3> propagations{"Bidirectional", "HostToContainer", "None"};
constexpr std::array<std::string_view, 3> recursions{"Disabled", "Enabled", "IfPossible"};

/// Where things are, by name: of equal names the last place counts.
struct places {
    std::map<std::string_view, std::string_view> by_name;
    texts all;

    void add(std::string_view name, std::string_view where) { by_name[name] = where; }
    void end() {
        for (auto const& [name, where] : by_name) all.insert(where);
    }
};

bool is_privileged(core::container const& c) {
    return c.security_context && c.security_context->privileged.value_or(false);
}

/// Upstream ascribes these to the list.
void check_manner(core::volume_mount const& m, core::container const& c, field_path const& list, field_faults& found) {
    if (m.mount_propagation) {
        if (!is_one_of(*m.mount_propagation, propagations))
            found.unsupported(list.text("mountPropagation"), *m.mount_propagation, propagations);
        if (*m.mount_propagation == "Bidirectional" && !is_privileged(c))
            found.forbidden(list.text("mountPropagation"),
                            "Bidirectional mount propagation is available only to privileged containers");
    }
    if (!m.recursive_read_only || *m.recursive_read_only == "Disabled") return;
    if (!is_one_of(*m.recursive_read_only, recursions))
        return found.unsupported(list.text("recursiveReadOnly"), *m.recursive_read_only, recursions);
    if (!m.read_only) found.forbidden(list.text("recursiveReadOnly"), "may only be specified when readOnly is true");
    if (m.mount_propagation && *m.mount_propagation != "None")
        found.forbidden(list.text("recursiveReadOnly"),
                        "may only be specified when mountPropagation is None or not specified");
}

void check_device(core::volume_device const& d, volume_map const& volumes, field_path const& at, field_faults& found,
                  texts& names, texts& paths) {
    auto const known = volumes.find(d.name);
    if (d.name.empty()) found.required(at.text("name"));
    if (names.contains(d.name)) found.invalid_text(at.text("name"), d.name, "must be unique");
    if (known == volumes.end())
        found.not_found(at.text("name"), d.name);
    else if (!known->second->persistent_volume_claim && !known->second->ephemeral)
        found.invalid_text(at.text("name"), d.name,
                           "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
    if (d.device_path.empty()) found.required(at.text("devicePath"));
    if (paths.contains(d.device_path)) found.invalid_text(at.text("devicePath"), d.device_path, "must be unique");
    field_faults steps;
    check_no_backsteps(d.device_path, "", steps);
    if (steps.empty())
        paths.insert(d.device_path);
    else
        found.invalid_text(at.text("devicePath"), d.device_path, "can not contain backsteps ('..')");
}

} // namespace

void check_mounts(core::container const& c, volume_map const& volumes, field_path const& at, field_faults& found) {
    if (c.volume_mounts.empty() && c.volume_devices.empty()) return;
    places mounts, devices;
    for (auto const& m : c.volume_mounts) mounts.add(m.name, m.mount_path);
    for (auto const& d : c.volume_devices) devices.add(d.name, d.device_path);
    mounts.end();
    devices.end();
    texts points;
    field_path const list(at, "volumeMounts");
    for (std::size_t i = 0; i < c.volume_mounts.size(); ++i) {
        auto const& m = c.volume_mounts[i];
        field_path const here(at, "volumeMounts", i);
        if (m.name.empty()) found.required(here.text("name"));
        if (!volumes.contains(m.name)) found.not_found(here.text("name"), m.name);
        if (m.mount_path.empty()) found.required(here.text("mountPath"));
        if (!points.insert(m.mount_path).second)
            found.invalid_text(here.text("mountPath"), m.mount_path, "must be unique");
        if (devices.by_name.contains(m.name))
            found.invalid_text(here.text("name"), m.name, "must not already exist in volumeDevices");
        if (devices.all.contains(m.mount_path))
            found.invalid_text(here.text("mountPath"), m.mount_path,
                               "must not already exist as a path in volumeDevices");
        if (!m.sub_path.empty()) check_descending(m.sub_path, list.text("subPath"), found);
        if (!m.sub_path_expr.empty() && !m.sub_path.empty())
            found.invalid_text(here.text("subPathExpr"), m.sub_path_expr,
                               "subPathExpr and subPath are mutually exclusive");
        if (!m.sub_path_expr.empty()) check_descending(m.sub_path_expr, list.text("subPathExpr"), found);
        check_manner(m, c, list, found);
    }
    texts names, paths;
    for (std::size_t i = 0; i < c.volume_devices.size(); ++i) {
        auto const& d = c.volume_devices[i];
        field_path const here(at, "volumeDevices", i);
        check_device(d, volumes, here, found, names, paths);
        if (mounts.by_name.contains(d.name))
            found.invalid_text(here.text("name"), d.name, "must not already exist in volumeMounts");
        if (mounts.all.contains(d.device_path))
            found.invalid_text(here.text("devicePath"), d.device_path,
                               "must not already exist as a path in volumeMounts");
        if (!d.name.empty()) names.insert(d.name);
    }
}

} // namespace kftrain::pod_checks
