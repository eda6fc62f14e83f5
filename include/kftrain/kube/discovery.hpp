#ifndef KFTRAIN_KUBE_DISCOVERY_HPP
#define KFTRAIN_KUBE_DISCOVERY_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/model/dynamic_object.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::kube {

/// A type of object that a server serves.
struct served_resource {
    served_resource() = default;

    std::string group; ///< empty for the core group
    std::string version;
    std::string kind;
    std::string plural;
    std::string singular;
    std::vector<std::string> short_names;  ///< e.g. `po`
    std::vector<std::string> categories;   ///< e.g. `all`
    std::vector<std::string> verbs;        ///< e.g. `list`, `deletecollection`
    std::vector<std::string> subresources; ///< e.g. `status`, `scale`
    resource_scope where = resource_scope::namespaced;

    bool can(std::string_view verb) const noexcept;
    bool has_subresource(std::string_view name) const noexcept;
    /// Returns the type for any_api, any_informer and other functions that take types.
    dynamic_type type() const { return dynamic_type(group, version, kind, plural, where); }
};

/// A part of an API whose resources the server could not report, e.g. because its backend is down.
struct unserved_version {
    unserved_version() = default;

    std::string group;
    std::string version;
    std::string why;
};

/// The resources that a server serves; the preferred version of a group comes first.
class api_catalog {
public:
    api_catalog() = default;
    api_catalog(std::vector<served_resource> resources, std::vector<unserved_version> failures, bool truncated = false)
        : resources_(std::move(resources)), failures_(std::move(failures)), truncated_(truncated) {}

    std::vector<served_resource> const& resources() const noexcept { return resources_; }
    std::vector<unserved_version> const& failures() const noexcept { return failures_; }

    /// Returns whether there is more than discovery_options::max_resources or max_versions.
    bool truncated() const noexcept { return truncated_; }

    /// Returns null if there is none. Without a version, returns the preferred one of those with the kind.
    served_resource const* find(std::string_view group, std::string_view kind,
                                std::string_view version = {}) const noexcept;
    /// Finds a resource by a name as users write it, case-insensitive: kind, plural, singular or short name, optionally
    /// with the group, `pytorchjobs.kubeflow.org`. Returns null if there is none, and the first of several.
    served_resource const* find_named(std::string_view name) const noexcept;

private:
    std::vector<served_resource> resources_;
    std::vector<unserved_version> failures_;
    bool truncated_ = false;
};

struct discovery_options {
    discovery_options() = default;

    std::chrono::milliseconds cache_ttl{600'000};        ///< lifetime of a cached catalog
    std::chrono::milliseconds partial_cache_ttl{30'000}; ///< lifetime of a cached catalog with failures
    /// Minimum time between two discovery reads, even if something is missing.
    std::chrono::milliseconds min_refresh_interval{5'000};
    std::size_t max_resources = 20'000; ///< more resources are dropped: see api_catalog::truncated()
    /// Versions to read from a server that only lists them; more are dropped likewise.
    std::size_t max_versions = 1'000;

    discovery_options& with_partial_cache_ttl(std::chrono::milliseconds t) { return partial_cache_ttl = t, *this; }
    discovery_options& with_max_versions(std::size_t n) { return max_versions = n, *this; }
    discovery_options& with_cache_ttl(std::chrono::milliseconds t) { return cache_ttl = t, *this; }
    discovery_options& with_min_refresh_interval(std::chrono::milliseconds t) {
        return min_refresh_interval = t, *this;
    }
    discovery_options& with_max_resources(std::size_t n) { return max_resources = n, *this; }
};

/** Reads which resources a server serves, and caches the result. Two requests are enough if the server supports
    aggregated discovery (Kubernetes 1.30 and later); otherwise discovery reads every version of every group. Kinds
    with structs in the program do not need discovery. A handle: copies share the cache.
    @par Thread safety As the client. Use forget() on the executor.
    @par Upstream client-go `discovery/discovery_client.go`, `discovery/cached/memory/memcache.go` */
class discovery {
public:
    explicit discovery(client c, discovery_options options = {});

    asio::any_io_executor get_executor() const noexcept { return client_.get_executor(); }

    /** Returns the resources that the server serves, from the cache if it is recent enough. Concurrent callers share
        one read.
        @par Handler signature `void(error_code, std::shared_ptr<api_catalog const>)`
        @par Errors as client::async_call(); the catalog reports a group that fails, which does not fail the
        operation.
        @par Cancellation total */
    template <detail::completion_token Token = default_token>
    auto async_catalog(call_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code, catalog)>(
            detail::client_access::place_of(client_), std::forward<Token>(token),
            [s = state_](any_handler<void(error_code, catalog)> h, call_options o) {
                start_catalog(s, std::move(h), std::move(o));
            },
            std::move(options));
    }
    template <detail::completion_token Token> auto async_catalog(Token&& token) const {
        return async_catalog(call_options(), std::forward<Token>(token));
    }

    /** Finds a resource by name, see api_catalog::find_named(). If the cached catalog does not have it, discovery
        reads a new one, because definitions may have been added, unless the last read is more recent than
        discovery_options::min_refresh_interval.
        @par Handler signature `void(error_code, std::optional<served_resource>)`; empty if there is none.
        @par Errors and cancellation as async_catalog() */
    template <detail::completion_token Token = default_token>
    auto async_find(std::string name, call_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code, std::optional<served_resource>)>(
            detail::client_access::place_of(client_), std::forward<Token>(token),
            [s = state_](any_handler<void(error_code, std::optional<served_resource>)> h, std::string n,
                         call_options o) { start_find(s, std::move(h), std::move(n), std::move(o)); },
            std::move(name), std::move(options));
    }
    template <detail::completion_token Token> auto async_find(std::string name, Token&& token) const {
        return async_find(std::move(name), call_options(), std::forward<Token>(token));
    }

    /// Clears the cache.
    void forget() noexcept;

private:
    using catalog = std::shared_ptr<api_catalog const>;
    struct state;
    static void start_catalog(std::shared_ptr<state> const& s, any_handler<void(error_code, catalog)> handler,
                              call_options options);
    static void start_find(std::shared_ptr<state> const& s,
                           any_handler<void(error_code, std::optional<served_resource>)> handler, std::string name,
                           call_options options);

    client client_;
    std::shared_ptr<state> state_;
};

} // namespace kftrain::kube

#endif
