#include "model/yaml_flow.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace kftrain::detail {
namespace {

bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
bool is_break(char c) noexcept { return c == '\n' || c == '\r'; }

class flow_scanner {
public:
    flow_scanner(std::string_view text, std::size_t max_depth) : text_(text), max_depth_(max_depth) {}

    std::optional<flow_fault> run() {
        while (at_ < text_.size() && !fault_) line();
        if (!fault_ && !open_.empty()) fault_ = flow_fault{open_.back(), false};
        return fault_;
    }

private:
    char here() const noexcept { return at_ < text_.size() ? text_[at_] : '\n'; }
    bool ends_word(std::size_t i) const noexcept {
        return i >= text_.size() || is_blank(text_[i]) || is_break(text_[i]);
    }
    void to_end_of_line() noexcept { at_ = std::min(text_.find_first_of("\r\n", at_), text_.size()); }
    void over_word() noexcept { at_ = std::min(text_.find_first_of(" \t\r\n", at_), text_.size()); }

    /// One line of block style, with the flow lists and quoted scalars that begin in it.
    void line() {
        std::size_t const begin = at_;
        at_ = std::min(text_.find_first_not_of(' ', at_), text_.size());
        std::size_t const indent = at_ - begin;
        if (in_block_scalar(indent)) return next_line();
        if (indent == 0 && text_.substr(at_).starts_with("---") && ends_word(at_ + 3)) at_ += 3;
        bool value = true; // a value may begin here
        while (!is_break(here()) && !fault_) {
            char const c = here();
            if (c == '#' && (at_ == begin || is_blank(text_[at_ - 1]))) {
                to_end_of_line();
            } else if ((c == ':' || (value && (c == '-' || c == '?'))) && ends_word(at_ + 1)) {
                ++at_;
                value = true;
            } else if (is_blank(c) || !value) {
                ++at_;
            } else if (c == '!' || c == '&') {
                over_word();
            } else {
                value = false;
                begin_value(c, indent);
            }
        }
        next_line();
    }

    void begin_value(char c, std::size_t indent) {
        if (c == '[' || c == '{') {
            flow();
        } else if (c == '"' || c == '\'') {
            over_quotes();
        } else if (c == '|' || c == '>') {
            to_end_of_line();
            scalar_behind_ = indent;
        } else {
            ++at_;
        }
    }

    /// The lines of a block scalar are indented at least as far as the first of them that is not blank.
    bool in_block_scalar(std::size_t indent) {
        bool const blank = is_break(here());
        if (scalar_behind_ && !blank) {
            if (indent > *scalar_behind_) scalar_ = indent;
            scalar_behind_.reset();
        }
        if (scalar_ && !blank && indent < *scalar_) scalar_.reset();
        return scalar_.has_value() || scalar_behind_.has_value();
    }

    void next_line() {
        to_end_of_line();
        if (at_ < text_.size()) ++at_;
    }

    void over_quotes() {
        char const quote = text_[at_++];
        for (; at_ < text_.size(); ++at_) {
            if (quote == '"' && text_[at_] == '\\') {
                ++at_;
            } else if (text_[at_] == quote) {
                ++at_;
                if (quote == '"' || here() != quote) return;
            }
        }
        at_ = text_.size();
    }

    void flow() {
        char before = ' '; // the last that is no white space
        do {
            char const c = here();
            if (c == '[' || c == '{') {
                if (open_.size() == max_depth_) {
                    fault_ = flow_fault{at_, true};
                    return;
                }
                open_.push_back(at_);
            } else if (c == ']' || c == '}') {
                open_.pop_back();
            } else if ((c == '"' || c == '\'') && std::string_view("[{,:?").find(before) != std::string_view::npos) {
                over_quotes();
                before = c;
                continue;
            } else if (c == '#' && (is_blank(text_[at_ - 1]) || is_break(text_[at_ - 1]))) {
                to_end_of_line();
                continue;
            }
            if (!is_blank(c) && !is_break(c)) before = c;
            ++at_;
        } while (!open_.empty() && at_ < text_.size());
    }

    std::string_view text_;
    std::size_t max_depth_;
    std::size_t at_ = 0;
    std::vector<std::size_t> open_;            ///< offsets
    std::optional<std::size_t> scalar_behind_; ///< the indent of the line whose last word begins a block scalar
    std::optional<std::size_t> scalar_;        ///< the indent of the block scalar around
    std::optional<flow_fault> fault_;
};

} // namespace

std::optional<flow_fault> find_flow_fault(std::string_view text, std::size_t max_depth) {
    return flow_scanner(text, max_depth).run();
}

} // namespace kftrain::detail
