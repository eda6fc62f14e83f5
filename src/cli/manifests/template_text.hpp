#ifndef KFTRAIN_SRC_CLI_MANIFESTS_TEMPLATE_TEXT_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_TEMPLATE_TEXT_HPP

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <string_view>

// Manifests that another tool still has to fill in.
namespace kftrain::cli {

/// Sets the command that reads manifests from its standard input, as the advice below names it: `kftrain run -`.
void set_reading_command(std::string command);

/** Rewrites the failure of a text that cannot be read if the text is a template of Helm or Jinja, has a placeholder of
    a shell where YAML expects a key, or begins comments with `//`. The new message names the tool, and line and column
    are those of the first mark. Returns false for other failures, which stay as they are.
    @param first_line The number of the first line of the text. */
bool explain_unfilled(failure&, std::string_view text, std::size_t first_line);

/** What to do about a placeholder in a value that a message quotes: `; ${N} is a placeholder: ...`; empty if the value
    has none. Looks at the value behind `got ` or `Invalid value: `. */
std::string hint_at_placeholder(std::string_view message);

} // namespace kftrain::cli

#endif
