#ifndef KFTRAIN_TEST_UNIT_KINDS_MX_JOB_SAMPLE_HPP
#define KFTRAIN_TEST_UNIT_KINDS_MX_JOB_SAMPLE_HPP

#include "unit/kinds/family_sample.hpp"

#include <kftrain/kinds/mx_job.hpp>

namespace family {

/// Replicas of these types, of the ones that have any.
inline mx_job mx(std::vector<std::pair<std::string, int>> const& types, std::string const& policy = "") {
    std::string const more = policy.empty() ? "" : R"("restartPolicy":")" + policy + R"(",)";
    std::string map;
    for (auto const& [type, count] : types)
        map += (map.empty() ? "\"" : ",\"") + type + "\":" + replicas_of("mxnet", count, more);
    return parsed<mx_job>(
        R"({"apiVersion":"kubeflow.org/v1","kind":"MXJob","metadata":{"name":"mx","namespace":"t","uid":"u"},
        "spec":{"jobMode":"MXTrain","mxReplicaSpecs":{)" +
        map + "}}}");
}
inline mx_job training(int workers, std::string const& policy = "") {
    return mx({{"Scheduler", 1}, {"Server", 1}, {"Worker", workers}}, policy);
}

} // namespace family

#endif
