#include "unit/kinds/mpi_job_v1/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v1_lint)

using namespace mpi_v1_sample;

namespace {

/// The findings of lint, without the hint to Open MPI 5.
lines findings(v1_mpi_job const& j, std::string_view prefix = "lint.mpi-v1.") {
    lines found;
    for (auto const& i : any_job(j).lint())
        if (i.rule.starts_with(prefix)) found.push_back(i.rule.substr(prefix.size()) + " " + i.message);
    return found;
}

auto& spec_of(v1_mpi_job& j, std::string const& type) { return j.spec.mpi_replica_specs.at(type); }

std::string const worker = "spec.mpiReplicaSpecs[Worker]";

} // namespace

BOOST_AUTO_TEST_CASE(good_jobs_have_no_findings) {
    BOOST_TEST(findings(job(2)).empty());
    BOOST_TEST(findings(job(2), "lint.").empty());
}

BOOST_AUTO_TEST_CASE(a_job_without_workers_gets_a_role_for_the_whole_namespace) {
    BOOST_TEST(findings(job(0)) == lines{"no-workers " + worker + ".replicas: 0, expected at least 1"});
    BOOST_TEST(findings(job(-1)) == lines{"no-workers " + worker + ".replicas: is absent, expected at least 1"});
    BOOST_TEST(findings(job(0), "lint.replicas").empty()); // nothing flaps here
}

BOOST_AUTO_TEST_CASE(slots_and_the_main_container_must_exist) {
    BOOST_TEST(findings(job(1, "  slotsPerWorker: 0\n")) == lines{"slots spec.slotsPerWorker: 0, expected at least 1"});
    BOOST_TEST(findings(job(1, "  mainContainer: mpi\n")).empty());
    BOOST_TEST(findings(job(1, "  mainContainer: train\n")) ==
               lines{"main-container spec.mainContainer: \"train\" is not a container of the workers, expected a "
                     "container such as \"mpi\""});
}

BOOST_AUTO_TEST_CASE(settings_without_effect_are_reported) {
    BOOST_TEST(findings(job(1, "  cleanPodPolicy: All\n  runPolicy: {cleanPodPolicy: Running}\n")) ==
               lines{"clean-pod-policy spec.cleanPodPolicy: \"All\" has no effect because "
                     "spec.runPolicy.cleanPodPolicy is \"Running\""});
    BOOST_TEST(findings(job(1, "  cleanPodPolicy: All\n")).empty());
    v1_mpi_job j = job(1);
    spec_of(j, "Worker").template_.spec.containers[0].args = {"lost"};
    BOOST_TEST(
        findings(j) ==
        lines{"worker-args " + worker +
              ".template.spec.containers[0].args: is set without command, expected command and args, or neither"});
    spec_of(j, "Worker").template_.spec.containers[0].command = {"serve"};
    spec_of(j, "Worker").restart_policy = "ExitCode";
    BOOST_TEST(findings(j) == lines{"restart-policy " + worker +
                                    ".restartPolicy: \"ExitCode\" replaces no pod, expected Never or OnFailure"});
    spec_of(j, "Worker").template_.metadata.finalizers = {"example.com/hold"};
    BOOST_TEST(findings(j, "lint.template-metadata") ==
               lines{" " + worker + ".template.metadata.finalizers: is ignored by the operator"});
}

BOOST_AUTO_TEST_CASE(open_mpi_5_requires_other_variables) {
    auto const hints = [](v1_mpi_job const& j) {
        int n = 0;
        for (auto const& i : any_job(j).lint()) n += i.rule == "lint.mpi-v1.open-mpi-5" ? 1 : 0;
        return n;
    };
    v1_mpi_job j = job(1);
    auto& main = spec_of(j, "Launcher").template_.spec.containers[0];
    auto& env = main.env;
    for (auto const* image : {"none", "x/openmpi:4.1.5", "x/horovod:0.28"}) {
        main.image = image;
        BOOST_TEST(hints(j) == 0, image); // nothing shows that the image has Open MPI 5
    }
    main.image = "x/openmpi:5.0.3";
    BOOST_TEST(hints(j) == 1);
    env.emplace_back("PRTE_MCA_plm_ssh_agent", "/etc/mpi/kubexec.sh");
    BOOST_TEST(hints(j) == 1);
    env.emplace_back("PRTE_MCA_prte_default_hostfile", "/etc/mpi/hostfile");
    BOOST_TEST(hints(j) == 0);
}

BOOST_AUTO_TEST_CASE(names_longer_than_a_label_are_reported_once) {
    v1_mpi_job j = job(2);
    j.metadata.name = std::string(64, 'a');
    BOOST_TEST(findings(j, "lint.child-name") == lines{" metadata.name: \"" + j.metadata.name +
                                                       "\", the value of a label of the job's pods, has 64 characters, "
                                                       "expected at most 63: shorten the name by 1"});
}

BOOST_AUTO_TEST_SUITE_END()
