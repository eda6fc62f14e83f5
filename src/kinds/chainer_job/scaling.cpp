#include "kinds/chainer_job/members.hpp"

#include <kftrain/job/job_patch.hpp>

#include <algorithm>

namespace kftrain::kubeflow_v1alpha1::chainer {

rules::scaling scaling_of(chainer_job const& job) {
    rules::scaling s;
    if (has_ended(job.status)) {
        s.refused = "the job is finished";
    } else if (!is_distributed(job)) {
        s.refused = "the job has no workers";
    } else {
        std::int64_t total = 0;
        for (auto const& [name, set] : job.spec.worker_sets) total += count_of(set);
        for (auto const& [name, set] : job.spec.worker_sets) {
            auto& p = s.places.emplace_back();
            p.role = name;
            p.path = "spec.workerSets[" + name + "].replicas";
            p.now = count_of(set);
            auto const room = std::max<std::int64_t>(0, most_workers - (total - p.now));
            p.most = std::max(p.now, static_cast<std::int32_t>(room)); // all sets together have so much
            p.effect = "A running program keeps its hostfile: it does not notice new workers, and fails if a worker is "
                       "removed. The Job of the master then starts a new pod with a new hostfile.";
        }
    }
    return s;
}

result<rules::job_write> scaled(chainer_job const& job, std::string_view set, std::int32_t workers) {
    std::string const path = "spec.workerSets[" + std::string(set) + "].replicas";
    auto const place = rules::checked_place(scaling_of(job), set, workers, path);
    if (!place) return place.error();
    return rules::patch_of_job(chainer_job::resource, job.metadata, {"workerSets", set, "replicas"},
                               std::to_string(workers));
}

} // namespace kftrain::kubeflow_v1alpha1::chainer
