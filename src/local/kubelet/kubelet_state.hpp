#ifndef KFTRAIN_SRC_LOCAL_KUBELET_KUBELET_STATE_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_KUBELET_STATE_HPP

#include <kftrain/control/event_recorder.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/local/kubelet.hpp>
#include <kftrain/objects/core/service.hpp>

#include "kube/async/run_scope.hpp"
#include "local/kubelet/images/image_store.hpp"
#include "local/logs/log_book.hpp"
#include "local/node/address_pool.hpp"
#include "local/node/node.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <map>
#include <optional>

namespace kftrain::local {

/// The completion token of coroutines of the kubelet: errors are values.
inline constexpr auto await = asio::as_tuple(asio::use_awaitable);

class pod_worker;
class name_server;

/// Everything of a kubelet. Pod workers and the name server refer to it; what they wait for keeps it until close().
struct kubelet::state : std::enable_shared_from_this<state> {
    state(kube::client c, kubelet_options o);

    void follow();
    void pod_changed(pod const& p, bool gone);
    /// Takes the worker of a pod that is done out of the books.
    void pod_ended(pod const& p);
    /// Ends the run if `ec` means that the sandbox helper died: the pods are gone then.
    void node_failed(error_code ec);
    /// Logs once why limits of containers are not enforced.
    void note_unlimited();

    // They keep the state from before their first step on: the kubelet may be destroyed earlier.
    static asio::awaitable<void> prepare(std::shared_ptr<state> self, diagnostics* detail);
    static asio::awaitable<void> serve(std::shared_ptr<state> self);
    asio::awaitable<error_code> make_node(diagnostics* detail);
    asio::awaitable<void> stop_everything();
    /// Makes serve() end.
    void stop();
    /// The owner goes: ends node and pods here and now, so that nothing waits for them.
    void close();

    time_point now() const;

    kube::client client;
    kubelet_options options;
    local::node node;
    control::event_recorder events;
    address_pool addresses;
    kube::shared_informers objects; ///< config maps and secrets that pods show, each followed once
    kube::informer<pod> pods;
    kube::informer<service> services;
    std::map<std::string, std::shared_ptr<pod_worker>> workers; ///< by uid of the pod
    std::shared_ptr<log_book> const logs = std::make_shared<log_book>();
    std::shared_ptr<image_store> const images =
        std::make_shared<image_store>(client.get_executor(), options.helper, options.image_store);
    std::shared_ptr<name_server> names;
    std::optional<pod_api_access> access; ///< of pods with a service account
    std::string kubectl;                  ///< for these pods; may be empty
    asio::steady_timer wake; ///< the only sleeper is serve(); cancelled when a worker ends or the run has to stop
    kube::run_scope run;     ///< its parts are the informers
    error_code outcome = asio::error::operation_aborted; ///< of serve()
    bool begun = false;                                  ///< async_start() was called
    bool prepared = false;                               ///< and succeeded
    bool stopping = false;
    bool unlimited_noted = false;
};

} // namespace kftrain::local

#endif
