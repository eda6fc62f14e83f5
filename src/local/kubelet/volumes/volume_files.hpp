#ifndef KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_VOLUME_FILES_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_VOLUME_FILES_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/objects/core.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local {

/// One file of a volume that shows an object.
struct volume_file {
    volume_file() = default;

    std::string path; ///< relative to the volume
    std::string data;
    std::int32_t mode = 0644;         ///< permission bits
    std::optional<std::int64_t> user; ///< the owner, if this process may set it

    friend bool operator==(volume_file const&, volume_file const&) = default;
};

/// Whether the path of a file leads out of its volume. A server refuses such paths; the kubelet does not rely on it.
bool leads_out_of_volume(std::string_view path);

/** The files of a volume that shows a config map or a secret, by path. `object` is null if there is no such object.
    @par Errors `errc::invalid_argument` with upstream's message: `configmap "x" not found`,
    `configmap references non-existent config key: k`; and for paths that lead out of the volume
    @par Upstream kubernetes v1.31 `pkg/volume/configmap/configmap.go`, `pkg/volume/secret/secret.go`, `MakePayload` */
result<std::vector<volume_file>> files_of(core::config_map_volume_source const&, core::config_map const* object);
result<std::vector<volume_file>> files_of(core::secret_volume_source const&, core::secret const* object);

/** Makes the directory hold these files and no others, all at once: a reader sees either the old ones or the new ones.
    The files are in a directory of a name of its own, to which the symbolic link `..data` leads; by replacing the link
    they change. What stands at the top are links through `..data`. Nothing is written when nothing changes.
    @par Errors those of the file system
    @par Upstream kubernetes v1.31 `pkg/volume/util/atomic_writer.go` */
error_code write_volume(std::filesystem::path const& directory, std::vector<volume_file> const& files);

/// Whether a file can have the field: name, namespace, uid, labels and annotations, whole or one of them.
bool is_known_file_field(std::string_view path);

/** The files of a downward API volume.
    @par Errors `errc::invalid_argument` for unknown fields and for paths that lead out of the volume
    @par Upstream kubernetes v1.31 `pkg/volume/downwardapi/downwardapi.go`, `pkg/fieldpath/fieldpath.go` */
result<std::vector<volume_file>> field_files(std::vector<core::downward_api_volume_file> const& items,
                                             std::optional<std::int32_t> default_mode, pod const& p);

/// Adds files; of equal paths the later one is kept.
void merge_files(std::vector<volume_file>& to, std::vector<volume_file> more);

} // namespace kftrain::local

#endif
