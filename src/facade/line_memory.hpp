#ifndef KFTRAIN_SRC_FACADE_LINE_MEMORY_HPP
#define KFTRAIN_SRC_FACADE_LINE_MEMORY_HPP

#include <cstdint>
#include <string_view>

namespace kftrain {

/** Remembers which lines of a log were delivered, as their number and a checksum, so that a log that broke off can be read
    again from its beginning, and delivery goes on behind the last line. */
class line_memory {
public:
    enum class verdict {
        fresh,   ///< not delivered yet
        known,   ///< delivered before
        another, ///< the log begins otherwise than before
    };

    /// The log is read from its beginning.
    void begin() noexcept {
        seen_ = 0;
        seen_sum_ = empty_sum;
    }
    /// The next line of the log. One that is fresh counts as delivered.
    verdict take(std::string_view line) noexcept {
        seen_sum_ = add(seen_sum_, line);
        ++seen_;
        if (seen_ < lines_) return verdict::known;
        if (seen_ == lines_) return seen_sum_ == sum_ ? verdict::known : verdict::another;
        lines_ = seen_;
        sum_ = seen_sum_;
        return verdict::fresh;
    }
    /// Whether all that was delivered came again.
    bool caught_up() const noexcept { return seen_ == lines_; }
    std::uint64_t lines() const noexcept { return lines_; }

private:
    static constexpr std::uint64_t empty_sum = 0xcbf29ce484222325U; // FNV-1a

    static std::uint64_t add(std::uint64_t sum, std::string_view line) noexcept {
        for (char const c : line) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        return (sum ^ '\n') * 0x100000001b3U;
    }

    std::uint64_t lines_ = 0;
    std::uint64_t sum_ = empty_sum;
    std::uint64_t seen_ = 0;
    std::uint64_t seen_sum_ = empty_sum;
};

} // namespace kftrain

#endif
