#ifndef KFTRAIN_SRC_LOCAL_KUBELET_STATE_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_STATE_HPP

#include <kftrain/control/event_recorder.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/local/kubelet.hpp>

#include "local/address_pool.hpp"
#include "local/node.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>

#include <map>

namespace kftrain::local {

class pod_worker;
class name_server;

/// Everything of a kubelet. Pod workers and the name server refer to it; it outlives them.
struct kubelet::state : std::enable_shared_from_this<state> {
    state(kube::client c, kubelet_options o);

    void follow();
    void pod_changed(pod const& p, bool gone);
    /// Takes the worker of a pod that is done out of the books.
    void pod_ended(pod const& p);
    /// Ends the run if `ec` says that the sandbox helper died: the pods are gone then.
    void node_failed(error_code ec);

    asio::awaitable<error_code> prepare(diagnostics* detail);
    asio::awaitable<error_code> serve();
    asio::awaitable<void> stop_everything();

    time_point now() const;
    std::filesystem::path log_file(pod const& p, std::string_view container, std::int32_t restarts) const;

    kube::client client;
    kubelet_options options;
    local::node node;
    control::event_recorder events;
    address_pool addresses;
    kube::informer<pod> pods;
    kube::informer<service> services;
    std::map<std::string, std::shared_ptr<pod_worker>> workers;      ///< by uid of the pod
    std::map<std::string, std::map<std::string, log_location>> logs; ///< by namespace/pod, then container
    std::shared_ptr<name_server> names;
    asio::steady_timer wake; ///< the only sleeper is serve(); cancelled when a worker ends or the run has to stop
    asio::cancellation_signal stop_pods, stop_services;
    error_code outcome = asio::error::operation_aborted; ///< of serve()
    std::size_t informers_running = 0;
    bool prepared = false;
    bool running = false;
    bool stopping = false;
};

} // namespace kftrain::local

#endif
