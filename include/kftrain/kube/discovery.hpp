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
    /// For any_api, any_informer and whatever else takes types.
    dynamic_type type() const { return dynamic_type(group, version, kind, plural, where); }
};

/// A part of an API of which a server could not tell what it serves, as when what stands behind it is down.
struct unserved_version {
    unserved_version() = default;

    std::string group;
    std::string version;
    std::string why;
};

/// What a server serves, versions that it prefers before others of their group.
class api_catalog {
public:
    api_catalog() = default;
    api_catalog(std::vector<served_resource> resources, std::vector<unserved_version> failures, bool truncated = false)
        : resources_(std::move(resources)), failures_(std::move(failures)), truncated_(truncated) {}

    std::vector<served_resource> const& resources() const noexcept { return resources_; }
    std::vector<unserved_version> const& failures() const noexcept { return failures_; }

    /// There is more, beyond discovery_options::most_resources or most_versions.
    bool truncated() const noexcept { return truncated_; }

    /// Null if there is none. Without a version the one that the server prefers of those with the kind.
    served_resource const* find(std::string_view group, std::string_view kind,
                                std::string_view version = {}) const noexcept;
    /// By a name as users write it, in any case of letters: kind, plural, singular or short name, perhaps with the group
    /// behind a dot, `pytorchjobs.kubeflow.org`. Null if there is none; the first of several.
    served_resource const* find_named(std::string_view name) const noexcept;

private:
    std::vector<served_resource> resources_;
    std::vector<unserved_version> failures_;
    bool truncated_ = false;
};

struct discovery_options {
    discovery_options() = default;

    std::chrono::milliseconds lasts{600'000};          ///< how long a catalog is kept
    std::chrono::milliseconds lasts_with_gaps{30'000}; ///< and one with failures
    std::chrono::milliseconds at_least{5'000}; ///< no new one is read before that, whatever is missing in the last
    std::size_t most_resources = 20'000;       ///< what exceeds this is left out: see api_catalog::truncated()
    std::size_t most_versions = 1'000;         ///< are asked for, of a server that only lists them; likewise

    discovery_options& with_lasts_with_gaps(std::chrono::milliseconds t) { return lasts_with_gaps = t, *this; }
    discovery_options& with_most_versions(std::size_t n) { return most_versions = n, *this; }
    discovery_options& with_lasts(std::chrono::milliseconds t) { return lasts = t, *this; }
    discovery_options& with_at_least(std::chrono::milliseconds t) { return at_least = t, *this; }
    discovery_options& with_most_resources(std::size_t n) { return most_resources = n, *this; }
};

/** Asks a server what it serves, and keeps the answer for a while. Two requests are enough where the server knows aggregated
    discovery (Kubernetes 1.30 and later); of others every version of every group is asked for. Kinds of which the program
    has structs need none of this.
    A handle: copies share what they keep.
    @par Thread safety Unsafe; use it on the executor of the client.
    @par Upstream client-go `discovery/discovery_client.go`, `discovery/cached/memory/memcache.go` */
class discovery {
public:
    explicit discovery(client c, discovery_options options = {});

    asio::any_io_executor get_executor() const noexcept { return client_.get_executor(); }

    /** What the server serves, as it was read last if that is recent enough. Those who ask at the same time share one reading.
        @par Handler signature `void(error_code, std::shared_ptr<api_catalog const>)`
        @par Errors as client::async_call(); a group that fails is told by the catalog, and fails nothing else.
        @par Cancellation total */
    template <detail::completion_token Token = default_token>
    auto async_catalog(call_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code, catalog)>(
            get_executor(), std::forward<Token>(token),
            [s = state_](any_handler<void(error_code, catalog)> h, call_options o) {
                start_catalog(s, std::move(h), std::move(o));
            },
            std::move(options));
    }
    template <detail::completion_token Token> auto async_catalog(Token&& token) const {
        return async_catalog(call_options(), std::forward<Token>(token));
    }

    /** What the server serves under a name, see api_catalog::find_named(). What is not found is looked for in a new catalog,
        unless the last is newer than discovery_options::at_least: definitions may have been added.
        @par Handler signature `void(error_code, std::optional<served_resource>)`; empty if there is none.
        @par Errors and cancellation as async_catalog() */
    template <detail::completion_token Token = default_token>
    auto async_find(std::string name, call_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code, std::optional<served_resource>)>(
            get_executor(), std::forward<Token>(token),
            [s = state_](any_handler<void(error_code, std::optional<served_resource>)> h, std::string n,
                         call_options o) { start_find(s, std::move(h), std::move(n), std::move(o)); },
            std::move(name), std::move(options));
    }
    template <detail::completion_token Token> auto async_find(std::string name, Token&& token) const {
        return async_find(std::move(name), call_options(), std::forward<Token>(token));
    }

    /// Forgets what was read.
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
