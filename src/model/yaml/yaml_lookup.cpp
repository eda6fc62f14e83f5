#include "model/yaml/yaml_lookup.hpp"

#include "model/json/json_text.hpp"

#include <algorithm>
#include <functional>

namespace kftrain::detail {
namespace {

bool ends_step(std::string_view behind, bool in_brackets) {
    return in_brackets ? behind.starts_with(']') : behind.empty() || behind.front() == '.' || behind.front() == '[';
}

/// The length of the JSON string that the text starts with, quotes included; more than the text has if it does not end.
std::size_t length_of_string(std::string_view text) {
    std::size_t i = 1;
    while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
    return i + 1;
}

template <class Names> void put_in_order(Names& names) {
    std::ranges::sort(names); // of equal names the first in the text
}

template <class Names> std::optional<yaml_tree::node> find_in(Names const& names, std::string_view name) {
    auto const at =
        std::ranges::lower_bound(names, name, {}, [](auto const& n) -> std::string_view { return n.first; });
    if (at == names.end() || at->first != name) return std::nullopt;
    return at->second;
}

} // namespace

yaml_lookup::map_index& yaml_lookup::index_of(node map) {
    auto const [at, is_new] = maps_.try_emplace(tree_.first(map));
    auto& index = at->second;
    if (!is_new) return index;
    for (auto n = tree_.first(map), last = tree_.last(map); n != last; n = tree_.next(tree_.next(n)))
        if (tree_.kind_of(n) == yaml_tree::kind::scalar) index.plain.emplace_back(tree_.key_of(n), tree_.next(n));
    put_in_order(index.plain);
    for (auto const& [name, value] : index.plain) index.lengths.push_back(name.size());
    std::ranges::sort(index.lengths, std::greater<>());
    index.lengths.erase(std::ranges::unique(index.lengths).begin(), index.lengths.end());
    return index;
}

yaml_lookup::names<std::string> const& yaml_lookup::quoted_in(map_index& index) const {
    if (!index.quoted) {
        auto& quoted = index.quoted.emplace();
        for (auto const& [name, value] : index.plain) append_string(name, quoted.emplace_back("", value).first);
        put_in_order(quoted);
    }
    return *index.quoted;
}

std::optional<yaml_lookup::member> yaml_lookup::find_member(node map, std::string_view path, bool in_brackets) {
    auto& index = index_of(map);
    std::optional<member> found;
    for (auto const length : index.lengths) {
        if (length > path.size() || !ends_step(path.substr(length), in_brackets)) continue;
        if (auto const value = find_in(index.plain, path.substr(0, length))) {
            found = member{*value, length};
            break;
        }
    }
    if (!in_brackets || !path.starts_with('"')) return found;
    auto const length = length_of_string(path);
    if (length > path.size() || !ends_step(path.substr(length), true) || (found && found->length > length))
        return found;
    if (auto const value = find_in(quoted_in(index), path.substr(0, length))) found = member{*value, length};
    return found;
}

std::optional<yaml_lookup::node> yaml_lookup::find_item(node list, std::size_t index) {
    auto const [at, is_new] = lists_.try_emplace(tree_.first(list));
    if (is_new)
        for (auto n = tree_.first(list), last = tree_.last(list); n != last; n = tree_.next(n)) at->second.push_back(n);
    if (index >= at->second.size()) return std::nullopt;
    return at->second[index];
}

} // namespace kftrain::detail
