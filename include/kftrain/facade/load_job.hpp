#ifndef KFTRAIN_FACADE_LOAD_JOB_HPP
#define KFTRAIN_FACADE_LOAD_JOB_HPP

#include <kftrain/kinds/registry.hpp>

#include <string>

namespace kftrain {

/** Reads a job of one of the kinds from a YAML or JSON file with one document.
    @par Errors the system error if the file cannot be read; those of parse_job(), e.g. `errc::unknown_field` if
    `options` are strict. The message names the file. */
[[nodiscard]] result<any_job> load_job(std::string const& file, decode_options const& options = {},
                                       job_kinds kinds = known_job_rules());

} // namespace kftrain

#endif
