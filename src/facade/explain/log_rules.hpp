#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_LOG_RULES_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_LOG_RULES_HPP

#include <cstdint>
#include <span>
#include <string_view>

namespace kftrain::explaining {

/// How much a known line of a log explains.
enum class line_rank : std::uint8_t {
    root,        ///< names the cause
    general,     ///< names the error, but any cause can lead to it, such as an exception of the program
    consequence, ///< follows from the failure or absence of another replica
};

/// A line that programs are known to write before they fail.
struct log_rule {
    line_rank rank = line_rank::root;
    std::string_view text;         ///< what the line contains, in lower case
    std::string_view further_text; ///< what it contains besides; may be empty
    std::string_view advice;
};

/// Returns the known lines, the most specific ones first.
std::span<log_rule const> log_rules() noexcept;

} // namespace kftrain::explaining

#endif
