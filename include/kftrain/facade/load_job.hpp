#ifndef KFTRAIN_FACADE_LOAD_JOB_HPP
#define KFTRAIN_FACADE_LOAD_JOB_HPP

#include <kftrain/job/any_job.hpp>

#include <string>

namespace kftrain {

/** Reads a job of any known kind from a YAML or JSON file with one document.
    @par Errors the system error if the file cannot be read; those of parse_job(), e.g. `errc::unknown_field` if
    `options` are strict. The message names the file. */
[[nodiscard]] result<any_job> load_job(std::string const& file, decode_options const& options = {});

} // namespace kftrain

#endif
