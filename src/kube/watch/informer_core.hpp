#ifndef KFTRAIN_SRC_KUBE_WATCH_INFORMER_CORE_HPP
#define KFTRAIN_SRC_KUBE_WATCH_INFORMER_CORE_HPP

#include "kube/answers/undecodable_object.hpp"
#include "kube/async/run_scope.hpp"
#include "kube/watch/followed_collection.hpp"

#include <kftrain/kube/any_informer.hpp>
#include <kftrain/model/selector.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube::detail {

class informer_source;

/** The part of any_informer that its operations share: what one user sees of the objects of an informer_source, which
    others may use, too. */
struct informer_core final : std::enable_shared_from_this<informer_core> {
    using change_handler = std::function<void(any_event const&)>;
    using failure_handler = std::function<void(error_code, diagnostics const&)>;
    using undecodable_handler = std::function<void(undecodable_object const&)>;

    /// Without a filter it sees all objects of the source.
    informer_core(std::shared_ptr<informer_source> s, std::optional<label_query> filter);
    informer_core(informer_core const&) = delete;
    informer_core& operator=(informer_core const&) = delete;
    ~informer_core();

    void run(any_handler<void(error_code)> handler);
    void wait_for_sync(sync_options options, any_handler<void(error_code)> handler);
    /// Known objects are reported to `handler` first. What it throws is logged and dropped.
    void add_handler(change_handler handler);
    /// `handler` is called with what is repaired inside, each time, until close(); it must not throw.
    void on_failure(failure_handler handler) { on_failure_ = std::move(handler); }
    /// Calls `handler` with each object that does not fit the type, once for each version, until close(). It must not
    /// throw.
    void on_undecodable(undecodable_handler handler) { on_undecodable_ = std::move(handler); }
    std::vector<undecodable_object> undecodable() const;
    any_object find(std::string_view ns, std::string_view name) const;
    /// The current objects, by namespace and name.
    std::vector<any_object> all() const;
    bool has_synced() const noexcept;
    std::string const& last_resource_version() const noexcept;
    /// The last failure of reading since something was read; empty if there was none. Changes as reading goes on.
    std::shared_ptr<std::string const> last_failure() const noexcept;
    void close();

    /// For the source.
    void take(any_event const& e);
    void take_failure(error_code ec, diagnostics const& why) const;
    void take_undecodable(undecodable_object const& object) const;
    void end_run(error_code ec);

private:
    bool matches(any_object const& o) const { return !filter_ || filter_->matches(o.metadata().labels); }
    void deliver(any_event const& e) const;
    void call(change_handler const& handler, any_event const& e) const;
    static asio::awaitable<void> await_sync(std::shared_ptr<informer_core> self);

    std::shared_ptr<informer_source> source_;
    std::optional<label_query> filter_;
    std::vector<std::shared_ptr<change_handler>> handlers_;
    failure_handler on_failure_;
    undecodable_handler on_undecodable_;
    run_scope run_;
    std::size_t replays_ = 0; ///< handlers that still have to receive the known objects
    bool closed_ = false;
};

std::shared_ptr<informer_core> make_informer(client const& c, followed_collection what, informer_options options);
/// Returns an informer that all followers of the same objects share through `shared`; if that is empty, as
/// make_informer().
std::shared_ptr<informer_core> follow(shared_informers const& shared, client const& c, std::string ns,
                                      object_type const& type, informer_options options);

} // namespace kftrain::kube::detail

#endif
