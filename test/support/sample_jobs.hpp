#ifndef KFTRAIN_TEST_SUPPORT_SAMPLE_JOBS_HPP
#define KFTRAIN_TEST_SUPPORT_SAMPLE_JOBS_HPP

#include <kftrain/kinds/pytorch_job.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace kftrain::test {

/// Adds a container to a pod or to a pod template.
template <class Pod>
auto& add_container(Pod& p, std::string name = "pytorch", std::string image = "example.com/train:1") {
    auto& c = p.spec.containers.emplace_back();
    c.name = std::move(name);
    c.image = std::move(image);
    return c;
}

/// Adds replicas of one role with one container to a job of a v1 kind: `add_replicas(job.spec.mpi_replica_specs, ...)`.
template <class Specs>
auto& add_replicas(Specs& specs, std::string const& role, std::int32_t count, std::string container = "pytorch") {
    auto& spec = specs[role];
    spec.replicas = count;
    add_container(spec.template_, std::move(container));
    return spec;
}

/// A PyTorchJob with one master and this many workers.
inline pytorch_job sample_pytorch_job(std::string name, std::int32_t workers = 1, std::string ns = "") {
    pytorch_job job;
    job.metadata.name = std::move(name);
    job.metadata.namespace_ = std::move(ns);
    add_replicas(job.spec.pytorch_replica_specs, "Master", 1);
    add_replicas(job.spec.pytorch_replica_specs, "Worker", workers);
    return job;
}

/// An elastic PyTorchJob without a master.
inline pytorch_job elastic_pytorch_job(std::string name, std::int32_t workers, std::int32_t most) {
    auto job = sample_pytorch_job(std::move(name), workers);
    job.spec.pytorch_replica_specs.erase("Master");
    auto& policy = job.spec.elastic_policy.emplace();
    policy.min_replicas = 1;
    policy.max_replicas = most;
    return job;
}

} // namespace kftrain::test

#endif
