#ifndef KFTRAIN_KUBE_LIST_PAGES_HPP
#define KFTRAIN_KUBE_LIST_PAGES_HPP

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/api.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

namespace kftrain::kube {

/// Determines how a list continues if the server drops its state after some pages.
enum class when_expired {
    relist,            ///< the list starts again in a single page, which replaces the previous pages
    go_on_with_newer,  ///< the rest is read from the current state: objects may be missing or occur twice
    fail_with_expired, ///< `reason::expired`
};

/// Selects the objects to list page by page.
struct page_options : detail::call_options_of<page_options> { // the deadline applies to each page
    page_options() = default;

    std::string label_selector;
    std::string field_selector;
    std::string resource_version; ///< not older than this; empty: the latest
    std::uint32_t page_size = 500;
    when_expired expired = when_expired::relist;
    std::uint32_t max_pages = 100'000; ///< a list with more pages fails
    /// Limit for all pages together, 0: no limit; `timeout` applies to each page.
    std::chrono::milliseconds total_timeout{0};

    page_options& with_max_pages(std::uint32_t n) { return max_pages = n, *this; }
    page_options& with_total_timeout(std::chrono::milliseconds t) { return total_timeout = t, *this; }
    page_options& with_label_selector(std::string s) { return label_selector = std::move(s), *this; }
    page_options& with_field_selector(std::string s) { return field_selector = std::move(s), *this; }
    page_options& with_resource_version(std::string v) { return resource_version = std::move(v), *this; }
    page_options& with_page_size(std::uint32_t n) { return page_size = n, *this; }
    page_options& with_expired(when_expired w) { return expired = w, *this; }
};

/// A page that is passed to the callback; `List` is any_list or an object_list<K>.
template <class List> struct list_page {
    list_page() = default;

    List list;
    bool restarted = false; ///< the list starts again with this page: discard the previous pages
    bool newer = false;     ///< this page and the following pages show a later state than the previous pages
};

namespace detail {

/// Creates the request for a page.
using page_request = std::function<result<http_request>(list_options const&)>;

/// The position of a page in its list, known before it is decoded.
struct page_place {
    page_place() = default;
    bool restarted = false;
    bool newer = false;
    bool more = true;   ///< set by the callback: whether it wants further pages
    bool empty = false; ///< set by the callback: whether the page has no objects
};
/// Decodes a page and consumes it; returns its metadata.
using page_taker = std::function<result<meta::list_meta>(std::string_view text, page_place& place)>;

/// Completes with the resource version of the list.
void start_list_pages(any_handler<void(error_code, std::string)> handler, client const& c, page_request make,
                      page_options options, page_taker take);

template <class List> using page_function = std::function<bool(list_page<List>)>;

template <class List>
page_taker taker(std::function<result<void>(std::string_view, List&)> decode, page_function<List> take) {
    return [decode = std::move(decode), take = std::move(take)](std::string_view text,
                                                                page_place& place) -> result<meta::list_meta> {
        list_page<List> page;
        if (auto decoded = decode(text, page.list); !decoded) return decoded.error();
        page.restarted = place.restarted;
        page.newer = place.newer;
        place.empty = page.list.items.empty();
        auto metadata = page.list.metadata;
        place.more = take(std::move(page));
        return metadata;
    };
}

/// How lists of an api are requested and decoded.
template <class Api> struct paging;

template <resource K> struct paging<api<K>> {
    using list = object_list<K>;

    static page_request requests(api<K> const& a) {
        return [ns = a.get_namespace()](list_options const& o) { return request::list(K::resource, ns, o); };
    }
    static std::function<result<void>(std::string_view, list&)> decoder(api<K> const& a) {
        return [ns = a.get_namespace()](std::string_view text, list& into) { return decode_listed(ns, text, into); };
    }
};
template <> struct paging<any_api> {
    using list = any_list;

    static page_request requests(any_api const& a);
    static std::function<result<void>(std::string_view, list&)> decoder(any_api const& a);
};

} // namespace detail

/// The type of a list of an api: `object_list<K>` for an api<K>, `any_list` for an any_api.
template <class Api> using list_of = typename detail::paging<Api>::list;

/** Lists all objects and passes them page by page to `take`, a function `bool(list_page<list_of<Api>>)` that returns
    whether it wants further pages. `take` is called on the executor of the client and must not throw. The next page
    is requested after it returns, so only one page is kept at a time, unless the server drops the list; see
    when_expired.
    @par Handler signature `void(error_code, std::string)`: the resource version of the list, from which a watch can
    start.
    @par Errors as client::async_call(), of each page; decoding errors; `errc::protocol` for a list with more than
    page_options::max_pages pages, with 100 consecutive pages without objects, or with the same token twice, and for
    a server that drops the list again and again; `errc::timeout`.
    @par Cancellation total */
template <class Api, detail::completion_token Token = default_token>
auto async_list_pages(Api const& a, detail::page_function<list_of<Api>> take, page_options options = {},
                      Token&& token = Token()) {
    return detail::initiate<void(error_code, std::string)>(
        detail::client_access::place_of(a.get_client()), std::forward<Token>(token),
        [a](any_handler<void(error_code, std::string)> h, detail::page_function<list_of<Api>> t, page_options o) {
            detail::start_list_pages(std::move(h), a.get_client(), detail::paging<Api>::requests(a), std::move(o),
                                     detail::taker<list_of<Api>>(detail::paging<Api>::decoder(a), std::move(t)));
        },
        std::move(take), std::move(options));
}
template <class Api, detail::completion_token Token>
auto async_list_pages(Api const& a, detail::page_function<list_of<Api>> take, Token&& token) {
    return async_list_pages(a, std::move(take), page_options(), std::forward<Token>(token));
}

/** Lists all objects, page by page, into one list. Its metadata has the resource version from which a watch can
    start.
    @par Handler signature `void(error_code, list_of<Api>)`
    @par Errors as async_list_pages().
    @par Cancellation total */
template <class Api, detail::completion_token Token = default_token>
auto async_list_all(Api const& a, page_options options = {}, Token&& token = Token()) {
    using list = list_of<Api>;
    return detail::initiate<void(error_code, list)>(
        detail::client_access::place_of(a.get_client()), std::forward<Token>(token),
        [a](any_handler<void(error_code, list)> h, page_options o) {
            auto const all = std::make_shared<list>();
            auto const gather = [all](list_page<list> page) {
                if (page.restarted) all->items.clear();
                all->items.insert(all->items.end(), std::make_move_iterator(page.list.items.begin()),
                                  std::make_move_iterator(page.list.items.end()));
                return true;
            };
            auto const complete = [all](any_handler<void(error_code, list)> then, error_code ec, std::string version) {
                all->metadata.resource_version = std::move(version);
                std::move(then)(ec, ec ? list() : std::move(*all));
            };
            detail::then_complete gathered(std::move(h), complete);
            detail::start_list_pages(any_handler<void(error_code, std::string)>(std::move(gathered)), a.get_client(),
                                     detail::paging<Api>::requests(a), std::move(o),
                                     detail::taker<list>(detail::paging<Api>::decoder(a), gather));
        },
        std::move(options));
}
template <class Api, detail::completion_token Token> auto async_list_all(Api const& a, Token&& token) {
    return async_list_all(a, page_options(), std::forward<Token>(token));
}

} // namespace kftrain::kube

#endif
