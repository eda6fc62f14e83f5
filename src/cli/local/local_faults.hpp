#ifndef KFTRAIN_SRC_CLI_LOCAL_LOCAL_FAULTS_HPP
#define KFTRAIN_SRC_CLI_LOCAL_LOCAL_FAULTS_HPP

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/local/isolation.hpp>
#include <kftrain/local/pod_options.hpp>

namespace kftrain::cli {

/** Returns what the local cluster cannot serve of a job, and programs and scripts of commands that do not exist
    here. The local cluster does not use images. It runs a command in the current directory if its container names no
    workingDir. */
issues local_faults(prepared_job const&, local::isolation, local::pod_options const& = local::pod_options());

} // namespace kftrain::cli

#endif
