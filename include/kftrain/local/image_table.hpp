#ifndef KFTRAIN_LOCAL_IMAGE_TABLE_HPP
#define KFTRAIN_LOCAL_IMAGE_TABLE_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/meta.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace kftrain::local {

/** Returns a value of pod_options::images with an absolute path, without a slash at the end. Relative paths are
    relative to `directory`.
    @par Errors `errc::syntax` for a value of no known form */
[[nodiscard]] result<std::string> absolute_image_source(std::string_view source,
                                                        std::filesystem::path const& directory);

/** Reads a table for pod_options::images from a map of YAML or JSON. Relative paths are relative to `directory`.
    @par Errors those of decode_yaml() with decode_options::strict; `errc::invalid_argument` for a source that cannot be
    used, with its pattern */
[[nodiscard]] result<string_map> parse_image_table(std::string_view text, std::filesystem::path const& directory);

} // namespace kftrain::local

#endif
