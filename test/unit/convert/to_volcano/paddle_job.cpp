#include "unit/convert/to_volcano/volcano_change_lines.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_volcano_paddle_job)

using namespace kftrain;
using namespace convert_sample;

namespace {

/// With so many masters, if any, and workers.
paddle_job source_of(int masters, int workers) {
    auto const replicas = [](std::string const& type, int count) {
        return "    " + type + ": {replicas: " + std::to_string(count) +
               ", restartPolicy: Never, template: {spec: {containers: [{name: paddle, image: 'i:1'}]}}}\n";
    };
    return from_yaml<paddle_job>("metadata: {name: pd, namespace: team}\nspec:\n  paddleReplicaSpecs:\n" +
                                 (masters > 0 ? replicas("Master", masters) : std::string()) +
                                 replicas("Worker", workers))
        .value();
}

} // namespace

BOOST_AUTO_TEST_CASE(all_trainers_get_the_address_of_the_first) {
    auto const made = convert::to_volcano(source_of(0, 3)).value();
    BOOST_TEST(faults_of(made.job) == "");
    auto const& tasks = made.job.spec.tasks;
    BOOST_TEST_REQUIRE(tasks.size() == 2U);
    BOOST_TEST((variables_of(tasks[0].template_.spec.containers[0]) ==
                lines{"PYTHONUNBUFFERED=1", "PADDLE_JOB_ID=pd", "PADDLE_NNODES=3", "POD_IP_DUMMY<-status.podIP",
                      "PADDLE_MASTER=$(POD_IP_DUMMY):36543"}));
    BOOST_TEST(
        (variables_of(tasks[1].template_.spec.containers[0]) ==
         lines{"PYTHONUNBUFFERED=1", "PADDLE_JOB_ID=pd", "PADDLE_NNODES=3", "PADDLE_MASTER=pd-worker-0.pd:36543"}));
    BOOST_TEST(tasks[1].name == "worker-others");
    BOOST_TEST(tasks[1].replicas == 2);
    BOOST_TEST(policies_of(tasks[0]) == "PodFailed TerminateJob"); // it ends when all workers have
    BOOST_TEST(policies_of(tasks[1]) == "PodFailed TerminateJob");
    auto const change =
        std::ranges::find(made.changes, "spec.paddleReplicaSpecs[Worker].replicas", &convert::change::path);
    BOOST_TEST_REQUIRE((change != made.changes.end()));
    BOOST_TEST((change->becomes == convert::fate::approximated));
    BOOST_TEST(change->value.text == "3");
}

BOOST_AUTO_TEST_CASE(masters_decide_the_end_of_the_job) {
    auto const made = convert::to_volcano(source_of(1, 2)).value();
    BOOST_TEST(faults_of(made.job) == "");
    auto const& tasks = made.job.spec.tasks;
    BOOST_TEST_REQUIRE(tasks.size() == 2U);
    BOOST_TEST(policies_of(tasks[0]) == "TaskCompleted CompleteJob, PodFailed TerminateJob");
    BOOST_TEST((variables_of(tasks[0].template_.spec.containers[0]) ==
                lines{"PYTHONUNBUFFERED=1", "PADDLE_JOB_ID=pd", "PADDLE_NNODES=3", "POD_IP_DUMMY<-status.podIP",
                      "PADDLE_MASTER=$(POD_IP_DUMMY):36543", "PADDLE_SERVER_NUM=1"}));
    BOOST_TEST((variables_of(tasks[1].template_.spec.containers[0]) ==
                lines{"PYTHONUNBUFFERED=1", "PADDLE_JOB_ID=pd", "PADDLE_NNODES=3", "PADDLE_MASTER=pd-master-0.pd:36543",
                      "PADDLE_TRAINER_NUM=1"}));

    auto const many = convert::to_volcano(source_of(3, 1)).value();
    BOOST_TEST(many.job.spec.tasks.size() == 3U);
    auto const& others = many.job.spec.tasks[2];
    BOOST_TEST(others.name == "master-others");
    BOOST_TEST(policies_of(others) == "PodFailed TerminateJob");
    BOOST_TEST(variables_of(others.template_.spec.containers[0]).back() == "PADDLE_SERVER_NUM=1");
}

BOOST_AUTO_TEST_CASE(a_generated_name_is_rejected) {
    auto source = source_of(0, 2);
    source.metadata.name.clear();
    source.metadata.generate_name = "pd-";
    auto const made = convert::to_volcano(source);
    BOOST_TEST_REQUIRE(made.has_error());
    BOOST_TEST(made.error().detail.path == "metadata.generateName");
}

BOOST_AUTO_TEST_SUITE_END()
