#ifndef KFTRAIN_SRC_CLI_MANIFESTS_SCHEMA_CHECK_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_SCHEMA_CHECK_HPP

#include <kftrain/job/any_job.hpp>

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace kftrain::cli {

/// Parses JSON; null if the text is none.
boost::json::value parse_json(std::string_view json);

/** Violations of the schema of a kind in an object as written. A number in place of an integer or a string, such as
    `cpu: 0.5`, is one finding with advice; servers report several. */
issues schema_faults(rules::job_rules const&, std::string_view json);

/// The results of @ref schema_faults that the typed model hides, because it accepts the value and encodes it
/// differently.
issues hidden_faults(rules::job_rules const&, std::string_view json);

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
