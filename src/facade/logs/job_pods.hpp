#ifndef KFTRAIN_SRC_FACADE_LOGS_JOB_PODS_HPP
#define KFTRAIN_SRC_FACADE_LOGS_JOB_PODS_HPP

#include "kube/async/timer.hpp"

#include <kftrain/objects/core.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/** The existing pods of one job by name, from an informer, lists and single answers. Older states than the known one
    are ignored. A change of a pod wakes the operations that wait for it.
    @par Thread safety Unsafe */
class job_pods {
public:
    using object = std::shared_ptr<pod const>;
    using clock = std::chrono::steady_clock;

    /// Waits for a change of the pod with this name. Its operations belong to the io_context and end with it.
    class look {
    public:
        look(job_pods& pods, std::string const& name, boost::asio::any_io_executor const& executor,
             clock::time_point until = clock::time_point::max());
        look(look const&) = delete;
        look& operator=(look const&) = delete;
        ~look();

        /// Ends when the pod may have changed, or when it is time.
        kube::detail::timer& timer() noexcept { return timer_; }

    private:
        job_pods& pods_;
        kube::detail::timer timer_;
        std::multimap<std::string, look*, std::less<>>::iterator place_;
    };

    /// An object that an informer reports. False if more is known by now.
    bool put(object const& pod);
    /// An object that an informer reports as gone.
    void remove(object_meta const& pod);
    /// An answer about one pod: it counts if it is newer than what is known, and never brings back what is gone.
    void update(object const& pod);
    /// Call this before requesting a list for replace().
    void begin_list() { gone_meanwhile_.emplace(); }
    /// These are all, by a list of this version; what came or went since it was begun is kept.
    void replace(std::vector<object> const& listed, std::string version);

    object find(std::string_view name) const; ///< or null
    std::vector<object> all() const;
    std::size_t size() const noexcept { return by_name_.size(); }
    std::size_t looks() const noexcept { return looks_.size(); }
    /// Wakes all waiting operations.
    void wake_all();
    void clear() { by_name_.clear(); }

private:
    struct entry {
        entry() = default;

        object pod;
        bool ahead = false; ///< of the informer: another answer was newer
    };

    void wake(std::string_view name);

    std::map<std::string, entry, std::less<>> by_name_;
    std::multimap<std::string, look*, std::less<>> looks_;
    std::string version_;                                              ///< of a list that the informer may be behind
    std::optional<std::set<std::string, std::less<>>> gone_meanwhile_; ///< uids, while a list is being read
};

// The runs of a container by the status of its pod: the first has number 0, each restart begins the next.

/// The container's status, or null.
core::container_status const* status_of(pod const& p, std::string_view container) noexcept;
/// How many runs have begun; the number of the latest is one less.
std::int32_t runs_begun(pod const& p, std::string_view container) noexcept;
/** Whether runs_begun() may miss a run that has ended: while a container waits for its next run for another reason than
    the back-off, the restart may or may not be counted yet. */
bool may_hide_a_run(pod const& p, std::string_view container, std::int32_t read) noexcept;
/// Whether the latest run goes on.
bool is_running(pod const& p, std::string_view container) noexcept;
/// Whether the log of the run before the latest can be requested: not while the container waits for its restart.
bool shows_previous(pod const& p, std::string_view container) noexcept;

} // namespace kftrain

#endif
