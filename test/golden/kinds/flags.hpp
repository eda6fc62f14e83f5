#ifndef KFTRAIN_TEST_GOLDEN_KINDS_FLAGS_HPP
#define KFTRAIN_TEST_GOLDEN_KINDS_FLAGS_HPP

#include "golden/recordings.hpp"

#include <kftrain/job/operator_flag.hpp>

namespace golden {

/// Returns the options of the recorded operator, from its flags (`flags` in case.json: `--name=value`, or `-name` and
/// `value`) and its environment (`env`).
kftrain::operator_options read_flags(json::object const& about);
/// The same for a kind that is not registered, of whose flags these are known.
kftrain::operator_options read_flags(json::object const& about, std::span<kftrain::operator_flag const> known);

} // namespace golden

#endif
