#ifndef KFTRAIN_SRC_LOCAL_POD_WORKER_HPP
#define KFTRAIN_SRC_LOCAL_POD_WORKER_HPP

#include "local/kubelet_state.hpp"
#include "local/pod_report.hpp"

#include <set>

namespace kftrain::local {

/** The life of one pod on the node: sandbox, init containers one after the other, containers side by side, restarts,
    status, end. Refers to the kubelet, which holds it until finished. */
class pod_worker : public std::enable_shared_from_this<pod_worker> {
public:
    pod_worker(kubelet::state& owner, pod p);

    /// Runs the pod to its end; calls kubelet::state::pod_ended().
    void start();
    /// The API server wants it gone: SIGTERM, then SIGKILL after `grace`.
    void terminate(std::chrono::seconds grace);
    /// Ends it at once and in silence, because the pod object is gone or the kubelet stops.
    void kill();

private:
    asio::awaitable<void> run();
    asio::awaitable<bool> make_sandbox();
    asio::awaitable<bool> run_init_containers();
    asio::awaitable<void> run_containers();
    asio::awaitable<void> run_container(container const& spec, container_record& record);
    asio::awaitable<bool> run_once(container const& spec, container_record& record);
    asio::awaitable<bool> wait_before_restart(container_record& record);
    asio::awaitable<void> finish();

    asio::awaitable<bool> bind();
    asio::awaitable<void> publish();
    asio::awaitable<error_code> publish_once();
    /// Sleeps until the time passed or wake() is called.
    asio::awaitable<void> sleep(std::chrono::milliseconds t);
    void wake();
    asio::awaitable<void> refuse(std::string reason, std::string message);

    /// Whether the pod has to end before its time.
    bool leaving() const { return killed_ || terminating_; }
    std::string_view restart_policy() const;
    std::string id() const { return pod_.metadata.uid; }

    kubelet::state& owner_;
    pod pod_;
    pod_record record_;
    std::optional<pod_status> refusal_;
    std::map<std::string, bool> running_; ///< containers whose process runs
    std::size_t unfinished_ = 0;          ///< containers that run_containers() waits for
    std::set<asio::steady_timer*> sleepers_;
    asio::steady_timer grace_;
    bool sandboxed_ = false;
    bool publishing_ = false;
    bool unpublished_ = false;
    bool killed_ = false;
    bool terminating_ = false;
};

} // namespace kftrain::local

#endif
