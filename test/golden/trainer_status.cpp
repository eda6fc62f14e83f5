// The status of TrainJobs, compared with the recordings.
#include "golden/trainer_cases.hpp"

#include <algorithm>

BOOST_AUTO_TEST_SUITE(golden_trainer_status)

namespace {

using namespace golden::trainer_cases;
using namespace golden;

json::value sorted_jobs(json::value status) {
    if (auto* o = status.if_object())
        if (auto* jobs = o->if_contains("jobsStatus"))
            std::ranges::sort(jobs->as_array(), {}, [](json::value const& v) { return text(v.as_object(), "name"); });
    return status;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_status_of_a_job_follows_that_of_its_job_set) {
    std::size_t steps = 0;
    for (auto const& c : cases()) {
        if (!is_train_job(c) || c.steps.empty()) continue;
        auto job = c.admission.at("stored").as_object();
        job["metadata"].as_object()["creationTimestamp"] = "<t0>";
        for (std::size_t i = 0; i < c.steps.size(); ++i) {
            auto const& step = c.steps[i].as_object();
            if (step.contains("jobGone")) break;
            bool const refused = !list_of(step, "result").empty() &&
                                 list_of(step, "result").back().as_object().contains("code") &&
                                 list_of(step, "result").back().at("code").to_number<int>() >= 400;
            if (!refused) change(job, child_of(step, "event"));
            std::optional<jobset::job_set> set;
            if (auto const& other = child_of(child_of(step, "otherStatus"), "JobSet/" + name_of(c.job)); !other.empty())
                set = from_json<jobset::job_set>(to_times(json::serialize(json::object{{"status", other}}))).value();
            auto decoded = job_of(json::parse(to_times(json::serialize(job))).as_object());
            auto const ours = trainer::judge(decoded, set ? &*set : nullptr, time_of(i));
            auto const found = json::parse(to_steps(to_json(ours)));
            compare(c, "steps[" + std::to_string(i) + "].status", sorted_jobs(step.at("status")), sorted_jobs(found));
            job["status"] = step.at("status");
            ++steps;
        }
    }
    BOOST_TEST(steps > 100u, steps);
}

BOOST_AUTO_TEST_SUITE_END()
