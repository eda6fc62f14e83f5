#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_LINE_SEARCH_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_LINE_SEARCH_HPP

#include "facade/explain/log_rules.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::explaining {

/// The line of a log that explains the end of the program best.
struct decisive_line {
    decisive_line() = default;

    std::string text; ///< without prefixes of launchers
    line_rank rank = line_rank::general;
    std::string_view advice;
    std::size_t number = 0; ///< of the line in the log as it was read, from 1
};

/** Finds the decisive line of a log: root causes before general ones before consequences. Among root causes and
    consequences the first line of the log wins, among general ones the last. An error that is far from a later one was
    overcome, and the later one wins. An exception of the program itself, such as ValueError, that ends the log
    wins over earlier root causes: the program got over them. */
class line_search {
public:
    line_search() = default;

    void add(std::string_view line);
    std::optional<decisive_line> const& found() const noexcept;

private:
    bool add_exception(std::string_view line);
    void note_exception(std::string_view line);
    void offer(std::string_view line, line_rank rank, std::string_view advice);
    decisive_line make_line(std::string_view line, line_rank rank, std::string_view advice) const;

    std::optional<decisive_line> best_;
    std::optional<decisive_line> own_exception_; ///< the last one, unless another error follows it
    std::size_t lines_ = 0;
    bool in_traceback_ = false;
    bool is_chained_ = false;    ///< the traceback is of an exception that another one led to
    bool chain_goes_on_ = false; ///< the next traceback is
    bool in_summary_ = false;    ///< behind the heading of the error report of Paddle
};

/// The same for lines that are in memory.
std::optional<decisive_line> find_decisive_line(std::vector<std::string> const& lines);

/// At most 500 bytes of a line, without half a character at the end.
std::string clipped_line(std::string_view line);

/// Removes what launchers write in front of lines, such as `[rank0]: ` and `[1,0]<stderr>:`.
std::string_view without_prefix(std::string_view line) noexcept;

} // namespace kftrain::explaining

#endif
