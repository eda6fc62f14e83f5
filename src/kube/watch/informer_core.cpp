#include "kube/watch/informer_core.hpp"

#include "kube/async/operation.hpp"
#include "kube/watch/informer_source.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace kftrain::kube::detail {

informer_core::informer_core(std::shared_ptr<informer_source> s, std::optional<label_query> filter)
    : source_(std::move(s)), filter_(std::move(filter)), run_(source_->get_executor()) {}

informer_core::~informer_core() { end_run(asio::error::operation_aborted); }

void informer_core::run(any_handler<void(error_code)> handler) {
    if (closed_) return complete_aborted(source_->get_executor(), std::move(handler));
    auto const stop = [weak = weak_from_this()] {
        if (auto const self = weak.lock()) self->end_run(asio::error::operation_aborted);
    };
    if (run_.begin(std::move(handler), stop)) source_->begin_run();
}

void informer_core::end_run(error_code ec) {
    if (!run_.going()) return;
    run_.end(ec);
    source_->end_run();
}

void informer_core::wait_for_sync(sync_options options, any_handler<void(error_code)> handler) {
    deadline limit(options.timeout, options.detail, "first list of " + std::string(source_->info().plural));
    limit.last_failure = last_failure();
    spawn(source_->get_executor(), await_sync(shared_from_this()), std::move(limit), std::move(handler));
}

asio::awaitable<void> informer_core::await_sync(std::shared_ptr<informer_core> self) {
    while (!self->has_synced() && !self->closed_) {
        error_code woken;
        co_await self->source_->sync().async_wait(asio::redirect_error(asio::use_awaitable, woken));
    }
    if (self->closed_) fail(asio::error::operation_aborted);
}

void informer_core::add_handler(change_handler handler) {
    auto shared = std::make_shared<change_handler>(std::move(handler));
    if (source_->empty()) {
        handlers_.push_back(std::move(shared));
        return;
    }
    bool const first = handlers_.empty(); // a synced informer stays so when it gets another
    if (first) ++replays_;
    asio::post(source_->get_executor(), [self = shared_from_this(), first, shared = std::move(shared)] {
        if (first && --self->replays_ == 0) self->source_->wake();
        if (self->closed_) return;
        auto const known = self->all();
        self->handlers_.push_back(shared);
        for (auto const& object : known) {
            any_event e;
            e.object = object;
            e.initial = true;
            if (!self->closed_) self->call(*shared, e);
        }
    });
}

std::vector<undecodable_object> informer_core::undecodable() const {
    auto list = source_->undecodable();
    if (filter_) std::erase_if(list, [this](undecodable_object const& m) { return !m.is_selected_by(*filter_); });
    return list;
}

any_object informer_core::find(std::string_view ns, std::string_view name) const {
    auto object = source_->find(ns, name);
    return !object.empty() && matches(object) ? object : any_object();
}

std::vector<any_object> informer_core::all() const {
    auto list = source_->all();
    if (filter_) std::erase_if(list, [this](any_object const& o) { return !matches(o); });
    return list;
}

bool informer_core::has_synced() const noexcept { return replays_ == 0 && source_->has_synced(); }

std::string const& informer_core::last_resource_version() const noexcept { return source_->last_resource_version(); }

std::shared_ptr<std::string const> informer_core::last_failure() const noexcept { return source_->last_failure(); }

void informer_core::close() {
    closed_ = true;
    handlers_.clear();
    on_failure_ = nullptr;
    on_undecodable_ = nullptr;
    source_->wake();
    end_run(asio::error::operation_aborted);
}

/// Reports the change as a server would to a watch with the selector.
void informer_core::take(any_event const& e) {
    if (!filter_) return deliver(e);
    bool const before = !e.old.empty() && matches(e.old);
    bool const after = e.kind != change_kind::deleted && matches(e.object);
    if (e.kind == change_kind::deleted ? !before : !before && !after) return;
    auto selected = e;
    if (e.kind == change_kind::modified && !before) {
        selected.kind = change_kind::added;
        selected.old = any_object();
    } else if (e.kind == change_kind::modified && !after) {
        selected.kind = change_kind::deleted;
    }
    deliver(selected);
}

void informer_core::deliver(any_event const& e) const {
    auto const handlers = handlers_; // a handler may add one, or close the informer
    for (auto const& h : handlers) {
        if (closed_) return;
        call(*h, e);
    }
}

void informer_core::call(change_handler const& handler, any_event const& e) const {
    auto const log = [this](char const* what) {
        source_->get_logger()(log_level::error, "informer handler failed",
                              {{"kind", std::string(source_->info().kind)}, {"error", what}});
    };
    try {
        handler(e);
    } catch (std::exception const& x) {
        log(x.what());
    } catch (...) {
        log("not a std::exception");
    }
}

void informer_core::take_failure(error_code ec, diagnostics const& why) const {
    if (auto const handler = on_failure_) handler(ec, why); // it may close the informer
}

void informer_core::take_undecodable(undecodable_object const& object) const {
    if (filter_ && !object.is_selected_by(*filter_)) return;
    if (auto const handler = on_undecodable_) handler(object); // it may close the informer
}

std::shared_ptr<informer_core> make_informer(client const& c, followed_collection what, informer_options options) {
    auto source = std::make_shared<informer_source>(c, std::move(what), std::move(options));
    auto view = std::make_shared<informer_core>(source, std::nullopt);
    source->join(view);
    return view;
}

} // namespace kftrain::kube::detail
