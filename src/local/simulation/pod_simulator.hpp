#ifndef KFTRAIN_SRC_LOCAL_SIMULATION_POD_SIMULATOR_HPP
#define KFTRAIN_SRC_LOCAL_SIMULATION_POD_SIMULATOR_HPP

#include <kftrain/base/logger.hpp>
#include <kftrain/kube/client.hpp>
#include <kftrain/model/meta.hpp>

#include <chrono>
#include <memory>
#include <optional>

namespace kftrain::local {

/// How a simulated pod behaves.
struct pod_script {
    std::chrono::milliseconds run{}; ///< until its containers end; 0: they do not
    int exit_code = 0;
};

/** Reads the annotations `kftrain.local/run`, a duration such as `1m30s`, and `kftrain.local/exit-code`, 0 to 255.
    @par Errors `errc::invalid_argument`; the message names the annotation */
result<pod_script> read_pod_script(string_map const& annotations, std::chrono::milliseconds default_run);

/** Writes the status of pods as a kubelet would that runs them, without running anything: they run for a time, then
    end, and restart as their policy demands. Ends pods that are deleted.
    @par Object lifetimes Destroying it ends the run with `operation_aborted`; destroy it before its io_context.
    @par Thread safety Unsafe; use it on the executor of the client. */
class pod_simulator {
public:
    /// Pods without a node are bound to `node`; if it is empty, they wait until a scheduler has bound them.
    pod_simulator(kube::client client, std::chrono::milliseconds run, std::string node, logger log);
    pod_simulator(pod_simulator&&) noexcept = default;
    pod_simulator& operator=(pod_simulator&&) = delete;
    ~pod_simulator();

    /// Runs until cancelled. At most one run at a time.
    void async_run(kube::any_handler<void(error_code)> handler);

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace kftrain::local

#endif
