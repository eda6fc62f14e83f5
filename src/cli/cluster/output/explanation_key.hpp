#ifndef KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_EXPLANATION_KEY_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_OUTPUT_EXPLANATION_KEY_HPP

#include <kftrain/facade/explanation.hpp>

#include <string>

namespace kftrain::cli {

/// A text that changes if an explanation changes, except for evidence, which contains durations, and lines of logs.
std::string key_of(explanation const& e);

} // namespace kftrain::cli

#endif
