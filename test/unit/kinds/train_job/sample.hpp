#ifndef KFTRAIN_TEST_UNIT_KINDS_TRAIN_JOB_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_KINDS_TRAIN_JOB_SAMPLE_HPP

#include <kftrain/kinds/train_job.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/objects/trainer/training_runtime.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

namespace train_job_sample {

using namespace kftrain;

inline constexpr std::string_view header = "{apiVersion: trainer.kubeflow.org/v1alpha1, kind: ClusterTrainingRuntime, "
                                           "metadata: {name: r}, spec: {mlPolicy: ";

/// A runtime with one Job `node` that trains. `policy` is the mlPolicy, `container` more of the container, `more` more
/// of the specification, all in YAML flow style.
inline any_object runtime(std::string const& policy, std::string const& container = "", std::string const& more = "") {
    std::string const text = std::string(header) + policy + ", " + more +
                             R"(template: {spec: {replicatedJobs: [{name: node, template: {)"
                             R"(metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}, )"
                             R"(spec: {template: {spec: {containers: [{name: node, image: "i:1")" +
                             (container.empty() ? "" : ", " + container) + R"(}]}}}}}]}}}})";
    return from_yaml<trainer::cluster_training_runtime>(text).value();
}

/// As the built-in runtimes of MPI: nodes that run sshd, and a launcher that trains.
inline any_object mpi_runtime(std::string const& policy) {
    std::string const text =
        std::string(header) + "{mpi: " + policy +
        R"(}, template: {spec: {replicatedJobs: [)"
        R"({name: node, template: {spec: {template: {spec: {containers: [{name: node}]}}}}}, )"
        R"({name: launcher, template: {metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}, )"
        R"(spec: {template: {spec: {containers: [{name: node}]}}}}}]}}}})";
    return from_yaml<trainer::cluster_training_runtime>(text).value();
}

/// `trainer` in YAML flow style.
inline train_job job(std::string const& name, std::string const& trainer, std::string const& runtime = "r") {
    return from_yaml<train_job>("{apiVersion: trainer.kubeflow.org/v1alpha1, kind: TrainJob, metadata: {name: " + name +
                                ", namespace: team-a, uid: u}, spec: {runtimeRef: {name: " + runtime +
                                "}, trainer: " + trainer + "}}")
        .value();
}

template <class K> K child(train_job const& j, any_object const& r) {
    auto const all = trainer::render(j, r);
    BOOST_TEST_REQUIRE(all.has_value(), (all ? "" : all.error().to_string()));
    for (auto const& o : *all)
        if (auto const* found = o.get_if<K>(); found != nullptr && !found->metadata.name.ends_with("-snapshot"))
            return *found;
    throw std::runtime_error("no such child");
}

inline core::container const& container_of(jobset::job_set const& set, std::size_t entry = 0) {
    return set.spec.replicated_jobs.at(entry).template_.spec.template_.spec.containers.at(0);
}

/// The last value of a variable; `<source>` for one with a source, `<none>` without it.
inline std::string value_of(core::container const& c, std::string_view name) {
    std::string value = "<none>";
    for (auto const& v : c.env)
        if (v.name == name) value = v.value_from ? "<source>" : v.value;
    return value;
}

} // namespace train_job_sample

#endif
