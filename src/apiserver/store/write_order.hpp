#ifndef KFTRAIN_SRC_APISERVER_STORE_WRITE_ORDER_HPP
#define KFTRAIN_SRC_APISERVER_STORE_WRITE_ORDER_HPP

#include <kftrain/model/scalars.hpp>

#include <list>
#include <string>
#include <unordered_map>
#include <utility>

namespace kftrain::apiserver {

/// Keys of objects in the order in which these were last written, and when.
class write_order {
public:
    void touch(std::string const& key, time_point now) {
        drop(key);
        places_[key] = order_.insert(order_.end(), {key, now});
    }
    void drop(std::string const& key) {
        auto const at = places_.find(key);
        if (at == places_.end()) return;
        order_.erase(at->second);
        places_.erase(at);
    }
    std::size_t size() const noexcept { return order_.size(); }
    bool empty() const noexcept { return order_.empty(); }
    std::pair<std::string, time_point> const& oldest() const noexcept { return order_.front(); }

private:
    using list = std::list<std::pair<std::string, time_point>>;

    list order_;
    std::unordered_map<std::string, list::iterator> places_;
};

} // namespace kftrain::apiserver

#endif
