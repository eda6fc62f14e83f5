#ifndef KFTRAIN_TEST_GOLDEN_KINDS_OWN_WRITES_HPP
#define KFTRAIN_TEST_GOLDEN_KINDS_OWN_WRITES_HPP

#include "golden/compare.hpp"

#include <functional>

namespace golden {

/// How an operator writes the job itself.
struct own_writes {
    own_writes() = default;

    bool whole = false; ///< there is no subresource: a PUT of the job has its status, too
    /// What `transitions` tell of a status.
    std::function<json::value(json::object const& status)> told_status;
    bool random_names = false; ///< pods end in what the operator made
    bool random_id = false;    ///< and so does the field RuntimeId of the spec
};

} // namespace golden

#endif
