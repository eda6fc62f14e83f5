#include "model/rules/label_parser.hpp"

#include "base/joined.hpp"
#include "base/whole_number.hpp"
#include "model/json/json_text.hpp"
#include "model/rules/label_syntax.hpp"

#include <algorithm>
#include <array>

namespace kftrain::detail {
namespace {

using what = label_requirement::relation;

bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_symbol(char c) noexcept { return std::string_view("=!(),><").find(c) != std::string_view::npos; }

std::string invalid(std::string_view path, std::string_view value, std::string_view why) {
    std::string out(path);
    append_string(value, out.append(": Invalid value: "));
    return out.append(": ").append(why);
}

/// A list of strings as Go's `%#v` prints it.
std::string go_list(std::vector<std::string> const& list) {
    if (list.empty()) return "[]string(nil)";
    std::string out = "[]string{";
    for (auto const& s : list) {
        if (out.back() != '{') out += ", ";
        append_string(s, out);
    }
    return out + '}';
}

bool is_integer(std::string_view s) { return read_whole_number<std::int64_t>(s).has_value(); }

} // namespace

std::string requirement_fault(label_requirement const& r) {
    std::vector<std::string> found;
    if (auto const faults = label_key_faults(r.key); !faults.empty())
        found.push_back(invalid("key", r.key, joined(faults, "; ")));
    bool const set = r.what == what::in || r.what == what::not_in;
    bool const bare = r.what == what::exists || r.what == what::absent;
    bool const compares = r.what == what::greater || r.what == what::less;
    std::string_view const size_fault =
        set                    ? (r.values.empty() ? "for 'in', 'notin' operators, values set can't be empty" : "")
        : bare                 ? (r.values.empty() ? "" : "values set must be empty for exists and does not exist")
        : r.values.size() == 1 ? ""
        : compares             ? "for 'Gt', 'Lt' operators, exactly one value is required"
                               : "exact-match compatibility requires one single value";
    if (!size_fault.empty())
        found.push_back("values: Invalid value: " + go_list(r.values) + ": " + std::string(size_fault));
    auto const place = [](std::size_t i) { return "values[" + std::to_string(i) + "]"; };
    for (std::size_t i = 0; compares && i < r.values.size(); ++i)
        if (!is_integer(r.values[i]))
            found.push_back(invalid(place(i), r.values[i], "for 'Gt', 'Lt' operators, the value must be an integer"));
    for (std::size_t i = 0; i < r.values.size(); ++i)
        if (auto const faults = label_value_faults(r.values[i]); !faults.empty())
            found.push_back(invalid(place(i) + "[" + r.key + "]", r.values[i], joined(faults, "; ")));
    if (found.size() < 2) return found.empty() ? std::string() : found.front();
    return "[" + joined(found, ", ") + "]";
}

bool label_parser::run(std::vector<label_requirement>& out) {
    for (;;) {
        if (token_ == token::end) return true;
        if (!at_word() && token_ != token::absent) return wrong(text_, "!, identifier, or 'end of string'");
        if (!requirement(out.emplace_back())) {
            why_.insert(0, "unable to parse requirement: ");
            return false;
        }
        if (token_ == token::end) return true;
        if (token_ != token::comma) return wrong(text_, "',' or 'end of string'");
        advance();
        if (!at_word() && token_ != token::absent) return wrong(text_, "identifier after ','");
    }
}

bool label_parser::requirement(label_requirement& out) {
    bool const negated = token_ == token::absent;
    if (negated) advance();
    if (!at_word()) return wrong(text_, "identifier");
    out.key = text_;
    advance();
    if (auto const faults = label_key_faults(out.key); !faults.empty()) {
        why_ = invalid("<nil>", out.key, joined(faults, "; "));
        return false;
    }
    out.what = negated ? what::absent : what::exists;
    if (!negated && token_ != token::end && token_ != token::comma && !relation(out)) return false;
    why_ = requirement_fault(out);
    return why_.empty();
}

bool label_parser::relation(label_requirement& out) {
    switch (token_) {
    case token::in: out.what = what::in; break;
    case token::not_in: out.what = what::not_in; break;
    case token::equals: out.what = what::equals; break;
    case token::double_equals: out.what = what::double_equals; break;
    case token::not_equals: out.what = what::not_equals; break;
    case token::greater: out.what = what::greater; break;
    case token::less: out.what = what::less; break;
    default: return wrong(text_, "in, notin, =, ==, !=, gt, lt");
    }
    advance();
    return out.what == what::in || out.what == what::not_in ? set(out) : exact(out);
}

bool label_parser::exact(label_requirement& out) {
    std::string_view value;
    if (token_ != token::end && token_ != token::comma) {
        if (!at_word()) return wrong(text_, "identifier");
        value = text_;
        advance();
    }
    out.values.emplace_back(value);
    return true;
}

bool label_parser::set(label_requirement& out) {
    if (token_ != token::open) {
        why_ = "found '" + std::string(text_) + "' expected: '('";
        return false;
    }
    advance();
    if (token_ == token::closed) {
        out.values.emplace_back();
    } else {
        if (!at_word() && token_ != token::comma) return wrong(text_, "',', ')' or identifier");
        if (!listed(out.values)) return false;
        std::sort(out.values.begin(), out.values.end());
        out.values.erase(std::unique(out.values.begin(), out.values.end()), out.values.end());
    }
    advance();
    return true;
}

/// Up to, without, the closing parenthesis. Nothing before, between or behind commas is the empty value.
bool label_parser::listed(std::vector<std::string>& out) {
    for (;;) {
        if (at_word()) {
            out.emplace_back(text_);
            advance();
            if (token_ == token::closed) return true;
            if (token_ != token::comma) return wrong(text_, "',' or ')'");
            continue;
        }
        if (token_ != token::comma) return wrong(text_, "',', or identifier");
        advance();
        if (out.empty()) out.emplace_back();
        if (token_ == token::closed) {
            out.emplace_back();
            return true;
        }
        if (token_ == token::comma) {
            advance();
            out.emplace_back();
        }
    }
}

void label_parser::advance() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    if (rest_.empty() || rest_.front() == '\0') { // upstream takes the zero byte for the end
        rest_ = text_ = {};
        token_ = token::end;
        return;
    }
    if (is_symbol(rest_.front())) return take_symbol();
    std::size_t size = 0;
    while (size < rest_.size() && !is_space(rest_[size]) && !is_symbol(rest_[size]) && rest_[size] != '\0') ++size;
    text_ = rest_.substr(0, size);
    rest_.remove_prefix(size);
    token_ = text_ == "in" ? token::in : text_ == "notin" ? token::not_in : token::word;
}

void label_parser::take_symbol() {
    struct symbol {
        std::string_view text;
        token what;
    };
    static constexpr std::array<symbol, 9> symbols{{{"==", token::double_equals},
                                                    {"!=", token::not_equals},
                                                    {"=", token::equals},
                                                    {"!", token::absent},
                                                    {"(", token::open},
                                                    {")", token::closed},
                                                    {",", token::comma},
                                                    {">", token::greater},
                                                    {"<", token::less}}};
    for (auto const& s : symbols) {
        if (!rest_.starts_with(s.text)) continue;
        text_ = s.text;
        token_ = s.what;
        rest_.remove_prefix(s.text.size());
        return;
    }
}

bool label_parser::wrong(std::string_view found, std::string_view wanted) {
    why_.assign("found '").append(found).append("', expected: ").append(wanted);
    return false;
}

} // namespace kftrain::detail
