#include "kube/watch/reflector.hpp"

#include <kftrain/kube/resource_version.hpp>

#include <algorithm>
#include <utility>

namespace kftrain::kube {
namespace {

using namespace std::chrono_literals;

constexpr auto short_watch = 1s;
constexpr auto steady_watch = 10s;
constexpr auto backoff_reset = 2min;
constexpr auto pace = 1s;
constexpr int in_a_row = 5;
constexpr unsigned watch_seconds = 300; // times [1, 2)
constexpr unsigned broken_watches_before_list = 3;

bool is_server(error_code ec) { return ec.category() == server_category(); }
bool is_busy(error_code ec) { return ec == make_error_code(reason::too_many_requests); }
/// Returns whether a server rejects the parameters of a streaming list: it must not use them, or finds them invalid.
bool is_refusal(error_code ec) {
    return ec == make_error_code(reason::bad_request) || ec == make_error_code(reason::invalid);
}

/// Returns whether the server sent neither an event nor an object: reading on would miss changes.
bool is_undecodable(error_code ec) {
    return ec.category() == client_category() && ec != make_error_code(errc::timeout) &&
           ec != make_error_code(errc::connection_lost) && ec != make_error_code(errc::protocol) && !is_unreached(ec);
}

} // namespace

reflector::action reflector::resume(input const& in, moment const& at) {
    return std::visit([&](auto const& i) { return on(i, at); }, in);
}

reflector::action reflector::on(reflector_input::proceed const&, moment const& at) {
    switch (step_) {
    case step::replacing:
        version_ = list_version_;
        listed_ = true;
        version_unavailable_ = false;
        whole_list_ = false;
        if (!std::exchange(streaming_, false)) return open(at);
        broken_watches_ = 0;
        return read(); // the watch goes on
    case step::gathering: return read();
    case step::applying:
        if (!event_version_.empty()) version_ = event_version_;
        return read();
    case step::resting: return begin(after_rest_, at);
    default: return relist(at);
    }
}

reflector::action reflector::begin(step then, moment const& at) {
    return then == step::opening ? open(at) : relist(at);
}

reflector::action reflector::relist(moment const& at) { return options_.streaming ? stream_list(at) : list_pages(); }

reflector::action reflector::list_pages() {
    step_ = step::listing;
    streaming_ = false;
    list_ = list_options();
    list_.label_selector = options_.label_selector;
    list_.field_selector = options_.field_selector;
    if (!version_unavailable_) list_.resource_version = listed_ ? version_ : "0";
    // A limit makes servers pass by their cache, which is what answers "not older than".
    bool const cached = !list_.resource_version.empty() && list_.resource_version != "0";
    if (!whole_list_ && (paginated_ || !cached)) list_.limit = options_.page_size;
    reflector_action::list a;
    a.params = list_;
    return a;
}

reflector::action reflector::on(reflector_input::page const& p, moment const&) {
    unreached_.reset();
    if (list_.continue_.empty()) {
        list_version_ = p.resource_version;
        if (list_.resource_version == "0" && !p.continue_.empty()) paginated_ = true;
    }
    if (!p.continue_.empty()) {
        list_.continue_ = p.continue_;
        list_.resource_version.clear();
        reflector_action::list a;
        a.params = list_;
        return a;
    }
    step_ = step::replacing;
    reflector_action::replace a;
    a.resource_version = list_version_;
    return a;
}

reflector::action reflector::on(reflector_input::failed const& f, moment const& at) {
    auto const then = step_ == step::opening && !streaming_ ? step::opening : step::listing;
    if (is_unreached(f.code)) return rest_unreached(then, at);
    unreached_.reset();
    if (streaming_) return stream_failed(f, at);
    return then == step::opening ? open_failed(f, at) : list_failed(f, at);
}

reflector::action reflector::list_failed(reflector_input::failed const& f, moment const& at) {
    bool const gone = is_gone(f.code) || f.resource_version_too_large;
    if (gone && !list_.continue_.empty()) { // the pages were trimmed away meanwhile
        whole_list_ = true;
        return list_pages();
    }
    if (gone && !version_unavailable_) {
        version_unavailable_ = true;
        return list_pages();
    }
    return rest(step::listing, at, f.retry_after);
}

reflector_action::watch reflector::watch_from(std::string version, moment const& at) const {
    reflector_action::watch a;
    a.params.label_selector = options_.label_selector;
    a.params.field_selector = options_.field_selector;
    a.params.resource_version = std::move(version);
    a.params.timeout_seconds = static_cast<std::uint32_t>(watch_seconds * at.jitter);
    return a;
}

/// Not older than what is known already; at first the latest, which servers answer from their cache, too.
reflector::action reflector::stream_list(moment const& at) {
    step_ = step::opening;
    streaming_ = true;
    auto a = watch_from(version_unavailable_ ? std::string() : version_, at);
    a.params.initial_events = true;
    return a;
}

/// A failure may be caused by the streaming list: unless the server is unreachable or has sent Retry-After, list pages
/// next.
reflector::action reflector::stream_failed(reflector_input::failed const& f, moment const& at) {
    if ((is_gone(f.code) || f.resource_version_too_large) && !std::exchange(version_unavailable_, true))
        return stream_list(at);
    if (is_busy(f.code)) return rest(step::listing, at, f.retry_after);
    if (is_refusal(f.code)) return list_instead();
    if (is_server(f.code) || is_undecodable(f.code)) return list_pages();
    return broken(at);
}

reflector::action reflector::stream_event(reflector_input::event const& e) {
    if (e.change) {
        step_ = step::gathering;
        return reflector_action::gather();
    }
    // The first bookmark of a server that streams lists is the mark.
    if (!e.ends_initial_list) return list_instead();
    list_version_ = e.resource_version;
    step_ = step::replacing;
    reflector_action::replace a;
    a.resource_version = list_version_;
    return a;
}

reflector::action reflector::on(reflector_input::not_streamed const& n, moment const&) {
    return n.remembered ? list_pages() : list_instead();
}

reflector::action reflector::list_instead() {
    auto a = std::get<reflector_action::list>(list_pages());
    a.not_streamed = true;
    return a;
}

reflector::action reflector::open(moment const& at) {
    step_ = step::opening;
    streaming_ = false;
    return watch_from(version_, at);
}

reflector::action reflector::open_failed(reflector_input::failed const& f, moment const& at) {
    if (is_gone(f.code)) return gone(at);
    if (f.resource_version_too_large) {
        version_unavailable_ = true;
        return rest(step::listing, at, f.retry_after);
    }
    if (is_busy(f.code)) return rest(step::opening, at, f.retry_after);
    if (is_server(f.code) || is_undecodable(f.code)) return rest(step::listing, at, f.retry_after);
    return broken(at);
}

reflector::action reflector::on(reflector_input::opened const&, moment const& at) {
    unreached_.reset();
    opened_at_ = at.now;
    events_ = 0;
    return read();
}

reflector::action reflector::read() {
    step_ = step::reading;
    return reflector_action::read();
}

reflector::action reflector::on(reflector_input::event const& e, moment const& at) {
    if (streaming_) return stream_event(e);
    ++events_;
    broken_watches_ = 0;
    gone_before_ = false;
    if (!e.change) {
        if (compare_resource_versions(e.resource_version, version_) < 0) return on(reflector_input::went_back(), at);
        if (!e.resource_version.empty()) version_ = e.resource_version;
        return read();
    }
    event_version_ = e.resource_version;
    step_ = step::applying;
    return reflector_action::apply();
}

reflector::action reflector::on(reflector_input::ended const& e, moment const& at) {
    if (streaming_) {
        if (!e.code) return broken(at);
        reflector_input::failed f(e.code);
        f.retry_after = e.retry_after;
        return stream_failed(f, at);
    }
    auto const stood = at.now - opened_at_;
    if (stood >= steady_watch) {
        backoff_.reset();
        broken_watches_ = 0;
    }
    if (!e.code) {
        bool const useful = events_ != 0 || stood >= short_watch;
        return useful ? at_once(step::opening, at) : rest(step::listing, at, e.retry_after);
    }
    if (is_gone(e.code)) return gone(at);
    if (is_busy(e.code)) return rest(step::opening, at, e.retry_after);
    if (is_server(e.code) || is_undecodable(e.code)) return rest(step::listing, at, e.retry_after);
    return broken(at);
}

/// Newer observations than the restored state are void, and their version is meaningless.
reflector::action reflector::on(reflector_input::went_back const&, moment const& at) {
    version_unavailable_ = true;
    return at_once(step::listing, at);
}

/// At once, except when a list was followed by nothing but this.
reflector::action reflector::gone(moment const& at) {
    if (gone_before_) return rest(step::listing, at, 0ms);
    gone_before_ = true;
    return at_once(step::listing, at);
}

/// The connection failed: what was observed stays true, so watching on is enough, the first time without delay. The
/// part of a list that was streamed before a failure is lost.
reflector::action reflector::broken(moment const& at) {
    auto const again = streaming_ ? step::listing : step::opening;
    ++broken_watches_;
    if (broken_watches_ == 1) return at_once(again, at);
    if (broken_watches_ <= broken_watches_before_list) return rest(again, at, 0ms);
    broken_watches_ = 0;
    return streaming_ ? list_pages() : rest(step::listing, at, 0ms);
}

/// A peer that cuts every watch after an event must not make a loop without pause.
reflector::action reflector::at_once(step then, moment const& at) {
    paid_until_ = std::max(paid_until_, at.now) + pace;
    auto const ahead = paid_until_ - at.now - in_a_row * pace;
    if (ahead <= 0ms) return begin(then, at);
    after_rest_ = then;
    step_ = step::resting;
    reflector_action::sleep a;
    a.time = ahead;
    return a;
}

/// A server that comes back is a new one: what it answers is waited for from the start.
reflector::action reflector::rest_unreached(step then, moment const& at) {
    backoff_.reset();
    after_rest_ = then;
    step_ = step::resting;
    reflector_action::sleep a;
    a.time = unreached_.next(at.jitter);
    last_rest_ = at.now + a.time;
    return a;
}

reflector::action reflector::rest(step then, moment const& at, std::chrono::milliseconds at_least) {
    if (at.now - last_rest_ >= backoff_reset) backoff_.reset();
    after_rest_ = then;
    step_ = step::resting;
    reflector_action::sleep a;
    a.time = std::max(backoff_.next(at.jitter), at_least);
    last_rest_ = at.now + a.time;
    return a;
}

} // namespace kftrain::kube
