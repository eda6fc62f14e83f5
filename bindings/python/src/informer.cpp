#include "informer.hpp"

#include "feed.hpp"
#include "objects.hpp"

#include <pybind11/stl.h>

#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace kftrain::python {
namespace {

/// Namespace and name.
using object_key = std::pair<std::string, std::string>;

object_key key_of(any_object const& object) { return {object.metadata().namespace_, object.metadata().name}; }

/// The objects in the cache of an informer.
/// @par Thread safety Safe.
class object_table {
public:
    void apply(kube::any_event const& e) {
        std::lock_guard const lock(mutex_);
        if (e.kind == change_kind::deleted)
            objects_.erase(key_of(e.object));
        else
            objects_.insert_or_assign(key_of(e.object), e.object);
    }
    any_object find(object_key const& key) {
        std::lock_guard const lock(mutex_);
        auto const found = objects_.find(key);
        return found == objects_.end() ? any_object() : found->second;
    }
    /// The objects of a namespace, or all if it is empty, by namespace and name.
    std::vector<any_object> list(std::string const& ns) {
        std::lock_guard const lock(mutex_);
        std::vector<any_object> all;
        for (auto const& [key, object] : objects_)
            if (ns.empty() || key.first == ns) all.push_back(object);
        return all;
    }

private:
    std::mutex mutex_;
    std::map<object_key, any_object> objects_;
};

struct object_event {
    change_kind kind = change_kind::added;
    any_object object;
};

py::object python_event(object_event const& e) { return py::make_tuple(python_str(to_string(e.kind)), e.object); }

/** The changes that a reader has not taken yet: one for each object, with its latest state.
    @par Thread safety Unsafe: used on the thread of the engine. */
class change_feed {
public:
    explicit change_feed(asio::io_context& context) : feed_(context, &python_event, items_ahead) {}

    void push(change_kind kind, any_object const& object) {
        feed_.edit([&](std::vector<object_event>& pending) {
            if (pending.empty()) places_.clear();
            auto const [place, is_new] = places_.try_emplace(object.metadata().uid, pending.size());
            if (is_new) return pending.push_back({kind, object});
            auto& known = pending[place->second];
            if (kind == change_kind::deleted && known.kind == change_kind::added) return drop(pending, place->second);
            // To the reader, an object that left and came back has changed.
            if (kind == change_kind::deleted || known.kind == change_kind::deleted)
                known.kind = kind == change_kind::added ? change_kind::modified : kind;
            known.object = object;
        });
    }
    void take(std::shared_ptr<call> c, time_limit limit) { feed_.take(std::move(c), limit); }
    void end() { feed_.end(asio::error::eof, {}); }

private:
    /// The reader does not hear of an object that came and went since the last call.
    void drop(std::vector<object_event>& pending, std::size_t index) {
        pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(index));
        std::erase_if(places_, [index](auto const& place) { return place.second == index; });
        for (auto& [uid, place] : places_)
            if (place > index) --place;
    }

    feed<object_event> feed_;
    std::unordered_map<std::string, std::size_t> places_; ///< in the feed, by uid
};

/** An informer that starts when its type is known.
    @par Thread safety Unsafe: used and destroyed on the thread of the engine. */
class runner : public std::enable_shared_from_this<runner> {
public:
    runner(std::shared_ptr<named_type> type, std::string ns, kube::informer_options options,
           std::shared_ptr<object_table> table)
        : type_(std::move(type)), namespace_(std::move(ns)), options_(std::move(options)), table_(std::move(table)) {}

    runner(runner const&) = delete;
    runner& operator=(runner const&) = delete;
    ~runner() {
        for (auto const& weak : feeds_)
            if (auto const f = weak.lock()) f->end();
    }

    void wait_for_sync(std::shared_ptr<call> const& c, kube::sync_options const& o) {
        if (informer_) return wait(c, o);
        type_->resolve(namespace_, o.timeout, c, [weak = weak_from_this(), c, o](auto const& api, time_limit left) {
            auto const self = weak.lock();
            if (!self) return c->finish(asio::error::operation_aborted, {});
            self->begin(api, c, kube::sync_options(o).with_timeout(left));
        });
    }

    std::shared_ptr<change_feed> add_feed(asio::io_context& context) {
        auto made = std::make_shared<change_feed>(context);
        for (auto const& object : table_->list({})) made->push(change_kind::added, object);
        feeds_.push_back(made);
        return made;
    }

private:
    /// An informer repeats what fails. The first request shows failures that do not pass, such as a missing permission.
    void begin(kube::any_api const& api, std::shared_ptr<call> const& c, kube::sync_options const& limit) {
        auto o = kube::list_options().with_limit(1).with_detail(c->detail);
        if (limit.timeout.count() != 0) o.with_timeout(limit.timeout);
        o.with_label_selector(options_.label_selector).with_field_selector(options_.field_selector);
        auto first = [weak = weak_from_this(), api, c, limit](error_code ec, kube::any_list const&) {
            auto const self = weak.lock();
            bool const passes = is_retryable(ec) || is_unreached(ec);
            if (!self || (ec && !passes)) return c->finish(ec ? ec : error_code(asio::error::operation_aborted), {});
            self->start(api);
            self->wait(c, limit);
        };
        api.async_list(o, asio::bind_cancellation_slot(c->signal.slot(), std::move(first)));
    }
    void start(kube::any_api const& api) {
        if (informer_) return;
        informer_.emplace(api, options_);
        informer_->on_event([this](kube::any_event const& e) {
            table_->apply(e);
            std::erase_if(feeds_, [](auto const& weak) { return weak.expired(); });
            for (auto const& weak : feeds_)
                if (auto const f = weak.lock()) f->push(e.kind, e.object);
        });
        informer_->async_run([](error_code) {});
    }
    void wait(std::shared_ptr<call> const& c, kube::sync_options o) {
        informer_->async_wait_for_sync(o.with_detail(c->detail), handler_of(c));
    }

    std::shared_ptr<named_type> type_;
    std::string namespace_;
    kube::informer_options options_;
    std::shared_ptr<object_table> table_;
    std::vector<std::weak_ptr<change_feed>> feeds_;
    std::optional<kube::any_informer> informer_;
};

/// The changes of an informer as Python uses them; made on the thread when they are used first.
struct lazy_feed {
    std::weak_ptr<runner> source;
    std::shared_ptr<change_feed> feed;
};

class change_stream {
public:
    change_stream(std::shared_ptr<engine> const& where, std::weak_ptr<runner> source)
        : context_(where->context()), feed_(where, std::make_shared<lazy_feed>(lazy_feed{std::move(source), {}})) {}

    std::shared_ptr<call> take(py::kwargs const& given) {
        auto const o = options_of<kube::next_options>(given);
        return feed_.begin([o, &context = context_](lazy_feed& l, std::shared_ptr<call> const& c) {
            if (!l.feed) {
                auto const source = l.source.lock();
                if (!source) return c->finish({}, [] { return py::object(py::none()); });
                l.feed = source->add_feed(context);
            }
            l.feed->take(c, o.timeout);
        });
    }

private:
    asio::io_context& context_;
    remote<lazy_feed> feed_;
};

class core_informer {
public:
    core_informer(std::shared_ptr<engine> const& where, std::shared_ptr<named_type> type, std::string ns,
                  kube::informer_options options)
        : where_(where),
          table_(std::make_shared<object_table>()),
          owned_(std::make_shared<runner>(std::move(type), std::move(ns), std::move(options), table_)),
          source_(owned_),
          runner_(where, std::move(owned_)) {}

    std::shared_ptr<call> wait_for_sync(py::kwargs const& given) {
        auto const o = options_of<kube::sync_options>(given);
        return runner_.begin([o](runner& r, std::shared_ptr<call> const& c) { r.wait_for_sync(c, o); });
    }
    py::object get(std::string const& ns, std::string const& name) { return copied_object(table_->find({ns, name})); }
    std::vector<any_object> list(std::string const& ns) { return table_->list(ns); }
    std::unique_ptr<change_stream> changes() { return std::make_unique<change_stream>(where_, source_); }

private:
    std::shared_ptr<engine> where_;
    std::shared_ptr<object_table> table_;
    std::shared_ptr<runner> owned_; ///< empty after the construction
    std::weak_ptr<runner> source_;
    remote<runner> runner_;
};

} // namespace

py::object make_informer(std::shared_ptr<engine> const& where, std::shared_ptr<named_type> type, std::string ns,
                         kube::informer_options options) {
    return py::cast(std::make_unique<core_informer>(where, std::move(type), std::move(ns), std::move(options)));
}

void bind_informer(py::module_& m) {
    py::class_<change_stream>(m, "ChangeStream").def("take", &change_stream::take);
    py::class_<core_informer>(m, "CoreInformer")
        .def("wait_for_sync", &core_informer::wait_for_sync)
        .def("get", &core_informer::get)
        .def("list", &core_informer::list)
        .def("changes", &core_informer::changes);
}

} // namespace kftrain::python
