#ifndef KFTRAIN_SRC_FACADE_FOLLOW_JOB_BOARD_HPP
#define KFTRAIN_SRC_FACADE_FOLLOW_JOB_BOARD_HPP

#include "facade/follow/job_feed.hpp"

#include <kftrain/facade/job_watch.hpp>

#include <memory>
#include <vector>

namespace kftrain::detail {

/// The feeds and informers that the copies of one training_client share.
struct job_board {
    explicit job_board(kube::client c) : client(std::move(c)), informers(client) {}

    /// The feed for this, which may be one of all namespaces; it runs as long as somebody keeps it.
    std::shared_ptr<job_feed> feed(feed_options wanted);
    /// The same if there is one, else null.
    std::shared_ptr<job_feed> find(feed_options const& wanted);
    /// An informer for the pods of all jobs of a kind in a namespace, and perhaps of other jobs. It is the feed's
    /// informer if there is one.
    std::shared_ptr<kube::detail::informer_core> pods(rules::job_rules const& kind, std::string ns);

    kube::client client;
    kube::shared_informers informers;
    bool everywhere = false;                                            ///< follow all namespaces, whatever is wanted
    std::chrono::milliseconds unserved_retry = std::chrono::minutes(1); ///< at kinds that are not served
    std::size_t most_strays = 10'000;  ///< that a watch keeps of jobs that came and went while no call was pending
    std::size_t most_failures = 1'000; ///< that a watch keeps while no call is pending

private:
    std::vector<std::weak_ptr<job_feed>> feeds_;
};

} // namespace kftrain::detail

namespace kftrain {

/// Body of training_client::watch(); the namespace is given.
job_watch begin_watch(std::shared_ptr<detail::job_board> board, job_watch_options options);

} // namespace kftrain

#endif
