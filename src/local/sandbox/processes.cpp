#include "processes.hpp"

#include "system.hpp"

#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <signal.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <vector>

namespace kftrain::local::sandbox {
namespace {

struct process {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t session = 0;
};

std::vector<process> list_processes() {
    std::vector<process> list;
    std::error_code ignored; // processes come and go while we look
    for (auto const& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        auto const name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream file(entry.path() / "stat");
        std::string line;
        std::getline(file, line);
        auto const end_of_name = line.rfind(')'); // the name before it may hold anything
        if (end_of_name == std::string::npos) continue;
        std::istringstream rest(line.substr(end_of_name + 1));
        process p;
        char state = 0;
        pid_t group = 0;
        p.pid = std::stoi(name);
        if (rest >> state >> p.parent >> group >> p.session && state != 'Z') list.push_back(p);
    }
    return list;
}

int open_directory(int at, char const* name) {
    return ::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool empty_directory(int directory, dev_t device) {
    auto const close = [](DIR* d) { ::closedir(d); };
    std::unique_ptr<DIR, decltype(close)> const stream(::fdopendir(directory), close);
    if (!stream) {
        ::close(directory);
        return false;
    }
    bool complete = true;
    while (auto const* entry = ::readdir(stream.get())) {
        auto const* name = static_cast<char const*>(entry->d_name);
        if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
        struct stat info{};
        if (::fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (!S_ISDIR(info.st_mode)) {
            complete &= ::unlinkat(directory, name, 0) == 0 || errno == ENOENT;
            continue;
        }
        if (info.st_dev != device) {
            complete = false; // somebody mounted something here
            continue;
        }
        if ((info.st_mode & S_IRWXU) != S_IRWXU) ::fchmodat(directory, name, S_IRWXU, 0);
        int const child = open_directory(directory, name);
        if (child < 0 || !empty_directory(child, device) || ::unlinkat(directory, name, AT_REMOVEDIR) != 0)
            complete = false;
    }
    return complete;
}

} // namespace

void adopt_orphans() { check(::prctl(PR_SET_CHILD_SUBREAPER, 1), "become the reaper of orphans"); }

void kill_session(pid_t session) {
    for (auto const& p : list_processes())
        if (p.session == session && p.pid != ::getpid()) ::kill(p.pid, SIGKILL);
}

void kill_descendants() {
    for (;;) {
        while (::waitpid(-1, nullptr, WNOHANG) > 0) {}
        std::set<pid_t> family{::getpid()};
        auto const all = list_processes();
        for (std::size_t before = 0; before != family.size();) {
            before = family.size();
            for (auto const& p : all)
                if (family.contains(p.parent)) family.insert(p.pid);
        }
        family.erase(::getpid());
        for (auto const pid : family) ::kill(pid, SIGKILL);
        if (::waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) return;
    }
}

std::string remove_tree(std::string const& path) {
    // Writers outside the sandbox may still add a file while we work.
    for (int attempt = 0; attempt < 20; ++attempt) {
        if (attempt != 0) ::usleep(10'000);
        struct stat info{};
        if (::lstat(path.c_str(), &info) != 0 && errno == ENOENT) return {};
        if ((info.st_mode & S_IRWXU) != S_IRWXU) ::chmod(path.c_str(), S_IRWXU);
        int const directory = open_directory(AT_FDCWD, path.c_str());
        if (directory >= 0) empty_directory(directory, info.st_dev);
        if (::rmdir(path.c_str()) == 0) return {};
    }
    return "cannot remove directory \"" + path + "\": " + std::generic_category().message(errno);
}

} // namespace kftrain::local::sandbox
