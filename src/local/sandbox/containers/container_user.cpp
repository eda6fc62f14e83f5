#include "local/sandbox/containers/container_user.hpp"

#include "local/sandbox/system.hpp"

#include <charconv>
#include <cstdio>
#include <grp.h>
#include <memory>
#include <optional>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdexcept>
#include <string_view>
#include <sys/prctl.h>

namespace kftrain::local::sandbox {
namespace {

struct close_file {
    void operator()(std::FILE* f) const noexcept { std::fclose(f); }
};
using file = std::unique_ptr<std::FILE, close_file>;

std::optional<id_t> number_in(std::string_view text) {
    std::uint32_t number = 0;
    auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    bool const whole = failed == std::errc() && end == text.data() + text.size() && number <= 0x7FFFFFFFU;
    return whole ? std::optional<id_t>(number) : std::nullopt;
}

// The functions of the C library without a file would query the name services of the machine.

/// Calls `visit(entry)` for each user of the container until it returns true.
template <class Visit> bool find_passwd(Visit const& visit) {
    file const users(std::fopen("/etc/passwd", "re"));
    while (auto const* entry = users ? ::fgetpwent(users.get()) : nullptr)
        if (visit(*entry)) return true;
    return false;
}

template <class Visit> bool find_group(Visit const& visit) {
    file const groups(std::fopen("/etc/group", "re"));
    while (auto const* entry = groups ? ::fgetgrent(groups.get()) : nullptr)
        if (visit(*entry)) return true;
    return false;
}

/// From the set that bounds what programs get: those of root then start without them.
void drop_capabilities(std::vector<std::int64_t> const& numbers) {
    if (::geteuid() != 0 && !is_in_user_namespace()) return; // has none
    for (auto const number : numbers)
        // Older kernels have fewer.
        if (::prctl(PR_CAPBSET_DROP, static_cast<unsigned long>(number), 0, 0, 0) != 0 && errno != EINVAL)
            fail("drop the capability " + std::to_string(number));
}

} // namespace

container_user find_user(std::string const& text) {
    container_user user;
    auto const colon = text.find(':');
    auto name = text.substr(0, colon);
    auto const group = colon == text.npos ? std::string() : text.substr(colon + 1);
    auto const number = number_in(name.empty() ? "0" : name);
    bool const listed = find_passwd([&](passwd const& entry) {
        // A name of digits is a name first.
        if (name != entry.pw_name && (!number || *number != entry.pw_uid)) return false;
        user.uid = entry.pw_uid;
        user.gid = entry.pw_gid;
        if (*entry.pw_dir != '\0') user.home = entry.pw_dir;
        name = entry.pw_name;
        return true;
    });
    if (!listed && !number) throw std::runtime_error("user \"" + name + "\" has no entry in /etc/passwd of the image");
    if (!listed) {
        user.uid = *number;
        if (user.uid == 0) user.home = "/root";
    }
    if (group.empty()) {
        if (listed)
            find_group([&](::group const& entry) {
                for (char** member = entry.gr_mem; *member != nullptr; ++member)
                    if (name == *member) user.groups.push_back(entry.gr_gid);
                return false;
            });
        return user;
    }
    auto const group_number = number_in(group);
    bool const known = find_group([&](::group const& entry) {
        if (group != entry.gr_name && (!group_number || *group_number != entry.gr_gid)) return false;
        user.gid = entry.gr_gid;
        return true;
    });
    if (!known && !group_number)
        throw std::runtime_error("group \"" + group + "\" has no entry in /etc/group of the image");
    if (!known) user.gid = *group_number;
    return user;
}

void become(container_user const& user, restrictions const& limits) {
    auto const step = "become user " + std::to_string(user.uid) + " of group " + std::to_string(user.gid);
    bool const changes = user.uid != ::geteuid() || user.gid != ::getegid();
    if (is_in_user_namespace() && changes) {
        check(::unshare(CLONE_NEWUSER), step);
        write_file("/proc/self/uid_map", std::to_string(user.uid) + " 0 1");
        write_file("/proc/self/setgroups", "deny");
        write_file("/proc/self/gid_map", std::to_string(user.gid) + " 0 1");
    }
    drop_capabilities(limits.dropped_capabilities);
    if (limits.no_new_privileges) check(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "give up further privileges");
    if (is_in_user_namespace() || (!changes && user.groups.empty())) return;
    // As container runtimes do, so that the program may open /dev/stdout.
    for (int const fd : {1, 2}) [[maybe_unused]]
        auto const owned = ::fchown(fd, user.uid, user.gid);
    check(::setgroups(user.groups.size(), user.groups.data()), step);
    check(::setresgid(user.gid, user.gid, user.gid), step);
    auto const parent = ::getppid();
    check(::setresuid(user.uid, user.uid, user.uid), step);
    // The kernel drops this setting with the change of the user.
    check(::prctl(PR_SET_PDEATHSIG, SIGKILL), step);
    if (::getppid() != parent) ::_exit(125);
}

} // namespace kftrain::local::sandbox
