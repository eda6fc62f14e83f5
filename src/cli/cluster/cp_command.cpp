#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_pod.hpp"
#include "cli/cluster/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

namespace kftrain::cli {
namespace {

struct cp_arguments {
    cp_arguments() = default;

    connection_options where;
    pod_choice choice;
    std::string from, to;
};

/// KIND/NAME:PATH.
struct remote_place {
    remote_place() = default;

    std::string job;
    std::string path;
};

std::optional<remote_place> read_place(std::string const& text) {
    auto const colon = text.find(':');
    auto const slash = text.find('/');
    if (colon == std::string::npos || slash > colon) return std::nullopt; // a path here may contain a colon
    remote_place p;
    p.job = text.substr(0, colon);
    p.path = text.substr(colon + 1);
    return p;
}

/// The words of tar that write this file or directory to standard output.
std::vector<std::string> pack(std::filesystem::path path) {
    path = path.lexically_normal();
    if (path.filename().empty()) path = path.parent_path();
    auto const folder = path.parent_path().empty() ? std::filesystem::path(".") : path.parent_path();
    auto const name = path.filename().empty() ? std::filesystem::path(".") : path.filename();
    return {"tar", "-c", "-f", "-", "-C", folder.string(), "--", name.string()};
}

/// The words of tar that extract standard input into a directory.
std::vector<std::string> unpack(std::string const& folder) { return {"tar", "-x", "-f", "-", "-C", folder}; }

/// The same on this machine: the container may have written any archive.
std::vector<std::string> unpack_here(std::string const& folder) {
    return {"tar", "-x", "--no-same-owner", "--no-same-permissions", "-f", "-", "-C", folder};
}

/// A process of this machine with one end of a pipe as the standard stream `stream`. The other end replaces the
/// opposite stream of this process.
pid_t start_beside(std::vector<std::string> words, int stream) {
    auto const fail = [](char const* what) { throw std::system_error(errno, std::generic_category(), what); };
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("make a pipe");
    int const theirs = ends.at(stream == STDIN_FILENO ? 0 : 1);
    int const ours = ends.at(stream == STDIN_FILENO ? 1 : 0);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, theirs, stream);
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t pid = 0;
    int const error = ::posix_spawnp(&pid, argv.front(), &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::system_error(error, std::generic_category(), "start tar");
    ::close(theirs);
    if (::dup2(ours, stream == STDIN_FILENO ? STDOUT_FILENO : STDIN_FILENO) < 0) fail("connect tar");
    ::close(ours);
    return pid;
}

int copy(cp_arguments const& arguments) {
    auto const source = read_place(arguments.from);
    auto const target = read_place(arguments.to);
    if (source.has_value() == target.has_value()) {
        complain("cp: expected exactly one of FROM and TO as KIND/NAME:PATH, got \"" + arguments.from + "\" and \"" +
                 arguments.to + "\"");
        return bad_usage;
    }
    auto const& there = source ? *source : *target;
    if (there.path.empty()) {
        complain("cp: expected a path after \"" + there.job + ":\", got none");
        return bad_usage;
    }
    std::error_code ignored;
    if (target && !std::filesystem::exists(arguments.from, ignored)) {
        complain("cp: " + arguments.from + ": No such file or directory");
        return bad_usage;
    }
    if (source && !std::filesystem::is_directory(arguments.to, ignored)) {
        complain("cp: expected a directory, got \"" + arguments.to + "\"");
        return bad_usage;
    }
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    job_naming which;
    which.words = {there.job};
    auto what = find_pod(*c, which, arguments.choice);
    if (!what) return what.exit();
    what->words = source ? pack(there.path) : unpack(there.path);
    what->how.input = target.has_value();
    ::signal(SIGPIPE, SIG_IGN); // tar may end early, for example on a full disk
    pid_t const tar = source ? start_beside(unpack_here(arguments.to), STDIN_FILENO)
                             : start_beside(pack(arguments.from), STDOUT_FILENO);
    auto const code = run_remote(c->context(), c->jobs().get_client(), *what);
    // Tar sees the end, and then all that has come is stored.
    int const null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(null, source ? STDOUT_FILENO : STDIN_FILENO);
    int status = 0;
    while (::waitpid(tar, &status, 0) < 0 && errno == EINTR) {}
    if (!code) return report_failure(c->followed(code.error()), "pod " + what->pod);
    return *code == 0 && status == 0 ? success : job_failed;
}

} // namespace

void add_cp(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<cp_arguments>();
    auto* const command = app.add_subcommand(
        "cp",
        "Copy a file or directory to a container of a job, or from it\n\n"
        "FROM is copied into the directory TO, which must exist. One of them is in the container: KIND/NAME:PATH. "
        "The container and this machine need the program tar.");
    command->add_option("FROM", arguments->from, "Copy this file or directory")->required();
    command->add_option("TO", arguments->to, "Copy it into this directory")->required();
    add_pod_choice(*command, arguments->choice);
    add_connection_flags(*command, arguments->where,
                         "Give up if the copy has not started after DURATION, for example 90s (default: no limit)");
    command->group(cluster_commands);
    add_footer(*command,
               {{success, "Everything was copied."},
                {job_failed, "The job or the pod does not exist, or tar failed."},
                {bad_usage, "The arguments cannot be used."},
                {cluster_failed, "The cluster cannot be reached, refused the request or lost the connection."},
                {timed_out, "--timeout expired."}},
               {{"Fetch the checkpoints of rank 0", "kftrain cp PyTorchJob/mnist:/checkpoints ."},
                {"Send a file to the replica with rank 1", "kftrain cp data.csv PyTorchJob/mnist:/tmp --rank 1"}});
    command->callback([arguments, &exit] { exit = copy(*arguments); });
}

} // namespace kftrain::cli
