#ifndef KFTRAIN_SRC_CLI_MANIFESTS_SCHEMA_CHECK_HPP
#define KFTRAIN_SRC_CLI_MANIFESTS_SCHEMA_CHECK_HPP

#include <kftrain/job/any_job.hpp>

#include <boost/json/value.hpp>

#include <string_view>

namespace kftrain::cli {

/// Parses JSON; null if the text is none.
boost::json::value parse_json(std::string_view json);

/** Violations of the schema of a kind in an object as written. A number in place of an integer or a string, such as
    `cpu: 0.5`, is one finding with advice; servers report several. */
issues schema_faults(rules::job_rules const&, std::string_view json);

/// The results of @ref schema_faults that the typed model hides, because it accepts the value and encodes it
/// differently.
issues hidden_faults(rules::job_rules const&, std::string_view json);

} // namespace kftrain::cli

#endif
