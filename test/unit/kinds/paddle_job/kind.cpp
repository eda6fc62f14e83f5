#include "unit/kinds/family_sample.hpp"

#include <kftrain/kinds/paddle_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_paddle_job)

using namespace family;

namespace {

/// A job with these numbers of masters and workers; a type with 0 replicas is left out.
paddle_job pd(int masters, int workers, std::string const& policy = "") {
    std::string const more = policy.empty() ? "" : R"("restartPolicy":")" + policy + R"(",)";
    std::string map;
    if (masters > 0) map += R"("Master":)" + replicas_of("paddle", masters, more);
    if (workers > 0) map += (map.empty() ? "" : ",") + (R"("Worker":)" + replicas_of("paddle", workers, more));
    return parsed<paddle_job>(
        R"({"apiVersion":"kubeflow.org/v1","kind":"PaddleJob","metadata":{"name":"pd","namespace":"t",
        "uid":"u"},"spec":{"paddleReplicaSpecs":{)" +
        map + "}}}");
}

void expect(any_job const& j, std::string_view name, lines const& expected) {
    BOOST_TEST(environment(j, name) == expected, boost::test_tools::per_element());
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/paddlepaddle/envvar.go`, also for the next case.
BOOST_AUTO_TEST_CASE(without_masters_the_first_worker_is_the_rendezvous) {
    expect(pd(0, 2), "pd-worker-0",
           {"PYTHONUNBUFFERED=1", "PADDLE_JOB_ID=pd", "PADDLE_NNODES=2", "POD_IP_DUMMY=status.podIP",
            "PADDLE_MASTER=$(POD_IP_DUMMY):36543"});
    expect(pd(0, 2), "pd-worker-1",
           {"PYTHONUNBUFFERED=1", "PADDLE_JOB_ID=pd", "PADDLE_NNODES=2", "PADDLE_MASTER=pd-worker-0:36543"});
}

BOOST_AUTO_TEST_CASE(with_masters_the_first_master_is_the_rendezvous) {
    lines const head{"PYTHONUNBUFFERED=1", "PADDLE_JOB_ID=pd", "PADDLE_NNODES=4"};
    auto const with = [&](lines const& more) {
        lines all = head;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    expect(pd(2, 2), "pd-master-0",
           with({"POD_IP_DUMMY=status.podIP", "PADDLE_MASTER=$(POD_IP_DUMMY):36543", "PADDLE_SERVER_NUM=1"}));
    expect(pd(2, 2), "pd-master-1", with({"PADDLE_MASTER=pd-master-0:36543", "PADDLE_SERVER_NUM=1"}));
    expect(pd(2, 2), "pd-worker-0", with({"PADDLE_MASTER=pd-master-0:36543", "PADDLE_TRAINER_NUM=1"}));
}

BOOST_AUTO_TEST_CASE(the_port_is_that_of_the_leader) {
    auto j = pd(1, 1);
    core::container_port p;
    p.name = "master";
    for (auto const& [type, number] : {std::pair("Master", 4711), std::pair("Worker", 4712)}) {
        p.container_port_ = number;
        j.spec.paddle_replica_specs.at(type).template_.spec.containers.at(0).ports.push_back(p);
    }
    BOOST_TEST(environment(j, "pd-worker-0").at(3) == "PADDLE_MASTER=pd-master-0:4711");
    j.spec.paddle_replica_specs.erase("Master");
    BOOST_TEST(environment(j, "pd-worker-0").at(4) == "PADDLE_MASTER=$(POD_IP_DUMMY):4712");
}

BOOST_AUTO_TEST_CASE(only_masters_have_the_role_of_a_master) {
    auto const has_role = [](any_job const& j, std::string_view name) {
        return pod_of(j, name).metadata.labels.contains("training.kubeflow.org/job-role");
    };
    BOOST_TEST(has_role(pd(2, 1), "pd-master-1"));
    BOOST_TEST(!has_role(pd(2, 1), "pd-worker-0"));
    BOOST_TEST(!has_role(pd(0, 1), "pd-worker-0"));
}

BOOST_AUTO_TEST_CASE(ranks_are_not_known_beforehand) {
    auto const layout = any_job(pd(1, 2)).members();
    for (auto const& m : layout.members) BOOST_TEST(!m.rank.has_value(), m.pod_name);
    BOOST_TEST(layout.rank_note.find("paddle.distributed.launch") != std::string::npos);
}

/// Texts: recorded, cases `containers-empty`, `spec-absent`. Any number of masters is accepted, an absent one, too.
BOOST_AUTO_TEST_CASE(admission_quotes_the_name_of_the_container) {
    std::string const at = "spec.paddleReplicaSpecs[Master].template.spec.containers";
    auto j = pd(1, 0);
    j.spec.paddle_replica_specs.at("Master").template_.spec.containers.clear();
    BOOST_TEST(faults(j) == (lines{"job.containers | " + at + ": Required value: must be specified",
                                   "job.container.name | " + at +
                                       ": Required value: must have at least one container with name \"paddle\""}),
               boost::test_tools::per_element());
    BOOST_TEST(faults(pd(0, 0)) == lines{"job.replicas | spec.paddleReplicaSpecs: Required value: must be required"},
               boost::test_tools::per_element());
    BOOST_TEST(faults(pd(3, 1)).empty());
    auto absent = pd(1, 0);
    absent.spec.paddle_replica_specs.at("Master").replicas.reset();
    BOOST_TEST(faults(absent).empty());
}

BOOST_AUTO_TEST_CASE(the_manager_cannot_be_changed) {
    auto const before = pd(1, 1);
    auto now = before;
    now.spec.run_policy.managed_by = "kubeflow.org/training-operator";
    BOOST_TEST(texts_of(job_rules_for<paddle_job>().validate(&now, &before)).size() == 1U);
    BOOST_TEST(texts_of(job_rules_for<paddle_job>().validate(&now, &now)).empty());
}

BOOST_AUTO_TEST_CASE(the_elastic_policy_gets_defaults_and_has_no_effect) {
    auto j = pd(0, 3);
    j.spec.elastic_policy.emplace().max_restarts = 2;
    j.spec.elastic_policy->metrics.emplace_back().type = "Resource";
    auto complete = j;
    job_rules_for<paddle_job>().set_defaults(&complete);
    BOOST_TEST(complete.spec.elastic_policy->min_replicas.value() == 3);
    BOOST_TEST(complete.spec.elastic_policy->max_replicas.value() == 3);
    auto const texts = [](any_job const& job) {
        lines all;
        for (auto const& c : job.render()) all.push_back(c.to_json());
        return all;
    };
    BOOST_TEST(texts(j) == texts(pd(0, 3)), boost::test_tools::per_element());
    BOOST_TEST(any_job(j).scaling().places.empty());
    BOOST_TEST(lints(j, "lint.paddle.elastic-policy") ==
                   lines{"spec.elasticPolicy: has no effect, expected only a number of replicas"},
               boost::test_tools::per_element());
    BOOST_TEST(lints(pd(0, 3), "lint.paddle.elastic-policy").empty());
}

BOOST_AUTO_TEST_CASE(masters_decide_the_outcome_if_there_are_any) {
    auto const j = running(pd(1, 1));
    auto world = all(j, "Running");
    end(world, "pd-worker-0", "Succeeded", 0);
    BOOST_TEST(conditions(after(j, world, 2).status) == "Created=True Running=True");
    end(world, "pd-master-0", "Succeeded", 0);
    auto const ended = after(j, world, 3);
    BOOST_TEST(conditions(ended.status) == "Created=True Running=False Succeeded=True");
    BOOST_TEST(ended.status.conditions.back().message == "PaddleJob pd is successfully completed.");
}

BOOST_AUTO_TEST_CASE(without_masters_all_workers_decide_the_outcome) {
    auto const j = running(pd(0, 2));
    auto world = all(j, "Running");
    end(world, "pd-worker-0", "Succeeded", 0);
    BOOST_TEST(conditions(after(j, world, 2).status) == "Created=True Running=True");
    end(world, "pd-worker-1", "Succeeded", 0);
    auto const ended = after(j, world, 3);
    BOOST_TEST(conditions(ended.status) == "Created=True Running=False Succeeded=True");
    BOOST_TEST(ended.status.conditions.back().message == "PaddleJob t/pd successfully completed.");
}

BOOST_AUTO_TEST_CASE(a_failed_worker_ends_the_job_under_never_only) {
    for (auto const& [policy, expected] : {std::pair("Never", "Created=True Running=False Failed=True"),
                                           std::pair("OnFailure", "Created=True Restarting=True")}) {
        auto const j = running(pd(1, 1, policy));
        auto world = all(j, "Running");
        end(world, "pd-worker-0", "Failed", 1);
        BOOST_TEST(conditions(after(j, world, 2).status) == expected, policy);
    }
}

BOOST_AUTO_TEST_CASE(scale_uses_the_paths_of_the_crd) {
    auto const& scale = job_rules_for<paddle_job>().schema().scale();
    BOOST_TEST_REQUIRE(scale.has_value());
    BOOST_TEST(scale->spec_replicas == ".spec.paddleReplicaSpecs.Worker.replicas");
    auto j = pd(1, 2);
    j.spec.run_policy.suspend = true;
    BOOST_TEST_REQUIRE(any_job(j).scaling().places.size() == 1U);
    BOOST_TEST(any_job(j).scaling().places[0].now == 2);
}

BOOST_AUTO_TEST_SUITE_END()
