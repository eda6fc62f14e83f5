#include "facade/follow/job_feed.hpp"

#include <kftrain/kube/any_informer.hpp>
#include <kftrain/kube/request.hpp>

#include <boost/asio/post.hpp>

#include <utility>

// What a feed does when it may not read, or what it reads is not served.
namespace kftrain {

namespace asio = boost::asio;

/// Calls all listeners, also those that were not greeted yet.
template <class Call> void job_feed::every_listener(Call call) const {
    auto const all = listeners_;
    auto const more = newcomers_;
    for (auto const& [key, some] : all) some.each(call);
    for (auto const& n : more)
        if (auto const alive = n.listener.lock()) call(*alive);
}

bool no_use_asking_again(error_code ec) { return is_forbidden(ec) || is_unauthorized(ec) || ec == errc::helper_failed; }

/// An informer reports a failure from within its own work.
void job_feed::take_failure(error_code ec, diagnostics const& why, bool pods) {
    if (over_ || (!no_use_asking_again(ec) && (pods || !is_not_found(ec)))) return;
    asio::post(client_.get_executor(), [weak = weak_from_this(), ec, why, pods] {
        auto const self = weak.lock();
        if (!self || self->over_) return;
        auto const& informer = pods ? self->pods_ : self->jobs_;
        bool const synced = informer && informer->has_synced();
        if (no_use_asking_again(ec) && (!synced || ec == errc::helper_failed)) return self->fail(ec, why, pods);
        // What was answered well before may be answered badly once, as by a server that is starting, or behind a proxy.
        if (no_use_asking_again(ec)) return self->disturb(ec, why, pods);
        if (self->unserved_) return;
        if (synced) return self->confirm_absence();
        self->be_unserved(why);
    });
}

void job_feed::take_misfit(kube::detail::misfit const& object, bool pods) {
    if (over_) return;
    misfits_.emplace_back(object, pods);
    schedule();
}

void job_feed::disturb(error_code ec, diagnostics const& why, bool pods) {
    if (std::exchange(disturbed_, true)) return;
    every_listener([&](job_listener& l) { l.disturbed(*this, ec, why, pods); });
}

/// Reads once more before all jobs are reported as gone.
void job_feed::confirm_absence() {
    if (std::exchange(confirming_, true)) return;
    kube::list_options one;
    one.limit = 1;
    auto why = std::make_shared<diagnostics>();
    auto answered = [weak = weak_from_this(), why](error_code ec, std::string const&) {
        auto const self = weak.lock();
        if (!self) return;
        self->confirming_ = false;
        if (!self->over_ && !self->unserved_ && is_not_found(ec)) self->be_unserved(*why);
    };
    kube::detail::client_access::start(client_, kube::any_handler<void(error_code, std::string)>(std::move(answered)),
                                       kube::request::list(*options_.kind->primary().info, options_.namespace_, one),
                                       kube::call_options().with_detail(*why));
}

void job_feed::fail(error_code ec, diagnostics const& why, bool pods) {
    auto const self = shared_from_this();
    if (is_ready()) report_changes();
    over_ = true;
    end_informers();
    every_listener([&](job_listener& l) { l.failed(*this, ec, why, pods); });
    newcomers_.clear();
}

/// Jobs of a kind whose definition is gone are gone, too.
void job_feed::be_unserved(diagnostics const& why) {
    end_informers();
    unserved_ = true;
    why_unserved_ = why;
    for (auto& [key, known] : entries_) {
        forget_layout(key, known);
        if (is_wanted(key)) departed_.emplace_back(key, std::move(known));
    }
    entries_.clear();
    pods_by_role_.clear();
    every_listener([&](job_listener& l) { l.unserved(*this, why); });
    schedule();
    again_.expires_after(options_.look_again);
    again_.async_wait([weak = weak_from_this()](error_code cancelled) {
        auto const self = weak.lock();
        if (!self || cancelled || !self->unserved_ || self->looks_again_) return;
        self->unserved_ = false;
        self->begin(false);
    });
}

void job_feed::look_again(std::weak_ptr<job_listener> listener, std::string key) {
    join(std::move(listener), std::move(key));
    if (!unserved_ || std::exchange(looks_again_, true)) return;
    asio::post(client_.get_executor(), [weak = weak_from_this()] {
        auto const self = weak.lock();
        if (!self || !std::exchange(self->looks_again_, false) || self->over_) return;
        self->again_.cancel();
        self->unserved_ = false;
        self->begin(false);
    });
}

} // namespace kftrain
