#ifndef KFTRAIN_SRC_MODEL_YAML_YAML_LOOKUP_HPP
#define KFTRAIN_SRC_MODEL_YAML_YAML_LOOKUP_HPP

#include "model/yaml/yaml_tree.hpp"

#include <string>
#include <unordered_map>
#include <utility>

namespace kftrain::detail {

/** Finds members and items of the collections of a tree. The entries of a collection are sorted on first use, so that
    looking up all of them does not take quadratic time. */
class yaml_lookup {
public:
    using node = yaml_tree::node;

    explicit yaml_lookup(yaml_tree tree) : tree_(std::move(tree)) {}
    yaml_lookup(yaml_lookup const&) = delete; // what is in order refers to the tree
    yaml_lookup& operator=(yaml_lookup const&) = delete;

    yaml_tree const& tree() const noexcept { return tree_; }

    struct member {
        node value = 0;
        std::size_t length = 0; ///< of the key as it is written in the path
    };
    /** Finds the member of a map with the longest key that `path` starts with and that ends there: before `]` if it is
        in brackets, where it may be a JSON string, else before `.`, `[` or the end. If several have the same name, the
        first one. */
    std::optional<member> find_member(node map, std::string_view path, bool in_brackets);
    std::optional<node> find_item(node list, std::size_t index);

private:
    template <class Text> using names = std::vector<std::pair<Text, node>>; // in order

    struct map_index {
        names<std::string_view> plain{};
        std::vector<std::size_t> lengths{}; ///< of the keys, each once, the longest first
        std::optional<names<std::string>> quoted{};
    };

    map_index& index_of(node map);
    names<std::string> const& quoted_in(map_index&) const;

    yaml_tree tree_;
    std::unordered_map<node, map_index> maps_{}; ///< by the node of the first entry, as for lists
    std::unordered_map<node, std::vector<node>> lists_{};
};

} // namespace kftrain::detail

#endif
