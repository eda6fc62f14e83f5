#ifndef KFTRAIN_PYTHON_CLUSTER_CLIENTS_HPP
#define KFTRAIN_PYTHON_CLUSTER_CLIENTS_HPP

#include "engine.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace kftrain::python {

/// The clients of a cluster, whose calls fail when it does. @par Thread safety Safe.
class cluster_clients {
public:
    void add(std::shared_ptr<engine> const& client) {
        std::optional<failure> why;
        {
            std::lock_guard const lock(mutex_);
            std::erase_if(all_, [](auto const& c) { return c.expired(); });
            all_.push_back(client);
            why = why_;
        }
        py::gil_scoped_release const released;
        if (why) client->fail(*std::move(why));
    }

    void fail(failure const& why) {
        std::vector<std::weak_ptr<engine>> all;
        {
            std::lock_guard const lock(mutex_);
            why_ = why;
            all.swap(all_);
        }
        for (auto const& weak : all)
            if (auto const client = weak.lock()) client->fail(why);
    }

private:
    std::mutex mutex_;
    std::vector<std::weak_ptr<engine>> all_;
    std::optional<failure> why_;
};

} // namespace kftrain::python

#endif
