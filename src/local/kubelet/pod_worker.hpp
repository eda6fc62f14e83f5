#ifndef KFTRAIN_SRC_LOCAL_KUBELET_POD_WORKER_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_POD_WORKER_HPP

#include "local/kubelet/containers/container_prober.hpp"
#include "local/kubelet/containers/environment.hpp"
#include "local/kubelet/kubelet_state.hpp"
#include "local/kubelet/pod_report.hpp"
#include "local/kubelet/volumes/pod_volumes.hpp"

#include <set>

namespace kftrain::local {

/// The input of a container, to which attached clients write.
struct container_input {
    sandbox::unique_fd end;
    bool accepts_clients = false;    ///< `stdin`
    bool closes_with_client = false; ///< `stdinOnce`
    bool is_terminal = false;        ///< `tty`
};

/** The life of one pod on the node: sandbox, init containers one after the other, sidecars and containers side by side,
    restarts, status, end. Refers to the kubelet, which holds it until finished. */
class pod_worker : public std::enable_shared_from_this<pod_worker> {
public:
    /// Of `p` no more is needed than observed_pod_type() has.
    pod_worker(kubelet::state& owner, pod p);

    /// Runs the pod to its end; calls kubelet::state::pod_ended().
    void start();
    /// Applies a changed activeDeadlineSeconds. It counts from the same moment as before.
    void update(pod const& observed);
    /// The API server wants it gone: SIGTERM, then SIGKILL after `grace`.
    void terminate(std::chrono::seconds grace);
    /// How a container that runs was started; null for one that does not run.
    container_process const* find_process(std::string const& container) const;
    /// The input of a container with `stdin` or `tty` that runs; null for any other.
    container_input* find_input(std::string const& container) {
        auto const at = inputs_.find(container);
        return at == inputs_.end() ? nullptr : &at->second;
    }
    /// The address of the pod; empty without a sandbox.
    std::string address() const { return sandboxed_ && address_ ? *address_ : std::string(); }
    /// Names of processes that run in addition in containers.
    std::set<std::string>& commands() noexcept { return commands_; }
    /// Each open connection to a port of the pod has a copy.
    std::shared_ptr<int const> const& port_counter() const noexcept { return port_counter_; }
    /// Ends it at once and in silence, because the pod object is gone or the kubelet stops.
    void kill();

private:
    /// The result of one attempt to run a container.
    enum class attempt {
        ended,       ///< its program, or what the restart policy treats like that
        not_created, ///< to be tried again, whatever the restart policy says
        lost         ///< the pod or the node goes
    };

    /// The role of a container in its pod.
    enum class role { main, init, sidecar };

    asio::awaitable<void> run();
    asio::awaitable<void> live();
    asio::awaitable<bool> run_init_containers();
    asio::awaitable<void> run_containers();
    /// Runs a container in the background, and counts it in `unfinished` until it has ended for good.
    void run_beside(core::container const& spec, container_record& record, role as, std::size_t& unfinished);
    asio::awaitable<void> run_container(core::container const& spec, container_record& record, role as);
    asio::awaitable<bool> wait_before_restart(core::container const& spec, container_record& record);
    asio::awaitable<void> finish();

    // pod_worker_start.cpp
    asio::awaitable<bool> make_sandbox();
    asio::awaitable<error_code> try_sandbox(std::string& why);
    asio::awaitable<attempt> run_once(core::container const& spec, container_record& record);
    asio::awaitable<attempt> try_container(core::container const& spec, container_record& record);
    /// Of the container's present start.
    static std::string process_name(core::container const& spec, container_record const& record);
    /// Makes the input of a container that has one, and the end that the container gets. Throws `std::system_error`.
    sandbox::unique_fd make_input(core::container const& spec);
    attempt not_created(core::container const& spec, container_record& record, std::string_view reason,
                        std::string why);
    std::string note_missing_program(core::container const& spec, container_process const& process);
    bool is_init_container(core::container const& c) const;
    /// Writes an event of the type Warning about the pod or a container of it.
    void warn(std::string_view reason, std::string const& message, core::container const* about = nullptr) {
        note("Warning", reason, message, about);
    }
    void note(std::string_view type, std::string_view reason, std::string const& message, core::container const* about);

    // pod_worker_start.cpp: images
    asio::awaitable<result<ready_image>> pull(core::container const& spec);
    attempt not_pulled(core::container const& spec, container_record& record, std::string const& why);
    /// Waits after not_pulled(), and reports this.
    asio::awaitable<void> back_off_pull(core::container const& spec, container_record& record,
                                        std::chrono::milliseconds delay);
    /// Gives the container the root file system of its image; why that failed, or nothing.
    std::string give_root(core::container const& spec, container_process& process, ready_image const& image) const;
    void remove_layer(container_process const& process) const;

    // pod_worker_start.cpp: volumes and the process
    asio::awaitable<bool> make_volumes();
    /// Everything that the container is started with, but for its log.
    asio::awaitable<result<container_process>>
    describe_process(core::container const& spec, container_record const& record, ready_image const& image);
    template <class Object, class Map> asio::awaitable<std::string> read_objects(Map& objects);

    // pod_worker_start.cpp: probes
    std::shared_ptr<container_prober> probe(core::container const& spec, container_record& record,
                                            container_process const& started);
    void judged(probe_kind kind, bool succeeded, core::container const& spec, container_record& record);

    // pod_worker.cpp: the pod on the API server
    asio::awaitable<bool> bind();
    asio::awaitable<bool> read_all();
    asio::awaitable<void> publish();
    asio::awaitable<error_code> publish_once();
    asio::awaitable<void> refuse(std::string reason, issues const& why);

    /// Sleeps until the time passed or wake() is called.
    asio::awaitable<void> sleep(std::chrono::milliseconds t);
    asio::awaitable<void> sleep_until(std::chrono::steady_clock::time_point t);
    /// Sleeps until the time passed or the pod leaves.
    asio::awaitable<void> rest(std::chrono::milliseconds t);
    void wake();

    // pod_worker.cpp: the end
    /// Stops all containers within `grace`: sidecars in reverse order, after the others.
    void stop_containers(std::chrono::seconds grace);
    /// Stops one, if it runs: SIGTERM, then SIGKILL at `by`. If it is being stopped, only shortens the time left.
    /// @param in_order whether a sidecar waits for its turn
    void stop_container(core::container const& spec, std::chrono::steady_clock::time_point by, bool in_order);
    asio::awaitable<void> stop_process(core::container spec, std::string process, bool in_order);
    /// Runs `postStart`; false if it failed, and the container is being stopped.
    asio::awaitable<bool> run_post_start(core::container const& spec, std::string const& process);
    /// Runs a hook; absent if the container ended, or the time to stop it was over, before the hook ended.
    asio::awaitable<std::optional<bool>> run_hook(core::container const& spec, std::string process, std::string name,
                                                  core::lifecycle_handler what);
    bool is_running(std::string const& process) const;
    bool is_running_until(std::string const& process, std::chrono::steady_clock::time_point t) const;
    /// Whether the containers have ended that have to end before this one.
    bool may_stop(core::container const& spec) const;
    asio::awaitable<void> end_sidecars();
    std::chrono::seconds usual_grace() const;
    /// After this time, within the range of the clock.
    static std::chrono::steady_clock::time_point moment_in(std::chrono::seconds t);
    /// Ends the pod when it has been active for too long.
    void watch_deadline();
    bool is_past_deadline() const;
    /// Evicts the pod when an emptyDir on disk becomes larger than its limit.
    asio::awaitable<void> watch_volume_sizes();
    void evict(std::string why);
    /// The pod cannot go on because of a fault in here.
    void break_down(std::string why);

    /// Whether the pod ends, so that nothing is started again.
    bool leaving() const {
        return killed_ || terminating_ || completed_ || record_.deadline_exceeded || !record_.evicted.empty() ||
               !broken_.empty();
    }
    std::string_view restart_policy() const;
    std::string id() const { return pod_.metadata.uid; }

    kubelet::state& owner_;
    pod pod_;
    pod_record record_;
    std::optional<core::pod_status> refusal_;
    std::shared_ptr<pod_volumes> volumes_;
    std::uint64_t volume_changes_ = 0;                   ///< of the objects that volumes show
    std::optional<std::string> address_;                 ///< ours until the end
    std::set<std::string> running_;                      ///< processes of containers
    std::map<std::string, container_process> processes_; ///< by container, of those that run
    std::map<std::string, container_input> inputs_;      ///< by container, of those that run and have one
    std::set<std::string> starting_;                     ///< containers that run in a moment
    std::set<std::string> commands_;
    std::shared_ptr<int const> port_counter_ = std::make_shared<int const>(0);
    std::size_t unfinished_ = 0; ///< containers that run_containers() waits for
    std::size_t unfinished_sidecars_ = 0;
    /// When SIGKILL is sent, by process, of those that are being stopped.
    std::map<std::string, std::chrono::steady_clock::time_point> stops_;
    std::optional<std::chrono::steady_clock::time_point> stop_by_;               ///< the same of the whole pod
    std::map<container_record const*, std::weak_ptr<container_prober>> probers_; ///< of the present starts
    std::set<asio::steady_timer*> sleepers_;
    asio::steady_timer deadline_;
    std::optional<std::int64_t> time_limit_;                            ///< activeDeadlineSeconds, as observed last
    std::optional<std::chrono::steady_clock::time_point> active_since_; ///< until finish()
    std::string broken_;
    bool startable_ = true; ///< false: its containers ended with an earlier kubelet, and must not be started again
    bool sandboxed_ = false;
    bool publishing_ = false;
    bool unpublished_ = false;
    bool killed_ = false;
    bool terminating_ = false;
    bool completed_ = false; ///< only sidecars are left, if any
};

} // namespace kftrain::local

#endif
