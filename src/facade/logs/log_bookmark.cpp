#include "facade/logs/log_bookmark.hpp"

#include <kftrain/model/scalars.hpp>

#include <algorithm>
#include <chrono>

namespace kftrain {
namespace {

/// With nine digits of a fraction and an offset.
constexpr std::size_t longest_stamp = 35;

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

} // namespace

std::optional<log_instant> parse_log_instant(std::string_view text) {
    time_point whole{};
    if (text.size() > longest_stamp || text.size() < 20 || !is_digit(text[0]) || !parse_scalar(text, whole)) return {};
    log_instant at;
    at.seconds = whole.time_since_epoch().count();
    std::int32_t unit = 100'000'000;
    if (text[19] == '.')
        for (std::size_t i = 20; i < text.size() && is_digit(text[i]); ++i, unit /= 10)
            at.nanoseconds += unit * (text[i] - '0');
    return at;
}

log_stamp read_log_stamp(std::string_view line) {
    log_stamp stamp;
    auto const space = line.substr(0, longest_stamp + 1).find(' ');
    if (space == std::string_view::npos) return stamp;
    auto const at = parse_log_instant(line.substr(0, space));
    if (!at) return stamp;
    stamp.size = space;
    stamp.at = *at;
    return stamp;
}

log_bookmark::log_bookmark(log_position::entry const& behind) : time_(behind.time), same_(behind.delivered) {
    if (auto const at = parse_log_instant(time_))
        last_ = *at;
    else
        time_.clear(), sum_known_ = false;
    timed_ = !time_.empty();
    delivered_ = static_cast<std::uint64_t>(same_);
}

std::string log_bookmark::since() const {
    std::string text;
    // Servers cut fractions off, and a neighbour that was swapped may bear the time of the second before.
    if (timed_.value_or(false) && same_ != 0) print_scalar(time_point(std::chrono::seconds(last_.seconds - 1)), text);
    return text;
}

void log_bookmark::begin() noexcept {
    passing_ = timed_.value_or(false) && same_ != 0;
    read_ = 0;
    read_sum_ = empty_sum;
    read_last_.reset();
}

log_bookmark::verdict log_bookmark::take(std::string_view line, bool is_continuation) {
    log_stamp const stamp = is_continuation ? log_stamp() : read_log_stamp(line);
    if (!timed_) timed_ = stamp.size != 0;
    stamp_size_ = *timed_ ? stamp.size : 0;
    stamp_is_latest_ = false;
    return *timed_ ? take_timed(line, stamp) : take_untimed(line);
}

log_bookmark::verdict log_bookmark::take_timed(std::string_view line, log_stamp const& stamp) {
    if (stamp.size != 0 && (!read_last_ || *read_last_ < stamp.at)) read_last_ = stamp.at;
    if (passing_) {
        if (!read_last_ || *read_last_ < last_) return verdict::known;
        if (*read_last_ == last_ && read_ < same_) return ++read_, verdict::known;
        if (read_ < same_) return verdict::another;
        passing_ = false;
    }
    if (same_ != 0 && *read_last_ <= last_) {
        ++same_;
    } else {
        last_ = *read_last_;
        time_.assign(line.substr(0, stamp.size));
        same_ = 1;
    }
    stamp_is_latest_ = stamp.size != 0 && stamp.at == last_;
    ++delivered_;
    return verdict::fresh;
}

log_bookmark::verdict log_bookmark::take_untimed(std::string_view line) noexcept {
    for (char const c : line) read_sum_ = (read_sum_ ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    read_sum_ = (read_sum_ ^ '\n') * 0x100000001b3U;
    ++read_;
    if (read_ < same_) return verdict::known;
    if (read_ == same_) {
        if (!sum_known_) sum_ = read_sum_, sum_known_ = true;
        return read_sum_ == sum_ ? verdict::known : verdict::another;
    }
    same_ = read_;
    sum_ = read_sum_;
    ++delivered_;
    return verdict::fresh;
}

bool log_bookmark::caught_up() const noexcept {
    return timed_.value_or(false) ? !passing_ || read_ == same_ : read_ == same_;
}

} // namespace kftrain
