#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_VALIDATE_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_VALIDATE_HPP

#include <kftrain/kinds/mpi_job_v2beta1.hpp>

#include <string>

namespace kftrain::kubeflow_v2beta1 {

/// Validates a job that a server has stored, which therefore has a map of replicas, if only an empty one.
issues validate_stored(mpi_job const&);

/// Returns the message of the event: all errors, within the size limit of an event.
std::string validation_message(issues const&);

/// Cuts a text to the 1024 bytes that the message of an event may have.
std::string event_message(std::string text);

} // namespace kftrain::kubeflow_v2beta1

#endif
