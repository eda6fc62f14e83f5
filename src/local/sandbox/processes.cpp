#include "local/sandbox/processes.hpp"

#include "local/sandbox/system.hpp"

#include <filesystem>
#include <fstream>
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

/// Those that have not ended.
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
        p.pid = std::stoi(name);
        if (!(rest >> state >> p.parent)) continue;
        std::string skipped;
        for (int field = 5; field < 20; ++field) rest >> skipped;
        int threads = 0;
        rest >> threads;
        // A first thread that ended while others go on looks like a zombie.
        if (state != 'Z' || threads > 1) list.push_back(p);
    }
    return list;
}

} // namespace

void adopt_orphans() { check(::prctl(PR_SET_CHILD_SUBREAPER, 1), "become the reaper of orphans"); }

std::set<pid_t> descendants_of(pid_t root, std::set<pid_t> const& spared) {
    std::set<pid_t> family{root};
    auto const all = list_processes();
    for (std::size_t before = 0; before != family.size();) {
        before = family.size();
        for (auto const& p : all)
            if (family.contains(p.parent) && !spared.contains(p.pid)) family.insert(p.pid);
    }
    family.erase(root);
    return family;
}

/// What hangs in the kernel cannot be waited for; whoever is above kills it again in the end.
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
