#ifndef KFTRAIN_SRC_CLI_LOCAL_LOCAL_OPTIONS_HPP
#define KFTRAIN_SRC_CLI_LOCAL_LOCAL_OPTIONS_HPP

#include <kftrain/apiserver/user_info.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/pod_options.hpp>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::cli {

struct local_options {
    local_options() = default;

    std::filesystem::path state_directory; ///< of kubeconfig, log and lock file
    std::uint16_t port = 0;
    std::vector<apiserver::user_info> users; ///< further users of the kubeconfig
    bool user_certificates = false;
    local::isolation mode = local::isolation::automatic;
    local::pod_options pods;
    std::int32_t nodes = 0;
    resource_list node_resources;
    std::optional<std::chrono::milliseconds> simulate;
    std::filesystem::path data_directory; ///< keeps the objects; empty: nothing does
    operator_options flags;               ///< of the operators
    bool foreground = false;
    std::vector<std::string> given; ///< names of the options of the subcommand, without `--state`
    unsigned patience = 15;         ///< seconds until a server that does not end is killed
};

int local_up(local_options const&);
int local_down(local_options const&);
int local_status(local_options const&);
int local_images(local_options const&);

/// Adds `--isolation`. `mode` must outlive the parsing.
void add_isolation_option(CLI::App& command, local::isolation& mode);

/// Adds `--image`, `--images`, `--command`, `--volume` and `--host-path`. Images are unpacked into
/// `kftrain/images` in $XDG_CACHE_HOME, else in ~/.cache. `options` must outlive the parsing.
void add_pod_options(CLI::App& command, local::pod_options& options);

/// Adds `--nodes` and `--node-resources`. Both references must outlive the parsing.
void add_node_options(CLI::App& command, std::int32_t& nodes, resource_list& resources);

} // namespace kftrain::cli

#endif
