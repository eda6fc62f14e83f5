#include "local/sandbox/containers/container_init.hpp"

#include "local/sandbox/processes.hpp"
#include "local/sandbox/system.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace kftrain::local::sandbox {
namespace {

constexpr int caller_died = SIGTERM;

/// Reaps what the program left behind and has ended; true if the program itself has.
bool reap_others(pid_t program) {
    for (;;) {
        siginfo_t info{};
        if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return false;
        if (info.si_pid == program) return true;
        ::waitpid(info.si_pid, nullptr, 0);
    }
}

} // namespace

void run_container_init(pid_t caller, std::initializer_list<int> kept, std::function<void()> const& program) {
    sigset_t watched;
    ::sigemptyset(&watched);
    ::sigaddset(&watched, SIGCHLD);
    ::sigaddset(&watched, caller_died);
    check(::sigprocmask(SIG_BLOCK, &watched, nullptr), "block signals");
    check(::prctl(PR_SET_PDEATHSIG, caller_died), "end with the pod");
    if (::getppid() != caller) ::_exit(1);
    adopt_orphans();
    close_others(kept);
    auto const pid = check(::fork(), "fork");
    if (pid == 0) program();
    for (int const fd : kept) ::close(fd);
    for (;;) {
        int const signal = ::sigwaitinfo(&watched, nullptr);
        if (signal == caller_died && ::getppid() != caller) break; // else somebody in the container sent it
        if (signal == SIGCHLD && reap_others(pid)) {
            kill_below({pid});
            ::_exit(0);
        }
    }
    kill_descendants();
    ::_exit(1);
}

} // namespace kftrain::local::sandbox
