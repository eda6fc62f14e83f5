#include "facade/explain/line_search.hpp"

#include "base/ascii.hpp"
#include "base/code_points.hpp"

#include <algorithm>

namespace kftrain::explaining {
namespace {

constexpr std::size_t longest_line = 500;
/// Lines between an error and the next one of which it is not the cause.
constexpr std::size_t far_behind = 200;
/// At most so many lines of launchers follow the exception that ended a program.
constexpr std::size_t near_end = 50;

constexpr std::string_view exception_advice = "The program raised this exception. Correct its code, data or arguments.";

bool is_name_character(char c) {
    return is_digit(c) || c == '_' || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether a line could end a traceback: a qualified name, alone or in front of a colon.
bool names_exception(std::string_view line) {
    auto const end = std::ranges::find_if_not(line, is_name_character) - line.begin();
    if (end == 0 || is_digit(line.front())) return false;
    auto const at = static_cast<std::size_t>(end);
    return at == line.size() || line[at] == ':';
}

/// Removes the time at the beginning of a line of a logger: `2026-03-01 11:30:00.123456: `, `[2026-03-01 11:30:00] `.
std::string_view without_time(std::string_view lower) {
    auto const first = lower.find_first_not_of('[');
    if (first == lower.npos || !is_digit(lower[first])) return lower;
    auto end = first;
    bool colon = false;
    for (; end < lower.size(); ++end) {
        char const c = lower[end];
        bool const letter = (c == 't' || c == 'z') && is_digit(lower[end - 1]);
        if (!letter && !is_digit(c) && std::string_view("-/:.,+[] \t").find(c) == std::string_view::npos) break;
        colon = colon || c == ':';
    }
    return colon ? lower.substr(end) : lower;
}

/// Whether a logger marks a line as a warning or less: `W tensorflow/...`, `INFO`, `trainer - WARNING - ...`.
bool has_harmless_level(std::string_view lower) {
    auto rest = without_time(lower);
    bool const timed = rest.size() != lower.size();
    // Behind a time, the name of the logger and a line number may precede the level.
    for (int words = timed ? 4 : 1; words > 0; --words) {
        auto const begin = rest.find_first_not_of(" \t[]()|:-");
        if (begin == rest.npos) return false;
        auto const end = std::min(rest.find_first_of(" \t[]()|:-", begin), rest.size());
        auto const word = rest.substr(begin, end - begin);
        for (std::string_view const level : {"warning", "warn", "info", "debug"})
            if (word == level) return true;
        for (std::string_view const level : {"error", "critical", "fatal", "exception", "e", "f"})
            if (word == level) return false;
        if (timed && begin == 0 && (word == "w" || word == "i") && end < rest.size() && rest[end] == ' ') return true;
        rest.remove_prefix(end);
    }
    return false;
}

/// Whether a line is a warning or information, such as `W1126 21:28:41 socket.cpp:426] ...` of the loggers of PyTorch.
bool is_harmless(std::string_view lower) {
    if (lower.find("warning:") != lower.npos || lower.starts_with("warn") || lower.starts_with("+ ")) return true;
    if (has_harmless_level(lower)) return true;
    if (lower.starts_with('[')) lower.remove_prefix(1);
    bool const level = lower.size() > 1 && (lower[0] == 'w' || lower[0] == 'i');
    return level && (lower[1] == ' ' || is_digit(lower[1])) && lower.find(']') != lower.npos;
}

/// Whether an exception is a fault of the program itself. Others, such as RuntimeError, often follow from an error that
/// a library reported before.
bool is_own_exception(std::string_view line) {
    constexpr std::string_view own[]{"AssertionError", "AttributeError",      "FileNotFoundError", "IndexError",
                                     "KeyError",       "NameError",           "SyntaxError",       "TypeError",
                                     "ValueError",     "NotImplementedError", "UnboundLocalError", "ZeroDivisionError"};
    return std::ranges::find(own, line.substr(0, line.find(':'))) != std::end(own);
}

/// Whether a line is an error of a shell in a script: `train.sh: 12: nosuchprogram: not found`.
bool is_shell_error(std::string_view lower) {
    if (!lower.ends_with(": not found") && !lower.ends_with(": permission denied")) return false;
    auto const at = lower.find(": ");
    auto const rest = lower.substr(at + 2);
    auto const end = rest.find_first_not_of("0123456789");
    if (end == 0 || end == rest.npos || !rest.substr(end).starts_with(": ")) return false;
    return rest.substr(end + 2).find(": ") != rest.npos; // the program and its error
}

} // namespace

std::string clipped_line(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.size() <= longest_line) return std::string(line);
    return std::string(line.substr(0, at_character(line, longest_line))) + "...";
}

std::string_view without_prefix(std::string_view line) noexcept {
    constexpr std::string_view streams[]{"<stdout>", "<stderr>"};
    while (line.starts_with('[')) {
        auto const close = line.find(']');
        if (close == line.npos) return line;
        auto rest = line.substr(close + 1);
        for (auto const stream : streams)
            if (rest.starts_with(stream)) rest.remove_prefix(stream.size());
        // Other brackets belong to the line itself, such as those of a logger.
        if (!rest.starts_with(':')) return line;
        rest.remove_prefix(1);
        if (rest.starts_with(' ')) rest.remove_prefix(1);
        line = rest;
    }
    return line;
}

decisive_line line_search::make_line(std::string_view line, line_rank rank, std::string_view advice) const {
    while (line.starts_with(' ')) line.remove_prefix(1);
    decisive_line made;
    made.text = clipped_line(line);
    made.rank = rank;
    made.advice = advice;
    made.number = lines_;
    return made;
}

void line_search::offer(std::string_view line, line_rank rank, std::string_view advice) {
    bool const later_wins = rank == line_rank::general;
    bool const overcome = best_ && rank != line_rank::consequence && lines_ - best_->number > far_behind;
    if (best_ && !overcome && (best_->rank < rank || (best_->rank == rank && !later_wins))) return;
    best_ = make_line(line, rank, advice);
}

/// Follows tracebacks of Python. Returns whether the line is the exception at the end of one.
bool line_search::add_exception(std::string_view line) {
    if (line.starts_with("Traceback (most recent call last)")) {
        in_traceback_ = true;
        is_chained_ = chain_goes_on_;
        chain_goes_on_ = false;
        return false;
    }
    if (line.starts_with("During handling of the above exception") ||
        line.starts_with("The above exception was the direct cause"))
        chain_goes_on_ = true;
    if (!in_traceback_ || line.empty() || line.starts_with(' ')) return false;
    in_traceback_ = false;
    return names_exception(line);
}

void line_search::add(std::string_view line) {
    ++lines_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_prefix(line);
    if (line.starts_with("Error Message Summary:")) {
        in_summary_ = true;
        return;
    }
    bool const heads = in_summary_ && !line.empty() && !line.starts_with('-');
    if (heads) in_summary_ = false;
    bool const exception = add_exception(line);
    auto lower = to_lower(line.substr(0, 4096));
    if (is_shell_error(lower)) lower.insert(0, "sh: ");
    if (!is_harmless(lower))
        for (auto const& rule : log_rules())
            if (lower.find(rule.text) != lower.npos && lower.find(rule.further_text) != lower.npos) {
                if (rule.rank != line_rank::consequence) own_exception_.reset();
                offer(line, rule.rank, rule.advice);
                return;
            }
    if (exception) note_exception(line);
    if (exception || heads) offer(line, line_rank::general, exception_advice);
}

/// Keeps the exception if the program itself raised it, and not while it handled an error of another type.
void line_search::note_exception(std::string_view line) {
    if (!is_own_exception(line) || (is_chained_ && !own_exception_)) return own_exception_.reset();
    own_exception_ = make_line(line, line_rank::general, exception_advice);
}

std::optional<decisive_line> const& line_search::found() const noexcept {
    bool const at_end = own_exception_ && lines_ - own_exception_->number <= near_end;
    return at_end && best_ && best_->rank == line_rank::root ? own_exception_ : best_;
}

std::optional<decisive_line> find_decisive_line(std::vector<std::string> const& lines) {
    line_search search;
    for (auto const& line : lines) search.add(line);
    return search.found();
}

} // namespace kftrain::explaining
