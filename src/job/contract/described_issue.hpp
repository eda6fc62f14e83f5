#ifndef KFTRAIN_SRC_JOB_CONTRACT_DESCRIBED_ISSUE_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_DESCRIBED_ISSUE_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/reflect.hpp>

namespace kftrain {

KFTRAIN_FIELD_RULES(issue, {"level", "severity"})
BOOST_DESCRIBE_STRUCT(issue, (), (level, rule, path, message, keeps_from_starting))

} // namespace kftrain

#endif
