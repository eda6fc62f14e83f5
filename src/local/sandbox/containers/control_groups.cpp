#include "local/sandbox/containers/control_groups.hpp"

#include "local/sandbox/channel.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <set>
#include <signal.h>
#include <sstream>
#include <sys/mount.h>
#include <sys/stat.h>

namespace kftrain::local::sandbox {
namespace {

namespace json = boost::json;

constexpr std::array<char const*, 2> known_controllers{"memory", "cpu"};
constexpr std::size_t most_processes = 100'000; ///< that are killed at the end of a group

std::string slurp(std::string const& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> words_of(std::string text, char separator = ' ') {
    std::ranges::replace(text, separator, ' ');
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

bool has(std::vector<std::string> const& list, std::string const& word) {
    return std::ranges::find(list, word) != list.end();
}

/// A mounted hierarchy of control groups.
struct hierarchy {
    std::string root; ///< the group that is mounted
    std::string path;
    bool unified = false;
    std::vector<std::string> controllers; ///< of version 1, and other options
};

/// @par Upstream proc_pid_mountinfo(5)
std::vector<hierarchy> mounted_hierarchies() {
    std::vector<hierarchy> all;
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        auto const words = words_of(line);
        auto const dash = std::ranges::find(words, "-");
        if (words.end() - dash < 4 || dash - words.begin() < 6) continue;
        bool const unified = *(dash + 1) == "cgroup2";
        if (!unified && *(dash + 1) != "cgroup") continue;
        auto& h = all.emplace_back();
        h.root = words[3];
        h.path = words[4];
        h.unified = unified;
        h.controllers = words_of(*(dash + 3), ',');
    }
    return all;
}

/// The group of this process, by controller; the empty name stands for version 2.
std::map<std::string, std::string> own_groups() {
    std::map<std::string, std::string> all;
    std::ifstream groups("/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        auto const first = line.find(':');
        auto const second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        auto const path = line.substr(second + 1);
        auto const names = line.substr(first + 1, second - first - 1);
        if (names.empty()) all[""] = path;
        for (auto const& name : words_of(names, ',')) all[name] = path;
    }
    return all;
}

/// Where the mount has the group; empty if the group is outside of it.
std::string directory_of(hierarchy const& h, std::string const& group) {
    auto const root = h.root == "/" ? std::string() : h.root;
    auto const rest = group == "/" ? std::string() : group;
    if (!rest.starts_with(root) || rest.find("/..") != std::string::npos) return {};
    auto const inside = rest.substr(root.size());
    return inside.empty() || inside.front() == '/' ? h.path + inside : std::string();
}

std::string fault_of(std::string const& directory) {
    for (auto const& path : {directory, directory + "/cgroup.procs"})
        if (::access(path.c_str(), W_OK) != 0) return path + ": " + std::generic_category().message(errno);
    return {};
}

/// Only the root may have both processes and groups with controllers. The kernel would permit `cpu` without `memory` in
/// others, and then no processes below.
bool may_hold_groups(std::string const& directory) {
    return ::access((directory + "/cgroup.type").c_str(), F_OK) != 0 || slurp(directory + "/cgroup.procs").empty();
}

/// The kernel counts the processes that it has killed in a group.
bool was_short_of_memory(std::string const& directory, bool unified) {
    std::istringstream counts(slurp(directory + (unified ? "/memory.events" : "/memory.oom_control")));
    std::string name;
    for (std::int64_t count = 0; counts >> name >> count;)
        if (name == "oom_kill") return count > 0;
    return false;
}

void kill_members(std::string const& directory) {
    std::ifstream members(directory + "/cgroup.procs");
    std::size_t killed = 0;
    for (pid_t pid = 0; killed < most_processes && members >> pid; ++killed)
        if (pid > 1) ::kill(pid, SIGKILL);
}

/// Machines without swap may lack the file.
void write_if_possible(std::string const& path, std::string const& text) {
    try {
        write_file(path, text);
    } catch (std::system_error const&) {
        return;
    }
}

/// A container at its limit of memory uses no swap, and with version 2 ends as a whole.
void limit_memory(std::string const& directory, bool unified, std::int64_t bytes) {
    auto const text = std::to_string(bytes);
    write_file(directory + (unified ? "/memory.max" : "/memory.limit_in_bytes"), text);
    if (!unified) return write_if_possible(directory + "/memory.memsw.limit_in_bytes", text);
    write_if_possible(directory + "/memory.swap.max", "0");
    write_if_possible(directory + "/memory.oom.group", "1");
}

/// @par Upstream kubernetes v1.31 `pkg/kubelet/cm/helpers_linux.go`, `MilliCPUToQuota`
void limit_cpu(std::string const& directory, bool unified, std::int64_t thousandths) {
    constexpr std::int64_t period = 100'000; // microseconds
    constexpr std::int64_t least = 1'000;
    constexpr std::int64_t most = 1'000'000'000; // a million processors; the kernel has a limit as well
    auto const quota = std::to_string(std::max(std::min(thousandths, most) * period / 1000, least));
    if (unified) return write_file(directory + "/cpu.max", quota + " " + std::to_string(period));
    write_file(directory + "/cpu.cfs_period_us", std::to_string(period));
    write_file(directory + "/cpu.cfs_quota_us", quota);
}

std::string owner_of(std::pair<std::string, std::string> const& name) { return name.first + "/" + name.second; }

} // namespace

control_groups::control_groups(mount_points& directories, std::string const& node_directory)
    : directories_(directories), name_("kftrain-" + std::to_string(::getpid())) {
    struct stat info{};
    if (::stat(node_directory.c_str(), &info) == 0) name_ += "-" + std::to_string(info.st_ino);
}

void control_groups::find_places() {
    if (places_) return;
    places_.emplace();
    auto const mounted = mounted_hierarchies();
    auto const groups = own_groups();
    std::vector<std::string> unified;
    for (std::string const name : known_controllers) {
        auto const own = groups.find(name);
        if (own == groups.end()) {
            unified.push_back(name);
            continue;
        }
        auto& reason = reasons_[name] = "the controller " + name + " is not mounted";
        for (auto const& h : mounted) {
            auto const base = h.unified || !has(h.controllers, name) ? std::string() : directory_of(h, own->second);
            if (base.empty()) continue;
            reason = fault_of(base);
            if (!reason.empty()) continue;
            auto const same = std::ranges::find(*places_, base, &place::base);
            if (same == places_->end())
                places_->push_back({false, base, base + "/" + name_, {name}});
            else
                same->controllers.push_back(name);
            break;
        }
    }
    if (unified.empty()) return;
    for (auto const& name : unified) reasons_[name] = "no control groups of version 2 are mounted";
    auto const own = groups.find("");
    for (auto const& h : mounted) {
        auto const directory = !h.unified || own == groups.end() ? std::string() : directory_of(h, own->second);
        if (!directory.empty()) return find_unified(directory, h.path, unified);
    }
}

/// A group with processes, as ours, cannot have groups with controllers below it. So the nearest group around it is
/// taken that is delegated to this user and has the controllers.
void control_groups::find_unified(std::string directory, std::string const& root,
                                  std::vector<std::string> const& wanted) {
    auto const own = directory;
    for (;; directory.erase(directory.rfind('/'))) {
        auto const fault = fault_of(directory);
        for (auto const& name : wanted)
            reasons_[name] =
                fault.empty() ? "the controller is in no writable group without processes around " + own : fault;
        if (!fault.empty()) return;
        if (may_hold_groups(directory) && place_in(directory, wanted)) return;
        if (directory.size() <= root.size()) return;
    }
}

/// Returns false if the group has none of the controllers.
bool control_groups::place_in(std::string const& directory, std::vector<std::string> const& wanted) {
    auto const control = directory + "/cgroup.subtree_control";
    auto const available = words_of(slurp(directory + "/cgroup.controllers"), '\n');
    for (auto const& name : wanted)
        if (has(available, name) && !has(words_of(slurp(control), '\n'), name)) write_if_possible(control, "+" + name);
    place p{true, directory, directory + "/" + name_, {}};
    auto const enabled = words_of(slurp(control), '\n');
    std::ranges::copy_if(wanted, std::back_inserter(p.controllers), [&](auto const& n) { return has(enabled, n); });
    for (auto const& name : p.controllers) reasons_[name].clear();
    if (p.controllers.empty()) return false;
    places_->push_back(std::move(p));
    return true;
}

int control_groups::free_number() const {
    for (int number = 1;; ++number) {
        auto const same_number = [&](auto const& g) { return g.second.number == number; };
        auto const exists = [&](place const& p) {
            return ::access((p.node + "/" + std::to_string(number)).c_str(), F_OK) == 0;
        };
        if (std::ranges::none_of(groups_, same_number) && std::ranges::none_of(*places_, exists)) return number;
    }
}

void control_groups::make_in(place const& p, group& g, std::string const& controller, std::int64_t limit,
                             std::string const& owner) {
    auto const directory = p.node + "/" + std::to_string(g.number);
    if (std::ranges::find(g.places, &p) == g.places.end()) {
        directories_.ensure_directory(p.node, {});
        if (p.unified)
            for (auto const& name : p.controllers) write_file(p.node + "/cgroup.subtree_control", "+" + name);
        directories_.ensure_directory(directory, owner);
        g.places.push_back(&p);
    }
    if (controller == "memory")
        limit_memory(directory, p.unified, limit);
    else
        limit_cpu(directory, p.unified, limit);
}

/// Returns why a limit cannot be enforced; empty if all can.
std::string control_groups::make(key const& name, std::map<std::string, std::int64_t> const& limits) {
    find_places();
    std::string fault;
    group g;
    g.number = free_number();
    for (auto const& [controller, limit] : limits) {
        auto why = reasons_[controller];
        auto const at = std::ranges::find_if(*places_, [&](auto const& p) { return has(p.controllers, controller); });
        try {
            if (at != places_->end()) make_in(*at, g, controller, limit, owner_of(name));
        } catch (std::exception const& e) {
            why = e.what();
        }
        if (!why.empty()) fault += (fault.empty() ? "" : "; ") + controller + ": " + why;
    }
    if (!g.places.empty()) groups_[name] = std::move(g);
    return fault;
}

bool control_groups::end(key const& name) {
    auto const at = groups_.find(name);
    if (at == groups_.end()) return false;
    bool short_of_memory = false;
    for (auto const* const p : at->second.places) {
        auto const directory = p->node + "/" + std::to_string(at->second.number);
        short_of_memory = short_of_memory || was_short_of_memory(directory, p->unified);
        kill_members(directory);
    }
    groups_.erase(at);
    directories_.forget(owner_of(name));
    return short_of_memory;
}

void control_groups::forget(std::string const& pod) {
    for (auto at = groups_.lower_bound({pod, {}}); at != groups_.end() && at->first.first == pod;
         at = groups_.lower_bound({pod, {}}))
        end(key(at->first));
}

void control_groups::answer(json::object const& request, json::object& reply, std::vector<unique_fd>& fds) {
    key const name(text_of(request, "pod"), text_of(request, "container"));
    auto const what = text_of(request, "group");
    if (what == "end") {
        reply["out_of_memory"] = end(name);
        return;
    }
    if (what == "make") {
        end(name);
        std::map<std::string, std::int64_t> limits;
        for (auto const* const controller : known_controllers)
            if (request.contains(controller)) limits[controller] = number_of(request, controller);
        reply["fault"] = make(name, limits);
    }
    auto const at = groups_.find(name);
    if (at == groups_.end()) return;
    for (auto const* const p : at->second.places) {
        auto const file = p->node + "/" + std::to_string(at->second.number) + "/cgroup.procs";
        fds.emplace_back(check(::open(file.c_str(), O_WRONLY | O_CLOEXEC), "open " + file));
    }
}

void mount_own_groups() {
    auto const groups = own_groups();
    std::set<std::string> seen; // mounts that later ones cover have the same path
    for (auto const& h : mounted_hierarchies()) {
        auto const own = std::ranges::find_if(groups, [&](auto const& g) {
            return h.unified ? g.first.empty() : !g.first.empty() && has(h.controllers, g.first);
        });
        if (own == groups.end() || !seen.insert(h.path).second) continue;
        auto const directory = directory_of(h, own->second);
        if (directory.empty() || directory == h.path) continue;
        // As read-only as the mount of the machine.
        ::mount(directory.c_str(), h.path.c_str(), nullptr, MS_BIND, nullptr);
    }
}

control_group_link::entry control_group_link::make(std::string const& container, json::object const& limits) const {
    auto request = limits;
    request["group"] = "make";
    request["pod"] = pod_;
    request["container"] = container;
    auto reply = call(socket_, request);
    entry made;
    made.processes = std::move(reply.fds);
    made.fault = text_of(reply.body, reply.body.contains("error") ? "error" : "fault");
    return made;
}

control_group_link::entry control_group_link::join(std::string const& container) const {
    auto reply = call(socket_, json::object{{"group", "join"}, {"pod", pod_}, {"container", container}});
    if (reply.body.contains("error")) throw failed_step(text_of(reply.body, "error"), 0);
    entry joined;
    joined.processes = std::move(reply.fds);
    return joined;
}

bool control_group_link::end(std::string const& container) const {
    auto const reply = call(socket_, json::object{{"group", "end"}, {"pod", pod_}, {"container", container}});
    auto const* const found = reply.body.if_contains("out_of_memory");
    return found != nullptr && found->is_bool() && found->as_bool();
}

} // namespace kftrain::local::sandbox
