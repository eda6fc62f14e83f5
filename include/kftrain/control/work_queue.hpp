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

/** Keys that wait for work. A key is processed at most once at a time; a key that is added during its processing is
    returned again afterwards; equal keys collapse. Pure: the caller passes the time, from any clock that does not
    jump.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe.
    @par Upstream client-go `util/workqueue/{queue,delaying_queue,default_rate_limiters}.go` */
class work_queue {
public:
    using instant = std::chrono::steady_clock::time_point;

    explicit work_queue(retry_policy policy = retry_policy()) : policy_(policy) {}

    /// Makes `key` ready now.
    void add(std::string const& key);
    /// Makes `key` ready at `when`; if there are several times, the earliest counts.
    void add_at(std::string const& key, instant when);
    /// Makes `key` ready after a delay that increases with each call until forget().
    void add_failed(std::string const& key, instant now);
    /// Resets the failure count.
    void forget(std::string const& key);

    /// Takes the next ready key for processing; absent if none is ready.
    std::optional<std::string> take(instant now);
    /// Ends the processing of a key from take().
    void done(std::string const& key);

    /// Returns when the next delayed key becomes ready; absent if none is delayed.
    std::optional<instant> next_ready() const;
    std::size_t ready() const noexcept { return ready_.size(); }
    std::size_t in_work() const noexcept { return in_work_.size(); }
    /// How often a key was added that was not already waiting, and how often a failed key was added.
    std::uint64_t adds() const noexcept { return adds_; }
    std::uint64_t retries() const noexcept { return retries_; }

private:
    void release(instant now);

    retry_policy policy_;
    std::deque<std::string> ready_;
    std::set<std::string> dirty_; ///< need work: in ready_, or being processed and added again
    std::set<std::string> in_work_;
    std::map<std::string, instant> delayed_;
    std::multimap<instant, std::string> schedule_; ///< delayed_ ordered by time
    std::map<std::string, unsigned> failures_;
    std::uint64_t adds_ = 0;
    std::uint64_t retries_ = 0;
};

} // namespace kftrain::control

#endif
