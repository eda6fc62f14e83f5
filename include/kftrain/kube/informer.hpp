#ifndef KFTRAIN_KUBE_INFORMER_HPP
#define KFTRAIN_KUBE_INFORMER_HPP

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/object_type.hpp>
#include <kftrain/kube/resource_version.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube {

class shared_informers;

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

    informer_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    informer_options& with_field_selector(std::string s) { return field_selector = std::move(s), *this; }
    informer_options& with_page_size(std::uint32_t n) { return page_size = n, *this; }
    informer_options& with_silence(std::chrono::milliseconds t) { return silence = t, *this; }
};

enum class event_kind { added, updated, deleted };

/// A change that an informer saw.
template <class K> struct object_event {
    object_event() = default;

    event_kind kind = event_kind::added;
    std::shared_ptr<K const> old;    ///< before; null for `added`
    std::shared_ptr<K const> object; ///< after; for `deleted` the last state known
    bool initial = false;            ///< part of the first list
    bool missed = false;             ///< `deleted` found by a new list: the last states were not seen
};

namespace detail {

struct erased_event {
    erased_event() = default;

    event_kind kind = event_kind::added;
    erased_object old;
    erased_object object;
    bool initial = false;
    bool missed = false;
};

/// The untyped informer. Shared by the handle and its operations.
class informer_core : public std::enable_shared_from_this<informer_core> {
public:
    virtual ~informer_core() = default;

    virtual void run(any_handler<void(error_code)> handler) = 0;
    virtual void wait_for_sync(any_handler<void(error_code)> handler) = 0;
    virtual void add_handler(std::function<void(erased_event const&)> handler) = 0;
    virtual erased_object find(std::string_view ns, std::string_view name) const = 0;
    virtual std::vector<erased_object> all() const = 0;
    virtual bool has_synced() const noexcept = 0;
    virtual std::string const& last_resource_version() const noexcept = 0;
    virtual void close() = 0;
};

std::shared_ptr<informer_core> make_informer(client const& c, std::string ns, object_type const& type,
                                             informer_options options);
/// One that is shared by those who follow the same through `shared`; as make_informer() if that is empty.
std::shared_ptr<informer_core> follow(shared_informers const& shared, client const& c, std::string ns,
                                      object_type const& type, informer_options options);

} // namespace detail

/** Follows the objects of one kind: lists them, then watches, for ever, and keeps the latest state of each.

    Failures are repaired inside, with growing waiting times, and reported to the client's logger. While the server is
    out of reach the contents stay what they were. How late they can be:
    - The server is out of reach: tried again every 0.8 to 10 s.
    - It answers with errors: after 0.8 to 1.6 s at first, growing to 30 to 60 s; from the start again when it was out of
      reach in between or a watch stood for 10 s. A longer `Retry-After` is obeyed.
    - A watch ends or breaks: begun anew at once, unless that happens often, then once a second.
    - The server is there but says nothing (stopped, or behind a network that swallows everything): noticed after
      informer_options::silence and another 15 s, 105 s by default.
    - The host of the server vanished: noticed after 45 s of unanswered keep-alive probes.
    - The server was restored from an older state, so that its versions went back: noticed 1 s after the connection
      stands again, otherwise as if it said nothing; listed anew then, and last_resource_version() goes back, too.
    @par Object lifetimes Destroying it ends async_run() and async_wait_for_sync() with `operation_aborted`, and no handler of
    events is called any more. Destroy it before its io_context, which need not run in between; an api_server in this process
    that it watches has to go before the io_context, too.
    @par Thread safety Unsafe; use it on the executor of the client. The objects handed out are immutable and safe.
    @par Upstream client-go `tools/cache/shared_informer.go` */
template <resource K> class informer {
public:
    using object = std::shared_ptr<K const>;
    using event = object_event<K>;
    using handler = std::function<void(event const&)>;

    explicit informer(api<K> const& a, informer_options options = {})
        : executor_(a.get_executor()),
          core_(detail::make_informer(a.get_client(), a.get_namespace(), detail::object_type_of<K>,
                                      std::move(options))) {}
    /// Shares what it keeps with others who follow the same through `shared`.
    informer(api<K> const& a, shared_informers const& shared, informer_options options = {})
        : informer(a.get_executor(), detail::follow(shared, a.get_client(), a.get_namespace(),
                                                    detail::object_type_of<K>, std::move(options))) {}
    /// For those who keep less of the objects than there is; `core` has objects of type `K`.
    informer(asio::any_io_executor executor, std::shared_ptr<detail::informer_core> core)
        : executor_(std::move(executor)), core_(std::move(core)) {}
    informer(informer&&) noexcept = default;
    informer& operator=(informer&& other) noexcept {
        std::swap(executor_, other.executor_);
        std::swap(core_, other.core_);
        return *this;
    }
    ~informer() {
        if (core_) core_->close();
    }

    asio::any_io_executor get_executor() const noexcept { return executor_; }

    /** Calls `h` on the executor with every change from now on; objects already known come first, as `added`.
        What `h` throws is logged and dropped. */
    void on_event(handler h) {
        core_->add_handler([h = std::move(h)](detail::erased_event const& e) {
            event typed;
            typed.kind = e.kind;
            typed.old = std::static_pointer_cast<K const>(e.old);
            typed.object = std::static_pointer_cast<K const>(e.object);
            typed.initial = e.initial;
            typed.missed = e.missed;
            h(typed);
        });
    }

    /// Null if there is none. `ns` is empty for cluster-scoped kinds.
    object find(std::string_view ns, std::string_view name) const {
        return std::static_pointer_cast<K const>(core_->find(ns, name));
    }
    /// All objects, by namespace and name.
    std::vector<object> list() const {
        std::vector<object> typed;
        for (auto& o : core_->all()) typed.push_back(std::static_pointer_cast<K const>(std::move(o)));
        return typed;
    }

    /// The first list was taken in and its events were delivered. Stays true.
    bool has_synced() const noexcept { return core_->has_synced(); }
    /// Everything up to this version was taken in and delivered. Empty before the first list.
    std::string const& last_resource_version() const noexcept { return core_->last_resource_version(); }
    /// Whether a write that answered with this version is visible here.
    bool has_observed(std::string_view resource_version) const noexcept {
        return compare_resource_versions(core_->last_resource_version(), resource_version) >= 0;
    }

    /** Completes once has_synced().
        @par Handler signature `void(error_code)`
        @par Cancellation total */
    template <class Token> auto async_wait_for_sync(Token&& token) {
        return detail::initiate<void(error_code)>(
            executor_, std::forward<Token>(token),
            [core = core_](any_handler<void(error_code)> h) { core->wait_for_sync(std::move(h)); });
    }

    /** Lists and watches until cancelled. At most one at a time (`errc::invalid_argument`); it may be started again
        afterwards and then lists anew.
        @par Handler signature `void(error_code)`; always an error, usually `operation_aborted`.
        @par Cancellation total */
    template <class Token> auto async_run(Token&& token) {
        return detail::initiate<void(error_code)>(
            executor_, std::forward<Token>(token),
            [core = core_](any_handler<void(error_code)> h) { core->run(std::move(h)); });
    }

private:
    asio::any_io_executor executor_;
    std::shared_ptr<detail::informer_core> core_;
};

} // namespace kftrain::kube

#endif
