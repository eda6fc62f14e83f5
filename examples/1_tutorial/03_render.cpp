// Prints the objects that the operator would create for a job, and its ranks, without a cluster.
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/registry.hpp>

#include <iostream>

int main() {
    kftrain::pytorch_job job;
    job.metadata.name = "hello";
    for (auto const* type : {"Master", "Worker"}) {
        kftrain::kubeflow_v1::replica_spec& spec = job.spec.pytorch_replica_specs[type];
        spec.replicas = 1;
        kftrain::core::container& c = spec.template_.spec.containers.emplace_back();
        c.name = "pytorch";
        c.image = "example.com/train:1";
        c.command = {"python3", "train.py"};
    }

    kftrain::any_job const any(job);
    for (auto const& problem : any.validate()) std::cerr << problem.message << '\n';
    for (auto const& r : any.members().members) std::cout << "rank " << *r.rank << " is " << r.pod_name << '\n';
    for (auto const& child : any.render()) std::cout << "---\n" << child.to_yaml();
    return has_errors(any.validate()) ? 1 : 0;
}
