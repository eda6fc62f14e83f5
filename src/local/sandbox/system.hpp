#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_SYSTEM_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_SYSTEM_HPP

#include "base/unique_fd.hpp"

#include <cerrno>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <system_error>
#include <utility>

namespace kftrain::local::sandbox {

using kftrain::unique_fd;

/// Throws a `std::system_error` with the current `errno`; `step` describes the operation, with names and values.
[[noreturn]] void fail(std::string const& step);

/// Fails unless `result` is 0 or more; returns it.
template <class Int> Int check(Int result, std::string const& step) {
    if (result < 0) fail(step);
    return result;
}

/// Whether an `errno` means that a resource is exhausted for the moment, so that the same call may succeed later.
bool is_shortage(int error) noexcept;

/// A failed step of another process: its sentence and its `errno`.
class failed_step : public std::runtime_error {
public:
    failed_step(std::string const& sentence, int error) : std::runtime_error(sentence), error_(error) {}
    int error() const noexcept { return error_; } ///< 0 if there is none

private:
    int error_;
};

/// `fork` into new namespaces. Only for a single-threaded caller; returns 0 in the child.
pid_t fork_into(int namespaces, std::string const& step);

/// Closes every descriptor above 2 but those in `keep`.
void close_others(std::initializer_list<int> keep);

/// A connected pair of message sockets, both closed at exec.
std::pair<unique_fd, unique_fd> make_socket_pair();

/// Whether only a part of the users of the machine exists for this process.
bool is_in_user_namespace();

/// Writes a small kernel file in one go.
void write_file(std::string const& path, std::string const& text);

} // namespace kftrain::local::sandbox

#endif
