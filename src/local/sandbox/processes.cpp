#include "local/sandbox/processes.hpp"

#include "local/sandbox/system.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <signal.h>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <vector>

namespace kftrain::local::sandbox {
namespace {

struct process {
    pid_t pid = 0;
    pid_t parent = 0;
};

/// Absent if it has ended.
std::optional<process> find_process(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    auto const end_of_name = line.rfind(')'); // the name before it may hold anything
    if (end_of_name == std::string::npos) return std::nullopt;
    std::istringstream rest(line.substr(end_of_name + 1));
    process p;
    char state = 0;
    p.pid = pid;
    if (!(rest >> state >> p.parent)) return std::nullopt;
    std::string skipped;
    for (int field = 5; field < 20; ++field) rest >> skipped;
    int threads = 0;
    rest >> threads;
    // A first thread that ended while others go on looks like a zombie.
    return state != 'Z' || threads > 1 ? std::optional(p) : std::nullopt;
}

/// The numbers that name entries of a directory of /proc.
std::vector<pid_t> numbers_in(std::string const& directory) {
    std::vector<pid_t> all;
    std::error_code ignored; // processes and threads come and go while we look
    for (auto const& entry : std::filesystem::directory_iterator(directory, ignored)) {
        auto const name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") == std::string::npos) all.push_back(std::stoi(name));
    }
    return all;
}

/// Of all processes of the machine, for kernels that do not list children.
std::set<pid_t> search_descendants(pid_t root, std::set<pid_t> const& spared) {
    std::set<pid_t> family{root};
    std::vector<process> all;
    for (auto const pid : numbers_in("/proc"))
        if (auto const p = find_process(pid)) all.push_back(*p);
    for (std::size_t before = 0; before != family.size();) {
        before = family.size();
        for (auto const& p : all)
            if (family.contains(p.parent) && !spared.contains(p.pid)) family.insert(p.pid);
    }
    family.erase(root);
    return family;
}

} // namespace

void adopt_orphans() { check(::prctl(PR_SET_CHILD_SUBREAPER, 1), "become the reaper of orphans"); }

std::optional<std::vector<pid_t>> children_of(pid_t pid) {
    auto const tasks = "/proc/" + std::to_string(pid) + "/task";
    std::vector<pid_t> children;
    for (auto const thread : numbers_in(tasks)) {
        std::ifstream file(tasks + "/" + std::to_string(thread) + "/children");
        if (!file && thread == pid && find_process(pid)) return std::nullopt;
        for (pid_t child = 0; file >> child;) children.push_back(child);
    }
    return children;
}

std::set<pid_t> descendants_of(pid_t root, std::set<pid_t> const& spared) {
    std::set<pid_t> family;
    std::vector<pid_t> next{root};
    while (!next.empty()) {
        auto const children = children_of(next.back());
        if (!children) return search_descendants(root, spared);
        next.pop_back();
        for (auto const child : *children)
            if (!spared.contains(child) && find_process(child) && family.insert(child).second) next.push_back(child);
    }
    return family;
}

/// A process that hangs in the kernel cannot be waited for; the parent kills it again in the end.
void kill_below(std::set<pid_t> const& spared) {
    constexpr int most_tries = 1000;
    auto left_alone = spared;
    for (int tries = 0; tries < most_tries; ++tries) {
        auto const family = descendants_of(::getpid(), left_alone);
        if (family.empty()) return;
        for (auto const pid : family)
            if (::kill(pid, SIGKILL) != 0 && errno == EPERM) left_alone.insert(pid); // another user's, by setuid
        for (auto const pid : family) ::waitpid(pid, nullptr, WNOHANG);
        ::usleep(1000); // what is no child of ours becomes one when its parent has ended
    }
}

void kill_descendants() {
    for (;;) {
        while (::waitpid(-1, nullptr, WNOHANG) > 0) {}
        for (auto const pid : descendants_of(::getpid())) ::kill(pid, SIGKILL);
        if (::waitpid(-1, nullptr, 0) < 0 && errno == ECHILD) return;
    }
}

} // namespace kftrain::local::sandbox
