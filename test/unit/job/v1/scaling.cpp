#include "unit/job/sample.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kinds/jax_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_scaling)

using namespace sample;

namespace {

pytorch_job elastic(std::int32_t workers, std::int32_t least, std::int32_t most) {
    pytorch_job j = job(0, workers);
    j.spec.elastic_policy.emplace();
    j.spec.elastic_policy->min_replicas = least;
    j.spec.elastic_policy->max_replicas = most;
    return j;
}

std::string text_of(result<rules::job_write> const& a) {
    return a ? std::get<rules::patch>(*a).text : a.error().to_string();
}

std::string scaled(any_job const& j, std::string_view role, std::int32_t n) {
    return text_of(prepared_job::stored(j).scaled(role, n));
}

std::string suspended(any_job const& j, bool on) { return text_of(prepared_job::stored(j).suspended(on)); }

} // namespace

BOOST_AUTO_TEST_CASE(workers_of_an_elastic_job_are_scaled_within_its_bounds) {
    any_job const j(elastic(2, 1, 4));
    auto const s = j.scaling();
    BOOST_TEST_REQUIRE(s.places.size() == 1U);
    BOOST_TEST(s.refused == "");
    BOOST_TEST(s.places[0].role == "Worker");
    BOOST_TEST(s.places[0].now == 2);
    BOOST_TEST(s.places[0].least.value() == 1);
    BOOST_TEST(s.places[0].most.value() == 4);
    BOOST_TEST(s.places[0].effect.find("rendezvous") != std::string::npos);
    BOOST_TEST(scaled(j, "Worker", 4) == R"({"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":4}}}})");
    BOOST_TEST(scaled(j, "Worker", 5) == "spec.pytorchReplicaSpecs[Worker].replicas: 5, expected 1 to 4");
    BOOST_TEST(scaled(j, "Worker", 0) == "spec.pytorchReplicaSpecs[Worker].replicas: 0, expected 1 to 4");
    BOOST_TEST(scaled(j, "Master", 1) ==
               "spec.pytorchReplicaSpecs[Master].replicas: replicas of this type cannot be scaled, expected Worker");
}

BOOST_AUTO_TEST_CASE(absent_elastic_bounds_use_the_defaults) {
    pytorch_job j = elastic(3, 1, 1);
    j.spec.elastic_policy->min_replicas.reset();
    j.spec.elastic_policy->max_replicas.reset();
    BOOST_TEST(scaled(j, "Worker", 4) == "spec.pytorchReplicaSpecs[Worker].replicas: 4, expected 3 to 3");
}

BOOST_AUTO_TEST_CASE(other_roles_are_scaled_only_while_suspended) {
    pytorch_job j = job(1, 2);
    BOOST_TEST(any_job(j).scaling().places.empty());
    BOOST_TEST(scaled(j, "Worker", 3).find("suspend the job first") != std::string::npos);
    j.spec.run_policy.suspend = true;
    BOOST_TEST(scaled(j, "Worker", 3) == R"({"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":3}}}})");
    BOOST_TEST(scaled(j, "Worker", 0) == "spec.pytorchReplicaSpecs[Worker].replicas: 0, expected 1 to 100000");
    j.spec.pytorch_replica_specs.erase("Worker");
    BOOST_TEST(any_job(j).scaling().refused == "the job has no replicas of type Worker");
}

BOOST_AUTO_TEST_CASE(a_patch_is_refused_by_the_server_when_the_job_was_changed_since) {
    pytorch_job j = elastic(2, 1, 4);
    j.metadata.resource_version = "7";
    BOOST_TEST(scaled(j, "Worker", 1) ==
               R"({"metadata":{"resourceVersion":"7"},"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":1}}}})");
}

BOOST_AUTO_TEST_CASE(finished_jobs_cannot_be_suspended) {
    pytorch_job j = job(1, 2);
    BOOST_TEST(!any_job(j).suspending().suspended);
    BOOST_TEST(suspended(j, true) == R"({"spec":{"runPolicy":{"suspend":true}}})");
    j.spec.run_policy.suspend = true;
    BOOST_TEST(any_job(j).suspending().suspended);
    BOOST_TEST(suspended(j, false) == R"({"spec":{"runPolicy":{"suspend":false}}})");
    set_condition(j.status, "Succeeded", "True", "PyTorchJobSucceeded", "", at(5));
    BOOST_TEST(any_job(j).suspending().refused == "the job is finished");
    BOOST_TEST(suspended(j, false) == "spec.runPolicy.suspend: the field cannot be changed: the job is finished");
    BOOST_TEST(scaled(j, "Worker", 3).find("the job is finished") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
