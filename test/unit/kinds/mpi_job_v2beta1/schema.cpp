#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/model/schema.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_schema)

using namespace mpi_sample;

// Expected: answers recorded from kube-apiserver v1.36.2 with the CRD of mpi-operator v0.8.
namespace {

resource_schema const& compiled() { return job_rules_for<mpi_job>().schema(); }

std::string document(std::string const& spec) {
    return R"({"apiVersion":"kubeflow.org/v2beta1","kind":"MPIJob","metadata":{"name":"j","namespace":"corpus"},)"
           R"("spec":)" +
           spec + "}";
}

std::string answers(std::string const& spec) {
    std::string out;
    for (auto const& i : schema_issues(compiled(), document(spec)).value()) out += i.message + "\n";
    return out;
}

std::string const minimal = R"("mpiReplicaSpecs":{"Launcher":{"template":{"spec":{"containers":[{"name":"l"}]}}}})";

} // namespace

BOOST_AUTO_TEST_CASE(valid_jobs_pass_the_schema) { BOOST_TEST(answers("{" + minimal + "}") == ""); }

BOOST_AUTO_TEST_CASE(only_a_few_values_are_rejected_by_the_schema) {
    // refused-no-replica-specs, refused-bad-implementation
    BOOST_TEST(answers("{}").starts_with("spec.mpiReplicaSpecs: Required value\n"));
    BOOST_TEST(answers(R"({"mpiImplementation":"LAM",)" + minimal + "}")
                   .starts_with("spec.mpiImplementation: Unsupported value: \"LAM\": supported values: \"OpenMPI\", "
                                "\"Intel\", \"MPICH\"\n"));
    BOOST_TEST(answers(R"({"launcherCreationPolicy":"Sometime","runPolicy":{"cleanPodPolicy":"Sometimes"},)" + minimal +
                       "}") == "");
}

BOOST_AUTO_TEST_CASE(servers_set_some_defaults) {
    auto const stored = set_schema_defaults(compiled(), document("{" + minimal + R"(,"runPolicy":{}})")).value();
    auto const j = from_json<mpi_job>(stored).value();
    BOOST_TEST(j.spec.launcher_creation_policy == "AtStartup");
    BOOST_TEST(j.spec.mpi_implementation == "OpenMPI");
    BOOST_TEST(j.spec.slots_per_worker.value() == 1);
    BOOST_TEST(j.spec.ssh_auth_mount_path == "/root/.ssh");
    BOOST_TEST(j.spec.run_launcher_as_worker.value() == false);
    BOOST_TEST(j.spec.run_policy.suspend.value() == false);
    BOOST_TEST(!j.spec.run_policy.clean_pod_policy);
}

BOOST_AUTO_TEST_CASE(every_field_has_a_member) {
    std::string const text =
        R"({"apiVersion":"kubeflow.org/v2beta1","kind":"MPIJob","metadata":{"name":"j"},"spec":{"slotsPerWorker":2,)"
        R"("runLauncherAsWorker":true,"runPolicy":{"cleanPodPolicy":"All","ttlSecondsAfterFinished":1,)"
        R"("activeDeadlineSeconds":2,"backoffLimit":3,"schedulingPolicy":{"minAvailable":4,"queue":"q",)"
        R"("minResources":{"cpu":"1"},"priorityClass":"p","scheduleTimeoutSeconds":5},"suspend":true,"managedBy":"m"},)"
        R"("mpiReplicaSpecs":{"Worker":{"replicas":6,"template":{"spec":{}},"restartPolicy":"Never"}},)"
        R"("sshAuthMountPath":"/k","launcherCreationPolicy":"AtStartup","mpiImplementation":"Intel"},)"
        R"("status":{"conditions":[{"type":"Created","status":"True","reason":"r","message":"m",)"
        R"("lastUpdateTime":"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z"}],)"
        R"("replicaStatuses":{"Launcher":{},"Worker":{"active":1,"succeeded":2,"failed":3,"labelSelector":{},)"
        R"("selector":"a=b"}},"startTime":"2026-01-01T00:00:00Z","completionTime":"2026-01-01T00:00:00Z",)"
        R"("lastReconcileTime":"2026-01-01T00:00:00Z"}})";
    decode_options strict;
    strict.strict = true;
    auto const j = from_json<mpi_job>(text, strict);
    BOOST_TEST_REQUIRE(j.has_value(), j.error().to_string());
    BOOST_TEST(j->status.replica_statuses.size() == 2U);
    BOOST_TEST((from_json<mpi_job>(to_json(*j)).value() == *j));
    BOOST_TEST(to_json(*j).find(R"("replicaStatuses":{"Launcher":{},)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(operator_flags_set_the_options) {
    operator_options options;
    for (auto const& f : job_rules_for<mpi_job>().flags())
        BOOST_TEST(f.read(options, "of " + std::string(f.name)).has_value());
    auto const own = options.get<mpi_operator_options>();
    BOOST_TEST(own.gang_scheduling == "of gang-scheduling");
    BOOST_TEST(own.cluster_domain == "of cluster-domain");
    BOOST_TEST((own.release == mpi_operator_release::v0_8_0));
}

BOOST_AUTO_TEST_SUITE_END()
