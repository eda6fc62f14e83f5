#ifndef KFTRAIN_APISERVER_API_SERVER_HPP
#define KFTRAIN_APISERVER_API_SERVER_HPP

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/apiserver/pod_exec_source.hpp>
#include <kftrain/apiserver/pod_log_source.hpp>
#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/apiserver/user_info.hpp>
#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/transport.hpp>
#include <kftrain/model/any_object.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace kftrain::apiserver {

namespace asio = boost::asio;

class server_core;

struct api_server_options {
    api_server_options() = default;

    std::function<time_point()> clock;     ///< empty: the system clock
    std::function<std::string()> make_uid; ///< empty: random version 4 UUIDs
    /// False: like a cluster without kube-controller-manager. Dependents stay when their owner is deleted, and
    /// foreground deletions and deletions of namespaces and of CustomResourceDefinitions never end.
    bool collect_garbage = true;
    std::size_t watch_log_limit = 4096; ///< number of events kept per kind for watches
    /// Memory limit for these events in bytes; see object_store_options.
    std::size_t watch_log_bytes = std::size_t{256} << 20U;
    std::size_t body_limit = 3u << 20; ///< maximum size of a request body in bytes; a larger one gives 413
    /// Maximum size of the text of an object in bytes; a longer one gives 500.
    std::size_t object_limit = std::size_t{3} << 19U;
    /// Maximum memory for all objects in bytes; see object_store_options.
    std::size_t storage_limit = std::size_t{2} << 30U;
    /// Lifetime of an Event since its last write; 0: unlimited. The next request or pending watch then deletes it.
    std::chrono::seconds event_ttl = std::chrono::hours(1);
    std::size_t event_limit = 10'000;   ///< number of events kept, the latest ones; 0: all
    std::size_t definition_limit = 200; ///< maximum number of CustomResourceDefinitions; one more gives 403
    std::chrono::milliseconds bookmark_interval = std::chrono::minutes(1);
    std::chrono::milliseconds watch_timeout = std::chrono::minutes(30); ///< for a watch without timeoutSeconds
    /// Is called once if the directory of keep_in() cannot be written: no write is confirmed any more. Must not call
    /// the server.
    std::function<void(failure const&)> on_lost_directory;
};

/** A Kubernetes API server in the process: the object store behind the REST interface, for operators, kubelets and
    `kubectl` alike. It rejects unsupported requests; object_store lists the rules that it enforces.

    Pods, services, events, namespaces, config maps, secrets, nodes, leases, priority classes, quotas, autoscalers,
    batch Jobs and CustomResourceDefinitions are served from the start, and the namespaces `default`,
    `kube-node-lease`, `kube-public` and `kube-system` exist; objects in any other namespace need it first. Verbs: get,
    list, watch, create, update, patch (JSON, merge; strategic merge of built-in kinds), apply, delete, delete
    collection; the subresources `status`, `scale` of kinds that have it, `log`, `exec`, `attach` and `portforward`
    (over WebSocket and SPDY/3.1), `binding` and `eviction` of pods.
    Users have the permissions of their roles (RBAC); access reviews report these, and the roles `cluster-admin`,
    `admin`, `edit` and `view` exist. ResourceQuotas and LimitRanges apply to what is created. A
    CustomResourceDefinition adds the resource that it describes at once, with its schema, versions, columns and
    subresources; kinds of register_resource() stay as the program defined them. OpenAPI v2 and v3 contain the schemas
    of all kinds. Bodies are JSON or YAML. Not served: conversion webhooks (422), protobuf bodies (415).

    @par Object lifetimes Destroying it ends its watches with `errc::connection_lost`, kills the commands that clients
    run by `exec`, closes their connections to ports, and rejects later requests of its transports, which may outlive
    it.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. `executor` must be a strand, or run on one
    thread; then transports may be used from other threads, because requests are carried out on that executor. */
class api_server {
public:
    explicit api_server(asio::any_io_executor executor, api_server_options options = {});
    ~api_server();
    api_server(api_server const&) = delete;
    api_server& operator=(api_server const&) = delete;

    asio::any_io_executor get_executor() const noexcept;

    /** Serves a further kind, or replaces the definition of a served one.
        @par Errors `errc::invalid_argument` for a kind without a name or an invalid column path. */
    [[nodiscard]] result<void> register_resource(resource_definition definition);
    /** Stores a further object, including its status, as if a client had created it and its controller had written
        the status.
        @par Errors `errc::invalid_argument` for a kind that is not served, and for objects that a client could not
        create. */
    [[nodiscard]] result<void> add_object(any_object const&);
    /** Restores the objects that an earlier server kept in this directory, and keeps all objects there from now on.
        Call it after the kinds were registered and before the first request; objects of a kind that is registered later
        come back with it. The directory is created with mode 0700. A write is confirmed after it was written, so that
        the end of the process at any moment, also by SIGKILL, loses no confirmed write; a power failure may lose the
        last ones. Watches cannot continue from before.
        @par Errors `errc::already_running` if another process uses the directory; `errc::syntax` if its file is damaged
        or has an unknown format; `errc::invalid_argument` if another user owns the directory or can write to it, or if
        an object cannot be served; those of the file system. The server then keeps nothing; if an object could not be
        served, it may have some of the others. */
    [[nodiscard]] result<void> keep_in(std::string const& directory);
    /// Serves `/log` of pods from now on.
    void set_log_source(std::shared_ptr<pod_log_source> source);
    /// Serves `/exec`, `/attach` and `/portforward` of pods by this source from now on; null: the server rejects them.
    /// The server shares ownership until it is closed.
    void set_exec_source(std::shared_ptr<pod_exec_source> source);

    /// Ends all watches with `errc::connection_lost`; every later request of its transports fails with `why`.
    void close(error_code why);

    /// Returns a transport without a socket. It behaves like one over a socket, but needs no bearer token, and has all
    /// permissions.
    std::shared_ptr<kube::transport> transport();
    /// The same, with the permissions of this user.
    std::shared_ptr<kube::transport> transport(user_info);

    /** Returns a new bearer token of a service account, a JSON Web Token, which listeners of this server accept.
        @param account The account; it need not exist
        @param pod With a name and a uid: the token is valid only while this pod exists */
    std::string service_account_token(std::string_view ns, std::string_view account, object_meta const& pod = {});

    /// Returns the current contents.
    object_store const& store() const noexcept;

private:
    friend class listener;
    std::shared_ptr<server_core> core_;
};

} // namespace kftrain::apiserver

#endif
