#ifndef KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_FIELD_FILES_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_FIELD_FILES_HPP

#include "local/kubelet/volumes/volume_files.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kftrain::local {

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
