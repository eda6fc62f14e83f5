#ifndef KFTRAIN_APISERVER_API_SERVER_HPP
#define KFTRAIN_APISERVER_API_SERVER_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/apiserver/pod_log_source.hpp>
#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/transport.hpp>
#include <kftrain/model/any_object.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace kftrain::apiserver {

namespace asio = boost::asio;

class server_core;

struct api_server_options {
    api_server_options() = default;

    std::function<time_point()> clock;     ///< empty: the system's clock
    std::function<std::string()> make_uid; ///< empty: random version 4 UUIDs
    /// False: as a cluster without kube-controller-manager. Dependents stay when their owner goes, and foreground deletions
    /// and the deletions of namespaces never end.
    bool collect_garbage = true;
    std::size_t watch_log_limit = 4096;                    ///< events kept per kind for watches
    std::size_t watch_log_bytes = std::size_t{256} << 20U; ///< what they may take in memory; see object_store_options
    std::size_t body_limit = 3u << 20;                     ///< bytes of a request's body; more is answered 413
    std::size_t object_limit = std::size_t{3} << 19U;      ///< bytes of an object's text; more is answered 500
    /// From the last write of an Event to its end; 0: for ever. The next request or watch that waits then deletes it.
    std::chrono::seconds event_ttl = std::chrono::hours(1);
    std::size_t event_limit = 10'000; ///< events kept, the latest; 0: all
    std::chrono::milliseconds bookmark_interval = std::chrono::minutes(1);
    std::chrono::milliseconds watch_timeout = std::chrono::minutes(30); ///< of a watch without timeoutSeconds
};

/** A Kubernetes API server in the process: the object store behind the REST interface, for operators, kubelets and
    `kubectl` alike. What it cannot do, it refuses; object_store says which rules it keeps.

    Pods, services, events, namespaces, config maps, secrets, nodes, leases, priority classes, quotas, autoscalers and batch Jobs are
    served from the start, and the namespaces `default`, `kube-node-lease`, `kube-public` and `kube-system` exist: objects of any other need
    it first. Verbs: get, list, watch, create, update, patch (JSON, merge; strategic merge of built-in
    kinds), delete, delete collection; the subresources `status`, `scale` of kinds that have it, `log` and `binding` of pods.
    Quotas are stored, and bound nothing. SelfSubjectAccessReviews are answered: everybody may do everything.
    Not served: server-side apply (415), OpenAPI (404: `kubectl create` and `apply` need `--validate=false`), dry run, strict
    field validation of kinds without a schema (400), YAML and protobuf bodies (415).

    @par Object lifetimes Destroying it ends its watches with `errc::connection_lost` and refuses later requests of its
    transports, which may outlive it.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. `executor` must be a strand, or run on one thread;
    transports may be used from other threads then, since requests are carried out on that executor. */
class api_server {
public:
    explicit api_server(asio::any_io_executor executor, api_server_options options = {});
    ~api_server();
    api_server(api_server const&) = delete;
    api_server& operator=(api_server const&) = delete;

    asio::any_io_executor get_executor() const noexcept;

    /** Serves a further kind, or replaces the definition of one that is served.
        @par Errors `errc::invalid_argument` for an unnamed kind or a column path that is not understood. */
    result<void> register_resource(resource_definition definition);
    /** Stores a further object, with its status, as if a client had created it and its controller had told of it.
        @par Errors `errc::invalid_argument` for a kind that is not served, and for what a client would be refused. */
    result<void> add_object(any_object const&);
    /// Answers `/log` of pods from now on.
    void set_log_source(std::shared_ptr<pod_log_source> source);

    /// Ends all watches with `errc::connection_lost` and answers every later request of its transports with `why`.
    void close(error_code why);

    /// Requests without a socket. The behaviour is that over a socket; bearer tokens are not asked for.
    std::shared_ptr<kube::transport> transport();

    /// What is stored now.
    object_store const& store() const noexcept;

private:
    friend class listener;
    std::shared_ptr<server_core> core_;
};

} // namespace kftrain::apiserver

#endif
