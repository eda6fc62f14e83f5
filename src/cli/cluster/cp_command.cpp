#include "base/spawn.hpp"
#include "cli/cluster/connection/interruption.hpp"
#include "cli/cluster/connection/job_pod.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/subcommands.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace kftrain::cli {
namespace {

namespace fs = std::filesystem;

struct cp_arguments {
    connection_options where;
    pod_choice choice;
    std::string from, to;
};

/// KIND/NAME:PATH.
struct remote_place {
    std::string job;
    std::string path;
};

std::optional<remote_place> read_place(std::string const& text) {
    auto const colon = text.find(':');
    auto const slash = text.find('/');
    // A path of this machine may contain a colon.
    if (colon == std::string::npos || slash > colon || text.starts_with('.') || text.starts_with('/'))
        return std::nullopt;
    remote_place p;
    p.job = text.substr(0, colon);
    p.path = text.substr(colon + 1);
    return p;
}

/// The tar command that writes this file or directory to standard output.
std::vector<std::string> pack(fs::path path) {
    path = path.lexically_normal();
    if (path.filename().empty()) path = path.parent_path();
    auto const folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
    auto const name = path.filename().empty() ? fs::path(".") : path.filename();
    return {"tar", "-c", "-f", "-", "-C", folder.string(), "--", name.string()};
}

/// The tar command that extracts standard input into a directory.
std::vector<std::string> unpack(std::string const& folder) { return {"tar", "-x", "-f", "-", "-C", folder}; }

/// The same on this machine.
std::vector<std::string> unpack_here(fs::path const& folder) {
    return {"tar", "-x", "--no-same-owner", "--no-same-permissions", "-f", "-", "-C", folder.string()};
}

char const* name_of(fs::file_type type) {
    switch (type) {
    case fs::file_type::regular: return "a file";
    case fs::file_type::directory: return "a directory";
    case fs::file_type::symlink: return "a link";
    case fs::file_type::block: return "a block device";
    case fs::file_type::character: return "a character device";
    case fs::file_type::fifo: return "a FIFO";
    case fs::file_type::socket: return "a socket";
    default: return "a file of another type";
    }
}

/// Returns why this file or directory cannot be sent: it is, or contains, anything except files, directories and links.
std::optional<std::string> find_special_file(fs::path const& from) {
    std::optional<std::string> found;
    auto const check = [&](fs::path const& path) {
        std::error_code unreadable; // reported by tar
        auto const type = fs::symlink_status(path, unreadable).type();
        bool const sent = unreadable || type == fs::file_type::regular || type == fs::file_type::directory ||
                          type == fs::file_type::symlink || type == fs::file_type::not_found;
        if (!sent) found = path.string() + ": expected a file, directory or link, got " + name_of(type);
    };
    check(from);
    if (found || !fs::is_directory(fs::symlink_status(from))) return found;
    // Entries may vanish meanwhile, and tar reports what it cannot read.
    std::error_code failed;
    fs::recursive_directory_iterator at(from, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && !found && at != fs::recursive_directory_iterator(); at.increment(failed)) check(at->path());
    return found;
}

/// Moves regular files and directories of `from` to `to`, and removes everything else. Writes through no link. Existing
/// files are replaced. Returns what was left out, and why.
std::vector<std::string> move_files(fs::path const& from, fs::path const& to) {
    std::vector<std::string> left_out;
    fs::permissions(from, fs::perms::owner_all, fs::perm_options::add);
    for (auto const& entry : fs::directory_iterator(from)) {
        auto const target = to / entry.path().filename();
        auto const type = entry.symlink_status().type();
        auto const there = fs::symlink_status(target).type();
        if (type != fs::file_type::regular && type != fs::file_type::directory) {
            left_out.push_back(target.string() + ": left out: expected a file or directory, got " + name_of(type));
        } else if (type == fs::file_type::regular && there != fs::file_type::directory) {
            fs::permissions(entry.path(), fs::perms::set_uid | fs::perms::set_gid | fs::perms::sticky_bit,
                            fs::perm_options::remove);
            fs::rename(entry.path(), target);
        } else if (type == fs::file_type::directory &&
                   (there == fs::file_type::directory || there == fs::file_type::not_found)) {
            fs::create_directory(target);
            auto inner = move_files(entry.path(), target);
            left_out.insert(left_out.end(), inner.begin(), inner.end());
        } else {
            left_out.push_back(target.string() + ": left out: " + name_of(there) + " is in the place of " +
                               name_of(type));
        }
    }
    return left_out;
}

/** Where tar extracts an archive that a container wrote, and which may have any content: a new directory within the
    target. Removed with everything in it. */
class arrivals {
public:
    explicit arrivals(fs::path target) : target_(std::move(target)) {
        auto made = (target_ / ".kftrain-cp-XXXXXX").string();
        if (::mkdtemp(made.data()) == nullptr)
            throw std::system_error(errno, std::generic_category(), "cannot create a directory in " + target_.string());
        folder_ = made;
    }
    arrivals(arrivals const&) = delete;
    arrivals& operator=(arrivals const&) = delete;
    ~arrivals() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    fs::path const& folder() const noexcept { return folder_; }
    /// Moves the file or directory with this name to the target. Prints what was left out; returns whether all came.
    bool take(fs::path const& name) const {
        fs::permissions(folder_, fs::perms::owner_all);
        // Tar leaves out sockets without a failure.
        bool complete = name == "." || fs::symlink_status(folder_ / name).type() != fs::file_type::not_found;
        if (!complete)
            complain("cp: \"" + name.string() + "\": left out: expected a file or directory, got none in the archive");
        for (auto const& entry : fs::directory_iterator(folder_)) {
            if (entry.path().filename() == name || name == ".") continue;
            complain("cp: the archive contains \"" + entry.path().filename().string() + "\", which was not requested");
            fs::remove_all(entry.path());
            complete = false;
        }
        for (auto const& file : move_files(folder_, target_)) {
            complain("cp: " + file);
            complete = false;
        }
        return complete;
    }

private:
    fs::path target_, folder_;
};

/// A process of this machine with one end of a pipe as the standard stream `stream`. The other end replaces the
/// opposite stream of this process.
pid_t start_beside(std::vector<std::string> command, int stream) {
    auto const fail = [](char const* what) { throw std::system_error(errno, std::generic_category(), what); };
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("make a pipe");
    int const theirs = ends.at(stream == STDIN_FILENO ? 0 : 1);
    int const ours = ends.at(stream == STDIN_FILENO ? 1 : 0);
    spawn_request tar;
    tar.arguments = std::move(command);
    tar.descriptors = {{theirs, stream}};
    pid_t pid = 0;
    int const error = spawn(pid, std::move(tar));
    if (error != 0) throw std::system_error(error, std::generic_category(), "cannot start tar");
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
    if (target && !fs::exists(arguments.from, ignored)) {
        complain("cp: " + arguments.from + ": No such file or directory");
        return bad_usage;
    }
    if (auto const special = target ? find_special_file(arguments.from) : std::nullopt) {
        complain("cp: " + *special);
        return bad_usage;
    }
    if (source && !fs::is_directory(arguments.to, ignored)) {
        complain("cp: expected a directory, got \"" + arguments.to + "\"");
        return bad_usage;
    }
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto what = find_pod(*c, there.job, arguments.choice);
    if (!what) return what.exit();
    what->command = source ? pack(there.path) : unpack(there.path);
    what->how.input = target.has_value();
    what->how.output = source.has_value();
    auto const name = what->command.back();
    interruption stop(c->context(), std::nullopt); // so that what has arrived is removed
    std::optional<arrivals> arrived;
    if (source) arrived.emplace(fs::path(arguments.to));
    ::signal(SIGPIPE, SIG_IGN); // tar may end early, for example on a full disk
    pid_t const tar = source ? start_beside(unpack_here(arrived->folder()), STDIN_FILENO)
                             : start_beside(pack(arguments.from), STDOUT_FILENO);
    auto const code = run_remote(c->context(), c->jobs().get_client(), *what, &stop);
    // Tar sees the end, and then all that has come is stored.
    int const null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(null, source ? STDOUT_FILENO : STDIN_FILENO);
    int status = 0;
    while (::waitpid(tar, &status, 0) < 0 && errno == EINTR) {}
    if (stop.is_requested()) return interrupted;
    if (!code) return report_failure(c->followed(code.error()), "pod " + what->pod);
    bool const sound = *code == 0 && status == 0;
    return sound && (!arrived || arrived->take(name)) ? success : job_failed;
}

int copy_or_complain(cp_arguments const& arguments) {
    try {
        return copy(arguments);
    } catch (fs::filesystem_error const& e) {
        complain("cp: " + (e.path2().empty() ? e.path1() : e.path2()).string() + ": " + e.code().message());
        return bad_usage;
    } catch (std::system_error const& e) { // of the files and programs of this machine
        complain(std::string("cp: ") + e.what());
        return bad_usage;
    }
}

} // namespace

void add_cp(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<cp_arguments>();
    auto* const command = app.add_subcommand(
        "cp",
        "Copy a file or directory to a container of a job, or from it\n\n"
        "FROM is copied into the directory TO, which must exist. One of them is in the container: KIND/NAME:PATH. "
        "From a container, only files and directories are copied, without owners; to a container, also links. "
        "The container and this machine need the program tar.");
    command->add_option("FROM", arguments->from, "Copy this file or directory")->required();
    command->add_option("TO", arguments->to, "Copy it into this directory")->required();
    add_pod_choice(*command, arguments->choice);
    add_connection_flags(*command, arguments->where,
                         "Give up if the copy has not started after DURATION, for example 90s (default: no limit)");
    add_footer(*command,
               {{success, "Everything was copied."},
                {job_failed, "The job or the pod does not exist, tar failed, or something was left out."},
                {bad_usage, "The arguments cannot be used."},
                {cluster_failed, "The cluster cannot be reached, refused the request or lost the connection."},
                {timed_out, "--timeout expired."},
                {interrupted, "The command was interrupted; files that had not arrived completely from a container are "
                              "removed."}},
               {{"Fetch the checkpoints of rank 0", "kftrain cp PyTorchJob/mnist:/checkpoints ."},
                {"Send a file to the replica with rank 1", "kftrain cp data.csv PyTorchJob/mnist:/tmp --rank 1"}});
    command->callback([arguments, &exit] { exit = copy_or_complain(*arguments); });
}

} // namespace kftrain::cli
