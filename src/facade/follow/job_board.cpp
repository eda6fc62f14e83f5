#include "facade/follow/job_board.hpp"

#include <algorithm>

namespace kftrain::detail {

std::shared_ptr<job_feed> job_board::find(feed_options const& wanted) {
    std::erase_if(feeds_, [](auto const& f) { return f.expired(); });
    std::shared_ptr<job_feed> found;
    for (auto const& weak : feeds_) {
        auto const f = weak.lock();
        if (!f || f->is_over() || f->options().kind != wanted.kind || f->options().pods != wanted.pods) continue;
        if (f->options().namespace_ == wanted.namespace_) return f;
        // The caller may have permissions in this namespace alone, so a feed of all namespaces must have listed them.
        if (f->options().namespace_.empty() && f->is_ready()) found = f;
    }
    return found;
}

std::shared_ptr<job_feed> job_board::feed(feed_options wanted) {
    if (everywhere) wanted.namespace_.clear();
    wanted.unserved_retry = unserved_retry;
    if (auto known = find(wanted)) return known;
    auto made = std::make_shared<job_feed>(client, informers, std::move(wanted));
    feeds_.push_back(made);
    made->start();
    return made;
}

std::shared_ptr<kube::detail::informer_core> job_board::pods(rules::job_rules const& kind, std::string ns) {
    feed_options wanted;
    wanted.kind = &kind;
    wanted.namespace_ = everywhere ? std::string() : std::move(ns);
    if (auto const known = find(wanted)) wanted.namespace_ = known->options().namespace_;
    return follow_pods(informers, client, wanted.namespace_, kind);
}

} // namespace kftrain::detail
