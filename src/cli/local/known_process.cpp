#include "cli/local/known_process.hpp"

#include "local/sandbox/processes.hpp"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>

namespace kftrain::cli {
namespace {

struct process_line {
    pid_t parent = 0;
    std::uint64_t start = 0;
};

/// Fields 3, 4 and 22 of /proc/PID/stat; the name in field 2 may hold anything.
std::optional<process_line> read_line(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    auto const end_of_name = text.rfind(')');
    if (end_of_name == std::string::npos) return std::nullopt;
    std::istringstream fields(text.substr(end_of_name + 1));
    char state = 0;
    process_line line;
    fields >> state >> line.parent;
    std::string skipped;
    for (int field = 5; field < 22; ++field) fields >> skipped;
    fields >> line.start;
    if (!fields || state == 'Z' || state == 'X') return std::nullopt;
    return line;
}

/// The effective user of a process.
std::optional<uid_t> user_of(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    for (std::string word; file >> word;) {
        uid_t real = 0;
        uid_t effective = 0;
        if (word == "Uid:" && file >> real >> effective) return effective;
    }
    return std::nullopt;
}

/// Searches all processes of the machine, for kernels that do not list children.
std::vector<process_id> search_below(pid_t root) {
    std::multimap<pid_t, process_id> children;
    auto const close = [](DIR* d) { ::closedir(d); };
    std::unique_ptr<DIR, decltype(close)> const all(::opendir("/proc"), close);
    while (auto const* entry = all ? ::readdir(all.get()) : nullptr) {
        std::string_view const name = entry->d_name;
        pid_t pid = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), pid).ptr != name.data() + name.size()) continue;
        if (auto const line = read_line(pid)) children.emplace(line->parent, process_id(pid, line->start));
    }
    std::vector<process_id> below;
    // A process id that is reused while the list is read could form a cycle.
    for (std::size_t next = 0; root != 0 && below.size() <= children.size(); ++next) {
        auto const [first, last] = children.equal_range(root);
        for (auto it = first; it != last; ++it) below.push_back(it->second);
        root = next < below.size() ? below[next].pid : 0;
    }
    return below;
}

} // namespace

std::optional<process_id> find_process(pid_t pid) {
    auto const line = pid > 0 ? read_line(pid) : std::nullopt;
    if (!line) return std::nullopt;
    return process_id(pid, line->start);
}

std::optional<known_process> known_process::open(process_id const& id, std::string& why_not) {
    auto const name = "process " + std::to_string(id.pid);
    int const fd = id.pid > 0 ? static_cast<int>(::syscall(SYS_pidfd_open, id.pid, 0)) : -1;
    if (fd < 0) {
        why_not = name + " cannot be opened";
        return std::nullopt;
    }
    known_process held(id, fd);
    // Read after the process is held, so that the answers concern this process or none.
    auto const found = find_process(id.pid);
    auto const user = user_of(id.pid);
    if (!found || !user)
        why_not = name + " has ended";
    else if (found->start != id.start)
        why_not = name + " started at " + std::to_string(found->start) + ", not at " + std::to_string(id.start);
    else if (*user != ::geteuid())
        why_not = name + " belongs to user " + std::to_string(*user);
    else
        return held;
    return std::nullopt;
}

void known_process::signal(int number) const noexcept {
    ::syscall(SYS_pidfd_send_signal, fd_.get(), number, nullptr, 0);
}

bool known_process::ends_within(std::chrono::milliseconds limit) const {
    using clock = std::chrono::steady_clock;
    auto const deadline = clock::now() + limit;
    for (;;) {
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
        pollfd watched{fd_.get(), POLLIN, 0};
        if (::poll(&watched, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0) > 0) return true;
        if (left.count() <= 0) return false;
    }
}

std::vector<process_id> processes_below(pid_t root) {
    std::vector<process_id> below;
    std::set<pid_t> seen; // a process id that is reused meanwhile could form a cycle
    pid_t parent = root;
    for (std::size_t next = 0; parent != 0; ++next) {
        auto const children = local::sandbox::children_of(parent);
        if (!children) return search_below(root);
        for (auto const child : *children)
            if (auto const id = find_process(child); id && seen.insert(child).second) below.push_back(*id);
        parent = next < below.size() ? below[next].pid : 0;
    }
    return below;
}

} // namespace kftrain::cli
