#include <kftrain/kube/discovery.hpp>

#include "base/ascii.hpp"
#include "kube/async/operation.hpp"
#include "kube/calls/client_state.hpp"
#include "kube/discovery/discovery_documents.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace kftrain::kube {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

bool holds(std::vector<std::string> const& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

bool is_called(served_resource const& r, std::string_view name) {
    auto const same = [&](std::string_view own) { return same_letters(own, name); };
    return same(r.plural) || same(r.kind) || (!r.singular.empty() && same(r.singular)) ||
           std::any_of(r.short_names.begin(), r.short_names.end(), same);
}

/// Marks a read that is under way. Its end wakes the callers that wait for it, also if it fails or is cancelled.
class reader {
public:
    explicit reader(asio::any_io_executor const& executor)
        : news_(std::make_shared<asio::steady_timer>(executor, asio::steady_timer::time_point::max())) {}
    reader(reader const&) = delete;
    reader& operator=(reader const&) = delete;
    ~reader() { news_->expires_at(asio::steady_timer::time_point::min()); }

    std::weak_ptr<asio::steady_timer> news() const { return news_; }

private:
    std::shared_ptr<asio::steady_timer> news_;
};

/// Reads the content of versions that are only listed. A version that fails is reported, and fails nothing else.
asio::awaitable<void> read_versions(client c, detail::discovered& found, call_options how) {
    for (auto const& version : found.versions) {
        detail::call_report report;
        result<http_request> request(detail::version_request(version));
        call_options one = how;
        one.detail = nullptr;
        auto [ec, text] = co_await detail::call(c, std::move(request), std::move(one), report);
        auto resources = ec ? failure(ec, report.detail) : detail::read_resources(version, text);
        if (resources) {
            std::move(resources->begin(), resources->end(), std::back_inserter(found.resources));
            continue;
        }
        if (is_cancelled(resources.error().code)) detail::fail(resources.error().code);
        unserved_version missing;
        missing.group = version.group;
        missing.version = version.version;
        missing.why = c.redact(resources.error().detail).message;
        found.failures.push_back(std::move(missing));
    }
}

} // namespace

bool served_resource::can(std::string_view verb) const noexcept { return holds(verbs, verb); }
bool served_resource::has_subresource(std::string_view name) const noexcept { return holds(subresources, name); }

served_resource const* api_catalog::find(std::string_view group, std::string_view kind,
                                         std::string_view version) const noexcept {
    for (auto const& r : resources_)
        if (r.group == group && r.kind == kind && (version.empty() || r.version == version)) return &r;
    return nullptr;
}

served_resource const* api_catalog::find_named(std::string_view name) const noexcept {
    auto const dot = name.find('.');
    auto const group = dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
    for (auto const& r : resources_)
        if ((group.empty() || same_letters(r.group, group)) && is_called(r, name.substr(0, dot))) return &r;
    return nullptr;
}

struct discovery::state {
    using clock = std::chrono::steady_clock;

    state(client c, discovery_options o) : link(std::move(c)), options(o) {}

    bool is_younger(std::chrono::milliseconds age) const { return last && detail::time_of(link).now() - read_at < age; }
    bool is_recent() const {
        return last && is_younger(last->failures().empty() ? options.cache_ttl
                                                           : std::min(options.cache_ttl, options.partial_cache_ttl));
    }
    /// Waits for the current reader; returns whether there was one.
    static asio::awaitable<bool> await_reader(std::shared_ptr<state> s);

    static asio::awaitable<catalog> read(std::shared_ptr<state> s, call_options how);
    static asio::awaitable<catalog> get(std::shared_ptr<state> s, call_options how);
    static asio::awaitable<std::optional<served_resource>> find(std::shared_ptr<state> s, std::string name,
                                                                call_options how);

    client link;
    discovery_options options;
    catalog last;
    clock::time_point read_at;
    std::weak_ptr<asio::steady_timer> reading; // ends with the call that reads
};

asio::awaitable<discovery::catalog> discovery::state::read(std::shared_ptr<state> s, call_options how) {
    reader const here(s->link.get_executor());
    s->reading = here.news();
    std::vector<served_resource> resources;
    std::vector<unserved_version> failures;
    bool truncated = false;
    for (std::string_view const path : {std::string_view("/api"), std::string_view("/apis")}) {
        detail::call_report report;
        result<http_request> request(detail::discovery_request(path));
        call_options one = how;
        auto [ec, text] = co_await detail::call(s->link, std::move(request), std::move(one), report);
        if (is_not_found(ec)) continue; // a server of custom resources alone has no core group
        if (ec) detail::fail(ec);
        auto found = detail::read_groups(text);
        if (!found) {
            if (how.detail != nullptr) *how.detail = s->link.redact(found.error().detail);
            detail::fail(found.error().code);
        }
        if (found->versions.size() > s->options.max_versions) {
            found->versions.resize(s->options.max_versions);
            truncated = true;
        }
        co_await read_versions(s->link, *found, how);
        std::move(found->resources.begin(), found->resources.end(), std::back_inserter(resources));
        std::move(found->failures.begin(), found->failures.end(), std::back_inserter(failures));
    }
    if (how.detail != nullptr) *how.detail = diagnostics(); // of a part that may be missing
    truncated = truncated || resources.size() > s->options.max_resources;
    if (resources.size() > s->options.max_resources) resources.resize(s->options.max_resources);
    s->last = std::make_shared<api_catalog const>(std::move(resources), std::move(failures), truncated);
    s->read_at = detail::time_of(s->link).now();
    co_return s->last;
}

asio::awaitable<bool> discovery::state::await_reader(std::shared_ptr<state> s) {
    auto const news = s->reading.lock();
    if (!news || news->expiry() == asio::steady_timer::time_point::min()) co_return false;
    co_await news->async_wait(asio::as_tuple(asio::use_awaitable));
    auto const cancelled = co_await asio::this_coro::cancellation_state;
    if (cancelled.cancelled() != asio::cancellation_type::none) detail::fail(asio::error::operation_aborted);
    co_return true;
}

asio::awaitable<discovery::catalog> discovery::state::get(std::shared_ptr<state> s, call_options how) {
    bool waited = true;
    while (waited && !s->is_recent()) {
        waited = co_await await_reader(s);
    }
    if (s->is_recent()) co_return s->last;
    catalog const fresh = co_await read(s, how);
    co_return fresh;
}

asio::awaitable<std::optional<served_resource>> discovery::state::find(std::shared_ptr<state> s, std::string name,
                                                                       call_options how) {
    catalog known = co_await get(s, how);
    auto const* found = known->find_named(name);
    bool waited = true;
    while (waited && found == nullptr && !s->is_younger(s->options.min_refresh_interval)) {
        waited = co_await await_reader(s);
        if (!waited) known = co_await read(s, how);
        if (waited) known = s->last;
        if (!known) known = std::make_shared<api_catalog const>();
        found = known->find_named(name);
    }
    std::optional<served_resource> answer;
    if (found != nullptr) answer = *found;
    co_return answer;
}

discovery::discovery(client c, discovery_options options)
    : client_(c), state_(std::make_shared<state>(std::move(c), options)) {}

void discovery::forget() noexcept { state_->last.reset(); }

void discovery::start_catalog(std::shared_ptr<state> const& s, any_handler<void(error_code, catalog)> handler,
                              call_options options) {
    if (options.detail != nullptr) *options.detail = diagnostics();
    detail::deadline limit(options.timeout, options.detail, "discovery");
    detail::spawn(s->link.get_executor(), state::get(s, std::move(options)), std::move(limit), std::move(handler));
}

void discovery::start_find(std::shared_ptr<state> const& s,
                           any_handler<void(error_code, std::optional<served_resource>)> handler, std::string name,
                           call_options options) {
    if (options.detail != nullptr) *options.detail = diagnostics();
    detail::deadline limit(options.timeout, options.detail, "discovery");
    detail::spawn(s->link.get_executor(), state::find(s, std::move(name), std::move(options)), std::move(limit),
                  std::move(handler));
}

} // namespace kftrain::kube
