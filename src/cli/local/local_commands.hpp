#ifndef KFTRAIN_SRC_CLI_LOCAL_LOCAL_COMMANDS_HPP
#define KFTRAIN_SRC_CLI_LOCAL_LOCAL_COMMANDS_HPP

#include <kftrain/local/isolation.hpp>
#include <kftrain/local/pod_options.hpp>

#include <CLI/CLI.hpp>

#include <filesystem>

namespace kftrain::cli {

/// Adds `local up`, `down`, `status` and `images`. Each sets `exit` when it runs; `exit` must outlive the parsing.
void add_local_commands(CLI::App& app, std::filesystem::path const& state_directory, int& exit);

/// Adds `--isolation`. `mode` must outlive the parsing.
void add_isolation_option(CLI::App& command, local::isolation& mode);

/// Adds `--image`, `--images`, `--command`, `--volume` and `--host-path`. Images are unpacked into
/// default_image_directory(). `options` must outlive the parsing.
void add_pod_options(CLI::App& command, local::pod_options& options);

/// Adds `--nodes` and `--node-resources`. Both references must outlive the parsing.
void add_node_options(CLI::App& command, std::int32_t& nodes, resource_list& resources);

} // namespace kftrain::cli

#endif
