#ifndef KFTRAIN_SRC_MODEL_RULES_LABEL_SYNTAX_HPP
#define KFTRAIN_SRC_MODEL_RULES_LABEL_SYNTAX_HPP

#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/** The faults of the key or the value of a label, with the server's messages; empty if there are none.
    @par Upstream apimachinery `pkg/util/validation/validation.go`, `IsQualifiedName` and `IsValidLabelValue`, v0.31 */
std::vector<std::string> label_key_faults(std::string_view key);
std::vector<std::string> label_value_faults(std::string_view value);

} // namespace kftrain

#endif
