#include "unit/convert/to_volcano/volcano_change_lines.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(convert_volcano_mx_job)

using namespace convert_sample;

namespace {

/// A job `mx` with these entries of its replica map, each a line indented by four.
mx_job mx_of(std::string const& replicas, std::string const& spec = "") {
    return from_yaml<mx_job>("metadata: {name: mx, namespace: team}\nspec:\n  jobMode: MXTrain\n" + spec +
                             "  mxReplicaSpecs:\n" + replicas)
        .value();
}

std::string mx_entry(std::string const& type, std::string const& fields = "", std::string const& more = "") {
    return "    " + type + ": {" + fields + "template: {" + more +
           "spec: {containers: [{name: mxnet, image: 'i:1'}]}}}\n";
}

std::string const mx_cluster =
    mx_entry("Scheduler") + mx_entry("Server", "replicas: 2, ") + mx_entry("Worker", "replicas: 3, ");

} // namespace

BOOST_AUTO_TEST_CASE(variables_of_an_mx_job_are_written_to_the_templates) {
    auto const made = convert::to_volcano(mx_of(mx_cluster)).value();
    BOOST_TEST(faults_of(made.job) == "");
    BOOST_TEST_REQUIRE(made.job.spec.tasks.size() == 3U);
    std::string const index = "<-metadata.labels['volcano.sh/task-index']";
    auto const expected = [&](std::string const& role) {
        return lines{"MX_TASK_INDEX" + index,
                     R"(MX_CONFIG={"cluster":{"scheduler":[{"url":"mx-scheduler-0.mx","port":9091}],)"
                     R"("server":[{"url":"mx-server-0.mx","port":9091},{"url":"mx-server-1.mx","port":9091}],)"
                     R"("worker":[{"url":"mx-worker-0.mx","port":9091},{"url":"mx-worker-1.mx","port":9091},)"
                     R"({"url":"mx-worker-2.mx","port":9091}]},"labels":{"scheduler":"","server":"","worker":""},)"
                     R"("task":{"type":")" +
                         role + R"(","index":$(MX_TASK_INDEX)}})",
                     "DMLC_PS_ROOT_PORT=9091",
                     "DMLC_PS_ROOT_URI=mx-scheduler-0.mx",
                     "DMLC_NUM_SERVER=2",
                     "DMLC_NUM_WORKER=3",
                     "DMLC_ROLE=" + role,
                     "DMLC_USE_KUBERNETES=1"};
    };
    auto const variables = [&](std::size_t task) {
        return variables_of(made.job.spec.tasks[task].template_.spec.containers.at(0));
    };
    BOOST_TEST(variables(0) == expected("scheduler"), boost::test_tools::per_element());
    BOOST_TEST(variables(1) == expected("server"), boost::test_tools::per_element());
    auto workers = expected("worker");
    workers.push_back("DMLC_WORKER_ID" + index);
    BOOST_TEST(variables(2) == workers, boost::test_tools::per_element());
    BOOST_TEST(policies_of(made.job.spec.tasks[0]) == "TaskCompleted CompleteJob, PodFailed TerminateJob");
    BOOST_TEST(policies_of(made.job.spec.tasks[2]) == "PodFailed TerminateJob");
    BOOST_TEST(has(change_lines(made.changes), "changed spec.jobMode \"MXTrain\""));
}

BOOST_AUTO_TEST_CASE(all_pods_of_an_mx_job_receive_ports_labels_and_empty_types) {
    auto source = mx_of(mx_entry("scheduler") + mx_entry("Server", "replicas: 0, ") +
                        mx_entry("Tuner", "", "metadata: {annotations: {tuner-server-key: k1}}, "));
    auto& port = source.spec.mx_replica_specs.at("scheduler").template_.spec.containers[0].ports.emplace_back();
    port.name = "mxjob-port";
    port.container_port_ = 9000;
    auto const made = convert::to_volcano(source).value();
    BOOST_TEST(faults_of(made.job) == "");
    auto const pods = pod_environments(any_job(made.job), {"MX_CONFIG", "DMLC_PS_ROOT_PORT", "DMLC_NUM_SERVER"});
    BOOST_TEST(pods.at("mx-tuner-0") ==
               R"(rank - MX_CONFIG={"cluster":{"scheduler":[{"url":"mx-scheduler-0.mx","port":9000}],"server":[],)"
               R"("tuner":[{"url":"mx-tuner-0.mx","port":9091}]},"labels":{"scheduler":"","server":"","tuner":"k1"},)"
               R"("task":{"type":"tuner","index":$(MX_TASK_INDEX)}} DMLC_PS_ROOT_PORT=9000 DMLC_NUM_SERVER=0)");
}

BOOST_AUTO_TEST_CASE(an_mx_job_ends_with_its_scheduler_or_its_only_worker) {
    auto const lonely = convert::to_volcano(mx_of(mx_entry("Worker"))).value();
    BOOST_TEST(policies_of(lonely.job.spec.tasks.at(0)).starts_with("TaskCompleted CompleteJob"));
    auto const root = pod_environments(any_job(lonely.job), {"DMLC_PS_ROOT_URI", "DMLC_PS_ROOT_PORT"});
    BOOST_TEST(root.at("mx-worker-0") == "rank - DMLC_PS_ROOT_PORT=0 DMLC_PS_ROOT_URI=");
    auto const first = convert::to_volcano(mx_of(mx_entry("Worker") + mx_entry("Tuner"))).value();
    BOOST_TEST(std::ranges::any_of(change_lines(first.changes), [](std::string const& line) {
        return line.starts_with("approximated spec.mxReplicaSpecs[Worker] {");
    }));
    auto const endless = convert::to_volcano(mx_of(mx_entry("Worker", "replicas: 2, "))).value();
    BOOST_TEST(policies_of(endless.job.spec.tasks.at(0)) == "PodFailed TerminateJob");
    BOOST_TEST(has(change_lines(endless.changes), "approximated spec.mxReplicaSpecs[Scheduler] -"));
    BOOST_TEST(!has(change_lines(lonely.changes), "approximated spec.mxReplicaSpecs[Scheduler] -"));
}

BOOST_AUTO_TEST_CASE(an_mx_job_without_a_name_is_refused) {
    auto source = mx_of(mx_cluster);
    source.metadata.name.clear();
    source.metadata.generate_name = "mx-";
    BOOST_TEST(refusal(convert::to_volcano(source)).find("metadata.generateName") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
