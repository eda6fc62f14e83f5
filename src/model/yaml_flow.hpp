#ifndef KFTRAIN_SRC_MODEL_YAML_FLOW_HPP
#define KFTRAIN_SRC_MODEL_YAML_FLOW_HPP

#include <cstddef>
#include <optional>
#include <string_view>

namespace kftrain::detail {

/// A bracket of a list or map in the style of JSON.
struct flow_fault {
    std::size_t offset = 0;
    bool too_deep = false; ///< else it never closes
};

/** The first bracket of a YAML text that nests deeper than `max_depth`, or if there is none, the last of those that never
    close. yaml-cpp reads all of a flow list, into some two hundred bytes for each byte of it, before it tells of the first
    bracket; so this is asked before. Takes time by the length and memory by `max_depth`. It knows quotes, comments
    and block scalars; of a plain scalar over several lines it may take a line that begins with a bracket for a list. */
std::optional<flow_fault> find_flow_fault(std::string_view text, std::size_t max_depth);

} // namespace kftrain::detail

#endif
