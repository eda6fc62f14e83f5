#ifndef KFTRAIN_SRC_CLI_MANIFESTS_PATH_SPELLING_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_PATH_SPELLING_HPP

#include <string>
#include <string_view>

namespace kftrain::cli {

/// One spelling for a path. Schemas write `a.b[0].c/d`, rules write `a[b][0][c/d]`, decoders write `a.b[0]["c/d"]`.
inline std::string one_spelling(std::string_view path) {
    std::string out;
    bool quoted = false;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] == '"' && (quoted || (i != 0 && path[i - 1] == '['))) {
            quoted = !quoted;
            continue;
        }
        if (quoted && path[i] == '\\' && i + 1 < path.size()) ++i; // a quote or another backslash
        if (path[i] != ']') out += path[i] == '[' ? '.' : path[i];
    }
    return out;
}

} // namespace kftrain::cli

#endif
