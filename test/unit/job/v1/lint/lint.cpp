#include "unit/job/v1/lint/lint_sample.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(job_lint)

using namespace lint_sample;

BOOST_AUTO_TEST_CASE(an_ordinary_job_has_no_findings) {
    BOOST_TEST(all(job(1, 2)) == lines(), boost::test_tools::per_element());
    BOOST_TEST(all(job(0, 3)) == lines(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(lint_rules_have_distinct_ids_and_a_reason) {
    std::vector<std::string_view> ids;
    for (auto const& rule : replica_lint_rules()) {
        BOOST_TEST(rule.id.starts_with("lint."), rule.id);
        BOOST_TEST(rule.reason.ends_with("."), rule.id);
        ids.push_back(rule.id);
    }
    std::sort(ids.begin(), ids.end());
    BOOST_TEST((std::adjacent_find(ids.begin(), ids.end()) == ids.end()));
}

BOOST_AUTO_TEST_CASE(invalid_jobs_can_be_linted) {
    BOOST_TEST(all(pytorch_job()).empty());
    pytorch_job j;
    j.spec.pytorch_replica_specs["Worker"];
    j.spec.pytorch_replica_specs["Gizmo"];
    j.spec.pytorch_replica_specs["Master"] = replicas(2'000'000'000);
    j.spec.pytorch_replica_specs["Worker"].replicas = -5;
    BOOST_TEST(!all(j).empty());
}

/// Service names of more than 63 characters are refused: job 55 + "-worker-" 8 + index.
BOOST_AUTO_TEST_CASE(names_of_children_are_too_long_from_64_characters_on) {
    auto const of = [](std::size_t length, std::int32_t workers) {
        return findings(changed(workers, [&](pytorch_job& j) { j.metadata.name = std::string(length, 'n'); }),
                        "lint.child-name");
    };
    BOOST_TEST(of(54, 10).empty());
    BOOST_TEST_REQUIRE(of(54, 11).size() == 1U);
    BOOST_TEST(of(54, 11)[0] == "metadata.name: \"" + std::string(54, 'n') +
                                    "-worker-10\", the name of a pod and a service of the job, has 64 characters, "
                                    "expected at most 63: shorten the name by 1");
    BOOST_TEST(of(56, 2).size() == 2U);
}

BOOST_AUTO_TEST_CASE(variables_of_the_operator_are_reserved) {
    auto const of = [](std::string name, std::string value, std::int32_t masters = 1, std::int32_t workers = 2) {
        pytorch_job j = job(masters, workers);
        training(j).env = {{std::move(name), std::move(value)}};
        return findings(j, "lint.reserved-environment");
    };
    BOOST_TEST_REQUIRE(of("RANK", "7").size() == 1U);
    BOOST_TEST(of("RANK", "7")[0] ==
               of_training + ".env[0]: RANK=\"7\" has no effect: the operator sets RANK=\"1\" in pt-worker-0");
    for (auto const* name :
         {"MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE", "PET_NODE_RANK", "PET_NNODES", "PET_NPROC_PER_NODE"})
        BOOST_TEST(of(name, "x").size() == 1U, name);
    // Right for the first worker, wrong for the second.
    BOOST_TEST(of("RANK", "1").size() == 1U);
    BOOST_TEST(of("RANK", "1", 1, 1).empty());
    BOOST_TEST(of("PYTHONUNBUFFERED", "1").empty());
    BOOST_TEST(of("LR", "0.1").empty());
    // It is not set without a master.
    BOOST_TEST(of("RANK", "7", 0).empty());
}

BOOST_AUTO_TEST_CASE(a_variable_must_be_set_once) {
    auto const of = [](std::string second) {
        pytorch_job j = job(1, 1);
        training(j).env = {{"LR", "1"}, {std::move(second), "2"}};
        return findings(j, "lint.duplicate-environment");
    };
    BOOST_TEST(of("LR") == lines{of_training + ".env[1]: LR is already set by env[0], expected once"},
               boost::test_tools::per_element());
    BOOST_TEST(of("BATCH").empty());
}

BOOST_AUTO_TEST_CASE(labels_of_the_operator_are_reserved) {
    auto const of = [](std::string key) {
        pytorch_job j = job(1, 1);
        j.spec.pytorch_replica_specs["Worker"].template_.metadata.labels[key] = "mine";
        return findings(j, "lint.reserved-label").size();
    };
    BOOST_TEST(of("training.kubeflow.org/job-name") == 1U);
    BOOST_TEST(of("training.kubeflow.org/replica-index") == 1U);
    BOOST_TEST(of("team") == 0U);
}

BOOST_AUTO_TEST_CASE(dropped_template_metadata_is_reported) {
    pytorch_job j = job(1, 1);
    auto& metadata = j.spec.pytorch_replica_specs["Worker"].template_.metadata;
    metadata.labels["a"] = "b";
    metadata.annotations["a"] = "b";
    metadata.finalizers = {"x/y"};
    metadata.namespace_ = "team";
    BOOST_TEST(findings(j, "lint.template-metadata").empty());
    metadata.name = "mine";
    metadata.namespace_ = "other";
    BOOST_TEST(findings(j, "lint.template-metadata") ==
                   (lines{worker + ".template.metadata.name: is ignored by the operator",
                          worker + ".template.metadata.namespace: is ignored by the operator"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(unknown_restart_policies_are_reported) {
    for (auto const* policy : {"OnFailure", "Never", "ExitCode"}) BOOST_TEST(all(job(1, 1, policy)).empty(), policy);
    BOOST_TEST(
        findings(job(1, 0, "Sometimes"), "lint.restart-policy") ==
            lines{"spec.pytorchReplicaSpecs[Master].restartPolicy: \"Sometimes\", expected Always, OnFailure, Never or "
                  "ExitCode"},
        boost::test_tools::per_element());
    BOOST_TEST(findings(job(1, 1, "Always"), "lint.always-restarted").size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_restart_policy_of_a_template_is_overwritten) {
    pytorch_job j = job(1, 1);
    j.spec.pytorch_replica_specs["Worker"].template_.spec.restart_policy = "Never";
    BOOST_TEST(findings(j, "lint.template-restart-policy") ==
                   lines{worker + ".template.spec.restartPolicy: \"Never\" is overwritten by " + worker +
                         ".restartPolicy, which is \"OnFailure\""},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(equal_restart_policies_are_not_reported) {
    for (auto const& [policy, inner] :
         {std::pair{"OnFailure", "OnFailure"}, {"Never", "Never"}, {"ExitCode", "Never"}}) {
        pytorch_job j = job(1, 1, policy);
        j.spec.pytorch_replica_specs["Worker"].template_.spec.restart_policy = inner;
        BOOST_TEST(findings(j, "lint.template-restart-policy").empty(), policy);
    }
}

BOOST_AUTO_TEST_CASE(jobs_that_start_suspended_are_reported) {
    auto const waiting = changed(1, [](pytorch_job& j) {
        j.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue";
        j.spec.run_policy.suspend = true;
    });
    BOOST_TEST(findings(waiting, "lint.managed-by") == lines{"spec.runPolicy.managedBy: \"kueue.x-k8s.io/multikueue\" "
                                                             "manages the job, so the training operator ignores it"},
               boost::test_tools::per_element());
    BOOST_TEST(findings(waiting, "lint.suspended") ==
                   lines{"spec.runPolicy.suspend: true, so the job has no pods until it is false"},
               boost::test_tools::per_element());
    auto const plain = changed(1, [](pytorch_job& j) {
        j.spec.run_policy.managed_by = "kubeflow.org/training-operator";
        j.spec.run_policy.suspend = false;
    });
    BOOST_TEST(findings(plain, "lint.managed-by").empty());
    BOOST_TEST(findings(plain, "lint.suspended").empty());
}

BOOST_AUTO_TEST_CASE(a_type_without_replicas_is_reported) {
    auto const of = [](std::int32_t count) {
        return findings(changed(1, [&](pytorch_job& j) { j.spec.pytorch_replica_specs["Worker"].replicas = count; }),
                        "lint.replicas");
    };
    BOOST_TEST(of(0) == lines{worker + ".replicas: 0 replicas, expected at least 1"}, boost::test_tools::per_element());
    BOOST_TEST(of(-3).size() == 1U);
    BOOST_TEST(of(1).empty());
}

BOOST_AUTO_TEST_CASE(unknown_clean_pod_policies_are_reported) {
    auto const of = [](std::string policy) {
        return findings(changed(1, [&](pytorch_job& j) { j.spec.run_policy.clean_pod_policy = policy; }),
                        "lint.clean-pod-policy");
    };
    BOOST_TEST(of("all") ==
                   lines{"spec.runPolicy.cleanPodPolicy: \"all\" acts like All, expected All, Running or None"},
               boost::test_tools::per_element());
    BOOST_TEST(of("").size() == 1U);
    for (auto const* policy : {"All", "Running", "None"}) BOOST_TEST(of(policy).empty(), policy);
}

BOOST_AUTO_TEST_CASE(devices_that_no_policy_frees_are_reported) {
    auto const of = [](std::optional<std::string> policy, std::string resource) {
        return findings(changed(1,
                                [&](pytorch_job& j) {
                                    j.spec.run_policy.clean_pod_policy = std::move(policy);
                                    training(j).resources.limits.emplace(resource, "1");
                                }),
                        "lint.kept-devices")
            .size();
    };
    BOOST_TEST(of({}, "nvidia.com/gpu") == 1U);
    BOOST_TEST(of({}, "cpu") == 0U);
    BOOST_TEST(of("None", "nvidia.com/gpu") == 0U);
    BOOST_TEST(of("Running", "nvidia.com/gpu") == 0U);
}

BOOST_AUTO_TEST_CASE(useless_run_policy_limits_are_reported) {
    auto const of = [](auto change, std::string_view rule) {
        return findings(changed(1, [&](pytorch_job& j) { change(j.spec.run_policy); }), rule).size();
    };
    BOOST_TEST(of([](run_policy& p) { p.active_deadline_seconds = 0; }, "lint.active-deadline") == 1U);
    BOOST_TEST(of([](run_policy& p) { p.active_deadline_seconds = 1; }, "lint.active-deadline") == 0U);
    BOOST_TEST(of([](run_policy& p) { p.active_deadline_seconds = 1; }, "lint.late-deadline") == 1U);
    BOOST_TEST(of([](run_policy&) {}, "lint.late-deadline") == 0U);
    BOOST_TEST(of([](run_policy& p) { p.ttl_seconds_after_finished = -1; }, "lint.negative-limit") == 1U);
    BOOST_TEST(of([](run_policy& p) { p.backoff_limit = -1; }, "lint.negative-limit") == 1U);
    BOOST_TEST(
        of([](run_policy& p) { p.backoff_limit = 0, p.ttl_seconds_after_finished = 0; }, "lint.negative-limit") == 0U);
}

BOOST_AUTO_TEST_CASE(a_backoff_limit_without_counted_restarts_is_reported) {
    auto const of = [](std::string policy, std::int32_t limit) {
        pytorch_job j = job(1, 1, policy);
        j.spec.run_policy.backoff_limit = limit;
        return findings(j, "lint.unused-backoff-limit").size();
    };
    BOOST_TEST(of("Never", 3) == 1U);
    BOOST_TEST(of("ExitCode", 3) == 1U);
    BOOST_TEST(of("OnFailure", 3) == 0U);
    BOOST_TEST(of("Never", 0) == 0U); // counts failed pods
}

BOOST_AUTO_TEST_CASE(a_time_to_live_with_exit_codes_is_reported) {
    auto const of = [](std::string policy) {
        pytorch_job j = job(1, 1, policy);
        j.spec.run_policy.ttl_seconds_after_finished = 60;
        return findings(j, "lint.ttl-exit-code").size();
    };
    BOOST_TEST(of("ExitCode") == 2U);
    BOOST_TEST(of("OnFailure") == 0U);
}

BOOST_AUTO_TEST_CASE(a_gang_smaller_than_its_minimum_is_reported) {
    auto const of = [](std::int32_t wanted, std::string_view rule, bool elastic = false) {
        pytorch_job j = job(1, 2);
        j.spec.run_policy.scheduling_policy.emplace();
        j.spec.run_policy.scheduling_policy->min_available = wanted;
        if (elastic) j.spec.elastic_policy.emplace();
        return findings(j, rule);
    };
    BOOST_TEST(of(4, "lint.gang-deadlock") == lines{"spec.runPolicy.schedulingPolicy.minAvailable: 4, expected at most "
                                                    "3, the number of replicas of the job"},
               boost::test_tools::per_element());
    BOOST_TEST(of(3, "lint.gang-deadlock").empty());
    BOOST_TEST(of(3, "lint.gang-partial").empty());
    BOOST_TEST(of(2, "lint.gang-partial").size() == 1U);
    BOOST_TEST(of(2, "lint.gang-partial", true).empty());
}

BOOST_AUTO_TEST_SUITE_END()
