#include "facade/plan/plan_update.hpp"
#include "unit/job/sample.hpp"

#include <kftrain/facade/submit_options.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(facade_plan_update)

using namespace sample;

namespace {

pytorch_job elastic(std::int32_t workers, std::int32_t most = 4) {
    pytorch_job j = job(0, workers);
    j.spec.elastic_policy.emplace();
    j.spec.elastic_policy->min_replicas = 1;
    j.spec.elastic_policy->max_replicas = most;
    return j;
}

void set_image(pytorch_job& j, std::string image) {
    j.spec.pytorch_replica_specs.at("Worker").template_.spec.containers[0].image = std::move(image);
}

update_plan planned(pytorch_job const& wanted, pytorch_job const& stored) {
    any_job const there(stored);
    return plan_update(any_job(wanted), there);
}

/// `path: effect` of each field.
std::vector<std::string> effects(update_plan const& p) {
    std::vector<std::string> all;
    for (auto const& f : p.fields) all.push_back(f.path + ": " + std::string(to_string(f.effect)));
    return all;
}

std::vector<std::string> objects(update_plan const& p) {
    std::vector<std::string> all;
    for (auto const& o : p.objects) all.push_back(o.verb + " " + o.kind + " " + o.name);
    return all;
}

void expect_lines(std::vector<std::string> const& got, std::vector<std::string> const& wanted) {
    BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

std::string const workers_path = "spec.pytorchReplicaSpecs.Worker.replicas";
std::string const image_path = "spec.pytorchReplicaSpecs.Worker.template.spec.containers[name=pytorch].image";

} // namespace

BOOST_AUTO_TEST_CASE(a_job_that_is_not_there_is_created_with_all_of_its_objects) {
    auto const p = plan_creation(prepared_job::admitted(job(1, 1)));
    BOOST_TEST(!p.exists);
    BOOST_TEST(!p.empty());
    expect_lines(objects(p), {"create Pod pt-master-0", "create Service pt-master-0", "create Pod pt-worker-0",
                              "create Service pt-worker-0"});
    BOOST_TEST(p.to_string().starts_with("the job does not exist: it would be created\n"));
}

BOOST_AUTO_TEST_CASE(values_added_by_defaults_servers_and_submission_are_no_changes) {
    pytorch_job const written = job(1, 2);
    any_job stored(written);
    stored.set_defaults();
    stored.metadata().uid = "u";
    stored.metadata().resource_version = "7";
    stored.metadata().generation = 3;
    stored.metadata().finalizers = {"example.com/keep"};
    stored.metadata().annotations[std::string(submission_annotation)] = "key:a";
    auto p = plan_update(any_job(running(written)), stored);
    BOOST_TEST(p.empty(), p.to_string());
    p = plan_update(any_job(written), stored);
    BOOST_TEST(p.empty(), p.to_string());
    BOOST_TEST(p.to_string() == "nothing changes");
}

BOOST_AUTO_TEST_CASE(an_elastic_job_is_scaled_in_place) {
    auto const stored = running(elastic(2));
    auto p = planned(elastic(3), stored);
    expect_lines(effects(p), {workers_path + ": in place"});
    BOOST_TEST(p.fields[0].before.text == "2");
    BOOST_TEST(p.fields[0].after.text == "3");
    BOOST_TEST(p.fields[0].why.find("rendezvous") != std::string::npos, p.fields[0].why);
    expect_lines(objects(p), {"create Pod pt-worker-2", "create Service pt-worker-2"});
    p = planned(elastic(1), stored);
    expect_lines(objects(p), {"delete Pod pt-worker-1", "delete Service pt-worker-1"});
    BOOST_TEST((p.effect == change_effect::in_place));
}

BOOST_AUTO_TEST_CASE(replicas_beyond_the_elastic_range_require_recreation_unless_the_range_grows) {
    auto const stored = running(elastic(2));
    auto const beyond = planned(elastic(6), stored);
    BOOST_TEST((beyond.effect == change_effect::recreation));
    auto const grown = planned(elastic(6, 8), stored);
    auto const workers = std::ranges::find(grown.fields, workers_path, &field_change::path);
    BOOST_TEST_REQUIRE((workers != grown.fields.end()));
    BOOST_TEST((workers->effect == change_effect::in_place), workers->why);
}

BOOST_AUTO_TEST_CASE(replicas_of_other_jobs_cannot_change_while_running) {
    auto const p = planned(job(1, 3), running(job(1, 2)));
    expect_lines(effects(p), {workers_path + ": recreation"});
    BOOST_TEST(p.fields[0].why.find("suspend the job first") != std::string::npos, p.fields[0].why);
    BOOST_TEST(p.refusals.empty());
    BOOST_TEST(p.objects.empty());
}

BOOST_AUTO_TEST_CASE(template_changes_apply_to_new_pods_only) {
    auto const stored = running(job(1, 2));
    auto wanted = job(1, 2);
    set_image(wanted, "example.com/train:2");
    auto const p = planned(wanted, stored);
    expect_lines(effects(p), {image_path + ": later"});
    BOOST_TEST(p.objects.empty());
    BOOST_TEST(p.to_string() == "1 field differs, effect: later\n  ~ " + image_path +
                                    ": \"example.com/train:1\" -> \"example.com/train:2\"  [later: the operator does "
                                    "not replace existing pods; the change applies to pods that it creates later]");
}

BOOST_AUTO_TEST_CASE(any_field_of_a_suspended_job_can_change) {
    auto stored = job(1, 2);
    stored.spec.run_policy.suspend = true;
    auto wanted = job(1, 3);
    wanted.spec.run_policy.suspend = true;
    set_image(wanted, "example.com/train:2");
    auto p = planned(wanted, stored);
    BOOST_TEST((p.effect == change_effect::in_place), p.to_string());
    BOOST_TEST(p.objects.empty());
    p = planned(job(1, 2), stored); // resumed
    expect_lines(effects(p), {"spec.runPolicy.suspend: in place"});
    expect_lines(objects(p), {"create Pod pt-master-0", "create Pod pt-worker-0", "create Pod pt-worker-1"});
    stored.spec.run_policy.suspend = false;
    wanted = job(1, 2);
    wanted.spec.run_policy.suspend = true;
    p = planned(wanted, stored);
    expect_lines(effects(p), {"spec.runPolicy.suspend: in place"});
    BOOST_TEST(p.objects.size() == 3U);
    BOOST_TEST(p.objects[0].verb == "delete");
}

BOOST_AUTO_TEST_CASE(deleted_or_unnamed_pods_do_not_affect_running_ones) {
    auto wanted = job(1, 2);
    wanted.metadata.labels["team"] = "a";
    wanted.metadata.annotations["note"] = "b";
    wanted.spec.run_policy.ttl_seconds_after_finished = 60;
    auto const p = planned(wanted, running(job(1, 2)));
    expect_lines(effects(p), {"metadata.labels.team: none", "metadata.annotations.note: none",
                              "spec.runPolicy.ttlSecondsAfterFinished: in place"});
    BOOST_TEST((p.effect == change_effect::in_place));
}

BOOST_AUTO_TEST_CASE(a_finished_job_does_not_run_again) {
    auto stored = running(job(1, 2));
    auto& c = stored.status.conditions.emplace_back();
    c.type = "Succeeded";
    c.status = "True";
    auto wanted = job(1, 2);
    wanted.spec.run_policy.ttl_seconds_after_finished = 60;
    set_image(wanted, "example.com/train:2");
    expect_lines(effects(planned(wanted, stored)),
                 {"spec.runPolicy.ttlSecondsAfterFinished: none", image_path + ": recreation"});
}

BOOST_AUTO_TEST_CASE(an_invalid_stored_job_has_no_layout) {
    auto stored = job(1, 2);
    stored.spec.pytorch_replica_specs.at("Worker").replicas = 2'000'000'000;
    auto const p = planned(job(1, 2), stored);
    expect_lines(effects(p), {workers_path + ": in place"});
    auto const beyond = planned(stored, job(1, 2));
    BOOST_TEST((beyond.effect == change_effect::recreation));
}

BOOST_AUTO_TEST_CASE(the_text_of_a_large_plan_is_limited) {
    auto wanted = job(1, 2);
    for (int i = 0; i < 100; ++i) wanted.metadata.labels["label" + std::to_string(i)] = std::string(200, 'x');
    auto const p = planned(wanted, running(job(1, 2)));
    BOOST_TEST(p.fields.size() == 100U);
    for (auto const& f : p.fields) BOOST_TEST((f.effect == change_effect::none), f.path);
    BOOST_TEST(p.to_string().size() < 3000U);
    BOOST_TEST(p.to_string().ends_with("and 90 more"), p.to_string());
}

BOOST_AUTO_TEST_SUITE_END()
