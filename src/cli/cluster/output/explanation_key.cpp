#include "cli/cluster/output/explanation_key.hpp"

namespace kftrain::cli {
std::string key_of(explanation const& e) {
    std::string key(to_string(e.state.phase));
    for (auto const& c : e.causes) {
        key.append("\n").append(to_string(c.kind)).append(" ").append(std::to_string(c.affected));
        for (auto const& m : c.members) key.append(" ").append(m.role).append("/").append(std::to_string(m.index));
        key.append(" ").append(c.container).append(" ").append(std::to_string(c.code.value_or(0)));
        key.append(" ").append(std::to_string(c.restarts.value_or(0))).append(" ").append(c.decisive_line);
        key.append(" ").append(c.summary);
    }
    for (auto const& line : e.missing) key.append("\n").append(line);
    return key;
}

} // namespace kftrain::cli
