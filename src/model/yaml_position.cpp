#include <kftrain/model/position.hpp>

#include "model/yaml_lookup.hpp"

#include <charconv>

namespace kftrain {

struct position_finder::parsed {
    parsed() = default;

    std::optional<detail::yaml_lookup> lookup{};
};

position_finder::position_finder(std::string_view document, std::size_t first_line)
    : text_(document), first_line_(first_line) {}
position_finder::position_finder(position_finder&&) noexcept = default;
position_finder& position_finder::operator=(position_finder&&) noexcept = default;
position_finder::~position_finder() = default;

namespace {

constexpr std::size_t size_limit = std::size_t{4} << 20U;
constexpr std::size_t deepest = 512; // as decode_options

using detail::yaml_lookup;
using detail::yaml_tree;
using node = std::optional<yaml_tree::node>;

/** The value of the longest key that the path starts with: keys may hold dots, as `metadata.labels.example.com/team` does.
    In brackets they may be JSON strings, as decoders write them. Takes the key off the path. */
node member_of(yaml_lookup& lookup, yaml_tree::node map, std::string_view& path) {
    bool const in_brackets = path.starts_with('[');
    auto const found = lookup.find_member(map, path.substr(in_brackets ? 1 : 0), in_brackets);
    if (!found) return std::nullopt;
    path.remove_prefix(found->length + (in_brackets ? 2 : 0));
    return found->value;
}

node item_of(yaml_lookup& lookup, yaml_tree::node list, std::string_view& path) {
    std::string_view const rest = path.substr(path.starts_with('[') ? 1 : 0);
    std::size_t index = 0;
    auto const [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
    if (ec != std::errc{}) return std::nullopt;
    auto const found = lookup.find_item(list, index);
    if (!found) return std::nullopt;
    path = rest.substr(static_cast<std::size_t>(end - rest.data()));
    if (path.starts_with(']')) path.remove_prefix(1);
    return found;
}

/// The value that the next step of the path leads to: `name`, `[key]`, `["key"]` or `[0]`. Takes the step off the path.
node child_of(yaml_lookup& lookup, yaml_tree::node parent, std::string_view& path) {
    if (path.starts_with('.')) path.remove_prefix(1);
    switch (lookup.tree().kind_of(parent)) {
    case yaml_tree::kind::map: return member_of(lookup, parent, path);
    case yaml_tree::kind::list: return item_of(lookup, parent, path);
    default: return std::nullopt;
    }
}

} // namespace

text_position position_finder::find(std::string_view path) {
    if (!parsed_) {
        parsed_ = std::make_unique<parsed>();
        auto const text = text_.substr(text_.starts_with("\xEF\xBB\xBF") ? 3 : 0);
        auto tree = text.size() <= size_limit ? yaml_tree::read(text, deepest) : std::nullopt;
        if (tree) parsed_->lookup.emplace(*std::move(tree));
    }
    text_position position;
    if (!parsed_->lookup || parsed_->lookup->tree().kind_of(yaml_tree::root) != yaml_tree::kind::map) return position;
    auto& lookup = *parsed_->lookup;
    auto at = yaml_tree::root;
    while (!path.empty()) {
        auto const next = child_of(lookup, at, path);
        if (!next) break;
        at = *next;
    }
    auto const mark = lookup.tree().mark_of(at);
    position.line = first_line_ + mark.line;
    position.column = mark.column + 1;
    return position;
}

} // namespace kftrain
