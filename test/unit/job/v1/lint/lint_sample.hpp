#ifndef KFTRAIN_TEST_UNIT_JOB_V1_LINT_LINT_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_JOB_V1_LINT_LINT_SAMPLE_HPP

#include "unit/job/sample.hpp"

#include <kftrain/job/lint.hpp>

namespace lint_sample {

using namespace sample;

using lines = std::vector<std::string>;

/// The findings of the rule for the job.
inline lines findings(pytorch_job const& j, std::string_view rule) {
    lines result;
    for (auto const& i : any_job(j).lint())
        if (i.rule == rule) result.push_back(i.message);
    return result;
}

inline lines all(pytorch_job const& j) {
    lines result;
    for (auto const& i : any_job(j).lint()) result.push_back(i.rule + ": " + i.message);
    return result;
}

inline core::container& training(pytorch_job& j, std::string const& type = "Worker") {
    return j.spec.pytorch_replica_specs.at(type).template_.spec.containers.at(0);
}

inline core::container_port port(std::string name, std::int32_t number, std::string protocol = "") {
    core::container_port p;
    p.name = std::move(name);
    p.container_port_ = number;
    p.protocol = std::move(protocol);
    return p;
}

inline core::container named(std::string name) {
    core::container c;
    c.name = std::move(name);
    c.image = "example.com/side:1";
    return c;
}

/// The job `pt` of one master and `workers` workers, after a change.
template <class Change> pytorch_job changed(std::int32_t workers, Change change) {
    pytorch_job j = job(1, workers);
    change(j);
    return j;
}

inline std::string const worker = "spec.pytorchReplicaSpecs[Worker]";
inline std::string const of_training = worker + ".template.spec.containers[0]";

} // namespace lint_sample

#endif
