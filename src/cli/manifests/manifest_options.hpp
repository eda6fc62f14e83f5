#ifndef KFTRAIN_SRC_CLI_MANIFESTS_MANIFEST_OPTIONS_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_MANIFEST_OPTIONS_HPP

#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): of the library CLI11
class App;      // NOLINT(readability-identifier-naming)
}

namespace kftrain {
class operator_options;
}

namespace kftrain::cli {

inline constexpr auto objects_of_file = "Read objects from this YAML or JSON file; - reads standard input";
inline constexpr auto objects_of_files = "Read objects from these YAML or JSON files; - reads standard input";

/// Adds the repeatable `--operator-flag NAME=VALUE`. The options must live as long as the command. `purpose` begins its
/// description.
void add_operator_flags(CLI::App& command, operator_options&,
                        std::string const& purpose = "Assume that the operator runs with this flag");
/// Adds the option --with.
void add_reference_files(CLI::App& command, std::vector<std::string>& files);

} // namespace kftrain::cli

#endif
