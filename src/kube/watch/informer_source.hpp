#ifndef KFTRAIN_SRC_KUBE_WATCH_INFORMER_SOURCE_HPP
#define KFTRAIN_SRC_KUBE_WATCH_INFORMER_SOURCE_HPP

#include "kube/async/run_scope.hpp"
#include "kube/async/subscribers.hpp"
#include "kube/lists/known_misfits.hpp"
#include "kube/lists/object_order.hpp"
#include "kube/watch/informer_core.hpp"
#include "kube/watch/list_watch.hpp"

#include <set>

namespace kftrain::kube::detail {

/// The objects of a collection, followed while one of its views runs, and reported to all views.
class informer_source final : public std::enable_shared_from_this<informer_source>, private collection_sink {
public:
    informer_source(client c, followed_collection what, informer_options options);
    informer_source(informer_source const&) = delete;
    informer_source& operator=(informer_source const&) = delete;
    ~informer_source() override = default;

    void join(std::weak_ptr<informer_core> view) { views_.add(std::move(view)); }
    bool is_run() const noexcept { return runners_ != 0; }
    void begin_run();
    void end_run();

    asio::any_io_executor get_executor() const { return client_.get_executor(); }
    informer_options const& options() const noexcept { return options_; }
    resource_info const& info() const noexcept { return what_.info(); }
    logger const& get_logger() const noexcept { return client_.options().logger; }

    std::vector<misfit> misfits() const { return misfits_.all(); }
    any_object find(std::string_view ns, std::string_view name) const;
    std::vector<any_object> all() const;
    bool empty() const noexcept { return store_.empty(); }
    bool has_synced() const noexcept { return synced_; }
    std::string const& last_resource_version() const noexcept { return version_; }
    std::shared_ptr<std::string const> last_failure() const noexcept { return last_failure_; }
    /// Never expires; cancelled when the first list is complete, and by wake().
    asio::steady_timer& sync() noexcept { return sync_; }
    void wake() { sync_.cancel(); }

private:
    using store = std::set<erased_object, by_name>; // without keys of their own: there may be very many objects

    void replace(std::vector<erased_object> objects, std::vector<misfit> const& misfits) override;
    void apply(change_kind kind, erased_object object) override;
    void apply_misfit(change_kind kind, misfit const& object) override;
    erased_object known(erased_object object) const override;
    void processed(std::string const& resource_version) override;
    void failed(std::string_view step, error_code ec, call_report const& report) override;

    object_meta const& meta(erased_object const& o) const { return type_.metadata(o.get()); }
    any_object whole(erased_object o) const { return o ? any_object(type_, std::move(o)) : any_object(); }
    full_name name_of(erased_object const& o) const { return store_.key_comp()(o); }
    void drop_others(std::vector<erased_object> const& objects, std::vector<misfit> const& misfits);
    void put(erased_object object, bool from_list);
    void drop(store::iterator it, erased_object last, bool missed);
    void report(misfit const& object);
    void start();
    void ended(error_code ec);
    static asio::awaitable<void> follow(std::shared_ptr<informer_source> self);

    client client_;
    followed_collection what_;
    object_type const& type_;
    informer_options options_;

    store store_;
    known_misfits misfits_;
    std::string version_;
    std::shared_ptr<std::string> last_failure_ = std::make_shared<std::string>();
    asio::steady_timer sync_;
    bool synced_ = false;

    subscribers<informer_core> views_;
    std::size_t runners_ = 0; ///< views that run
    bool unwanted_ = false;   ///< nobody runs it any more, and its end is waited for
    run_scope parts_;
};

} // namespace kftrain::kube::detail

#endif
