#ifndef KFTRAIN_SRC_FACADE_LOGS_LOG_MEMBERS_HPP
#define KFTRAIN_SRC_FACADE_LOGS_LOG_MEMBERS_HPP

#include "facade/follow/job_layout.hpp"
#include "facade/logs/log_session.hpp"
#include "job/contract/watched_pods.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/any_informer.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace kftrain {

/** The members of a job whose logs are read, and their containers: each once, as soon as the status of its pod names
    it.
    @par Thread safety Unsafe */
class log_members {
public:
    /// `spawn` begins what follows a container; this must live as long as that goes on.
    log_members(std::shared_ptr<log_session> s, std::function<void(asio::awaitable<void>)> spawn)
        : session_(std::move(s)), spawn_(std::move(spawn)) {}

    /** The job as it is by now.
        @par Errors `errc::invalid_job`, and at the first time `errc::invalid_argument` for members that it does not
        have */
    result<void> lay_out(any_job const& job);
    /// Null before it was laid out.
    std::shared_ptr<job_layout const> const& layout() const noexcept { return layout_; }

    /// A pod that an informer reports.
    void take(kube::any_event const& e);
    /// Starts following when all existing pods are known. @par Errors `errc::invalid_argument` for containers that do
    /// not exist
    result<void> begin();
    bool has_begun() const noexcept { return begun_; }
    /// Examines all known pods; `early`: they existed when the call began.
    void see_all(bool early);
    /// Notes pods that were gone before they were read.
    void note_absences();

    /// Pods that are followed, and those of known names that may come again.
    std::size_t followed() const noexcept { return followed_.size(); }

private:
    member const* wants(object_meta const& pod) const;
    void see(job_pods::object const& p, bool early);
    asio::awaitable<void> follow(member its, std::string container, job_pods::object p, bool early, bool drawn);
    void count_without_pod();
    void forget_unresolved();

    std::shared_ptr<log_session> session_;
    std::function<void(asio::awaitable<void>)> spawn_;
    std::shared_ptr<job_layout const> layout_; ///< of the job that was looked at last
    object_meta job_;                          ///< its namespace and uid
    std::optional<pod_claim> claim_;
    known_containers containers_;
    std::map<std::string, std::set<std::string>> followed_; ///< containers by the names of pods
    std::size_t without_pod_ = 0;                           ///< wanted members of known names without a pod so far
    bool drawn_ = false;                                    ///< some wanted members have pods with random names
    bool begun_ = false;
};

} // namespace kftrain

#endif
