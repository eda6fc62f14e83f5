#ifndef KFTRAIN_KUBE_ANY_INFORMER_HPP
#define KFTRAIN_KUBE_ANY_INFORMER_HPP

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/resource_version.hpp>

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

/// How an informer gets the list with which it begins, and begins again when it missed something.
enum class list_streaming {
    off,       ///< as a list, page by page
    automatic, ///< as a watch that begins with what is there; page by page where the server does not know that
};

/// What an informer follows.
struct informer_options {
    informer_options() = default;

    std::string label_selector;
    std::string field_selector;
    std::uint32_t page_size = 500;
    /// How long a watch may say nothing before the server is asked for a sign of life. The answer may take as long as
    /// this, but at least 1 s and at most 15 s; then the watch is begun anew. 0: nothing is asked. Servers that send
    /// bookmarks, as kube-apiserver does about once a minute, are not asked within the default.
    std::chrono::milliseconds silence{90'000};
    /** Streaming spares the server the memory of a whole list, several times its text. What it tells becomes the contents in
        one step, as a list does, once all is told; a server that refuses it is asked for pages, and not asked again for ten
        minutes by any informer of that type and client.

        Off unless asked for: servers before Kubernetes 1.34 refuse it by default (but 1.32), and a server that heeds no
        such parameter, as that of an aggregated API may, is recognised by waiting `streaming_patience` only. Turn it on for
        large collections of servers that are known to be new enough.
        @par Upstream KEP-3157; client-go streams by default since 1.35 */
    list_streaming streaming_list = list_streaming::off;
    /// How long a streaming list may tell of no object, nor of its end, before it is given up for pages; 0: as long as
    /// a watch may last.
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

enum class event_kind { added, updated, deleted };

/// A change that an informer of objects of any type saw.
struct any_event {
    any_event() = default;

    event_kind kind = event_kind::added;
    any_object old;       ///< before; empty for `added`
    any_object object;    ///< after; for `deleted` the last state known
    bool initial = false; ///< part of the first list
    bool missed = false;  ///< `deleted` that was not told, but found by a new list or by another object of the name
};

namespace detail {

struct informer_core;

} // namespace detail

/** Follows the objects of one type that need not be known before the program runs; informer<K> is the same with its type, and
    says how failures are repaired, how late the contents can be, and what the lifetimes are.
    @par Thread safety Unsafe; use it on the executor of the client. The objects handed out are immutable and safe.
    @par Upstream client-go `dynamic/dynamicinformer` */
class any_informer {
public:
    using event = any_event;
    using handler = std::function<void(event const&)>;

    explicit any_informer(any_api const& a, informer_options options = {});
    /// Shares what it keeps with others who follow the same through `shared`; as above if that is empty.
    any_informer(any_api const& a, shared_informers const& shared, informer_options options = {});
    /** Follows nothing but the metadata of the objects, which takes a tenth of the memory and of the traffic. What it hands out is
        of the type @ref object_metadata: `informer<object_metadata>` can be made of this one. */
    explicit any_informer(metadata_api const& a, informer_options options = {});
    any_informer(any_informer&&) noexcept = default;
    any_informer& operator=(any_informer&& other) noexcept;
    ~any_informer();

    asio::any_io_executor get_executor() const noexcept { return executor_; }
    object_type const& type() const noexcept { return *type_; }

    /** Calls `h` on the executor with every change from now on; objects already known come first, as `added`.
        What `h` throws is logged and dropped. */
    void on_event(handler h);

    /// Empty if there is none. `ns` is empty for cluster-scoped kinds.
    any_object find(std::string_view ns, std::string_view name) const;
    /// All objects, by namespace and name.
    std::vector<any_object> list() const;

    /// The first list was taken in and its events were delivered. Stays true.
    bool has_synced() const noexcept;
    /// Everything up to this version was taken in and delivered. Empty before the first list.
    std::string const& last_resource_version() const noexcept;
    /// Whether a write that answered with this version is visible here.
    bool has_observed(std::string_view resource_version) const noexcept {
        return compare_resource_versions(last_resource_version(), resource_version) >= 0;
    }

    /** Completes once has_synced().
        @par Handler signature `void(error_code)`
        @par Cancellation total */
    template <detail::completion_token Token = default_token> auto async_wait_for_sync(Token&& token = Token()) {
        auto const begin = [](auto const& core, any_handler<void(error_code)> h) {
            wait_for_sync(*core, std::move(h));
        };
        return detail::initiate<void(error_code)>(executor_, std::forward<Token>(token),
                                                  detail::while_alive(executor_, core_, begin));
    }

    /** Lists and watches until cancelled. At most one at a time (`errc::already_running`); it may be started again
        afterwards and then lists anew.
        @par Handler signature `void(error_code)`; always an error, usually `operation_aborted`.
        @par Cancellation total */
    template <detail::completion_token Token = default_token> auto async_run(Token&& token = Token()) {
        auto const begin = [](auto const& core, any_handler<void(error_code)> h) { run(*core, std::move(h)); };
        return detail::initiate<void(error_code)>(executor_, std::forward<Token>(token),
                                                  detail::while_alive(executor_, core_, begin));
    }

    /// Ends what its destruction would end. What it knows can still be looked at.
    void close();

private:
    static void wait_for_sync(detail::informer_core& core, any_handler<void(error_code)> handler);
    static void run(detail::informer_core& core, any_handler<void(error_code)> handler);

    asio::any_io_executor executor_;
    std::shared_ptr<object_type const> type_;
    std::shared_ptr<detail::informer_core> core_;
};

} // namespace kftrain::kube

#endif
