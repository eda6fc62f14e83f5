#ifndef KFTRAIN_TEST_UNIT_KINDS_MPI_JOB_V2BETA1_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_KINDS_MPI_JOB_V2BETA1_SAMPLE_HPP

#include "kinds/mpi_job_v2beta1/kind.hpp"

#include <kftrain/model/codec.hpp>

#include <string>
#include <vector>

/// MPIJobs as users write them.
namespace mpi_sample {

using namespace kftrain;
using namespace kftrain::kubeflow_v2beta1;
using kftrain::kubeflow_v2beta1::replica_spec;

using lines = std::vector<std::string>;

inline time_point at(int seconds) { return time_point(std::chrono::seconds(1767225600 + seconds)); }

inline mpi_operator_options release(mpi_operator_release r) {
    mpi_operator_options options;
    options.release = r;
    return options;
}

inline replica_spec replicas(std::string const& container, std::optional<std::int32_t> count = {}) {
    replica_spec spec;
    spec.replicas = count;
    core::container c;
    c.name = container;
    c.image = "img";
    spec.template_.spec.containers.push_back(std::move(c));
    return spec;
}

/// A job `name` in `ns` with a launcher, and with workers unless there are none; as a user writes it.
inline mpi_job job(std::string name, std::string ns, std::int32_t workers) {
    mpi_job j;
    j.metadata.name = std::move(name);
    j.metadata.namespace_ = std::move(ns);
    j.metadata.uid = "uid-of-job";
    j.spec.mpi_replica_specs["Launcher"] = replicas("launcher");
    if (workers > 0) j.spec.mpi_replica_specs["Worker"] = replicas("worker", workers);
    return j;
}

inline mpi_job complete(mpi_job j) {
    set_defaults(j);
    return j;
}

} // namespace mpi_sample

#endif
