#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_FOUND_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_FOUND_HPP

#include "cli/commands.hpp"

#include <optional>
#include <utility>

namespace kftrain::cli {

/// A message was printed, and the command ends with this exit code.
struct reported {
    explicit reported(int code = bad_usage) : exit(code) {}

    int exit;
};

/// The objects that the arguments select, or the exit code after a printed message.
template <class T> class found {
public:
    found(T value) : value_(std::move(value)) {}
    found(reported why) : exit_(why.exit) {}

    explicit operator bool() const noexcept { return value_.has_value(); }
    T& operator*() noexcept { return *value_; }
    T const& operator*() const noexcept { return *value_; }
    T* operator->() noexcept { return &*value_; }
    T const* operator->() const noexcept { return &*value_; }
    /// The exit code, if there is no value.
    int exit() const noexcept { return exit_; }

private:
    std::optional<T> value_;
    int exit_ = success;
};

} // namespace kftrain::cli

#endif
