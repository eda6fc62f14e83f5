#ifndef KFTRAIN_SRC_FACADE_SHARED_DEADLINE_HPP
#define KFTRAIN_SRC_FACADE_SHARED_DEADLINE_HPP

#include <kftrain/kube/call_options.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace kftrain {

/// The options of an operation of several requests, which share its deadline.
class shared_deadline {
public:
    using clock = std::chrono::steady_clock;

    /// It begins now.
    explicit shared_deadline(kube::call_options o) : options_(std::move(o)) {
        if (options_.timeout.count() > 0) end_ = clock::now() + options_.timeout;
    }

    /// The timeout of the caller.
    kube::call_options const& options() const noexcept { return options_; }
    /// For the next request, which has what is left.
    kube::call_options next() const {
        auto o = options_;
        o.timeout = left();
        return o;
    }
    /// 0 if there is no deadline; never where there is one, also when it is over.
    std::chrono::milliseconds left() const {
        if (!end_) return std::chrono::milliseconds(0);
        return std::max(std::chrono::ceil<std::chrono::milliseconds>(*end_ - clock::now()),
                        std::chrono::milliseconds(1));
    }
    /// Whether there is time for another request after such a rest.
    bool leaves(std::chrono::milliseconds rest) const { return !end_ || clock::now() + rest < *end_; }

private:
    kube::call_options options_;
    std::optional<clock::time_point> end_;
};

} // namespace kftrain

#endif
