#include <kftrain/kube/shared_informers.hpp>

#include "kube/async/operation.hpp"
#include "kube/async/run_scope.hpp"
#include "kube/watch/informer_core.hpp"

#include <kftrain/model/selector.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace kftrain::kube {
namespace detail {
namespace {

using change_handler = std::function<void(any_event const&)>;
using failure_handler = std::function<void(error_code, diagnostics const&)>;
using misfit_handler = std::function<void(misfit const&)>;

class informer_view;

/// The informer that several views share.
class informer_source : public std::enable_shared_from_this<informer_source> {
public:
    informer_source(client const& c, std::string ns, object_type const& t, informer_options options)
        : type(t),
          kept_(t.share()),
          executor(c.get_executor()),
          label_selector(options.label_selector),
          core(make_informer(c, followed_collection(t, std::move(ns)), std::move(options))),
          logger_(c.options().logger),
          parts_(executor, [this](error_code ec) { ended(ec); }) {}
    informer_source(informer_source const&) = delete;
    informer_source& operator=(informer_source const&) = delete;
    ~informer_source() {
        parts_.cancel();
        core->close();
    }

    void listen() {
        core->add_handler([weak = weak_from_this()](any_event const& e) {
            if (auto const self = weak.lock()) self->each_view([&](auto& v) { v.take(e); });
        });
        core->on_failure([weak = weak_from_this()](error_code ec, diagnostics const& why) {
            if (auto const self = weak.lock()) self->each_view([&](auto& v) { v.take_failure(ec, why); });
        });
        core->on_misfit([weak = weak_from_this()](misfit const& object) {
            if (auto const self = weak.lock()) self->each_view([&](auto& v) { v.take_misfit(object); });
        });
    }
    void join(std::weak_ptr<informer_view> v) {
        std::erase_if(views_, [](auto const& w) { return w.expired(); });
        views_.push_back(std::move(v));
    }
    bool is_run() const noexcept { return runners_ != 0; }
    void begin_run() {
        if (runners_++ == 0 && !parts_.has_parts()) start();
    }
    void end_run() {
        if (--runners_ != 0 || !parts_.has_parts()) return;
        unwanted_ = true;
        parts_.cancel();
    }
    /// What a handler throws is logged and dropped.
    void call(change_handler const& handler, any_event const& e) const {
        try {
            handler(e);
        } catch (std::exception const& x) {
            logger_(log_level::error, "informer handler failed",
                    {{"kind", std::string(type.info->kind)}, {"error", x.what()}});
        } catch (...) {
            logger_(log_level::error, "informer handler failed",
                    {{"kind", std::string(type.info->kind)}, {"error", "not a std::exception"}});
        }
    }

    object_type const& type;

private:
    std::shared_ptr<object_type const> kept_; ///< the type

public:
    asio::any_io_executor const executor;
    std::string const label_selector;
    std::shared_ptr<informer_core> const core;

private:
    void start() {
        parts_.add([&](auto h) { core->run(std::move(h)); });
    }
    void ended(error_code ec);
    template <class Call> void each_view(Call call) const {
        auto const views = views_; // one may make another
        for (auto const& w : views)
            if (auto const v = w.lock()) call(*v);
    }

    std::vector<std::weak_ptr<informer_view>> views_;
    std::size_t runners_ = 0;
    bool unwanted_ = false; ///< nobody runs it any more, and its end is waited for
    logger logger_;
    run_scope parts_;
};

/// What one user sees of a source.
class informer_view final : public informer_core {
public:
    informer_view(std::shared_ptr<informer_source> s, std::optional<label_query> filter)
        : source_(std::move(s)), filter_(std::move(filter)), run_(source_->executor) {}
    informer_view(informer_view const&) = delete;
    informer_view& operator=(informer_view const&) = delete;
    ~informer_view() override { end_run(asio::error::operation_aborted); }

    void run(any_handler<void(error_code)> handler) override {
        if (closed_) return complete_aborted(source_->executor, std::move(handler));
        auto const stop = [weak = std::weak_ptr<informer_view>(self())] {
            if (auto const v = weak.lock()) v->end_run(asio::error::operation_aborted);
        };
        if (run_.begin(std::move(handler), stop)) source_->begin_run();
    }
    void wait_for_sync(sync_options options, any_handler<void(error_code)> handler) override {
        std::erase_if(waits_, [](auto const& w) { return w.expired(); });
        deadline limit(options.timeout, options.detail, "first list of " + std::string(source_->type.info->plural));
        limit.last_failure = last_failure();
        waits_.push_back(spawn(source_->executor, await_sync(self()), std::move(limit), std::move(handler)));
    }
    void add_handler(change_handler handler) override {
        auto shared = std::make_shared<change_handler>(std::move(handler));
        if (source_->core->all().empty()) {
            handlers_.push_back(std::move(shared));
            return;
        }
        ++replays_;
        asio::post(source_->executor, [self = self(), shared = std::move(shared)] {
            --self->replays_;
            if (self->closed_) return;
            auto const known = self->all();
            self->handlers_.push_back(shared);
            for (auto const& object : known) {
                any_event e;
                e.object = object;
                e.initial = true;
                if (!self->closed_) self->source_->call(*shared, e);
            }
        });
    }
    void on_failure(failure_handler handler) override { failure_handlers_.push_back(std::move(handler)); }
    void on_misfit(misfit_handler handler) override { misfit_handlers_.push_back(std::move(handler)); }
    std::vector<misfit> misfits() const override {
        auto list = source_->core->misfits();
        if (filter_) std::erase_if(list, [this](misfit const& m) { return !m.is_selected_by(*filter_); });
        return list;
    }
    any_object find(std::string_view ns, std::string_view name) const override {
        auto object = source_->core->find(ns, name);
        return !object.empty() && matches(object) ? object : any_object();
    }
    std::vector<any_object> all() const override {
        auto list = source_->core->all();
        if (filter_) std::erase_if(list, [this](any_object const& o) { return !matches(o); });
        return list;
    }
    /// An object that was not reported to a handler yet does not exist for it.
    bool has_synced() const noexcept override { return replays_ == 0 && source_->core->has_synced(); }
    std::string const& last_resource_version() const noexcept override {
        return source_->core->last_resource_version();
    }
    std::shared_ptr<std::string const> last_failure() const noexcept override { return source_->core->last_failure(); }
    void close() override {
        closed_ = true;
        handlers_.clear();
        failure_handlers_.clear();
        misfit_handlers_.clear();
        for (auto const& w : waits_)
            if (auto const op = w.lock()) op->cancel();
        end_run(asio::error::operation_aborted);
    }

    /// A change of an object that the selector matches, as a server reports it.
    void take(any_event e) {
        bool const before = !e.old.empty() && matches(e.old);
        bool const after = e.kind != change_kind::deleted && matches(e.object);
        if (e.kind == change_kind::deleted ? !before : !before && !after) return;
        if (e.kind == change_kind::modified && !before) {
            e.kind = change_kind::added;
            e.old = any_object();
        } else if (e.kind == change_kind::modified && !after) {
            e.kind = change_kind::deleted;
        }
        auto const handlers = handlers_; // a handler may add one, or close the view
        for (auto const& h : handlers) {
            if (closed_) return;
            source_->call(*h, e);
        }
    }
    void take_failure(error_code ec, diagnostics const& why) const {
        auto const handlers = failure_handlers_; // one may close the view
        for (auto const& h : handlers) h(ec, why);
    }
    void take_misfit(misfit const& object) const {
        if (filter_ && !object.is_selected_by(*filter_)) return;
        auto const handlers = misfit_handlers_; // one may close the view
        for (auto const& h : handlers) h(object);
    }
    void end_run(error_code ec) {
        if (!run_.going()) return;
        run_.end(ec);
        source_->end_run();
    }

private:
    std::shared_ptr<informer_view> self() { return std::static_pointer_cast<informer_view>(shared_from_this()); }
    bool matches(any_object const& o) const { return !filter_ || filter_->matches(o.metadata().labels); }
    static asio::awaitable<void> await_sync(std::shared_ptr<informer_view> self) {
        if (self->closed_) fail(asio::error::operation_aborted);
        auto const [ec] = co_await initiate<void(error_code)>(
            self->source_->executor, asio::as_tuple(asio::use_awaitable),
            [&self](any_handler<void(error_code)> h) { self->source_->core->wait_for_sync({}, std::move(h)); });
        if (ec) fail(ec);
        while (!self->has_synced() && !self->closed_) co_await asio::post(self->source_->executor, asio::use_awaitable);
        if (self->closed_) fail(asio::error::operation_aborted);
    }

    std::shared_ptr<informer_source> source_;
    std::optional<label_query> filter_;
    std::vector<std::shared_ptr<change_handler>> handlers_;
    std::vector<failure_handler> failure_handlers_;
    std::vector<misfit_handler> misfit_handlers_;
    std::vector<std::weak_ptr<operation>> waits_;
    run_scope run_;
    std::size_t replays_ = 0; ///< handlers that still have to receive the known objects
    bool closed_ = false;
};

void informer_source::ended(error_code ec) {
    if (std::exchange(unwanted_, false)) {
        if (runners_ != 0) start();
        return;
    }
    each_view([&](auto& v) { v.end_run(ec); });
}

} // namespace
} // namespace detail

struct shared_informers::registry {
    explicit registry(client c) : of(std::move(c)) {}

    std::shared_ptr<detail::informer_source> find(std::string const& ns, object_type const& type,
                                                  informer_options const& o) {
        std::erase_if(sources, [](auto const& s) { return s.source.expired(); });
        for (auto const& s : sources) {
            auto const source = s.source.lock();
            // One that nobody runs any more knows old states only, and would count as synced with them.
            bool const serves = source && (source->is_run() || !source->core->has_synced());
            if (serves && &source->type == &type && s.ns == ns && s.field_selector == o.field_selector &&
                (source->label_selector.empty() || source->label_selector == o.label_selector))
                return source;
        }
        auto made = std::make_shared<detail::informer_source>(of, ns, type, o);
        made->listen();
        sources.push_back({ns, o.field_selector, made});
        return made;
    }

    struct entry {
        std::string ns;
        std::string field_selector;
        std::weak_ptr<detail::informer_source> source;
    };
    client of;
    std::vector<entry> sources;
};

shared_informers::shared_informers(client c) : registry_(std::make_shared<registry>(std::move(c))) {}

struct detail::shared_registry {
    static shared_informers::registry& of(shared_informers const& shared) { return *shared.registry_; }
};

/// A selector that cannot be parsed is left to the server to refuse.
std::shared_ptr<detail::informer_core> detail::follow(shared_informers const& shared, client const& c, std::string ns,
                                                      object_type const& type, informer_options options) {
    auto query = label_query::parse(options.label_selector);
    if (shared.empty() || !query) return make_informer(c, followed_collection(type, std::move(ns)), std::move(options));
    auto const source = shared_registry::of(shared).find(ns, type, options);
    std::optional<label_query> filter;
    if (source->label_selector != options.label_selector) filter = *std::move(query);
    auto view = std::make_shared<informer_view>(source, std::move(filter));
    source->join(view);
    return view;
}

} // namespace kftrain::kube
