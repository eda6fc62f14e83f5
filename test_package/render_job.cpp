// Jobs as data: no network, no threads.
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/registry.hpp>

#include <iostream>

int main() {
    auto const job = kftrain::from_yaml<kftrain::pytorch_job>(R"(
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: hello, namespace: default}
spec:
  pytorchReplicaSpecs:
    Master: {replicas: 1, template: {spec: {containers: [{name: pytorch, image: train}]}}}
)");
    if (!job) {
        std::cerr << job.error().to_string() << '\n';
        return 1;
    }
    auto const children = kftrain::any_job(*job).render();
    for (auto const& child : children) std::cout << child.resource().kind << ' ' << child.metadata().name << '\n';
    return children.size() == 2 ? 0 : 1; // a pod and its service
}
