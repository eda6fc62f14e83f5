#include "unit/convert/change_lines.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_mpi_job_workers)

using namespace convert_sample;

namespace {

std::string const worker_path = "spec.mpiReplicaSpecs[Worker]";
std::string const first_worker = worker_path + ".template.spec.containers[0]";

/// A job of v1 whose workers have these containers.
kubeflow_v1::mpi_job with_workers(std::string const& containers, std::string const& spec = "") {
    return v1_job(spec, one_pod, "replicas: 2, template: {spec: {containers: [" + containers + "]}}");
}

kubeflow_v1::mpi_job with_command(std::string const& command) {
    return with_workers("{name: mpi, image: 'i:1', " + command + "}");
}

std::vector<core::container> workers_of(kubeflow_v1::mpi_job const& job) {
    return convert::to_v2beta1(job).value().job.spec.mpi_replica_specs.at("Worker").template_.spec.containers;
}

} // namespace

/// mpi-operator v0.8.0 starts sshd only where a worker has neither command nor args.
BOOST_AUTO_TEST_CASE(workers_that_only_wait_run_sshd) {
    for (std::string const command :
         {"command: [sleep, infinity]", "command: [/bin/sleep], args: ['365d']", "command: [sh, -c, 'sleep infinity']",
          "command: [/bin/bash, -c, 'tail -f /dev/null']",
          "command: [sh, -c, 'while true; do sleep 1 & wait; done']"}) {
        auto const main = workers_of(with_command(command)).at(0);
        BOOST_TEST(main.command.empty(), command);
        BOOST_TEST(main.args.empty(), command);
    }
    BOOST_TEST(has(change_lines(convert::to_v2beta1(with_command("command: [sleep, infinity]"))),
                   "dropped " + first_worker + ".command [\"sleep\",\"infinity\"]"));
}

BOOST_AUTO_TEST_CASE(other_commands_of_workers_are_kept_and_reported) {
    for (std::string const command : {"command: [/entry.sh]", "command: [sh, -c, 'sleep 5; exec /entry.sh']",
                                      "command: [sh, -c, 'while true; do /entry.sh; sleep 1; done']"}) {
        auto const made = convert::to_v2beta1(with_command(command)).value();
        BOOST_TEST(!workers_of(with_command(command)).at(0).command.empty(), command);
        bool found = false;
        for (auto const& c : made.changes)
            found = found || (c.path == first_worker + ".command" && c.becomes == convert::fate::approximated);
        BOOST_TEST(found, command);
    }
}

/// training-operator v1.9.0 gives a worker without command `sleep 365d`, whatever its args.
BOOST_AUTO_TEST_CASE(args_of_workers_without_a_command_are_ignored) {
    BOOST_TEST(workers_of(with_command("args: [x]")).at(0).args.empty());
    BOOST_TEST(
        has(change_lines(convert::to_v2beta1(with_command("args: [x]"))), "changed " + first_worker + ".args [\"x\"]"));
    auto const back =
        convert::to_v1(
            v2beta1_job("", one_pod,
                        "replicas: 2, template: {spec: {containers: [{name: mpi, image: 'i:1', args: [x]}]}}"))
            .value();
    BOOST_TEST(back.job.spec.mpi_replica_specs.at("Worker").template_.spec.containers.at(0).args.empty());
    BOOST_TEST(has(change_lines(back.changes), "dropped " + first_worker + ".args [\"x\"]"));
}

BOOST_AUTO_TEST_CASE(the_main_container_becomes_the_first) {
    auto const job = with_workers("{name: log, image: 'l:1'}, {name: mpi, image: 'i:1', command: [sleep, 1d]}",
                                  "  mainContainer: mpi\n");
    auto const containers = workers_of(job);
    BOOST_TEST(containers.at(0).name == "mpi");
    BOOST_TEST(containers.at(0).command.empty());
    BOOST_TEST(containers.at(1).name == "log");
    BOOST_TEST(containers.at(1).command == (lines{"sleep"}), boost::test_tools::per_element()); // as in v1
    auto const all = change_lines(convert::to_v2beta1(job));
    BOOST_TEST(has(all, "changed spec.mainContainer \"mpi\" -> " + first_worker));
    BOOST_TEST(has(all, "dropped " + worker_path + ".template.spec.containers[1].command [\"sleep\",\"1d\"]"));

    BOOST_TEST(has(change_lines(convert::to_v2beta1(v1_job("  mainContainer: mpi\n"))),
                   "changed spec.mainContainer \"mpi\" -> " + first_worker));
    BOOST_TEST(has(change_lines(convert::to_v2beta1(v1_job("  mainContainer: other\n"))),
                   "dropped spec.mainContainer \"other\""));
}

/// mpi-operator v0.8.0 refuses a Worker entry of no replicas; in v1 the default is no workers.
BOOST_AUTO_TEST_CASE(zero_workers_are_omitted) {
    for (std::string const& workers : {one_pod, "replicas: 0, " + one_pod}) {
        auto const made = convert::to_v2beta1(v1_job("", one_pod, workers)).value();
        BOOST_TEST(!made.job.spec.mpi_replica_specs.contains("Worker"), workers);
        BOOST_TEST(made.job.spec.launcher_creation_policy.empty());
        BOOST_TEST(made.changes.back().path == worker_path);
        BOOST_TEST((made.changes.back().becomes == convert::fate::dropped));
    }
    BOOST_TEST(change_lines(convert::to_v2beta1(v1_job("", one_pod, ""))).size() ==
               2); // backoffLimit and restartPolicy
    BOOST_TEST(refusal(convert::to_v2beta1(v1_job("", one_pod, "replicas: -1, " + one_pod)))
                   .find(worker_path + ".replicas: ") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
