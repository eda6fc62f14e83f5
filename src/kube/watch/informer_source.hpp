#ifndef KFTRAIN_SRC_KUBE_WATCH_INFORMER_SOURCE_HPP
#define KFTRAIN_SRC_KUBE_WATCH_INFORMER_SOURCE_HPP

#include "kube/async/run_scope.hpp"
#include "kube/async/subscribers.hpp"
#include "kube/watch/informer_core.hpp"
#include "kube/watch/list_watch.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::kube::detail {

/// The place of an object: its namespace, empty at cluster scope, and its name.
using full_name = std::pair<std::string_view, std::string_view>;

/// Orders objects by namespace and name.
class by_name {
public:
    using is_transparent = void;

    explicit by_name(object_type const& type) : type_(&type) {}

    full_name operator()(erased_object const& o) const {
        auto const& meta = type_->metadata(o.get());
        return {meta.namespace_, meta.name};
    }
    full_name operator()(full_name const& n) const noexcept { return n; }
    bool operator()(auto const& a, auto const& b) const { return (*this)(a) < (*this)(b); }

private:
    object_type const* type_;
};

/// The objects of a collection that do not fit their type.
class undecodable_objects {
public:
    /// By namespace and name.
    std::vector<undecodable_object> all() const {
        std::vector<undecodable_object> list;
        list.reserve(by_name_.size());
        for (auto const& [name, object] : by_name_) list.push_back(object);
        return list;
    }
    /// These are all there are. Returns those that were not known in their version.
    std::vector<undecodable_object> replace(std::vector<undecodable_object> const& objects) {
        std::vector<undecodable_object> fresh;
        auto const before = std::exchange(by_name_, {});
        for (auto const& m : objects) {
            auto const it = before.find({m.namespace_, m.name});
            if (it == before.end() || it->second.resource_version != m.resource_version) fresh.push_back(m);
            put(m);
        }
        return fresh;
    }
    void put(undecodable_object const& object) { by_name_.insert_or_assign({object.namespace_, object.name}, object); }
    void erase(std::string const& ns, std::string const& name) {
        if (!by_name_.empty()) by_name_.erase({ns, name});
    }

private:
    std::map<std::pair<std::string, std::string>, undecodable_object> by_name_;
};

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

    std::vector<undecodable_object> undecodable() const { return undecodable_.all(); }
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

    void replace(std::vector<erased_object> objects, std::vector<undecodable_object> const& undecodable) override;
    void apply(change_kind kind, erased_object object) override;
    void apply_undecodable(change_kind kind, undecodable_object const& object) override;
    erased_object known(erased_object object) const override;
    void processed(std::string const& resource_version) override;
    void failed(std::string_view step, error_code ec, call_report const& report) override;

    object_meta const& meta(erased_object const& o) const { return type_.metadata(o.get()); }
    any_object whole(erased_object o) const { return o ? any_object(type_, std::move(o)) : any_object(); }
    full_name name_of(erased_object const& o) const { return store_.key_comp()(o); }
    void drop_others(std::vector<erased_object> const& objects, std::vector<undecodable_object> const& undecodable);
    void put(erased_object object, bool from_list);
    void drop(store::iterator it, erased_object last, bool missed);
    void report(undecodable_object const& object);
    void start();
    void ended(error_code ec);
    static asio::awaitable<void> follow(std::shared_ptr<informer_source> self);

    client client_;
    followed_collection what_;
    object_type const& type_;
    informer_options options_;

    store store_;
    undecodable_objects undecodable_;
    std::string version_;
    std::shared_ptr<std::string> last_failure_ = std::make_shared<std::string>();
    asio::steady_timer sync_;
    bool synced_ = false;

    subscribers<informer_core> views_;
    std::size_t runners_ = 0; ///< views that run
    bool unwanted_ = false;   ///< no view runs it any more; its end is pending
    run_scope parts_;
};

} // namespace kftrain::kube::detail

#endif
