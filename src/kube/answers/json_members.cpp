#include "kube/answers/json_members.hpp"

#include "model/scalars/byte_scan.hpp"

namespace kftrain::kube::detail {
namespace {

[[gnu::always_inline]] inline bool is_blank(char c) noexcept { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

} // namespace

/// Passes blanks. The character behind them; 0 at the end.
[[gnu::always_inline]] inline char json_members::peek() {
    char const* const end = text_.data() + text_.size();
    char const* p = text_.data() + at_;
    while (p != end && is_blank(*p)) ++p;
    at_ = static_cast<std::size_t>(p - text_.data());
    return p != end ? *p : '\0';
}

[[gnu::always_inline]] inline bool json_members::take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
}

bool json_members::enter() { return take('{'); }
bool json_members::enter_array() { return take('['); }

/// Moves to the next member; returns false behind the last one, and if none follows.
[[gnu::always_inline]] inline bool json_members::advance(char close) {
    if (take(close)) {
        peek();
        ok_ = is_at_end();
        return false;
    }
    if (members_++ != 0 && !take(',')) return false;
    peek();
    return true;
}

bool json_members::next_name(std::string_view& name) {
    if (!advance('}')) return false;
    auto const begin = at_ + 1;
    if (!skip_string()) return false;
    name = {text_.data() + begin, at_ - begin - 1};
    if (!take(':')) return false;
    peek();
    return true;
}

bool json_members::take_value(std::string_view& value) {
    auto const begin = at_;
    bool const is_string = at_ != text_.size() && text_.data()[at_] == '"';
    if (is_string ? !skip_string() : !skip_value()) return false;
    value = {text_.data() + begin, at_ - begin};
    return true;
}

bool json_members::at_filled_array() const {
    if (at_ == text_.size() || text_[at_] != '[') return false;
    auto const first = text_.find_first_not_of(blanks, at_ + 1);
    return first != std::string_view::npos && text_[first] != ']';
}

bool json_members::next_item(std::string_view& value) { return advance(']') && take_value(value); }

bool json_members::skip_string() {
    char const* const end = text_.data() + text_.size();
    char const* p = text_.data() + at_;
    if (p == end || *p != '"') return false;
    escaped_ = false;
    for (++p; (p = kftrain::detail::end_of_plain(p, end)) != end; ++p) {
        if (*p == '"') return at_ = static_cast<std::size_t>(p + 1 - text_.data()), true;
        if (*p != '\\') continue;
        escaped_ = true;
        if (++p == end) break;
    }
    return at_ = text_.size(), false;
}

bool json_members::skip_value() {
    std::size_t depth = 0;
    auto const begin = at_;
    while (at_ < text_.size()) {
        char const c = text_.data()[at_];
        if (c == '"') {
            if (!skip_string()) return false;
            if (depth == 0) return true;
            continue;
        }
        if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (depth == 0) return at_ != begin; // of the outermost object
            if (--depth == 0) return ++at_, true;
        } else if (depth == 0 && (c == ',' || is_blank(c))) {
            return at_ != begin;
        }
        ++at_;
    }
    return false;
}

status_verdict find_failed_status(std::string_view text) {
    json_members members(text);
    std::string_view name, value;
    bool is_status = false;
    if (members.enter())
        while (members.next(name, value)) {
            bool const fits = name == "kind"         ? value == "\"Status\""
                              : name == "apiVersion" ? value == "\"v1\""
                              : name == "status"     ? value.starts_with('"') && value != "\"Success\""
                                                     : true;
            if (!fits) return status_verdict::other;
            is_status = is_status || name == "kind";
        }
    if (members.ok()) return is_status ? status_verdict::failure : status_verdict::other;
    return members.is_at_end() ? status_verdict::unfinished : status_verdict::other;
}

} // namespace kftrain::kube::detail
