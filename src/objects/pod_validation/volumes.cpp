#include "model/rules/name_syntax.hpp"
#include "objects/pod_validation/checks.hpp"

#include <array>
#include <set>

namespace kftrain::pod_checks {
namespace {

constexpr std::string_view mode_range = "must be a number between 0 and 0777 (octal), both inclusive";
constexpr std::array<std::string_view, 8> path_types{
    "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"};

void check_mode(std::optional<std::int32_t> const& mode, std::string const& field, field_faults& found) {
    if (mode && (*mode < 0 || *mode > 0777)) found.invalid(field, *mode, mode_range);
}

void check_items(std::vector<core::key_to_path> const& items, field_path const& at, field_faults& found) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto const& item = items[i];
        field_path const here(at, "items", i);
        if (item.key.empty()) found.required(here.text("key"));
        if (item.path.empty()) found.required(here.text("path"));
        check_unreserved(item.path, here.text("path"), found);
        check_mode(item.mode, here.text("mode"), found);
    }
}

/// Upstream ascribes what is wrong with a file to the volume.
void check_file(core::downward_api_volume_file const& f, field_path const& at, field_faults& found) {
    if (f.path.empty()) found.required(at.text("path"));
    check_unreserved(f.path, at.text("path"), found);
    if (f.field_ref) {
        check_field_reference(*f.field_ref, true, field_path(at, "fieldRef"), found);
        if (f.resource_field_ref)
            found.invalid_text(at.text(), "resource",
                               "fieldRef and resourceFieldRef can not be specified simultaneously");
    } else if (f.resource_field_ref) {
        check_resource_reference(*f.resource_field_ref, true, field_path(at, "resourceFieldRef"), found);
    } else {
        found.required(at.text(), "one of fieldRef and resourceFieldRef is required");
    }
    check_mode(f.mode, at.text("mode"), found);
}

void check_source(core::host_path_volume_source const& v, field_path const& at, field_faults& found) {
    if (v.path.empty()) return found.required(at.text("path"));
    check_no_backsteps(v.path, at.text("path"), found);
    if (v.type && !is_one_of(*v.type, path_types)) found.unsupported(at.text("type"), *v.type, path_types);
}
void check_source(core::secret_volume_source const& v, field_path const& at, field_faults& found) {
    if (v.secret_name.empty()) found.required(at.text("secretName"));
    check_mode(v.default_mode, at.text("defaultMode"), found);
    check_items(v.items, at, found);
}
void check_source(core::config_map_volume_source const& v, field_path const& at, field_faults& found) {
    if (v.name.empty()) found.required(at.text("name"));
    check_mode(v.default_mode, at.text("defaultMode"), found);
    check_items(v.items, at, found);
}
void check_source(core::nfs_volume_source const& v, field_path const& at, field_faults& found) {
    if (v.server.empty()) found.required(at.text("server"));
    if (v.path.empty()) found.required(at.text("path"));
    if (!v.path.starts_with('/')) found.invalid_text(at.text("path"), v.path, "must be an absolute path");
}
void check_source(core::persistent_volume_claim_volume_source const& v, field_path const& at, field_faults& found) {
    if (v.claim_name.empty()) found.required(at.text("claimName"));
}
void check_source(core::downward_api_volume_source const& v, field_path const& at, field_faults& found) {
    check_mode(v.default_mode, at.text("defaultMode"), found);
    for (auto const& file : v.items) check_file(file, at, found);
}

void check_token(core::service_account_token_projection const& t, field_path const& at, field_path const& volume,
                 field_faults& found) {
    auto const seconds = t.expiration_seconds.value_or(3600);
    if (seconds < 600)
        found.invalid(at.text("expirationSeconds"), seconds, "may not specify a duration less than 10 minutes");
    if (seconds > 1ll << 32)
        found.invalid(at.text("expirationSeconds"), seconds, "may not specify a duration larger than 2^32 seconds");
    if (t.path.empty())
        found.required(volume.text("path"));
    else
        check_unreserved(t.path, volume.text("path"), found);
}

void check_source(core::projected_volume_source const& v, field_path const& at, field_faults& found) {
    check_mode(v.default_mode, at.text("defaultMode"), found);
    std::set<std::string_view> paths;
    auto const claim = [&](std::string_view path, std::string_view who) {
        if (!path.empty() && !paths.insert(path).second)
            found.invalid_text(at.text(), who, "conflicting duplicate paths");
    };
    auto const look_at = [&](auto const& object, field_path const& here) {
        if (object.name.empty()) found.required(here.text("name"));
        check_items(object.items, here, found);
        for (auto const& item : object.items) claim(item.path, object.name);
    };
    for (std::size_t i = 0; i < v.sources.size(); ++i) {
        auto const& s = v.sources[i];
        field_path const here(at, "sources", i);
        if (s.secret) look_at(*s.secret, field_path(here, "secret"));
        if (s.config_map) look_at(*s.config_map, field_path(here, "configMap"));
        if (s.downward_api) {
            field_path const files(here, "downwardAPI");
            for (auto const& file : s.downward_api->items) {
                check_file(file, files, found);
                claim(file.path, file.path);
            }
        }
        if (s.service_account_token)
            check_token(*s.service_account_token, field_path(here, "serviceAccountToken"), at, found);
        if (s.secret.has_value() + s.config_map.has_value() + s.downward_api.has_value() +
                s.service_account_token.has_value() + s.cluster_trust_bundle.has_value() >
            1)
            found.forbidden(here.text(), "may not specify more than 1 volume type per source");
    }
}

/// Whether there is a source, and but one: of several the first one is looked at.
class source_checks {
public:
    source_checks(field_path const& at, field_faults& found) : at_(at), found_(found) {}

    template <class Source> void one(boxed<Source> const& source, std::string_view name) {
        if (is_first(source.has_value(), name)) check_source(*source, field_path(at_, name), found_);
    }
    bool is_first(bool there, std::string_view name) {
        if (there && any_) found_.forbidden(at_.text(name), "may not specify more than 1 volume type");
        bool const first = there && !any_;
        any_ = any_ || there;
        return first;
    }

private:
    field_path const& at_;
    field_faults& found_;
    bool any_ = false;
};

void check_sources(core::volume const& v, std::string_view pod_name, field_path const& at, field_faults& found) {
    source_checks sources(at, found);
    if (sources.is_first(v.empty_dir.has_value(), "emptyDir") && v.empty_dir->size_limit &&
        v.empty_dir->size_limit->sign() < 0)
        found.forbidden(at.text("emptyDir.sizeLimit"), "SizeLimit field must be a valid resource quantity");
    sources.one(v.host_path, "hostPath");
    sources.is_first(v.git_repo.has_value(), "gitRepo");
    sources.is_first(v.gce_persistent_disk.has_value(), "gcePersistentDisk");
    sources.is_first(v.aws_elastic_block_store.has_value(), "awsElasticBlockStore");
    sources.one(v.secret, "secret");
    sources.one(v.nfs, "nfs");
    sources.is_first(v.iscsi.has_value(), "iscsi");
    sources.is_first(v.glusterfs.has_value(), "glusterfs");
    sources.is_first(v.flocker.has_value(), "flocker");
    sources.one(v.persistent_volume_claim, "persistentVolumeClaim");
    sources.is_first(v.rbd.has_value(), "rbd");
    sources.is_first(v.cinder.has_value(), "cinder");
    sources.is_first(v.cephfs.has_value(), "cephFS");
    sources.is_first(v.quobyte.has_value(), "quobyte");
    if (sources.is_first(v.downward_api.has_value(), "downwarAPI")) // so spelled upstream
        check_source(*v.downward_api, field_path(at, "downwardAPI"), found);
    sources.is_first(v.fc.has_value(), "fc");
    sources.is_first(v.flex_volume.has_value(), "flexVolume");
    sources.one(v.config_map, "configMap");
    sources.is_first(v.azure_file.has_value(), "azureFile");
    sources.is_first(v.vsphere_volume.has_value(), "vsphereVolume");
    sources.is_first(v.photon_persistent_disk.has_value(), "photonPersistentDisk");
    sources.is_first(v.portworx_volume.has_value(), "portworxVolume");
    sources.is_first(v.azure_disk.has_value(), "azureDisk");
    sources.is_first(v.storageos.has_value(), "storageos");
    sources.one(v.projected, "projected");
    sources.is_first(v.scale_io.has_value(), "scaleIO");
    sources.is_first(v.csi.has_value(), "csi");
    if (sources.is_first(v.ephemeral.has_value(), "ephemeral") && !pod_name.empty() && !v.name.empty()) {
        auto const claim = std::string(pod_name) + "-" + v.name;
        for (auto const& why : dns_subdomain_faults(claim))
            found.invalid_text(at.text("name"), v.name,
                               std::string_view("PVC name " + go_text::quoted(claim) + ": " + why));
    }
}

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

volume_map check_volumes(core::pod_spec const& spec, std::string_view pod_name, field_path const& path,
                         field_faults& found) {
    volume_map fine;
    for (std::size_t i = 0; i < spec.volumes.size(); ++i) {
        auto const& v = spec.volumes[i];
        field_path const at(path, "volumes", i);
        auto const before = found.size();
        check_sources(v, pod_name, at, found);
        if (v.name.empty())
            found.required(at.text("name"));
        else if (auto const why = dns_label_faults(v.name); !why.empty())
            found.invalid_text(at.text("name"), v.name, why);
        if (fine.contains(v.name)) found.duplicate(at.text("name"), v.name);
        if (found.size() == before && before < field_faults::most) fine.emplace(v.name, &v);
    }
    return fine;
}

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

void check_no_backsteps(std::string_view path, std::string const& field, field_faults& found) {
    for (auto rest = path;;) {
        auto const end = std::min(rest.find('/'), rest.size());
        if (rest.substr(0, end) == "..") return found.invalid_text(field, path, "must not contain '..'");
        if (end == rest.size()) return;
        rest.remove_prefix(end + 1);
    }
}

void check_descending(std::string_view path, std::string const& field, field_faults& found) {
    if (path.starts_with('/')) found.invalid_text(field, path, "must be a relative path");
    check_no_backsteps(path, field, found);
}

void check_unreserved(std::string_view path, std::string const& field, field_faults& found) {
    check_descending(path, field, found);
    if (path.starts_with("..") && !path.starts_with("../")) found.invalid_text(field, path, "must not start with '..'");
}

} // namespace kftrain::pod_checks
