#include "bench/support/child_process.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace kftrain::bench {
namespace {

void write_all(int file, char const* from, std::size_t size) {
    while (size != 0) {
        auto const n = ::write(file, from, size);
        if (n <= 0) give_up("cannot write to the parent");
        from += n;
        size -= static_cast<std::size_t>(n);
    }
}

bool read_all(int file, char* into, std::size_t size) {
    while (size != 0) {
        auto const n = ::read(file, into, size);
        if (n <= 0) return false;
        into += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

} // namespace

void give_up(std::string const& why) {
    std::fprintf(stderr, "bench: %s\n", why.c_str());
    std::_Exit(1);
}

child_process::child_process(std::function<void(send_function const&)> const& run) {
    int ends[2];
    if (::pipe(ends) != 0) give_up("no pipe");
    std::fflush(nullptr); // else both would write what waits
    auto const parent = ::getpid();
    id_ = ::fork();
    if (id_ < 0) give_up("no process");
    if (id_ != 0) {
        ::close(ends[1]);
        pipe_ = ends[0];
        return;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) std::_Exit(1);
    ::close(ends[0]);
    try {
        run([out = ends[1]](std::string_view text) {
            std::size_t const size = text.size();
            write_all(out, reinterpret_cast<char const*>(&size), sizeof size);
            write_all(out, text.data(), size);
        });
    } catch (std::exception const& e) {
        give_up(e.what());
    }
    std::fflush(nullptr);
    std::_Exit(0);
}

child_process::~child_process() {
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
    ::close(pipe_);
}

std::string child_process::receive() const {
    std::size_t size = 0;
    if (!read_all(pipe_, reinterpret_cast<char*>(&size), sizeof size)) give_up("a child ended early");
    std::string text(size, '\0');
    if (!read_all(pipe_, text.data(), size)) give_up("a child ended early");
    return text;
}

void child_process::signal(int number) const { ::kill(id_, number); }

double child_process::processor_seconds() const {
    clockid_t clock{};
    timespec t{};
    if (::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &t) != 0) give_up("a child ended early");
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double child_process::resident_mb() const {
    std::ifstream in("/proc/" + std::to_string(id_) + "/statm");
    long size = 0, pages = 0;
    in >> size >> pages;
    return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e6;
}

} // namespace kftrain::bench
