#ifndef KFTRAIN_TEST_SUPPORT_JOB_PLAN_HPP
#define KFTRAIN_TEST_SUPPORT_JOB_PLAN_HPP

#include "job/v1/observed.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>

namespace kftrain {

/// The world of a job of a v1 kind, for its rules. Destroy it before the objects.
inline rules::world world_of(kubeflow_v1::observed const& seen) {
    std::vector<any_object> all(seen.others);
    for (auto const& p : seen.pods) all.emplace_back(p);
    for (auto const& s : seen.services) all.emplace_back(s);
    rules::world world;
    world.add("controlled", std::move(all));
    return world;
}

/// The first plan of an operator with these options for a job.
inline rules::plan plan_of(any_job const& job, kubeflow_v1::observed const& seen, time_point now,
                           operator_options const& reported = {}) {
    return job.rules().with(reported)->make_plan(job.get(), world_of(seen), nullptr, now);
}

} // namespace kftrain

#endif
