#include "container.hpp"

#include "channel.hpp"
#include "mounts.hpp"

#include <array>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdexcept>
#include <string_view>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace kftrain::local::sandbox {
namespace {

struct program {
    std::vector<std::string> arguments;
    std::vector<std::string> environment;
    std::vector<bind_request> mounts;
    std::string working_directory;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (auto& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

void reset_signals() {
    for (int s = 1; s < NSIG; ++s) ::signal(s, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void prepare(program const& what, int output, bool namespaces) {
    check(::setsid(), "start a session");
    if (!namespaces) check(::prctl(PR_SET_PDEATHSIG, SIGKILL), "die with the pod");
    if (!what.mounts.empty()) {
        check(::unshare(CLONE_NEWNS), "create a mount namespace");
        make_mounts_private();
        bind_plan(what.mounts).apply();
    }
    unique_fd const null(check(::open("/dev/null", O_RDONLY | O_CLOEXEC), "open /dev/null"));
    check(::dup2(null.get(), 0), "set standard input");
    check(::dup2(output, 1), "set standard output");
    check(::dup2(output, 2), "set standard error");
    if (!what.working_directory.empty())
        check(::chdir(what.working_directory.c_str()), "enter working directory \"" + what.working_directory + "\"");
    ::umask(022);
    reset_signals();
}

[[noreturn]] void execute(program& what) {
    auto arguments = pointers(what.arguments);
    auto environment = pointers(what.environment);
    environ = environment.data(); // the search path is the container's, not ours
    ::execvp(arguments[0], arguments.data());
    int const error = errno;
    auto const line =
        "kftrain: cannot execute \"" + what.arguments[0] + "\": " + std::generic_category().message(error) + "\n";
    [[maybe_unused]] auto const written = ::write(2, line.data(), line.size());
    ::_exit(error == ENOENT || error == ENOTDIR ? 127 : 126);
}

[[noreturn]] void run(program& what, int output, int report, bool namespaces) {
    std::string sentence;
    try {
        prepare(what, output, namespaces);
    } catch (std::exception const& e) {
        sentence = e.what();
    }
    if (sentence.empty()) execute(what);
    [[maybe_unused]] auto const written = ::write(report, sentence.data(), sentence.size());
    ::_exit(125);
}

} // namespace

pid_t start_container(boost::json::object const& request, int output, bool namespaces) {
    program what;
    what.arguments = texts_of(request, "argv");
    what.environment = texts_of(request, "env");
    what.working_directory = text_of(request, "working_dir");
    what.mounts = binds_of(request);
    auto const label =
        "container \"" + text_of(request, "container") + "\" of pod \"" + text_of(request, "pod") + "\": ";
    if (what.arguments.empty()) throw std::invalid_argument(label + "expected a command, got none");
    if (!namespaces && !what.mounts.empty())
        throw std::invalid_argument(label + "mounting \"" + what.mounts.front().target +
                                    "\" needs namespaces, and this node runs plain processes");

    std::array<int, 2> ends{};
    check(::pipe2(ends.data(), O_CLOEXEC), label + "make a pipe");
    unique_fd const in(ends[0]);
    unique_fd out(ends[1]);
    auto const pid = check(::fork(), label + "fork");
    if (pid == 0) run(what, output, out.get(), namespaces);
    out.reset();
    std::array<char, 4096> buffer{}; // closed by the exec, or a sentence
    ssize_t size = -1;
    do size = ::read(in.get(), buffer.data(), buffer.size());
    while (size < 0 && errno == EINTR);
    if (size <= 0) return pid;
    ::waitpid(pid, nullptr, 0);
    throw std::invalid_argument(label + std::string(buffer.data(), static_cast<std::size_t>(size)));
}

} // namespace kftrain::local::sandbox
