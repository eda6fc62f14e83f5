#ifndef KFTRAIN_SRC_CLI_CLUSTER_FOUND_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_FOUND_HPP

#include "cli/commands.hpp"

#include <optional>
#include <utility>

namespace kftrain::cli {

/// It was complained of what is wrong; the command ends with this code.
struct refusal {
    explicit refusal(int code = bad_usage) : exit(code) {}

    int exit;
};

/// What the arguments mean on a cluster, or the exit code after a complaint.
template <class T> class found {
public:
    found(T value) : value_(std::move(value)) {}
    found(refusal why) : exit_(why.exit) {}

    explicit operator bool() const noexcept { return value_.has_value(); }
    T& operator*() noexcept { return *value_; }
    T const& operator*() const noexcept { return *value_; }
    T* operator->() noexcept { return &*value_; }
    T const* operator->() const noexcept { return &*value_; }
    /// Of one that is not there.
    int exit() const noexcept { return exit_; }

private:
    std::optional<T> value_;
    int exit_ = success;
};

} // namespace kftrain::cli

#endif
