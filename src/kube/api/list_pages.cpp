#include <kftrain/kube/list_pages.hpp>

#include "kube/answers/expected_place.hpp"
#include "kube/answers/page_guard.hpp"
#include "kube/async/operation.hpp"
#include "kube/calls/client_state.hpp"

#include <kftrain/base/backoff.hpp>

#include <boost/asio/steady_timer.hpp>

#include <string>
#include <utility>

namespace kftrain::kube::detail {
namespace {

list_options first_page(page_options const& o) {
    list_options first;
    first.label_selector = o.label_selector;
    first.field_selector = o.field_selector;
    first.resource_version = o.resource_version;
    first.limit = o.page_size;
    return first;
}

constexpr unsigned most_recoveries = 10;

/// A list on its way through its pages. Everything but waiting.
class page_walk {
public:
    explicit page_walk(page_options const& o) : options_(o), next_(first_page(o)), guard_(o.max_pages) {}

    list_options const& next() const noexcept { return next_; }
    page_place place() const noexcept {
        page_place p;
        p.restarted = restarts_;
        p.newer = newer_;
        return p;
    }

    /// Whether the list goes on though its next page cannot be had.
    bool recovers(error_code ec, diagnostics const& why) {
        if (!is_gone(ec) || next_.continue_.empty() || options_.expired == when_expired::fail_with_expired)
            return false;
        if (++recoveries_ > most_recoveries) return false;
        if (options_.expired == when_expired::go_on_with_newer) {
            if (why.continue_.empty() || why.continue_ == next_.continue_) return false;
            next_.continue_ = why.continue_;
            newer_ = true;
            return true;
        }
        // In one piece: what expired once would do so again.
        next_ = first_page(options_);
        next_.limit = 0;
        version_.clear();
        guard_.begin();
        restarts_ = true;
        return true;
    }
    /// How long to wait after that: the server forgets fast.
    std::chrono::milliseconds pause() { return recoveries_ > 1 ? waits_.next(0.5) : std::chrono::milliseconds(0); }

    /// Whether there is another page.
    result<bool> taken(meta::list_meta const& page, bool is_empty) {
        if (version_.empty() || newer_) version_ = page.resource_version;
        restarts_ = false;
        if (auto const ends = guard_.take(page.continue_, is_empty); !ends) return ends.error();
        if (page.continue_.empty()) return false;
        next_.continue_ = page.continue_;
        next_.resource_version.clear(); // it is in the token
        return true;
    }

    std::string const& version() const noexcept { return version_; }

private:
    page_options const& options_;
    list_options next_;
    std::string version_;
    page_guard guard_;
    backoff waits_{std::chrono::milliseconds(100), std::chrono::seconds(5)};
    unsigned recoveries_ = 0;
    bool restarts_ = false;
    bool newer_ = false;
};

[[noreturn]] void fail_with(client const& c, failure const& why, diagnostics* into) {
    if (into != nullptr) *into = c.redact(why.detail);
    fail(why.code);
}

asio::awaitable<std::string> walk(client c, page_request make, page_options options, page_taker take) {
    page_walk w(options);
    for (;;) {
        call_report report;
        diagnostics* const detail = options.detail;
        call_options one = options.common();
        auto request = make(w.next());
        auto [ec, text] = co_await call(c, std::move(request), std::move(one), report);
        if (ec) {
            bool const recovers = w.recovers(ec, report.detail);
            if (!recovers) fail(ec);
            if (auto const pause = w.pause(); pause.count() > 0) {
                timer rest(c.get_executor(), pause);
                co_await rest.async_wait(asio::use_awaitable);
            }
            continue;
        }
        auto place = w.place();
        auto const metadata = take(text, place);
        if (!metadata) fail_with(c, metadata.error(), detail);
        auto const more = w.taken(*metadata, place.empty);
        if (!more) fail_with(c, more.error(), detail);
        if (!*more || !place.more) co_return w.version();
    }
}

} // namespace

page_request paging<any_api>::requests(any_api const& a) {
    return [type = a.type().share(), ns = a.get_namespace()](list_options const& o) {
        return request::list(*type->info, ns, o);
    };
}

std::function<result<void>(std::string_view, any_list&)> paging<any_api>::decoder(any_api const& a) {
    return [type = a.type().share(), ns = a.get_namespace()](std::string_view text, any_list& into) -> result<void> {
        std::vector<erased_object> items;
        auto metadata = type->decode_list(text, items);
        if (!metadata) return metadata.error();
        for (auto const& item : items)
            if (auto fits = check_listed(ns, type->metadata(item.get())); !fits) return fits;
        into.metadata = std::move(*metadata);
        into.items.reserve(items.size());
        for (auto& item : items) into.items.emplace_back(*type, std::move(item));
        return {};
    };
}

void start_list_pages(any_handler<void(error_code, std::string)> handler, client const& c, page_request make,
                      page_options options, page_taker take) {
    deadline limit(options.total_timeout, options.detail, "all pages of a list");
    spawn(c.get_executor(), walk(c, std::move(make), std::move(options), std::move(take)), std::move(limit),
          std::move(handler));
}

} // namespace kftrain::kube::detail
