#include "processes.hpp"

#include "system.hpp"

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

} // namespace kftrain::local::sandbox
