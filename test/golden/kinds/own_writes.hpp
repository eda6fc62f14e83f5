#ifndef KFTRAIN_TEST_GOLDEN_KINDS_OWN_WRITES_HPP
#define KFTRAIN_TEST_GOLDEN_KINDS_OWN_WRITES_HPP

#include "golden/compare.hpp"

#include <functional>

namespace golden {

/// How an operator writes the job itself.
struct own_writes {
    own_writes() = default;

    bool whole = false; ///< there is no subresource: a PUT of the job has its status, too
    /// The description of a status in `transitions`.
    std::function<json::value(json::object const& status)> described_status;
    bool random_names = false; ///< the operator generates the ends of pod names
    bool random_id = false;    ///< and the field RuntimeId of the spec
};

} // namespace golden

#endif
