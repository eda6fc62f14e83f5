#include "facade/scale_job.hpp"
#include "support/sample_jobs.hpp"
#include "unit/job/sample.hpp"

#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(facade_scale_job)

using namespace sample;
using autoscaling::horizontal_pod_autoscaler;

namespace {

pytorch_job elastic_job() {
    pytorch_job j = job(0, 2);
    j.spec.elastic_policy.emplace();
    j.spec.elastic_policy->min_replicas = 1;
    j.spec.elastic_policy->max_replicas = 8;
    return j;
}

horizontal_pod_autoscaler autoscaler(std::int32_t least, std::int32_t most) {
    horizontal_pod_autoscaler hpa;
    hpa.metadata.name = "auto";
    hpa.spec.scale_target_ref.api_version = "kubeflow.org/v1";
    hpa.spec.scale_target_ref.kind = "PyTorchJob";
    hpa.spec.scale_target_ref.name = "pt";
    hpa.spec.min_replicas = least;
    hpa.spec.max_replicas = most;
    return hpa;
}

std::string scaling_error(any_job const& j, std::string_view role, std::int32_t members,
                          std::vector<horizontal_pod_autoscaler> const& found = {}) {
    auto const r = checked_scaling(prepared_job::stored(j), role, members, found);
    return r ? "" : r.error().to_string();
}

} // namespace

BOOST_AUTO_TEST_CASE(an_autoscaler_that_would_undo_the_change_prevents_scaling) {
    any_job const j(elastic_job());
    BOOST_TEST(scaling_error(j, "Worker", 3) == "");
    BOOST_TEST(
        scaling_error(j, "Worker", 3, {autoscaler(1, 4)}) ==
        "spec.pytorchReplicaSpecs[Worker].replicas: 3, but HorizontalPodAutoscaler auto keeps this number between 1 "
        "and 4 and would undo the change: expected another range, or no HorizontalPodAutoscaler");
    BOOST_TEST(scaling_error(j, "Worker", 3, {autoscaler(3, 3)}) == "");
    BOOST_TEST(scaling_error(j, "Worker", 4, {autoscaler(3, 3)}) != "");
}

BOOST_AUTO_TEST_CASE(autoscalers_that_are_idle_or_about_others_do_not_count) {
    any_job const j(elastic_job());
    auto idle = autoscaler(1, 4);
    auto& c = idle.status.conditions.emplace_back();
    c.type = "ScalingActive";
    c.status = "False";
    BOOST_TEST(scaling_error(j, "Worker", 3, {idle}) == "");
    BOOST_TEST(scaling_error(j, "Worker", 5, {idle}) != ""); // it keeps to its range all the same
    auto other = autoscaler(1, 4);
    other.spec.scale_target_ref.name = "other";
    BOOST_TEST(scaling_error(j, "Worker", 3, {other}) == "");
    other = autoscaler(1, 4);
    other.spec.scale_target_ref.kind = "TFJob";
    BOOST_TEST(scaling_error(j, "Worker", 3, {other}) == "");
    other = autoscaler(1, 4);
    other.spec.scale_target_ref.api_version = "apps/v1";
    BOOST_TEST(scaling_error(j, "Worker", 3, {other}) == "");
    other = autoscaler(1, 4);
    other.metadata.deletion_timestamp = time_point();
    BOOST_TEST(scaling_error(j, "Worker", 3, {other}) == "");
}

BOOST_AUTO_TEST_CASE(scaling_below_the_minimum_of_the_gang_is_rejected) {
    auto j = elastic_job();
    j.spec.pytorch_replica_specs.at("Worker").replicas = 4;
    j.spec.run_policy.scheduling_policy.emplace().min_available = 3;
    BOOST_TEST(scaling_error(any_job(j), "Worker", 3) == "");
    BOOST_TEST(scaling_error(any_job(j), "Worker", 2) ==
               "spec.pytorchReplicaSpecs[Worker].replicas: 2, but the gang needs at least 3 replicas because of "
               "spec.runPolicy.schedulingPolicy.minAvailable, and the job would have 2: expected 3 or more");
    // One that is below already may come closer.
    j.spec.run_policy.scheduling_policy->min_available = 8;
    BOOST_TEST(scaling_error(any_job(j), "Worker", 5) == "");
}

BOOST_AUTO_TEST_CASE(launchers_count_for_the_gang) {
    kubeflow_v2beta1::mpi_job j;
    j.metadata.name = "m";
    j.metadata.namespace_ = "team";
    for (auto const& [type, count] : {std::pair<char const*, std::int32_t>("Launcher", 1), {"Worker", 3}}) {
        test::add_replicas(j.spec.mpi_replica_specs, type, count, "c");
    }
    j.spec.run_policy.scheduling_policy.emplace().min_available = 3;
    BOOST_TEST(scaling_error(any_job(j), "Worker", 2) == "");
    BOOST_TEST(scaling_error(any_job(j), "Worker", 1).find("and the job would have 2: expected 2 or more") !=
                   std::string::npos,
               scaling_error(any_job(j), "Worker", 1));
}

/// Its API lowers the minimum of the gang along with the members.
BOOST_AUTO_TEST_CASE(scaling_a_volcano_job_also_changes_its_minimum) {
    volcano::job j;
    j.metadata.name = "v";
    j.metadata.namespace_ = "team";
    auto& t = j.spec.tasks.emplace_back();
    t.name = "worker";
    t.replicas = 3;
    auto& c = t.template_.spec.containers.emplace_back();
    c.name = "c";
    c.image = "i";
    j.spec.min_available = 3;
    BOOST_TEST(scaling_error(any_job(j), "worker", 1) == "");
}

BOOST_AUTO_TEST_CASE(changes_that_the_kind_forbids_are_refused_first) {
    BOOST_TEST(scaling_error(any_job(job(1, 2)), "Worker", 3, {autoscaler(1, 4)}).find("suspend the job first") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
