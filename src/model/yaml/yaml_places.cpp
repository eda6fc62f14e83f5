#include "model/yaml/yaml_places.hpp"

#include <charconv>

namespace kftrain::detail {
namespace {

constexpr std::size_t deepest = 512; // as decode_options

using node = std::optional<yaml_tree::node>;

/** Finds the value of the longest key that the path starts with: keys may contain dots, as in
    `metadata.labels.example.com/team`. In brackets they may be JSON strings, as decoders write them. Removes the key
    from the path. */
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

yaml_places::yaml_places(yaml_source const& next) {
    if (auto tree = yaml_tree::read(next, deepest)) lookup_.emplace(*std::move(tree));
}

text_position yaml_places::find(std::string_view path, std::size_t first_line) {
    text_position position;
    if (!lookup_ || lookup_->tree().kind_of(yaml_tree::root) != yaml_tree::kind::map) return position;
    auto at = yaml_tree::root;
    while (!path.empty()) {
        auto const next = child_of(*lookup_, at, path);
        if (!next) break;
        at = *next;
    }
    auto const mark = lookup_->tree().mark_of(at);
    position.line = first_line + mark.line;
    position.column = mark.column + 1;
    return position;
}

} // namespace kftrain::detail
