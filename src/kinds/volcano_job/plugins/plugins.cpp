#include "kinds/volcano_job/kind.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kftrain::volcano {

namespace {

/// A flag of a plugin, and the place of its value.
struct plugin_flag {
    plugin_flag(std::string_view n, std::string& t) : name(n), value(&t) {}
    plugin_flag(std::string_view n, bool& t) : name(n), value(&t) {}
    plugin_flag(std::string_view n, std::int64_t& t) : name(n), value(&t) {}

    std::string_view name; ///< without dashes
    std::variant<std::string*, bool*, std::int64_t*> value;
};

int digit_value(char c) noexcept {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 36;
}

/// Returns the base by the prefix, and removes the prefix.
int take_base(std::string_view& digits) noexcept {
    if (digits.size() < 2 || digits[0] != '0') return 10;
    char const mark = digits[1];
    int base = 8;
    std::size_t prefix = 1;
    if (mark == 'x' || mark == 'X') base = 16;
    if (mark == 'b' || mark == 'B') base = 2;
    if (base != 8 || mark == 'o' || mark == 'O') prefix = 2;
    digits.remove_prefix(prefix);
    return base;
}

/// A number as it was read, and whether the text is a number.
struct read_number {
    read_number() = default;
    read_number(std::int64_t v, bool w) : value(v), whole(w) {}

    std::int64_t value = 0;
    bool whole = false;
};

/// Upstream: Go `strconv.ParseInt` with base 0. An underscore may stand between digits, and behind a prefix.
read_number number_of(std::string_view text) noexcept {
    bool const negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    std::string_view digits = text;
    int const base = take_base(digits);
    bool const prefixed = digits.size() != text.size();
    if (digits.empty()) return {};
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    std::uint64_t const bound = negative ? most + 1 : most;
    std::uint64_t value = 0;
    bool beyond = false;
    bool after_digit = prefixed;
    for (char const c : digits) {
        if (c == '_') {
            if (!after_digit) return {};
            after_digit = false;
            continue;
        }
        int const d = digit_value(c);
        if (d >= base) return {};
        after_digit = true;
        auto const step = static_cast<std::uint64_t>(base);
        beyond = beyond || value > (bound - static_cast<std::uint64_t>(d)) / step;
        if (!beyond) value = value * step + static_cast<std::uint64_t>(d);
    }
    if (!after_digit) return {};
    std::uint64_t const size = beyond ? bound : value;
    return {negative ? static_cast<std::int64_t>(0 - size) : static_cast<std::int64_t>(size), !beyond};
}

std::optional<bool> truth_of(std::string_view text) noexcept {
    for (std::string_view const yes : {"1", "t", "T", "true", "TRUE", "True"})
        if (text == yes) return true;
    for (std::string_view const no : {"0", "f", "F", "false", "FALSE", "False"})
        if (text == no) return false;
    return std::nullopt;
}

/// Returns false if the value is invalid; the setting changes anyway, as upstream.
bool set(plugin_flag const& flag, std::string_view text) {
    if (auto* const* arguments = std::get_if<std::string*>(&flag.value)) {
        **arguments = text;
        return true;
    }
    if (auto* const* truth = std::get_if<bool*>(&flag.value)) {
        auto const read = truth_of(text);
        **truth = read.value_or(false);
        return read.has_value();
    }
    auto const read = number_of(text);
    *std::get<std::int64_t*>(flag.value) = read.value;
    return read.whole;
}

/** Reads the arguments of a plugin as Go's package flag does, one flag in each. Reading stops at the first argument
    that is not a flag, or an invalid one: earlier flags apply, the rest is ignored. Returns the fault; empty if there
    is none.
    @par Upstream Go 1.21 `flag.FlagSet.Parse`; a wrong value still sets 0, the bound that it is beyond, or false */
std::string parse_plugin_flags(std::vector<std::string> const& arguments, std::span<plugin_flag const> known) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string_view const argument = arguments[i];
        if (argument.size() < 2 || argument.front() != '-' || argument == "--")
            return "\"" + arguments[i] + "\" is not a flag, and ends the list";
        std::string_view name = argument.substr(argument[1] == '-' ? 2 : 1);
        if (name.starts_with('-') || name.starts_with('=')) return "\"" + arguments[i] + "\" is not a flag";
        auto const assigned = name.find('=', 1);
        std::optional<std::string_view> value;
        if (assigned != std::string_view::npos) {
            value = name.substr(assigned + 1);
            name = name.substr(0, assigned);
        }
        auto const flag = std::ranges::find(known, name, &plugin_flag::name);
        if (flag == known.end()) return "the plugin has no flag " + std::string(name);
        if (!value && std::holds_alternative<bool*>(flag->value)) value = "true";
        if (!value) {
            if (i + 1 == arguments.size()) return "the flag " + std::string(name) + " has no value";
            value = arguments[++i];
        }
        if (!set(*flag, *value)) return "\"" + std::string(*value) + "\" is not a valid value of " + std::string(name);
    }
    return {};
}

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

/// Reads the arguments of mpi and pytorch.
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
    return {}; // env has no arguments
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
