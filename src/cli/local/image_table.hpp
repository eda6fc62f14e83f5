#ifndef KFTRAIN_SRC_CLI_LOCAL_IMAGE_TABLE_HPP
#define KFTRAIN_SRC_CLI_LOCAL_IMAGE_TABLE_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/meta.hpp>

#include <filesystem>
#include <string>

namespace kftrain::cli {

/// `kftrain/images` in $XDG_CACHE_HOME, else in ~/.cache.
std::filesystem::path default_image_directory();

/** Reads a YAML file with lines `IMAGE: SOURCE`. Relative paths are relative to the directory of the file.
    @par Errors with a sentence that names the file and the entry */
result<string_map> read_image_table(std::string const& file);

} // namespace kftrain::cli

#endif
