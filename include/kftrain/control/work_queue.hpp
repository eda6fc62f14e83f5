#ifndef KFTRAIN_CONTROL_WORK_QUEUE_HPP
#define KFTRAIN_CONTROL_WORK_QUEUE_HPP

#include <kftrain/control/controller_options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace kftrain::control {

/** Keys that wait for work. A key is in work at most once; one that is added meanwhile comes again afterwards; equal
    keys collapse. Pure: the caller says what time it is, on any clock that does not jump.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe.
    @par Upstream client-go `util/workqueue/{queue,delaying_queue,default_rate_limiters}.go` */
class work_queue {
public:
    using instant = std::chrono::steady_clock::time_point;

    explicit work_queue(retry_policy policy = retry_policy()) : policy_(policy) {}

    /// Makes `key` ready now.
    void add(std::string const& key);
    /// Makes `key` ready at `when`; of several times the earliest counts.
    void add_at(std::string const& key, instant when);
    /// Makes `key` ready after a time that grows with each call until forget().
    void add_failed(std::string const& key, instant now);
    /// Ends the memory of failures.
    void forget(std::string const& key);

    /// Takes the next ready key into work; absent if none is.
    std::optional<std::string> take(instant now);
    /// Ends the work on a key that take() handed out.
    void done(std::string const& key);

    /// When the next delayed key becomes ready; absent if none is delayed.
    std::optional<instant> next_ready() const;
    std::size_t ready() const noexcept { return ready_.size(); }
    std::size_t in_work() const noexcept { return in_work_.size(); }
    /// How often a key was added that did not wait already, and how often one that had failed.
    std::uint64_t adds() const noexcept { return adds_; }
    std::uint64_t retries() const noexcept { return retries_; }

private:
    void release(instant now);

    retry_policy policy_;
    std::deque<std::string> ready_;
    std::set<std::string> dirty_; ///< wants work: in ready_, or in work and added again
    std::set<std::string> in_work_;
    std::map<std::string, instant> delayed_;
    std::multimap<instant, std::string> schedule_; ///< delayed_ by time
    std::map<std::string, unsigned> failures_;
    std::uint64_t adds_ = 0;
    std::uint64_t retries_ = 0;
};

} // namespace kftrain::control

#endif
