#ifndef KFTRAIN_SRC_CLI_MANIFESTS_CONVERSION_HINT_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_CONVERSION_HINT_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kinds/types.hpp>

#include <string>

namespace kftrain::cli {

/// Returns `; update it with kftrain convert --to PyTorchJob.v1` for an old version or form of a kind; otherwise an
/// empty text.
std::string conversion_hint(document_type const&);
/// The same if a document of this type could not be read because its type is unknown, or because a field of the run
/// policy is in its `spec`, as in old forms.
std::string conversion_hint(document_type const&, failure const&);

} // namespace kftrain::cli

#endif
