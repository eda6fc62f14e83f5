#ifndef KFTRAIN_KUBE_ANY_INFORMER_HPP
#define KFTRAIN_KUBE_ANY_INFORMER_HPP

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/resource_version.hpp>
#include <kftrain/model/change_kind.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube {

class metadata_api;
class shared_informers;

/// How an informer obtains the initial list, and a new list after it missed changes (a relist).
enum class list_streaming {
    off,       ///< as a list, page by page
    automatic, ///< as a watch that begins with the existing objects; page by page if the server does not support that
};

/// Options of an informer.
struct informer_options {
    informer_options() = default;

    std::string label_selector;
    std::string field_selector;
    std::uint32_t page_size = 500;
    /// How long a watch may stay silent before the informer checks that the server is alive. The check waits for as
    /// long as this, but at least 1 s and at most 15 s; then the watch is restarted. 0: no check. Servers that send
    /// bookmarks, as kube-apiserver does about once a minute, are not checked with the default.
    std::chrono::milliseconds silence{90'000};
    /** Streaming spares the server the memory of a whole list, several times its text. As with a list, the contents
        change in one step, after the last object has arrived. If a server rejects the streaming list, the informer
        reads pages, and no informer of that type and client requests streaming again for ten minutes.

        Off by default: servers before Kubernetes 1.34 reject it by default (except 1.32), and a server that ignores
        the parameter, as that of an aggregated API may, is detected only after `streaming_patience`. Enable it for
        large collections on servers that are known to be new enough.
        @par Upstream KEP-3157; client-go streams by default since 1.35 */
    list_streaming streaming_list = list_streaming::off;
    /// How long a streaming list may deliver neither an object nor its end before the informer reads pages instead; 0:
    /// as long as a watch may last.
    std::chrono::milliseconds streaming_patience{30'000};

    informer_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    informer_options& with_field_selector(std::string s) { return field_selector = std::move(s), *this; }
    informer_options& with_page_size(std::uint32_t n) { return page_size = n, *this; }
    informer_options& with_silence(std::chrono::milliseconds t) { return silence = t, *this; }
    informer_options& with_streaming_list(list_streaming s = list_streaming::automatic) {
        return streaming_list = s, *this;
    }
    informer_options& with_streaming_patience(std::chrono::milliseconds t) { return streaming_patience = t, *this; }
};

/// The time limit for the first list of an informer.
struct sync_options {
    sync_options() = default;

    std::chrono::milliseconds timeout{0}; ///< 0: no limit
    diagnostics* detail = nullptr;        ///< filled before completion; must live until then

    sync_options& with_timeout(std::chrono::milliseconds t) { return timeout = t, *this; }
    sync_options& with_detail(diagnostics& d) { return detail = &d, *this; }
};

/// A change observed by an informer of objects of any type.
struct any_event {
    any_event() = default;

    change_kind kind = change_kind::added;
    any_object old;       ///< state before the change; empty for `added`
    any_object object;    ///< state after the change; for `deleted` the last known state
    bool initial = false; ///< part of the first list
    /// `deleted` that the server did not report, but that follows from a relist or another object of the name
    bool missed = false;
};

namespace detail {

struct informer_core;

} // namespace detail

/** Follows the objects of one type, which may become known while the program runs. informer<K> is the typed form; it
    documents error recovery, staleness of the contents, and lifetimes.
    @par Thread safety Unsafe; use it on the executor of the client. The objects it returns are immutable and safe.
    @par Upstream client-go `dynamic/dynamicinformer` */
class any_informer {
public:
    using event = any_event;
    using handler = std::function<void(event const&)>;

    explicit any_informer(any_api const& a, informer_options options = {});
    /// Shares its objects with all informers that follow the same objects through `shared`; without sharing if `shared`
    /// is empty.
    any_informer(any_api const& a, shared_informers const& shared, informer_options options = {});
    /** Follows only the metadata of the objects, which takes a tenth of the memory and traffic. The objects have the
        type @ref object_metadata; an `informer<object_metadata>` can wrap this informer. */
    explicit any_informer(metadata_api const& a, informer_options options = {});
    any_informer(any_informer&&) noexcept = default;
    any_informer& operator=(any_informer&& other) noexcept;
    ~any_informer();

    asio::any_io_executor get_executor() const noexcept { return executor_; }
    object_type const& type() const noexcept { return *type_; }

    /** Calls `h` on the executor with every change from now on; known objects come first, as `added`. Exceptions of
        `h` are logged and dropped. */
    void on_event(handler h);

    /// Returns an empty object if there is none. `ns` is empty for cluster-scoped kinds.
    any_object find(std::string_view ns, std::string_view name) const;
    /// Returns all objects, ordered by namespace and name.
    std::vector<any_object> list() const;

    /// Returns whether the first list was received and the first handler has received its objects. A handler that is
    /// added later receives the known objects afterwards, with `initial` set. Stays true.
    bool has_synced() const noexcept;
    /// Returns the version up to which all changes were received and delivered. Empty before the first list.
    std::string const& last_resource_version() const noexcept;
    /// Returns whether the result of a write that returned this version is visible here.
    bool has_observed(std::string_view resource_version) const noexcept {
        return compare_resource_versions(last_resource_version(), resource_version) >= 0;
    }

    /** Completes once has_synced().
        @par Handler signature `void(error_code)`
        @par Errors `errc::timeout`
        @par Cancellation total */
    template <detail::completion_token Token = default_token>
    auto async_wait_for_sync(sync_options options = {}, Token&& token = Token()) {
        auto const begin = [](auto const& core, any_handler<void(error_code)> h, sync_options const& o) {
            wait_for_sync(*core, std::move(h), o);
        };
        return detail::initiate<void(error_code)>(executor_, std::forward<Token>(token),
                                                  detail::while_alive(executor_, core_, begin), options);
    }
    template <detail::completion_token Token> auto async_wait_for_sync(Token&& token) {
        return async_wait_for_sync(sync_options(), std::forward<Token>(token));
    }

    /** Lists and watches until cancelled. At most one run at a time (`errc::already_running`). A run after the
        previous one ended starts with a relist.
        @par Handler signature `void(error_code)`; always an error, usually `operation_aborted`.
        @par Cancellation total */
    template <detail::completion_token Token = default_token> auto async_run(Token&& token = Token()) {
        auto const begin = [](auto const& core, any_handler<void(error_code)> h) { run(*core, std::move(h)); };
        return detail::initiate<void(error_code)>(executor_, std::forward<Token>(token),
                                                  detail::while_alive(executor_, core_, begin));
    }

    /// Ends everything that the destruction would end. The known objects remain readable.
    void close();

private:
    static void wait_for_sync(detail::informer_core& core, any_handler<void(error_code)> handler, sync_options options);
    static void run(detail::informer_core& core, any_handler<void(error_code)> handler);

    asio::any_io_executor executor_;
    std::shared_ptr<object_type const> type_;
    std::shared_ptr<detail::informer_core> core_;
};

} // namespace kftrain::kube

#endif
