#include "facade/explain/log_rules.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace kftrain::explaining {
namespace {

constexpr std::size_t longest_line = 500;
/// Lines between an error and the next one of which it is not the cause.
constexpr std::size_t far_behind = 200;

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

/// Whether a line begins with the name of a level for what does not fail.
bool begins_with_low_level(std::string_view lower) {
    for (std::string_view const level : {"warning", "warn", "info", "debug"})
        if (lower.starts_with(level)) return lower.size() == level.size() || (!is_name_character(lower[level.size()]));
    return false;
}

/// What is behind the time at the beginning of a line; the whole line if it begins with no time.
std::string_view behind_time(std::string_view lower) {
    auto const first = lower.find_first_not_of('[');
    if (first == lower.npos || !is_digit(lower[first])) return lower;
    std::size_t at = first;
    for (; at < lower.size(); ++at) {
        bool const of_date = (lower[at] == 't' || lower[at] == 'z') && is_digit(lower[at - 1]);
        if (!of_date && !is_digit(lower[at]) &&
            std::string_view("-:.,/+[]| ").find(lower[at]) == std::string_view::npos)
            break;
    }
    return lower.substr(at);
}

/// Whether a line states a low level behind its time, also behind the name of a logger: `TIME - root - WARNING - ...`.
bool has_low_level(std::string_view lower) {
    auto const rest = behind_time(lower);
    if (begins_with_low_level(rest)) return true;
    auto const name = rest.find(" - ");
    if (rest.size() == lower.size()) return false;
    if (name != rest.npos && begins_with_low_level(rest.substr(name + 3))) return true;
    return rest.starts_with("w tensorflow/") || rest.starts_with("i tensorflow/") || rest.starts_with("w external/") ||
           rest.starts_with("i external/");
}

/// Whether a line is a warning or information, such as `W1126 21:28:41 socket.cpp:426] ...` of the loggers of PyTorch.
bool is_harmless(std::string_view lower) {
    if (lower.find("warning:") != lower.npos || lower.starts_with("warn") || lower.starts_with("+ ") ||
        has_low_level(lower))
        return true;
    if (lower.starts_with('[')) lower.remove_prefix(1);
    bool const level = lower.size() > 1 && (lower[0] == 'w' || lower[0] == 'i');
    return level && (lower[1] == ' ' || is_digit(lower[1])) && lower.find(']') != lower.npos;
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
    auto end = longest_line;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
    return std::string(line.substr(0, end)) + "...";
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

void line_search::offer(std::string_view line, line_rank rank, std::string_view advice) {
    bool const later_wins = rank == line_rank::general;
    bool const overcome = best_ && rank != line_rank::consequence && lines_ - best_->number > far_behind;
    if (best_ && !overcome && (best_->rank < rank || (best_->rank == rank && !later_wins))) return;
    auto& best = best_.emplace();
    while (line.starts_with(' ')) line.remove_prefix(1);
    best.text = clipped_line(line);
    best.rank = rank;
    best.advice = advice;
    best.number = lines_;
}

/// Follows tracebacks of Python. Returns whether the line is the exception at the end of one.
bool line_search::add_exception(std::string_view line) {
    if (line.starts_with("Traceback (most recent call last)")) {
        in_traceback_ = true;
        return false;
    }
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
                offer(line, rule.rank, rule.advice);
                return;
            }
    if (exception || heads) offer(line, line_rank::general, exception_advice);
}

std::optional<decisive_line> find_decisive_line(std::vector<std::string> const& lines) {
    line_search search;
    for (auto const& line : lines) search.add(line);
    return search.found();
}

} // namespace kftrain::explaining
