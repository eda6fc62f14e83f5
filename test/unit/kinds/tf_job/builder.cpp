#include <kftrain/kinds/tf_job_builder.hpp>

#include <kftrain/job/any_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_tf_job_builder)

using namespace kftrain;

namespace {

std::string why(result<tf_job> const& r) { return r ? "built" : r.error().to_string(); }

auto minimal() { return tf_job_builder("mnist").image("example.com/mnist:1").workers(2); }

} // namespace

BOOST_AUTO_TEST_CASE(setters_write_the_fields_of_the_job) {
    auto const job = tf_job_builder("mnist")
                         .in("team-a")
                         .image("example.com/mnist:1")
                         .command({"python3", "train.py"})
                         .chief([](pod_settings& pod) { pod.cpu("4"); })
                         .workers(3)
                         .parameter_servers(2, [](pod_settings& pod) { pod.restart_policy(restart::on_failure); })
                         .evaluator()
                         .clean_pod_policy(clean_pods::running)
                         .build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    BOOST_TEST(to_yaml(*job) == to_yaml(from_yaml<tf_job>(R"(
apiVersion: kubeflow.org/v1
kind: TFJob
metadata: {name: mnist, namespace: team-a}
spec:
  runPolicy: {cleanPodPolicy: Running}
  tfReplicaSpecs:
    Chief:
      replicas: 1
      template: {spec: {containers: [{name: tensorflow, image: "example.com/mnist:1", command: [python3, train.py],
                                      resources: {limits: {cpu: "4"}, requests: {cpu: "4"}}}]}}
    Evaluator:
      replicas: 1
      template: {spec: {containers: [{name: tensorflow, image: "example.com/mnist:1", command: [python3, train.py]}]}}
    PS:
      replicas: 2
      restartPolicy: OnFailure
      template: {spec: {containers: [{name: tensorflow, image: "example.com/mnist:1", command: [python3, train.py]}]}}
    Worker:
      replicas: 3
      template: {spec: {containers: [{name: tensorflow, image: "example.com/mnist:1", command: [python3, train.py]}]}}
)")
                                            .value()));
}

BOOST_AUTO_TEST_CASE(worker_policies_have_builder_functions) {
    BOOST_TEST(minimal().wait_for_all_workers().build()->spec.success_policy.value() == "AllWorkers");
    BOOST_TEST(!minimal().build()->spec.success_policy.has_value());
    BOOST_TEST(minimal().parameter_servers(1).dynamic_workers().build()->spec.enable_dynamic_worker);
}

BOOST_AUTO_TEST_CASE(a_builder_can_be_copied_and_varied) {
    auto const base = tf_job_builder("mnist").image("example.com/mnist:1");
    BOOST_TEST(base.chief().build()->spec.tf_replica_specs.size() == 1U);
    BOOST_TEST(base.workers(2).chief().build()->spec.tf_replica_specs.size() == 2U);
}

BOOST_AUTO_TEST_CASE(faults_name_field_value_and_expectation) {
    BOOST_TEST(why(tf_job_builder("Mnist").image("a:1").chief().build())
                   .starts_with("metadata.name: Invalid value: \"Mnist\": should match: a DNS-1035 label"));
    BOOST_TEST(why(minimal().parameter_servers(std::uint64_t(1) << 63U).build())
                   .starts_with("spec.tfReplicaSpecs[PS].replicas: 9223372036854775807, expected a 32-bit integer"));
    BOOST_TEST(why(minimal().memory("16GB").build()) ==
               "spec.tfReplicaSpecs[Worker].template.spec.containers[0].resources.limits[memory]: \"16GB\", expected a "
               "quantity such as 4, 500m or 16Gi");
}

BOOST_AUTO_TEST_SUITE_END()
