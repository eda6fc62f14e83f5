#ifndef KFTRAIN_TEST_UNIT_FACADE_FOLLOW_PODS_OF_JOB_HPP
#define KFTRAIN_TEST_UNIT_FACADE_FOLLOW_PODS_OF_JOB_HPP

#include "unit/job/sample.hpp"

#include <kftrain/facade/job_state.hpp>
#include <kftrain/job/observed_types.hpp>
#include <kftrain/objects/core.hpp>

#include <memory>
#include <string>
#include <vector>

/// Pods as an operator makes them and a kubelet changes them.
namespace pods_of_job {

using namespace kftrain;

using pod_list = std::vector<std::shared_ptr<pod const>>;

/// The pods that the operator would create, in the namespace of the job.
inline pod_list made(any_job const& job) {
    pod_list pods;
    for (auto const& object : job.render())
        if (auto const* const p = object.get_if<pod>()) {
            pod stored = *p;
            stored.metadata.namespace_ = job.metadata().namespace_;
            stored.metadata.uid = "uid-of-" + stored.metadata.name;
            stored.status.phase = "Pending";
            pods.push_back(std::make_shared<pod const>(std::move(stored)));
        }
    return pods;
}

template <class Change> void change(std::shared_ptr<pod const>& p, Change how) {
    pod next = *p;
    how(next);
    p = std::make_shared<pod const>(std::move(next));
}

/// Sets the status of a pod with one running container.
inline void run(std::shared_ptr<pod const>& p, bool ready = true) {
    change(p, [&](pod& next) {
        next.status.phase = "Running";
        next.status.container_statuses.assign(1, core::container_status());
        next.status.container_statuses[0].state.running.emplace();
        next.status.container_statuses[0].ready = ready;
    });
}

inline core::container_status& container(pod& p) {
    if (p.status.container_statuses.empty()) p.status.container_statuses.emplace_back().name = "pytorch";
    return p.status.container_statuses[0];
}

} // namespace pods_of_job

#endif
