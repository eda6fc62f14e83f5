#include "cli/local/local_options.hpp"

#include "base/make_failure.hpp"
#include "base/utf8.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/local/image_table.hpp>
#include <kftrain/local/local_cluster.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::cli {
namespace {

std::string_view environment_variable(char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::filesystem::path default_state_directory() {
    // The XDG base directory specification requires that relative paths are ignored.
    std::filesystem::path const state = environment_variable("XDG_STATE_HOME");
    if (state.is_absolute()) return state / "kftrain";
    std::filesystem::path const home = environment_variable("HOME");
    if (home.is_absolute()) return home / ".local" / "state" / "kftrain";
    return "/tmp/kftrain-" + std::to_string(::getuid());
}

std::filesystem::path image_directory() {
    std::filesystem::path const cache = environment_variable("XDG_CACHE_HOME");
    if (cache.is_absolute()) return cache / "kftrain" / "images";
    std::filesystem::path const home = environment_variable("HOME");
    if (home.is_absolute()) return home / ".cache" / "kftrain" / "images";
    return "/tmp/kftrain-images-" + std::to_string(::getuid());
}

/// Makes the path absolute, so that printed commands work in every directory. Removes a slash at the end.
std::filesystem::path as_absolute(std::filesystem::path const& path) {
    auto const whole = std::filesystem::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

/// Reads `NAME` or `NAME=GROUP,...`.
apiserver::user_info read_user(std::string const& text) {
    auto const equals = text.find('=');
    apiserver::user_info user(text.substr(0, equals));
    auto const refuse = [&] {
        throw CLI::ValidationError("--user", "expected NAME or NAME=GROUP,..., got \"" + text + "\"");
    };
    if (user.name.empty() || user.name.find(',') != text.npos) refuse();
    auto const is_control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
    if (detail::find_invalid_utf8(text) != text.npos || std::ranges::any_of(text, is_control))
        throw CLI::ValidationError("--user", "expected printable UTF-8, got other bytes");
    for (std::string rest = equals == text.npos ? "" : text.substr(equals + 1) + ","; !rest.empty();) {
        auto const comma = rest.find(',');
        if (comma == 0) refuse();
        user.groups.push_back(rest.substr(0, comma));
        rest.erase(0, comma + 1);
    }
    return user;
}

void add_user_options(CLI::App& up, local_options& options) {
    auto const read = [&users = options.users](std::vector<std::string> const& texts) {
        for (auto const& text : texts) {
            auto user = read_user(text);
            bool const known = user.name == "kftrain" || user.name == "kubernetes-admin" ||
                               std::ranges::any_of(users, [&](auto const& u) { return u.name == user.name; });
            if (known) throw CLI::ValidationError("--user", "expected a new name, got \"" + user.name + "\"");
            users.push_back(std::move(user));
        }
    };
    auto* const user =
        up.add_option_function<std::vector<std::string>>("--user", read,
                                                         "Add a user with a context of this name to the kubeconfig; it "
                                                         "has the permissions that roles give to NAME "
                                                         "and its groups, for example jane=team-a,viewers; repeatable")
            ->allow_extra_args(false)
            ->type_name("NAME[=GROUP,...]");
    up.add_flag("--user-certificates", options.user_certificates,
                "Authenticate the users of --user by client certificates instead of tokens")
        ->needs(user);
}

void add_up_options(CLI::App& up, local_options& options) {
    add_number(up, "--port", options.port, {0, std::numeric_limits<std::uint16_t>::max()},
               "Listen on this port of 127.0.0.1; 0 for any free port (default: 0)");
    add_user_options(up, options);
    add_isolation_option(up, options.mode);
    add_pod_options(up, options.pods);
    add_node_options(up, options.nodes, options.node_resources);
    add_duration(
        up, "--simulate", [&options](std::chrono::milliseconds t) { options.simulate = t; },
        "Run nothing: report each pod as running for this time and then as succeeded; 0 until it is deleted");
    up.add_option_function<std::string>(
          "--data-dir",
          [&options](std::string const& text) {
              if (text.empty()) throw CLI::ValidationError("--data-dir", "expected a directory, got an empty text");
              options.data_directory = as_absolute(text);
          },
          "Keep all objects in DIR, and continue with those that are there (default: nothing is kept)")
        ->type_name("DIR");
    add_operator_flags(up, options.flags, "Run the operators with this flag");
    up.add_flag("--foreground", options.foreground, "Stay in the foreground until SIGINT or SIGTERM arrives");
    add_footer(up,
               {{success, "The local cluster runs."},
                {bad_usage, "The arguments or the state directory cannot be used."},
                {cluster_failed, "The local cluster did not start."}},
               {{"Start a local cluster for kftrain and kubectl", "kftrain local up"},
                {"Start a second one with another state directory", "kftrain local up --state ./cluster"},
                {"Keep jobs and other objects when the cluster ends", "kftrain local up --data-dir ./data"}});
}

/// Reads a YAML file with lines `IMAGE: SOURCE`. Relative paths are relative to the directory of the file.
/// @par Errors with a sentence that names the file and the entry
result<string_map> read_image_table(std::string const& file) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
        return make_failure(errc::invalid_argument, file + ": expected a regular file");
    auto const text = read_text(file);
    if (!text) return text.error();
    auto table = local::parse_image_table(*text, std::filesystem::absolute(file, ignored).parent_path());
    if (!table) return make_failure(table.error().code, file + ": " + table.error().to_string());
    return table;
}

/// Reads the entries of a file, of which those of `--image` take precedence.
void add_image_file(local::pod_options& options, std::string const& file) {
    auto const table = read_image_table(file);
    if (!table) throw CLI::ValidationError("--images", table.error().detail.message);
    for (auto const& [pattern, source] : *table)
        if (!options.images.contains(pattern)) options.images[pattern] = source;
}

/// Splits `NAME=VALUE`.
std::pair<std::string, std::string> name_and_value(std::string const& option, std::string const& text) {
    auto const equals = text.find('=');
    if (equals == text.npos || equals == 0)
        throw CLI::ValidationError(option, "expected NAME=VALUE, got \"" + text + "\"");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

/// Adds a repeatable option. `set` fills an options object with one value, which is checked before `options` get it.
void add_repeatable(CLI::App& command, std::string const& name, std::string const& type, local::pod_options& options,
                    std::function<void(local::pod_options&, std::string const&)> set, std::string const& description) {
    auto const read = [&options, name, set = std::move(set)](std::vector<std::string> const& texts) {
        for (auto const& text : texts) {
            local::pod_options one;
            set(one, text);
            if (auto const found = local::faults_of(one); !found.empty())
                throw CLI::ValidationError(name, found.front().message.substr(found.front().path.size() + 2));
            set(options, text);
        }
    };
    command.add_option_function<std::vector<std::string>>(name, read, description)
        ->allow_extra_args(false)
        ->type_name(type);
}

void add_image_options(CLI::App& command, local::pod_options& options) {
    options.image_store.directory = image_directory().string();
    add_repeatable(
        command, "--image", "IMAGE=SOURCE", options,
        [](local::pod_options& o, std::string const& text) {
            auto const [pattern, source] = name_and_value("--image", text);
            auto const whole = local::absolute_image_source(source, std::filesystem::current_path());
            if (!whole) throw CLI::ValidationError("--image", whole.error().detail.message);
            o.images[pattern] = *whole;
        },
        "Serve IMAGE, in which * matches any text, from SOURCE: host, venv:PATH, dir:PATH, oci:PATH[:TAG] or "
        "archive:FILE; repeatable. With one of these, other images cannot be pulled (default: host serves all images)");
    add_repeatable(command, "--images", "FILE", options, add_image_file,
                   "Read lines IMAGE: SOURCE from this YAML file; --image takes precedence; repeatable");
}

} // namespace

void add_pod_options(CLI::App& command, local::pod_options& options) {
    add_image_options(command, options);
    add_repeatable(
        command, "--command", "IMAGE=COMMAND", options,
        [](local::pod_options& o, std::string const& text) {
            auto const [pattern, line] = name_and_value("--command", text);
            o.commands[pattern] = line;
        },
        "Run COMMAND in containers of IMAGE that have no command; * in IMAGE matches any text, for example "
        "'kubeflow/*=python3 train.py'; repeatable");
    add_repeatable(
        command, "--volume", "CLAIM=DIR", options,
        [](local::pod_options& o, std::string const& text) {
            auto const [claim, directory] = name_and_value("--volume", text);
            o.volumes[claim] = as_absolute(directory).string();
        },
        "Use DIR for the PersistentVolumeClaim CLAIM or NAMESPACE/CLAIM; repeatable");
    add_repeatable(
        command, "--host-path", "DIR", options,
        [](local::pod_options& o, std::string const& text) { o.host_paths.push_back(as_absolute(text).string()); },
        "Permit hostPath volumes in DIR and below it; repeatable");
}

void add_node_options(CLI::App& command, std::int32_t& nodes, resource_list& resources) {
    auto* const number = add_number(command, "--nodes", nodes, {0, 5000},
                                    "Schedule pods to N nodes as far as their resources suffice; 0 starts every pod at "
                                    "once (default: 0)");
    number->type_name("N");
    auto const read = [&resources](std::string const& text) {
        std::string_view rest = text;
        for (bool more = true; more;) {
            auto const comma = rest.find(',');
            auto const [name, amount] = name_and_value("--node-resources", std::string(rest.substr(0, comma)));
            if (!resources.emplace(name, quantity(amount)).second)
                throw CLI::ValidationError("--node-resources", name + ": expected it once, got it twice");
            if (auto const checked = local::check_node_resources(resources); !checked)
                throw CLI::ValidationError("--node-resources", checked.error().detail.message);
            more = comma != rest.npos;
            rest.remove_prefix(more ? comma + 1 : rest.size());
        }
    };
    command
        .add_option_function<std::string>("--node-resources", read,
                                          "Resources of each node, for example cpu=8,memory=32Gi,nvidia.com/gpu=4; "
                                          "those of this machine by default")
        ->needs(number)
        ->type_name("LIST");
}

void add_isolation_option(CLI::App& command, local::isolation& mode) {
    static std::map<std::string, local::isolation> const modes{{"automatic", local::isolation::automatic},
                                                               {"namespaces", local::isolation::namespaces},
                                                               {"processes", local::isolation::processes}};
    add_choice(
        command, "--isolation", [&mode](std::string const& name) { mode = modes.at(name); },
        {"automatic", "namespaces", "processes"},
        "Isolate pods with kernel namespaces, or run them as plain processes; automatic uses namespaces if the machine "
        "permits them (default: automatic)");
}

void add_local(CLI::App& app, int& exit) {
    auto const options = std::make_shared<local_options>();
    options->state_directory = default_state_directory();
    auto* const local = app.add_subcommand(
        "local",
        "Start, stop and inspect a local cluster in the background\n\n"
        "The local cluster serves the Kubernetes API on 127.0.0.1 and runs pods as processes of this machine.");
    local->group(offline_commands);
    local->require_subcommand(1);
    auto const state =
        "Keep the kubeconfig and the log in DIR, which must be new, empty or the state directory of a local "
        "cluster (default: " +
        options->state_directory.string() + ")";
    auto* const before = local->add_option("--state", options->state_directory, state)->type_name("DIR");

    auto const add = [=, &exit](std::string const& name, std::string const& text, int (*run)(local_options const&)) {
        auto* const command = local->add_subcommand(name, text)->group("Commands");
        auto* const after = command->add_option("--state", options->state_directory, state)->type_name("DIR");
        command->callback([=, &exit] {
            if (before->count() != 0 && after->count() != 0) {
                complain("--state: expected one value, got one before and one after " + name);
                exit = bad_usage;
            } else if (options->state_directory.empty()) {
                complain("--state: expected a directory, got an empty text");
                exit = bad_usage;
            } else {
                options->state_directory = as_absolute(options->state_directory);
                for (auto const* o : command->get_options())
                    if (o != after && o->count() != 0) options->given.push_back(o->get_name());
                exit = run(*options);
            }
        });
        return command;
    };
    add_up_options(*add("up", "Start the local cluster in the background and write a kubeconfig", local_up), *options);
    auto* const status = add("status", "Show whether the local cluster runs, its jobs and its pods", local_status);
    add_footer(*status,
               {{success, "The local cluster runs."},
                {1, "No local cluster runs."},
                {bad_usage, "The arguments or the state directory cannot be used."},
                {cluster_failed, "The local cluster did not respond."}},
               {{"Show the state of the local cluster", "kftrain local status"},
                {"Show the cluster of another state directory", "kftrain local status --state ./cluster"}});
    auto* const down =
        add("down", "Stop the local cluster and remove files that killed clusters left in /tmp", local_down);
    add_duration(
        *down, "--timeout",
        [options](auto time) {
            options->patience = static_cast<unsigned>(std::chrono::ceil<std::chrono::seconds>(time).count());
        },
        "Kill the server if it has not ended after DURATION, for example 30s (default: 15s)");
    add_footer(*down,
               {{success, "The local cluster has stopped, or none was running."},
                {bad_usage, "The arguments or the state directory cannot be used."},
                {cluster_failed, "The local cluster could not be stopped completely."}},
               {{"Stop the local cluster", "kftrain local down"},
                {"Stop the cluster of another state directory", "kftrain local down --state ./cluster --timeout 30s"}});
    auto* const images = add("images", "Show the source of each image, and the unpacked images", local_images);
    add_image_options(*images, options->pods);
    add_footer(
        *images,
        {{success, "The table was printed."}, {bad_usage, "The arguments or the state directory cannot be used."}},
        {{"Show the table of the running cluster", "kftrain local images"},
         {"Check a table before it is used", "kftrain local images --images images.yaml"}});
    add_footer(*local, {},
               {{"Start the local cluster", "kftrain local up"},
                {"Show its jobs and pods", "kftrain local status"},
                {"Stop it", "kftrain local down"}});
}

} // namespace kftrain::cli
