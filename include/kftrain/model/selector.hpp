#ifndef KFTRAIN_MODEL_SELECTOR_HPP
#define KFTRAIN_MODEL_SELECTOR_HPP

#include <kftrain/model/meta.hpp>

namespace kftrain {

struct label_selector_requirement {
    label_selector_requirement() = default;

    std::string key;
    std::string operator_; ///< In, NotIn, Exists or DoesNotExist
    std::vector<std::string> values;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(label_selector_requirement, (key, operator_, values))

/// All of its parts must hold; without parts it selects everything.
struct label_selector {
    label_selector() = default;

    string_map match_labels;
    std::vector<label_selector_requirement> match_expressions;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(label_selector, (match_labels, match_expressions))

} // namespace kftrain

#endif
