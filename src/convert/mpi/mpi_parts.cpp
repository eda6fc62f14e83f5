#include "convert/mpi/mpi_parts.hpp"

#include <algorithm>
#include <array>

namespace kftrain::convert::mpi {
namespace {

using argument_list = std::vector<std::string>;

std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

/// Such as `while true; do sleep 1 & wait; done`, which examples of chainer-operator have.
bool is_waiting_loop(std::string_view line) {
    static constexpr std::array<std::string_view, 8> known{"while", "true",     ":",    "do",
                                                           "sleep", "infinity", "wait", "done"};
    static constexpr std::string_view between = " \t\n;&";
    bool sleeps = false;
    for (std::size_t at = 0; (at = line.find_first_not_of(between, at)) != line.npos;) {
        auto const word = line.substr(at, line.find_first_of(between, at) - at);
        bool const is_number = word.find_first_not_of("0123456789") == word.npos;
        if (!is_number && std::ranges::find(known, word) == known.end()) return false;
        sleeps = sleeps || word == "sleep";
        at += word.size();
    }
    return sleeps && line.starts_with("while");
}

argument_list split_at_blanks(std::string_view line) {
    argument_list all;
    for (std::size_t at = 0; at < line.size();) {
        auto const end = std::min(line.find(' ', at), line.size());
        if (end != at) all.emplace_back(line.substr(at, end - at));
        at = end + 1;
    }
    return all;
}

/// The command of a shell's -c, if it is nothing but one program with its arguments.
argument_list without_shell(argument_list all) {
    static constexpr std::array<std::string_view, 3> shells{"sh", "bash", "dash"};
    if (all.size() != 3 || all[1] != "-c" || std::ranges::find(shells, file_name(all[0])) == shells.end()) return all;
    if (is_waiting_loop(all[2])) return {"sleep"};
    if (all[2].find_first_of(";&|<>$`(){}'\"\\\n") != std::string::npos) return all;
    return split_at_blanks(all[2]);
}

argument_list arguments_of(core::container const& c) {
    argument_list all = c.command;
    all.insert(all.end(), c.args.begin(), c.args.end());
    return without_shell(std::move(all));
}

} // namespace

std::optional<gpu_limit> find_gpu_limit(core::pod_spec const& pod) {
    for (std::size_t i = 0; i < pod.containers.size(); ++i)
        for (auto const& [name, amount] : pod.containers[i].resources.limits) {
            if (name.find("gpu") == std::string::npos) continue;
            gpu_limit found;
            found.path = path_of(launcher) + ".template.spec.containers[" + std::to_string(i) + "].resources.limits[" +
                         name + "]";
            found.value = json_text(amount.text());
            return found;
        }
    return std::nullopt;
}

bool only_waits(core::container const& c) {
    auto const all = arguments_of(c);
    if (all.empty()) return false;
    auto const program = file_name(all.front());
    return program == "sleep" || (program == "tail" && all.back() == "/dev/null");
}

bool only_serves_ssh(core::container const& c) {
    auto const all = arguments_of(c);
    return !all.empty() && file_name(all.front()) == "sshd";
}

void drop_command(core::container& c, std::string const& path, std::string_view why, change_list& changes) {
    if (!c.command.empty()) changes.dropped(path + ".command", json_text(c.command), why);
    if (!c.args.empty())
        changes.dropped(path + ".args", json_text(c.args), c.command.empty() ? why : "The args belong to the command.");
    c.command.clear();
    c.args.clear();
}

void start_sshd(core::container& c, std::string const& path, std::string const& result_path, change_list& changes) {
    if (only_waits(c)) {
        drop_command(c, path, "The command only waits for kubectl exec. Without a command the operator starts sshd.",
                     changes);
    } else if (!c.command.empty() || !c.args.empty()) {
        std::string const field = c.command.empty() ? ".args" : ".command";
        changes.approximated(
            path + field, json_text(c.command.empty() ? c.args : c.command), result_path + field,
            "The command must start sshd. The operator starts sshd only in workers with neither command nor args.");
    }
}

std::optional<std::string> carried_manager(std::optional<std::string> const& manager, std::string_view own,
                                           std::string_view other, change_list& changes) {
    if (manager != own) return manager;
    std::string const path = "spec.runPolicy.managedBy";
    changes.changed(path, json_text(own), path, "The operators of the two versions have different names.");
    return std::string(other);
}

} // namespace kftrain::convert::mpi
