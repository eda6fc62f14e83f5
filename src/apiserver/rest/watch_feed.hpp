#ifndef KFTRAIN_SRC_APISERVER_REST_WATCH_FEED_HPP
#define KFTRAIN_SRC_APISERVER_REST_WATCH_FEED_HPP

#include "apiserver/store/selector.hpp"
#include "apiserver/tables/table.hpp"

#include <chrono>
#include <deque>

namespace kftrain::apiserver {

/// The checked options of a watch.
struct watch_request {
    watch_request() = default;

    kind_id kind = 0;
    std::uint64_t registration = 0; ///< of the kind
    selector wanted;
    std::uint64_t since = 0;        ///< events after this version
    std::deque<object_ptr> initial; ///< delivered first, as added
    bool marks_initial = false;     ///< a bookmark then marks their end
    bool bookmarks = false;
    std::optional<row_object> table; ///< events carry tables
    std::optional<std::chrono::seconds> timeout;
};

/** Turns the store's events into the body of a watch. It holds no events of its own, only the version that its reader
    has reached. If a reader falls behind the store's bounded log, the watch ends with 410 Expired.
    @par Upstream apiserver `pkg/endpoints/handlers/watch.go`, `pkg/storage/cacher` */
class watch_feed {
public:
    explicit watch_feed(watch_request request) : request_(std::move(request)) {}

    /// The next lines, about 64 KiB at most; empty if there is nothing now.
    std::string pull(object_store const&, time_point now);
    /// A line with the version reached; empty unless bookmarks were requested.
    std::string bookmark(object_store const&) const;
    /// Releases the initial objects that are not delivered yet if the log has passed them, so that a reader that does
    /// not read holds no old states. The watch ends with 410 Expired later.
    void drop_if_passed(object_store const&);
    /// True after an error line: nothing follows.
    bool ended() const noexcept { return ended_; }
    kind_id kind() const noexcept { return request_.kind; }

private:
    /// Whether something of the kind changed after the version that the reader has reached.
    bool has_news(object_store const& store) const noexcept { return store.version(request_.kind) > request_.since; }
    /// Ends the feed if its kind was removed and another one took the place.
    void end_with_kind(object_store const&);
    void append(std::string& out, resource_definition const&, change_kind, object_ptr const&, time_point now);
    void append(std::string& out, resource_definition const&, watch_event const&, time_point now);
    void append_bookmark(std::string& out, resource_definition const&, bool ends_initial) const;

    watch_request request_;
    bool headers_sent_ = false;
    bool ended_ = false;
};

} // namespace kftrain::apiserver

#endif
