#include <kftrain/model/position.hpp>

#include "model/json_text.hpp"
#include "model/yaml_tree.hpp"

#include <charconv>
#include <string>

namespace kftrain {

struct position_finder::parsed {
    parsed() = default;

    std::optional<detail::yaml_tree> tree{};
};

position_finder::position_finder(std::string_view document, std::size_t first_line)
    : text_(document), first_line_(first_line) {}
position_finder::position_finder(position_finder&&) noexcept = default;
position_finder& position_finder::operator=(position_finder&&) noexcept = default;
position_finder::~position_finder() = default;

namespace {

constexpr std::size_t size_limit = std::size_t{4} << 20U;
constexpr std::size_t deepest = 512; // as decode_options

/// True where a step may end in front of `rest`.
bool is_end(std::string_view rest) { return rest.empty() || rest.front() == '.' || rest.front() == '['; }

using detail::yaml_tree;
using node = std::optional<yaml_tree::node>;

/** The value of the longest key that the path starts with: keys may hold dots, as `metadata.labels.example.com/team` does.
    In brackets they may be JSON strings, as decoders write them. Takes the key off the path. */
node member_of(yaml_tree const& tree, yaml_tree::node map, std::string_view& path) {
    node found;
    bool const in_brackets = path.starts_with('[');
    std::string_view const rest = path.substr(in_brackets ? 1 : 0);
    bool const in_quotes = in_brackets && rest.starts_with('"');
    std::string quoted;
    std::size_t longest = 0;
    for (auto at = tree.first(map), last = tree.last(map); at != last; at = tree.next(tree.next(at))) {
        if (tree.kind_of(at) != yaml_tree::kind::scalar) continue;
        std::string_view key = tree.key_of(at);
        if (in_quotes) {
            quoted.clear();
            detail::append_string(key, quoted);
            if (rest.starts_with(quoted)) key = quoted;
        }
        if (!rest.starts_with(key) || (found && key.size() <= longest)) continue;
        std::string_view const behind = rest.substr(key.size());
        if (in_brackets ? !behind.starts_with(']') : !is_end(behind)) continue;
        found = tree.next(at);
        longest = key.size();
    }
    if (found) path.remove_prefix(longest + (in_brackets ? 2 : 0));
    return found;
}

node item_of(yaml_tree const& tree, yaml_tree::node list, std::string_view& path) {
    std::string_view const rest = path.substr(path.starts_with('[') ? 1 : 0);
    std::size_t index = 0;
    auto const [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
    if (ec != std::errc{}) return std::nullopt;
    auto at = tree.first(list);
    auto const last = tree.last(list);
    for (; at != last && index != 0; --index) at = tree.next(at);
    if (at == last) return std::nullopt;
    path = rest.substr(static_cast<std::size_t>(end - rest.data()));
    if (path.starts_with(']')) path.remove_prefix(1);
    return at;
}

/// The value that the next step of the path leads to: `name`, `[key]`, `["key"]` or `[0]`. Takes the step off the path.
node child_of(yaml_tree const& tree, yaml_tree::node parent, std::string_view& path) {
    if (path.starts_with('.')) path.remove_prefix(1);
    switch (tree.kind_of(parent)) {
    case yaml_tree::kind::map: return member_of(tree, parent, path);
    case yaml_tree::kind::list: return item_of(tree, parent, path);
    default: return std::nullopt;
    }
}

} // namespace

text_position position_finder::find(std::string_view path) {
    if (!parsed_) {
        parsed_ = std::make_unique<parsed>();
        auto const text = text_.substr(text_.starts_with("\xEF\xBB\xBF") ? 3 : 0);
        if (text.size() <= size_limit) parsed_->tree = yaml_tree::read(text, deepest);
    }
    text_position position;
    if (!parsed_->tree || parsed_->tree->kind_of(yaml_tree::root) != yaml_tree::kind::map) return position;
    auto const& tree = *parsed_->tree;
    auto at = yaml_tree::root;
    while (!path.empty()) {
        auto const next = child_of(tree, at, path);
        if (!next) break;
        at = *next;
    }
    auto const mark = tree.mark_of(at);
    position.line = first_line_ + mark.line;
    position.column = mark.column + 1;
    return position;
}

} // namespace kftrain
