#ifndef KFTRAIN_TEST_UNIT_KINDS_LINT_OF_MANIFESTS_HPP
#define KFTRAIN_TEST_UNIT_KINDS_LINT_OF_MANIFESTS_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

/// Jobs as their authors write them, and what lint finds.
namespace lint_of_manifests {

using namespace kftrain;
using lines = std::vector<std::string>;

/// The places that a rule reports in a manifest, for an operator with these flags.
inline lines places(std::string_view rule, std::string const& manifest, std::vector<std::string> const& flags = {}) {
    operator_options options;
    for (auto const& flag : flags) BOOST_REQUIRE(read_operator_flag(options, flag).has_value());
    auto const parsed = parse_job(manifest);
    BOOST_REQUIRE_MESSAGE(parsed.has_value(), manifest);
    auto const rules = parsed->rules().with(options);
    lines all;
    for (auto const& i : any_job(*rules, parsed->get()).lint())
        if (i.rule == rule) all.push_back(i.path);
    return all;
}

/// `{spec: {<pod>containers: [{name: <name>, image: "x/y:1"<container>}]}}`, the template of a pod.
inline std::string pod_text(std::string const& name, std::string const& container, std::string const& spec = "") {
    return "{spec: {" + spec + "containers: [{name: " + name + ", image: 'x/y:1'" +
           (container.empty() ? "" : ", " + container) + "}]}}";
}

inline std::string replicas(int count, std::string const& pod, std::string const& more = "") {
    return "{replicas: " + std::to_string(count) + ", " + more + "template: " + pod + "}";
}

/// A job of kubeflow.org with an entry of this name for the replicas.
inline std::string kubeflow(std::string const& kind, std::string const& version, std::string const& specs,
                            std::string const& types, std::string const& spec, std::string const& metadata = "") {
    return "apiVersion: kubeflow.org/" + version + "\nkind: " + kind + "\nmetadata: {name: j" + metadata +
           "}\nspec: {" + spec + specs + ": {" + types + "}}\n";
}

inline std::string torch(std::string const& types, std::string const& spec = "", std::string const& metadata = "") {
    return kubeflow("PyTorchJob", "v1", "pytorchReplicaSpecs", types, spec, metadata);
}

/// A master and `workers` workers with one template.
inline std::string torch_with(std::string const& container, std::string const& spec = "", int workers = 1,
                              std::string const& of_pod = "") {
    auto const p = pod_text("pytorch", container, of_pod);
    return torch("Master: " + replicas(1, p) + ", Worker: " + replicas(workers, p), spec);
}

inline std::string mpi(std::string const& launcher, std::string const& worker, int workers,
                       std::string const& spec = "", std::string const& of_pod = "") {
    return kubeflow("MPIJob", "v2beta1", "mpiReplicaSpecs",
                    "Launcher: " + replicas(1, pod_text("l", launcher, of_pod)) +
                        ", Worker: " + replicas(workers, pod_text("w", worker, of_pod)),
                    spec);
}

inline std::string task(std::string const& name, int count, std::string const& container,
                        std::string const& policy = "Never", std::string const& more = "") {
    return "{name: " + name + ", replicas: " + std::to_string(count) + ", " + more +
           "template: " + pod_text("m", container, "restartPolicy: " + policy + ", ") + "}";
}

inline std::string volcano(std::string const& tasks, std::string const& spec = "") {
    return "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: j}\nspec: {" + spec + "tasks: [" +
           tasks + "]}\n";
}

inline std::string const master_path = "spec.pytorchReplicaSpecs[Master].template.spec.containers[0]";
inline std::string const worker_path = "spec.pytorchReplicaSpecs[Worker].template.spec.containers[0]";
inline std::string const launcher_path = "spec.mpiReplicaSpecs[Launcher].template.spec";
inline lines const none;

} // namespace lint_of_manifests

#endif
