#ifndef KFTRAIN_SRC_FACADE_SHARED_DEADLINE_HPP
#define KFTRAIN_SRC_FACADE_SHARED_DEADLINE_HPP

#include "kube/async/timer.hpp"

#include <kftrain/kube/client.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace kftrain {

/// The options of an operation of several requests, which share its deadline.
class shared_deadline {
public:
    /// It begins now.
    shared_deadline(kube::client const& c, kube::call_options o)
        : time_(&kube::detail::time_source::of(c.get_executor())), options_(std::move(o)) {
        if (options_.timeout.count() > 0) end_ = time_->now() + options_.timeout;
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
        return std::max(std::chrono::ceil<std::chrono::milliseconds>(*end_ - time_->now()),
                        std::chrono::milliseconds(1));
    }
    /// Whether there is time for another request after such a rest.
    bool leaves(std::chrono::milliseconds rest) const { return !end_ || time_->now() + rest < *end_; }

private:
    kube::detail::time_source const* time_;
    kube::call_options options_;
    std::optional<kube::detail::timer::time_point> end_;
};

} // namespace kftrain

#endif
