#include "kinds/volcano_job/plugins/plugins.hpp"

#include "kinds/volcano_job/plugins/plugin_flags.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace kftrain::volcano {
namespace {

struct known_plugin {
    constexpr known_plugin(std::string_view n, volcano_release s) : name(n), since(s) {}

    std::string_view name;
    volcano_release since;
};

constexpr std::array known{
    known_plugin(plugin::env, volcano_release::v1_9_0),       known_plugin(plugin::svc, volcano_release::v1_9_0),
    known_plugin(plugin::ssh, volcano_release::v1_9_0),       known_plugin(plugin::tensorflow, volcano_release::v1_9_0),
    known_plugin(plugin::mpi, volcano_release::v1_9_0),       known_plugin(plugin::pytorch, volcano_release::v1_9_0),
    known_plugin(plugin::hcclrank, volcano_release::v1_12_3), known_plugin(plugin::ray, volcano_release::v1_13_0)};

std::string read(svc_settings& s, std::vector<std::string> const& arguments) {
    std::array const flags{plugin_flag("publish-not-ready-addresses", s.publish_not_ready_addresses),
                           plugin_flag("disable-network-policy", s.disable_network_policy)};
    return parse_plugin_flags(arguments, flags);
}

std::string read(ssh_settings& s, std::vector<std::string> const& arguments) {
    std::array const flags{plugin_flag("ssh-key-file-path", s.key_path), plugin_flag("ssh-private-key", s.private_key),
                           plugin_flag("ssh-public-key", s.public_key)};
    return parse_plugin_flags(arguments, flags);
}

using flag_list = std::vector<plugin_flag>;

void add_wait_flags(flag_list& flags, wait_settings& s) {
    flags.emplace_back("wait-image", s.image);
    flags.emplace_back("wait-timeout", s.timeout);
}

std::string read(tensorflow_settings& s, std::vector<std::string> const& arguments, framework_plugins how) {
    flag_list flags{plugin_flag("ps", s.ps), plugin_flag("worker", s.worker), plugin_flag("chief", s.chief),
                    plugin_flag("evaluator", s.evaluator), plugin_flag("port", s.port)};
    if (how == framework_plugins::designed) add_wait_flags(flags, s.wait);
    return parse_plugin_flags(arguments, flags);
}

std::string read(mxnet_settings& s, std::vector<std::string> const& arguments) {
    flag_list flags{plugin_flag("scheduler", s.scheduler), plugin_flag("server", s.server),
                    plugin_flag("worker", s.worker), plugin_flag("port", s.port)};
    add_wait_flags(flags, s.wait);
    return parse_plugin_flags(arguments, flags);
}

/// Of mpi and pytorch.
std::string read(rank_settings& s, std::string_view name, std::vector<std::string> const& arguments,
                 framework_plugins how) {
    flag_list flags{plugin_flag("master", s.master), plugin_flag("worker", s.worker), plugin_flag("port", s.port)};
    if (how == framework_plugins::designed) {
        if (name == plugin::mpi)
            flags.emplace_back("slots", s.slots);
        else
            flags.emplace_back("nproc-per-node", s.processes);
        add_wait_flags(flags, s.wait);
    }
    return parse_plugin_flags(arguments, flags);
}

std::string read_portless(rank_settings& s, std::vector<std::string> const& arguments) {
    std::array const flags{plugin_flag("master", s.master), plugin_flag("worker", s.worker)};
    return parse_plugin_flags(arguments, flags);
}

std::string read(ray_settings& s, std::vector<std::string> const& arguments) {
    std::array const flags{plugin_flag("head", s.head),
                           plugin_flag("headContainer", s.head_container),
                           plugin_flag("worker", s.worker),
                           plugin_flag("workerContainer", s.worker_container),
                           plugin_flag("port", s.port),
                           plugin_flag("dashboardPort", s.dashboard_port),
                           plugin_flag("clientPort", s.client_port)};
    return parse_plugin_flags(arguments, flags);
}

template <class Settings> Settings settings_of(job const& job, std::string_view name) {
    Settings s;
    read(s, arguments_of(job, name));
    return s;
}

template <class Settings> std::string fault_in(std::vector<std::string> const& arguments) {
    Settings s;
    return read(s, arguments);
}

} // namespace

bool is_designed(volcano_operator_options const& options) noexcept {
    return options.plugins == framework_plugins::designed;
}

bool is_plugin(std::string_view name, volcano_operator_options const& options) noexcept {
    if (name == plugin::mxnet) return is_designed(options);
    auto const at = std::ranges::find(known, name, &known_plugin::name);
    return at != known.end() && options.release >= at->since;
}

std::span<std::string_view const> needed_plugins(std::string_view name,
                                                 volcano_operator_options const& options) noexcept {
    static constexpr std::array both{plugin::svc, plugin::ssh};
    std::span<std::string_view const> const all = both;
    if (name == plugin::mpi) return all;
    bool const later = (name == plugin::ray || name == plugin::mxnet) && is_plugin(name, options);
    bool const by_hosts = name == plugin::tensorflow || name == plugin::pytorch || later;
    return all.first(by_hosts ? 1 : 0);
}

bool has_plugin(job const& job, std::string_view name) noexcept { return job.spec.plugins.contains(name); }

std::vector<std::string> const& arguments_of(job const& job, std::string_view name) noexcept {
    static std::vector<std::string> const none;
    auto const at = job.spec.plugins.find(name);
    return at == job.spec.plugins.end() ? none : at->second;
}

std::string argument_fault(job const& job, std::string_view name, framework_plugins how) {
    auto const& arguments = arguments_of(job, name);
    if (name == plugin::svc) return fault_in<svc_settings>(arguments);
    if (name == plugin::ssh) return fault_in<ssh_settings>(arguments);
    if (name == plugin::ray) return fault_in<ray_settings>(arguments);
    if (name == plugin::mxnet && how == framework_plugins::designed) return fault_in<mxnet_settings>(arguments);
    tensorflow_settings roles;
    if (name == plugin::tensorflow) return read(roles, arguments, how);
    rank_settings ranks;
    if (name == plugin::mpi || name == plugin::pytorch) return read(ranks, name, arguments, how);
    if (name == plugin::hcclrank) return read_portless(ranks, arguments);
    return {}; // env has none, and looks at none
}

svc_settings svc_of(job const& job) { return settings_of<svc_settings>(job, plugin::svc); }
ssh_settings ssh_of(job const& job) { return settings_of<ssh_settings>(job, plugin::ssh); }
tensorflow_settings tensorflow_of(job const& job, framework_plugins how) {
    tensorflow_settings s;
    read(s, arguments_of(job, plugin::tensorflow), how);
    return s;
}
rank_settings mpi_of(job const& job, framework_plugins how) {
    rank_settings s(22);
    read(s, plugin::mpi, arguments_of(job, plugin::mpi), how);
    return s;
}
rank_settings pytorch_of(job const& job, framework_plugins how) {
    rank_settings s(23456);
    read(s, plugin::pytorch, arguments_of(job, plugin::pytorch), how);
    return s;
}
mxnet_settings mxnet_of(job const& job) { return settings_of<mxnet_settings>(job, plugin::mxnet); }
rank_settings hcclrank_of(job const& job) {
    rank_settings s;
    read_portless(s, arguments_of(job, plugin::hcclrank));
    return s;
}
ray_settings ray_of(job const& job) { return settings_of<ray_settings>(job, plugin::ray); }

} // namespace kftrain::volcano
