#ifndef KFTRAIN_TEST_GOLDEN_CHECKS_ADMISSION_HPP
#define KFTRAIN_TEST_GOLDEN_CHECKS_ADMISSION_HPP

#include "golden/checks/checks.hpp"
#include "golden/clusters/cluster.hpp"
#include "golden/kinds/recorded_kind.hpp"

namespace golden {

/// The answer of a server to a job that is created or changed.
struct admission_answer {
    admission_answer() = default;

    bool accepted = false;
    json::object stored; ///< if accepted
    json::object status; ///< if refused
    std::vector<std::string> warnings;
};

/** Returns the answer of an object store with the definitions of the job's kind and of the other objects, which applies
    the rules of the kind.
    @param before The stored job when it is to become `job`; null when `job` is to be created */
admission_answer admit_by_rules(recorded_kind const& kind, json::object const& job,
                                json::object const* before = nullptr);

/// The first difference between a recorded answer and ours, or an empty string.
std::string compare_admission(json::object const& recorded, admission_answer const& ours, allowances const&);

} // namespace golden

#endif
