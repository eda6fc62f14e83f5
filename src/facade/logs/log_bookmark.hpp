#ifndef KFTRAIN_SRC_FACADE_LOGS_LOG_BOOKMARK_HPP
#define KFTRAIN_SRC_FACADE_LOGS_LOG_BOOKMARK_HPP

#include <kftrain/facade/job_logs.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kftrain {

/// A time as nodes write it, to the nanosecond.
struct log_instant {
    std::int64_t seconds = 0; ///< since 1970, UTC
    std::int32_t nanoseconds = 0;

    friend auto operator<=>(log_instant const&, log_instant const&) = default;
};

/// Empty if the text is not a time of RFC 3339.
std::optional<log_instant> parse_log_instant(std::string_view text);

/// The time with which a line of a log begins.
struct log_stamp {
    std::size_t size = 0; ///< of its text, behind which there is a space; 0: the line has none
    log_instant at;
};
log_stamp read_log_stamp(std::string_view line);

/** The last delivered line of a run's log, so that reading can continue there after it broke off.

    If the lines have times, the log is read from a little before the last time. Lines before that time are skipped, and
    as many lines of that time as were delivered. Two writers of one log may swap neighbours: a line with an earlier
    time than the one before counts with the latest time. A log without times is read from its beginning; number and
    checksum of its lines show whether it is the same log. */
class log_bookmark {
public:
    enum class verdict {
        fresh,   ///< not delivered yet
        known,   ///< delivered before
        another, ///< the log is not as before: lines may be missing
    };

    log_bookmark() = default;
    /// Delivery goes on behind a place of the same run.
    explicit log_bookmark(log_position::entry const& behind);

    /// The time from which to request the log; empty: from its beginning.
    std::string since() const;
    /// The log is read from since() on.
    void begin() noexcept;
    /// The next line of the log, or with `is_continuation` the next piece of the same line. One that is fresh counts as
    /// delivered.
    verdict take(std::string_view line, bool is_continuation = false);
    /// Whether all that was delivered came again.
    bool caught_up() const noexcept;

    /// The length of the time at the beginning of the last line.
    std::size_t stamp_size() const noexcept { return stamp_size_; }
    /// Whether that time is the one of the place behind the line.
    bool stamp_is_latest() const noexcept { return stamp_is_latest_; }
    /// The time of the place after the last line, if it is fresh.
    std::string const& time() const noexcept { return time_; }
    std::int64_t same() const noexcept { return same_; }

    /// Lines that were fresh.
    std::uint64_t delivered() const noexcept { return delivered_; }
    /// Whether the lines bear times; nothing before the first one.
    std::optional<bool> timed() const noexcept { return timed_; }

private:
    static constexpr std::uint64_t empty_sum = 0xcbf29ce484222325U; // FNV-1a

    verdict take_timed(std::string_view line, log_stamp const& stamp);
    verdict take_untimed(std::string_view line) noexcept;

    std::optional<bool> timed_;
    std::uint64_t delivered_ = 0;
    std::string time_; ///< the latest
    log_instant last_; ///< the same
    /// Lines of the latest time; of a log without times, all of them.
    std::int64_t same_ = 0;
    std::uint64_t sum_ = empty_sum;
    bool sum_known_ = true;

    // The present read.
    bool passing_ = false; ///< over what was delivered before
    std::int64_t read_ = 0;
    std::uint64_t read_sum_ = empty_sum;
    std::optional<log_instant> read_last_;
    std::size_t stamp_size_ = 0;
    bool stamp_is_latest_ = false;
};

} // namespace kftrain

#endif
