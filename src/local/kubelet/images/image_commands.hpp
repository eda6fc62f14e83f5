#ifndef KFTRAIN_SRC_LOCAL_KUBELET_IMAGES_IMAGE_COMMANDS_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_IMAGES_IMAGE_COMMANDS_HPP

#include <kftrain/local/pod_options.hpp>
#include <kftrain/objects/core.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local {

/** The words of a command line: separated by blanks, quoted by `'`, `"` and `\` as in a POSIX shell.
    @par Errors `errc::syntax` for an open quote, or if there is no word */
result<std::vector<std::string>> split_command(std::string_view line);

/// Whether the pattern matches the image, or the image without its tag and digest. `*` matches any text.
bool matches_image(std::string_view pattern, std::string_view image);

/// The entry of the longest pattern that matches the image; null if none does.
string_map::value_type const* entry_for_image(string_map const& table, std::string_view image);

/// The command of an image: that of the longest pattern that matches; empty if none does.
std::vector<std::string> command_of_image(std::string_view image, pod_options const& options);

/// Sets the command of each container that has none and whose image has one.
void add_image_commands(core::pod_spec& spec, pod_options const& options);

} // namespace kftrain::local

#endif
