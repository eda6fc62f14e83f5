#ifndef KFTRAIN_SRC_KUBE_WATCH_DECODER_HPP
#define KFTRAIN_SRC_KUBE_WATCH_DECODER_HPP

#include <kftrain/base/diagnostics.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain::kube {

/// One event of a watch, its object still text.
struct watch_event {
    enum class kind { added, modified, deleted, bookmark, error };

    watch_event() = default;

    kind type = kind::added;
    std::string_view object; ///< of `error`: a `Status`. Valid until the next call of watch_decoder::feed().
};

/** Cuts the bytes of a watch into events. Pure. Pieces may end anywhere; an event is complete at its newline.
    Events of a type that this library does not know are skipped.
    @par Upstream apimachinery `pkg/watch`, client-go `rest/watch/decoder.go` */
class watch_decoder {
public:
    static constexpr std::size_t default_event_limit = std::size_t(32) * 1024 * 1024;

    explicit watch_decoder(std::size_t event_limit = default_event_limit) : limit_(event_limit) {}

    void feed(std::string_view bytes);
    /** The next complete event, or nothing when more bytes are needed.
        @par Errors `errc::too_large`; `errc::syntax` for a line that is no event. The stream is unusable afterwards. */
    result<std::optional<watch_event>> next();

    /** The same for callers that decode every object: of a line that begins and ends as servers write events the object is
        not looked at, so that it is read once. If it is no value of JSON, exact() tells what the line holds. */
    result<std::optional<watch_event>> next_unread();
    /// The event that next_unread() handed out last, as next() would have: nothing if it would have been skipped.
    result<std::optional<watch_event>> exact();

    /// Bytes of an event that is not complete; at the end of a stream they are lost.
    std::size_t pending() const noexcept { return buffer_.size() - begin_; }
    /// Events skipped because of their type.
    std::size_t skipped() const noexcept { return skipped_; }

private:
    result<std::optional<std::string_view>> take_line();
    result<std::optional<watch_event>> scan(std::string_view line);

    std::string buffer_;
    std::size_t begin_ = 0;   // of the line being received
    std::size_t line_ = 0;    // begin of the line handed out last, which ends before begin_
    std::size_t scanned_ = 0; // no newline before this
    std::size_t limit_;
    std::size_t skipped_ = 0;
};

} // namespace kftrain::kube

#endif
