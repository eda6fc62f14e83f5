#ifndef KFTRAIN_LOCAL_OPTION_VALUES_HPP
#define KFTRAIN_LOCAL_OPTION_VALUES_HPP

/** @file Reads and checks values of pod_options and local_cluster_options, as the command does. */

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/quantity.hpp>

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

/// Returns what is wrong with local_cluster_options::node_resources, beginning with the name of a resource; empty if
/// nothing is.
std::string fault_of_node_resources(resource_list const& resources);

} // namespace kftrain::local

#endif
