#ifndef KFTRAIN_SRC_CLI_MANIFESTS_MANIFEST_HINTS_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_MANIFEST_HINTS_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kinds/types.hpp>

#include <string>
#include <string_view>

namespace kftrain::cli {

/// Sets the command that reads manifests from its standard input, as the advice below names it: `kftrain run -`.
void set_reading_command(std::string command);

/** Rewrites the failure of a text that cannot be read if the text is a template of Helm or Jinja, has a placeholder of
    a shell where YAML expects a key, or begins comments with `//`. The new message names the tool, and line and column
    are those of the first mark. Returns false for other failures, which stay as they are.
    @param first_line The number of the first line of the text. */
bool explain_unfilled(failure&, std::string_view text, std::size_t first_line);

/** Returns advice about a placeholder in a value that a message quotes: `; ${N} is a placeholder: ...`; empty if the
    value has none. Looks at the value behind `got ` or `Invalid value: `. */
std::string hint_at_placeholder(std::string_view message);

/// Returns `; update it with kftrain convert --to PyTorchJob.v1` for an old version or form of a kind; otherwise an
/// empty text.
std::string conversion_hint(document_type const&);
/// The same if a document of this type could not be read because its type is unknown, or because a field of the run
/// policy is in its `spec`, as in old forms.
std::string conversion_hint(document_type const&, failure const&);

} // namespace kftrain::cli

#endif
