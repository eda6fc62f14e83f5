#ifndef KFTRAIN_SRC_KUBE_ASYNC_SUBSCRIBERS_HPP
#define KFTRAIN_SRC_KUBE_ASYNC_SUBSCRIBERS_HPP

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace kftrain::kube {

/// Objects that receive each event, in the order in which they were added. Their owners may destroy them at any time.
template <class T> class subscribers {
public:
    /// Adds a subscriber; one that was added before keeps its place.
    void add(std::weak_ptr<T> one) {
        std::erase_if(list_, [](auto const& s) { return s.expired(); });
        if (!contains(one)) list_.push_back(std::move(one));
    }
    /// Calls `call` with each subscriber. It may add subscribers, which are not called this time, and destroy others.
    template <class Call> void each(Call call) const {
        auto const now = list_;
        for (auto const& s : now)
            if (auto const alive = s.lock()) call(*alive);
    }
    /// Returns whether no subscriber is left.
    bool empty() const {
        return std::ranges::all_of(list_, [](auto const& s) { return s.expired(); });
    }

private:
    bool contains(std::weak_ptr<T> const& one) const {
        return std::ranges::any_of(list_, [&](auto const& s) { return !s.owner_before(one) && !one.owner_before(s); });
    }

    std::vector<std::weak_ptr<T>> list_;
};

} // namespace kftrain::kube

#endif
