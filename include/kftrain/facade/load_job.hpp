#ifndef KFTRAIN_FACADE_LOAD_JOB_HPP
#define KFTRAIN_FACADE_LOAD_JOB_HPP

#include <kftrain/job/any_job.hpp>

#include <string>
#include <vector>

namespace kftrain {

/** Reads a job of any known kind from a YAML or JSON file of one document.
    @par Errors the system's when the file cannot be read; those of parse_job(). The message names the file. */
result<any_job> load_job(std::string const& file);

/** Reads the jobs of all documents and lists in a YAML or JSON file.
    @par Errors as for load_job(); see parse_jobs(). The message names the file. */
result<std::vector<any_job>> load_jobs(std::string const& file, decode_options const& options = {});

} // namespace kftrain

#endif
