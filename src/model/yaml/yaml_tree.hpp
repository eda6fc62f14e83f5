#ifndef KFTRAIN_SRC_MODEL_YAML_YAML_TREE_HPP
#define KFTRAIN_SRC_MODEL_YAML_YAML_TREE_HPP

#include "model/yaml/yaml_parser.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace kftrain::detail {

/// The places of the values of a YAML text, and the names of its maps' entries; 24 bytes for each value and key.
class yaml_tree {
public:
    enum class kind : std::uint8_t { scalar, list, map };
    using node = std::uint32_t;

    /// The first document; none if it cannot be read or nests deeper than `max_depth`. For texts below 4 GiB.
    static std::optional<yaml_tree> read(yaml_source const& next, std::size_t max_depth);

    static constexpr node root = 0;

    kind kind_of(node n) const { return at(n).what; }
    yaml_mark mark_of(node n) const { return {at(n).line, at(n).column}; }
    /// The text of a scalar that is the key of a map.
    std::string_view key_of(node n) const {
        return std::string_view(keys_).substr(at(n).first_char, at(n).last_char - at(n).first_char);
    }

    /// The items of a list, or keys and values of a map in turn: from the first, by `next`, before the last.
    node first(node n) const { return resolved(n) + 1; }
    node next(node n) const { return nodes_[n].end; }
    node last(node n) const { return at(n).end; }

private:
    struct place {
        kind what = kind::scalar;
        bool alias = false;
        std::uint32_t line = 0;
        std::uint32_t column = 0;
        node end = 0;                 ///< behind the last node below
        std::uint32_t first_char = 0; ///< of a key, in `keys_`; of an alias, the node that it stands for
        std::uint32_t last_char = 0;
    };
    struct builder;

    node resolved(node n) const { return nodes_[n].alias ? nodes_[n].first_char : n; }
    place const& at(node n) const { return nodes_[resolved(n)]; }

    std::vector<place> nodes_; ///< each in front of those below it
    std::string keys_;
};

} // namespace kftrain::detail

#endif
