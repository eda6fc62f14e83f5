#include "base/spawn.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

namespace kftrain {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (auto& t : texts) out.push_back(t.data());
    out.push_back(nullptr);
    return out;
}

class settings {
public:
    explicit settings(spawn_request const& r) {
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawnattr_init(&attributes);
        for (auto const& [ours, theirs] : r.descriptors) ::posix_spawn_file_actions_adddup2(&actions, ours, theirs);
        for (int const fd : r.nowhere) ::posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
        if (r.close_others) ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
#endif
        sigset_t none;
        sigset_t all;
        ::sigemptyset(&none);
        ::sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &all);
        ::posix_spawnattr_setpgroup(&attributes, 0);
        int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
        if (r.signals == spawn_request::group::own) flags |= POSIX_SPAWN_SETPGROUP;
        if (r.signals == spawn_request::group::session) flags |= POSIX_SPAWN_SETSID;
        ::posix_spawnattr_setflags(&attributes, static_cast<short>(flags));
    }
    settings(settings const&) = delete;
    settings& operator=(settings const&) = delete;
    ~settings() {
        ::posix_spawn_file_actions_destroy(&actions);
        ::posix_spawnattr_destroy(&attributes);
    }

    posix_spawn_file_actions_t actions{};
    posix_spawnattr_t attributes{};
};

} // namespace

int spawn(pid_t& pid, spawn_request request) {
    if (request.arguments.empty()) return EINVAL;
    settings const s(request);
    auto const arguments = pointers_to(request.arguments);
    std::vector<char*> variables;
    if (request.variables) variables = pointers_to(*request.variables);
    return ::posix_spawnp(&pid, arguments[0], &s.actions, &s.attributes, arguments.data(),
                          request.variables ? variables.data() : environ);
}

} // namespace kftrain
