#ifndef KFTRAIN_CLI_JOB_PICTURE_HPP
#define KFTRAIN_CLI_JOB_PICTURE_HPP

#include <kftrain/job/prepared_job.hpp>

#include <string>
#include <vector>

namespace kftrain::cli {

/** Draws the objects that the operator creates for the jobs: pods with the environment that they receive, services and
    other objects. Returns an SVG document with a title and a description, in colours for light and dark mode. The jobs
    must be valid. */
std::string job_picture(std::vector<prepared_job> const& jobs);

} // namespace kftrain::cli

#endif
