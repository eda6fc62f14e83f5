#include "kube/async/operation.hpp"
#include "kube/lists/known_misfits.hpp"
#include "kube/lists/object_order.hpp"
#include "kube/watch/informer_core.hpp"
#include "kube/watch/list_watch.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>

#include <set>
#include <utility>

namespace kftrain::kube::detail {
namespace {

using change_handler = std::function<void(any_event const&)>;
using failure_handler = std::function<void(error_code, diagnostics const&)>;
using misfit_handler = std::function<void(misfit const&)>;

any_event change(change_kind kind, any_object old, any_object object) {
    any_event e;
    e.kind = kind;
    e.old = std::move(old);
    e.object = std::move(object);
    return e;
}

class informer_impl final : public informer_core, private collection_sink {
public:
    informer_impl(client c, followed_collection what, informer_options options)
        : client_(std::move(c)),
          what_(std::move(what)),
          type_(what_.shown()),
          options_(std::move(options)),
          store_(by_name(type_)),
          synced_or_closed_(client_.get_executor(), asio::steady_timer::time_point::max()) {}

    void run(any_handler<void(error_code)> handler) override;
    void wait_for_sync(sync_options options, any_handler<void(error_code)> handler) override;
    void add_handler(change_handler handler) override;
    void on_failure(failure_handler handler) override { failure_handlers_.push_back(std::move(handler)); }
    void on_misfit(misfit_handler handler) override { misfit_handlers_.push_back(std::move(handler)); }
    std::vector<misfit> misfits() const override { return misfits_.all(); }
    any_object find(std::string_view ns, std::string_view name) const override;
    std::vector<any_object> all() const override;
    bool has_synced() const noexcept override { return synced_; }
    std::string const& last_resource_version() const noexcept override { return version_; }
    std::shared_ptr<std::string const> last_failure() const noexcept override { return last_failure_; }
    void close() override;

private:
    using store = std::set<erased_object, by_name>; // without keys of their own: there may be very many objects
    using handler_list = std::vector<std::shared_ptr<change_handler>>;

    void replace(std::vector<erased_object> objects, std::vector<misfit> const& misfits) override;
    void apply(change_kind kind, erased_object object) override;
    void apply_misfit(change_kind kind, misfit const& object) override;
    erased_object known(erased_object object) const override;
    void processed(std::string const& resource_version) override;
    void failed(std::string_view step, error_code ec, call_report const& report) override;

    std::shared_ptr<informer_impl> self() { return std::static_pointer_cast<informer_impl>(shared_from_this()); }
    object_meta const& meta(erased_object const& o) const { return type_.metadata(o.get()); }
    any_object whole(erased_object o) const { return o ? any_object(type_, std::move(o)) : any_object(); }
    void add(std::shared_ptr<change_handler> handler);
    void drop_others(std::vector<erased_object> const& objects, std::vector<misfit> const& misfits);
    void report(misfit const& object);
    full_name name_of(erased_object const& o) const { return store_.key_comp()(o); }
    void put(erased_object object, bool from_list);
    void drop(store::iterator it, erased_object last, bool missed);
    void notify(any_event const& e);
    void call(change_handler const& handler, any_event const& e);

    static asio::awaitable<void> follow(std::shared_ptr<informer_impl> self);
    static asio::awaitable<void> await_sync(std::shared_ptr<informer_impl> self);

    client client_;
    followed_collection what_;
    object_type const& type_;
    informer_options options_;

    store store_;
    std::shared_ptr<handler_list const> handlers_ = std::make_shared<handler_list>(); // replaced, never changed
    std::vector<failure_handler> failure_handlers_;
    known_misfits misfits_;
    std::vector<misfit_handler> misfit_handlers_;
    std::string version_;
    std::shared_ptr<std::string> last_failure_ = std::make_shared<std::string>();
    asio::steady_timer synced_or_closed_;
    bool synced_ = false;
    bool closed_ = false;
    bool running_ = false;
    std::weak_ptr<operation> run_;
};

void informer_impl::run(any_handler<void(error_code)> handler) {
    if (closed_) return complete_aborted(client_.get_executor(), std::move(handler));
    if (running_) {
        complete_later(client_.get_executor(), std::move(handler), make_error_code(errc::already_running));
        return;
    }
    running_ = true;
    run_ = spawn(client_.get_executor(), follow(self()), deadline(), std::move(handler));
}

asio::awaitable<void> informer_impl::follow(std::shared_ptr<informer_impl> self) {
    struct finally {
        explicit finally(informer_impl& i) : owner(i) {}
        ~finally() { owner.running_ = false; }
        informer_impl& owner;
    } const done(*self);
    reflector::options o;
    o.label_selector = self->options_.label_selector;
    o.field_selector = self->options_.field_selector;
    o.page_size = self->options_.page_size;
    o.streaming = self->options_.streaming_list == list_streaming::automatic;
    list_watch loop(self->client_, self->what_, std::move(o), *self, self->options_.silence,
                    self->options_.streaming_patience);
    co_await loop.run();
}

void informer_impl::wait_for_sync(sync_options options, any_handler<void(error_code)> handler) {
    deadline limit(options.timeout, options.detail, "first list of " + std::string(what_.info().plural));
    limit.last_failure = last_failure_;
    spawn(client_.get_executor(), await_sync(self()), std::move(limit), std::move(handler));
}

asio::awaitable<void> informer_impl::await_sync(std::shared_ptr<informer_impl> self) {
    while (!self->synced_ && !self->closed_) {
        error_code woken; // the timer never expires; cancelling it wakes all who wait
        co_await self->synced_or_closed_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    if (!self->synced_) fail(asio::error::operation_aborted);
}

void informer_impl::close() {
    closed_ = true;
    handlers_ = std::make_shared<handler_list>();
    failure_handlers_.clear();
    misfit_handlers_.clear();
    synced_or_closed_.cancel();
    if (auto const op = run_.lock()) op->cancel();
}

void informer_impl::add(std::shared_ptr<change_handler> handler) {
    auto more = std::make_shared<handler_list>(*handlers_);
    more->push_back(std::move(handler));
    handlers_ = std::move(more);
}

void informer_impl::add_handler(change_handler handler) {
    auto shared = std::make_shared<change_handler>(std::move(handler));
    if (store_.empty()) {
        add(std::move(shared));
        return;
    }
    asio::post(client_.get_executor(), [self = self(), shared = std::move(shared)] {
        if (self->closed_) return;
        auto const known = self->all();
        self->add(shared);
        for (auto const& object : known) {
            auto e = change(change_kind::added, any_object(), object);
            e.initial = true;
            self->call(*shared, e);
        }
    });
}

any_object informer_impl::find(std::string_view ns, std::string_view name) const {
    auto const it = store_.find(full_name(ns, name));
    return it == store_.end() ? any_object() : whole(*it);
}

std::vector<any_object> informer_impl::all() const {
    std::vector<any_object> list;
    list.reserve(store_.size());
    for (auto const& object : store_) list.push_back(whole(object));
    return list;
}

void informer_impl::replace(std::vector<erased_object> objects, std::vector<misfit> const& misfits) {
    last_failure_->clear();
    if (!store_.empty()) drop_others(objects, misfits);
    for (auto const& m : misfits_.replace(misfits)) report(m);
    for (auto& o : objects) put(std::move(o), true);
    if (synced_) return;
    synced_ = true;
    synced_or_closed_.cancel();
}

/// Those that are there no more. Of one that does not fit any more the last state that did is kept.
void informer_impl::drop_others(std::vector<erased_object> const& objects, std::vector<misfit> const& misfits) {
    std::set<full_name> present;
    for (auto const& m : misfits) present.emplace(m.namespace_, m.name);
    for (auto const& o : objects) present.insert(name_of(o));
    std::vector<erased_object> gone;
    for (auto const& object : store_)
        if (!present.contains(name_of(object))) gone.push_back(object);
    for (auto const& object : gone) drop(store_.find(object), nullptr, true);
}

void informer_impl::apply(change_kind kind, erased_object object) {
    misfits_.erase(meta(object).namespace_, meta(object).name);
    if (kind != change_kind::deleted) return put(std::move(object), false);
    auto const it = store_.find(object);
    drop(it, std::move(object), false);
}

void informer_impl::apply_misfit(change_kind kind, misfit const& object) {
    if (kind != change_kind::deleted) {
        misfits_.put(object);
        return report(object);
    }
    misfits_.erase(object.namespace_, object.name);
    drop(store_.find(full_name(object.namespace_, object.name)), nullptr, false);
}

erased_object informer_impl::known(erased_object object) const {
    auto const& now = meta(object);
    auto const it = store_.find(object);
    if (it == store_.end() || now.resource_version.empty()) return object;
    auto const& before = meta(*it);
    return before.uid == now.uid && before.resource_version == now.resource_version ? *it : object;
}

void informer_impl::put(erased_object object, bool from_list) {
    auto it = store_.find(object);
    if (it != store_.end() && meta(*it).uid != meta(object).uid) { // its deletion was not seen
        drop(it, nullptr, true);
        it = store_.end();
    }
    if (it == store_.end()) {
        store_.insert(object);
        auto e = change(change_kind::added, any_object(), whole(std::move(object)));
        e.initial = from_list && !synced_;
        notify(e);
        return;
    }
    if (from_list && meta(*it).resource_version == meta(object).resource_version) return;
    auto entry = store_.extract(it);
    auto old = std::exchange(entry.value(), object);
    store_.insert(std::move(entry));
    notify(change(change_kind::modified, whole(std::move(old)), whole(std::move(object))));
}

void informer_impl::drop(store::iterator it, erased_object last, bool missed) {
    if (it == store_.end()) return;
    auto old = std::move(store_.extract(it).value());
    auto e = change(change_kind::deleted, whole(old), whole(last ? std::move(last) : old));
    e.missed = missed;
    notify(e);
}

void informer_impl::notify(any_event const& e) {
    auto const handlers = handlers_; // a handler may add one, or close the informer
    for (auto const& h : *handlers) {
        if (closed_) return;
        call(*h, e);
    }
}

void informer_impl::call(change_handler const& handler, any_event const& e) {
    try {
        handler(e);
    } catch (std::exception const& x) {
        client_.options().logger(log_level::error, "informer handler failed",
                                 {{"kind", std::string(what_.info().kind)}, {"error", x.what()}});
    } catch (...) {
        client_.options().logger(log_level::error, "informer handler failed",
                                 {{"kind", std::string(what_.info().kind)}, {"error", "not a std::exception"}});
    }
}

void informer_impl::processed(std::string const& resource_version) {
    if (resource_version.empty() || resource_version == version_) return;
    last_failure_->clear(); // this is called after failures, too
    version_ = resource_version;
}

void informer_impl::failed(std::string_view step, error_code ec, call_report const& report) {
    auto const routine = is_gone(ec) || is_retryable(ec);
    *last_failure_ = failure(ec, report.detail).to_string();
    client_.options().logger(
        routine ? log_level::info : log_level::warning, "informer failed, retrying",
        {{"kind", std::string(what_.info().kind)}, {"step", std::string(step)}, {"error", *last_failure_}});
    auto const handlers = failure_handlers_; // one may close the informer
    for (auto const& h : handlers) h(ec, report.detail);
}

void informer_impl::report(misfit const& object) {
    auto const why = object.named();
    client_.options().logger(log_level::error, "object does not match its type",
                             {{"kind", std::string(what_.info().kind)}, {"error", why.to_string()}});
    log_repair(client_, what_.info(), why.code, why.detail);
    auto const handlers = misfit_handlers_; // one may close the informer
    for (auto const& h : handlers) h(object);
}

} // namespace

std::shared_ptr<informer_core> make_informer(client const& c, followed_collection what, informer_options options) {
    return std::make_shared<informer_impl>(c, std::move(what), std::move(options));
}

} // namespace kftrain::kube::detail
