#ifndef KFTRAIN_TEST_BENCH_SUPPORT_CHILD_PROCESS_HPP
#define KFTRAIN_TEST_BENCH_SUPPORT_CHILD_PROCESS_HPP

#include <functional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace kftrain::bench {

/// Prints the reason and ends the process with exit code 1.
[[noreturn]] void give_up(std::string const& why);

/** A fork of this process that runs a function, so that its processor time and memory are its own. It dies with its
    parent and with this object. Make it before anything starts threads. */
class child_process {
public:
    /// Hands a text to receive() of the parent.
    using send_function = std::function<void(std::string_view)>;

    explicit child_process(std::function<void(send_function const&)> const& run);
    ~child_process();
    child_process(child_process const&) = delete;
    child_process& operator=(child_process const&) = delete;

    /// The next text that the child sent. Gives up if the child ended before.
    std::string receive() const;
    void signal(int number) const;
    /// User and system time so far.
    double processor_seconds() const;
    double resident_mb() const;

private:
    pid_t id_ = -1;
    int pipe_ = -1;
};

} // namespace kftrain::bench

#endif
