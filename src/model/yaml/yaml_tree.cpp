#include "model/yaml/yaml_tree.hpp"

#include <map>

namespace kftrain::detail {

struct yaml_tree::builder {
    /// False when the tree is given up.
    bool take(yaml_event const& e);

    yaml_tree tree{};
    std::size_t max_depth;

private:
    struct collection {
        node at;
        bool expects_key;
    };
    std::vector<collection> open_{};
    std::map<std::string, node, std::less<>> anchors_{};
};

bool yaml_tree::builder::take(yaml_event const& e) {
    using event = yaml_event::kind;
    auto& nodes = tree.nodes_;
    if (e.what == event::list_end || e.what == event::map_end) {
        nodes[open_.back().at].end = static_cast<node>(nodes.size());
        open_.pop_back();
        return true;
    }
    auto const n = static_cast<node>(nodes.size());
    auto& added = nodes.emplace_back();
    added.line = static_cast<std::uint32_t>(e.mark.line);
    added.column = static_cast<std::uint32_t>(e.mark.column);
    added.end = n + 1;
    bool const is_key = !open_.empty() && open_.back().expects_key;
    if (!open_.empty() && nodes[open_.back().at].what == kind::map) open_.back().expects_key = !is_key;
    if (e.what == event::alias) {
        auto const target = anchors_.find(e.anchor);
        if (target == anchors_.end()) return false;
        added.alias = true;
        added.first_char = target->second;
        return true;
    }
    if (!e.anchor.empty()) anchors_.insert_or_assign(std::string(e.anchor), n);
    if (e.what == event::scalar) {
        // An anchor may make it a key elsewhere.
        if (!is_key && e.anchor.empty()) return true;
        added.first_char = static_cast<std::uint32_t>(tree.keys_.size());
        tree.keys_.append(e.value);
        added.last_char = static_cast<std::uint32_t>(tree.keys_.size());
        return true;
    }
    added.what = e.what == event::map ? kind::map : kind::list;
    open_.push_back({n, added.what == kind::map});
    return open_.size() <= max_depth;
}

std::optional<yaml_tree> yaml_tree::read(yaml_source const& next, std::size_t max_depth) {
    builder made;
    made.max_depth = max_depth;
    try {
        if (next().what == yaml_event::kind::end) return std::nullopt;
        for (auto e = next(); e.what != yaml_event::kind::document_end; e = next())
            if (!made.take(e)) return std::nullopt;
    } catch (yaml_problem const&) {
        return std::nullopt; // the decoder of the text reports the fault
    }
    return std::move(made.tree);
}

} // namespace kftrain::detail
