#include "apiserver/json/json_access.hpp"

#include "apiserver/refusals/refusals.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kftrain::apiserver {
namespace {

// Objects of Kubernetes stay far below; destroying, comparing and merging recurse once per level.
constexpr std::size_t max_depth = 512;

/// Handler for `boost::json::basic_parser`.
struct tree_builder {
    static constexpr std::size_t max_object_size = json::object::max_size();
    static constexpr std::size_t max_array_size = json::array::max_size();
    static constexpr std::size_t max_key_size = json::string::max_size();
    static constexpr std::size_t max_string_size = json::string::max_size();

    using view = json::string_view;

    explicit tree_builder(json::storage_ptr memory) { stack.reset(std::move(memory)); }

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_object_begin(error_code&) { return true; }
    bool on_object_end(std::size_t n, error_code&) { return stack.push_object(n), true; }
    bool on_array_begin(error_code&) { return true; }
    bool on_array_end(std::size_t n, error_code&) { return stack.push_array(n), true; }
    bool on_key_part(view s, std::size_t, error_code&) { return stack.push_chars(s), true; }
    bool on_key(view s, std::size_t, error_code&) { return stack.push_key(s), true; }
    bool on_string_part(view s, std::size_t, error_code&) { return stack.push_chars(s), true; }
    bool on_string(view s, std::size_t, error_code&) { return stack.push_string(s), true; }
    bool on_number_part(view, error_code&) { return true; }
    bool on_int64(std::int64_t n, view, error_code&) { return stack.push_int64(n), true; }
    bool on_uint64(std::uint64_t n, view, error_code&) { return stack.push_uint64(n), true; }
    bool on_double(double near, view s, error_code& ec) {
        std::from_chars(s.data(), s.data() + s.size(), near); // leaves what is out of range
        if (!std::isfinite(near)) {                           // would be written as no JSON
            ec = json::error::exponent_overflow;
            return false;
        }
        return stack.push_double(near), true;
    }
    bool on_bool(bool b, error_code&) { return stack.push_bool(b), true; }
    bool on_null(error_code&) { return stack.push_null(), true; }
    bool on_comment_part(view, error_code&) { return true; }
    bool on_comment(view, error_code&) { return true; }

    json::value_stack stack;
};

/** Reads JSON as `boost::json::parser` does, but rounds each number correctly. The parser may be off by the last digit,
    so that stored texts would drift when they are read and written again.
    @param read Becomes how much of the text was read: behind the value, or where it is wrong. */
json::value read_tree(std::string_view text, json::parse_options const& grammar, json::storage_ptr memory,
                      std::size_t& read, error_code& ec) {
    json::basic_parser<tree_builder> parser(grammar, std::move(memory));
    read = parser.write_some(false, text.data(), text.size(), ec);
    return ec ? json::value() : parser.handler().stack.release();
}

std::string position(std::string_view text, std::size_t at) {
    std::size_t line = 1, start = 0;
    for (std::size_t i = 0; i < at && i < text.size(); ++i)
        if (text[i] == '\n') ++line, start = i + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(at - start + 1);
}

/// One step of a path, cut from its front.
struct step {
    enum class op { member, index, last, where, wrong };
    op what = op::wrong;
    std::string name; // member; for `where` the member that is compared
    std::string value;
    std::size_t index = 0;
};

step cut(std::string_view& rest) {
    step s;
    if (rest.starts_with('.')) {
        std::size_t i = 1;
        for (; i < rest.size() && rest[i] != '.' && rest[i] != '['; ++i) {
            if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
            s.name += rest[i];
        }
        if (i > 1) s.what = step::op::member;
        rest.remove_prefix(i);
        return s;
    }
    auto const end = rest.find(']');
    if (!rest.starts_with('[') || end == std::string_view::npos) return s;
    auto inner = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    if (inner == "-1:" || inner == "-1") {
        s.what = step::op::last;
    } else if (inner == "*") { // only the first result is shown
        s.what = step::op::index;
    } else if (inner.starts_with("?(@.") && (inner.ends_with("\")") || inner.ends_with("')"))) {
        inner.remove_prefix(4);
        inner.remove_suffix(1);
        std::string const opening = std::string("==") + inner.back();
        inner.remove_suffix(1);
        auto const at = inner.find(opening);
        if (at == std::string_view::npos || at == 0) return s;
        s.what = step::op::where;
        s.name = inner.substr(0, at);
        s.value = inner.substr(at + opening.size());
    } else if (inner.size() > 2 && inner.front() == '\'' && inner.back() == '\'') {
        s.what = step::op::member;
        s.name = inner.substr(1, inner.size() - 2);
    } else {
        auto const stop = inner.data() + inner.size();
        auto const read = std::from_chars(inner.data(), stop, s.index);
        if (!inner.empty() && read.ptr == stop && read.ec == std::errc()) s.what = step::op::index;
    }
    return s;
}

} // namespace

std::optional<std::vector<std::string>> texts_in(json::object const& o, std::string_view name) {
    std::vector<std::string> texts;
    auto const* const value = o.if_contains(key(name));
    if (value == nullptr || value->is_null()) return texts;
    if (!value->is_array()) return std::nullopt;
    for (auto const& item : value->get_array()) {
        if (!item.is_string()) return std::nullopt;
        texts.emplace_back(item.get_string());
    }
    return texts;
}

bool is_word_of(std::string_view list, std::string_view word) noexcept {
    if (word.empty() || word.find(' ') != word.npos) return false;
    for (auto at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
        auto const end = at + word.size();
        if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
    }
    return false;
}

json::value const* at_path(json::object const& o, std::string_view dotted) noexcept {
    auto const* here = &o;
    for (;;) {
        auto const dot = dotted.find('.');
        auto const* v = here->if_contains(key(dotted.substr(0, dot)));
        if (v == nullptr || dot == std::string_view::npos) return v;
        here = v->if_object();
        if (here == nullptr) return nullptr;
        dotted.remove_prefix(dot + 1);
    }
}

bool same_value(json::value const& a, json::value const& b) {
    if (a.is_object() && b.is_object()) return same_value(a.get_object(), b.get_object());
    if (!a.is_array() || !b.is_array()) return a == b;
    return std::ranges::equal(a.get_array(), b.get_array(),
                              [](json::value const& x, json::value const& y) { return same_value(x, y); });
}

bool same_value(json::object const& a, json::object const& b) {
    return a.size() == b.size() && std::ranges::all_of(a, [&](auto const& member) {
               auto const* other = b.if_contains(member.key());
               return other != nullptr && same_value(member.value(), *other);
           });
}

json::object read_stored(std::string_view text, json::storage_ptr memory) {
    json::parse_options grammar; // whatever could be printed
    grammar.max_depth = text.npos;
    grammar.allow_invalid_utf8 = true;
    error_code ec;
    std::size_t read = 0;
    auto value = read_tree(text, grammar, std::move(memory), read, ec);
    if (ec) throw boost::system::system_error(ec, "a stored object");
    return std::move(value.get_object());
}

answer<json::value> parse_value(std::string_view text, json::storage_ptr memory) {
    json::parse_options grammar;
    grammar.max_depth = max_depth;
    error_code ec;
    std::size_t read = 0;
    auto value = read_tree(text, grammar, std::move(memory), read, ec);
    if (!ec && text.find_first_not_of(" \t\r\n", read) != std::string_view::npos) ec = json::error::extra_data;
    if (ec == json::error::too_deep)
        return bad_request("the body is nested deeper than " + std::to_string(max_depth) + " levels");
    if (ec) return bad_request("the body is not valid JSON: " + ec.message() + " at " + position(text, read));
    return value;
}

answer<json::object> parse_object(std::string_view text, json::storage_ptr memory) {
    auto v = parse_value(text, std::move(memory));
    if (!v) return v.error();
    if (!v->is_object()) return bad_request("the body is not a JSON object");
    return std::move(v->get_object());
}

json::value const* find_path(json::object const& o, std::string_view path) {
    auto const* object = &o;
    json::array const* list = nullptr;
    json::value const* here = nullptr;
    while (!path.empty()) {
        auto const s = cut(path);
        here = nullptr;
        if (s.what == step::op::member && object != nullptr) {
            here = object->if_contains(s.name);
        } else if (list != nullptr && !list->empty()) {
            if (s.what == step::op::last) here = &list->back();
            if (s.what == step::op::index && s.index < list->size()) here = &(*list)[s.index];
            if (s.what == step::op::where)
                for (auto const& item : *list)
                    if (item.is_object() && text_in(item.get_object(), s.name) == s.value && here == nullptr)
                        here = &item;
        }
        if (here == nullptr) return nullptr;
        object = here->if_object();
        list = here->if_array();
    }
    return here;
}

bool is_path(std::string_view path) {
    if (path.empty()) return false;
    while (!path.empty())
        if (cut(path).what == step::op::wrong) return false;
    return true;
}

} // namespace kftrain::apiserver
