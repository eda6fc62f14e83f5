#include <kftrain/job/any_job.hpp>
#include <kftrain/kinds/jax_job_builder.hpp>
#include <kftrain/kinds/mx_job_builder.hpp>
#include <kftrain/kinds/paddle_job_builder.hpp>
#include <kftrain/kinds/xgboost_job_builder.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_family_builders)

using namespace kftrain;

namespace {

template <class K> std::string why(result<K> const& r) { return r ? "built" : r.error().to_string(); }

auto trees() { return xgboost_job_builder("trees").image("example.com/trees:1"); }

} // namespace

BOOST_AUTO_TEST_CASE(an_xgboost_job_is_built) {
    auto const job = trees()
                         .in("team-a")
                         .cpu("4")
                         .restart_policy(restart::exit_code)
                         .master([](pod_settings& pod) { pod.memory("8Gi"); })
                         .workers(3)
                         .clean_pod_policy(clean_pods::running)
                         .build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    auto const& specs = job->spec.xgb_replica_specs;
    BOOST_TEST(specs.at("Master").replicas.value() == 1);
    BOOST_TEST(specs.at("Worker").replicas.value() == 3);
    BOOST_TEST(specs.at("Worker").restart_policy == "ExitCode");
    BOOST_TEST(specs.at("Master").template_.spec.containers.at(0).name == "xgboost");
    BOOST_TEST(specs.at("Master").template_.spec.containers.at(0).resources.limits.contains("memory"));
    BOOST_TEST(!specs.at("Worker").template_.spec.containers.at(0).resources.limits.contains("memory"));
    BOOST_TEST(job->spec.run_policy.clean_pod_policy.value() == "Running");
    BOOST_TEST(trees().master().build()->spec.xgb_replica_specs.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_paddle_job_is_built) {
    auto const begun = paddle_job_builder("resnet").image("example.com/resnet:1");
    auto const job = begun.masters(2).workers(4).build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    auto const& specs = job->spec.paddle_replica_specs;
    BOOST_TEST(specs.at("Master").replicas.value() == 2);
    BOOST_TEST(specs.at("Worker").replicas.value() == 4);
    BOOST_TEST(specs.at("Worker").template_.spec.containers.at(0).name == "paddle");
    BOOST_TEST(begun.workers(1).build()->spec.paddle_replica_specs.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_jax_job_is_built) {
    auto const begun = jax_job_builder("llm").image("example.com/llm:1").gpus(8);
    auto const job = begun.workers(4, [](pod_settings& pod) { pod.memory("64Gi"); }).build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    auto const& worker = job->spec.jax_replica_specs.at("Worker");
    BOOST_TEST(worker.replicas.value() == 4);
    auto const& container = worker.template_.spec.containers.at(0);
    BOOST_TEST(container.name == "jax");
    BOOST_TEST(container.resources.limits.at("memory").text() == "64Gi");
    BOOST_TEST(why(jax_job_builder("llm").image("i:1").workers(std::int64_t(1) << 40).build())
                   .starts_with("spec.jaxReplicaSpecs[Worker].replicas: 1099511627776, expected a 32-bit integer"));
}

BOOST_AUTO_TEST_CASE(an_mx_job_is_built_in_the_mode_of_its_types) {
    auto const begun = mx_job_builder("mnist").image("example.com/mnist:1");
    auto const job = begun.scheduler().servers(2).workers(4).build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    BOOST_TEST(job->spec.job_mode == "MXTrain");
    BOOST_TEST(job->spec.mx_replica_specs.at("Server").replicas.value() == 2);
    BOOST_TEST(job->spec.mx_replica_specs.at("Scheduler").template_.spec.containers.at(0).name == "mxnet");
    auto const tuning = begun.tuner_tracker().tuner_servers(3).tuner().build();
    BOOST_TEST_REQUIRE(tuning.has_value(), why(tuning));
    BOOST_TEST(tuning->spec.job_mode == "MXTune");
    BOOST_TEST(tuning->spec.mx_replica_specs.at("TunerServer").replicas.value() == 3);
    BOOST_TEST(any_job(*tuning).validate().empty());
}

BOOST_AUTO_TEST_CASE(builder_errors_have_a_path) {
    BOOST_TEST(
        why(xgboost_job_builder("9bad").image("i:1").master().build()).starts_with("metadata.name: Invalid value"));
    BOOST_TEST(why(trees().master().workers(std::int64_t(1) << 40).build()) ==
               "spec.xgbReplicaSpecs[Worker].replicas: 1099511627776, expected a 32-bit integer; spec.xgbReplicaSpecs: "
               "Forbidden: 2147483648 replicas exceed the limit of kftrain, 10000");
    BOOST_TEST(
        why(paddle_job_builder("p").image("").workers(1).build())
            .starts_with(
                "spec.paddleReplicaSpecs[Worker].template.spec.containers[0].image: Required value: must be required"));
    BOOST_TEST(
        why(mx_job_builder("m").image("i:1").workers(1).cpu("four").build())
            .starts_with("spec.mxReplicaSpecs[Worker].template.spec.containers[0].resources.limits[cpu]: \"four\""));
}

BOOST_AUTO_TEST_SUITE_END()
