#include "async/any_kind_world.hpp"
#include "async/facade/facade_world.hpp"
#include "facade/plan/plan_update.hpp"

#include <kftrain/job/job_rules.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_plan)

using namespace facade_world;

BOOST_AUTO_TEST_CASE(a_plan_needs_one_request_and_changes_nothing) {
    world w;
    auto p = good(w.client.plan(sample()));
    BOOST_TEST(!p.exists);
    good(w.client.submit(sample()));
    w.asked.clear();
    p = good(w.client.plan(sample()));
    BOOST_TEST(p.empty(), p.to_string());
    p = good(w.client.plan(sample("j", 2)));
    BOOST_TEST((p.effect == change_effect::recreation), p.to_string());
    BOOST_TEST(w.asked.size() == 2U);
    BOOST_TEST(w.count("GET", "/namespaces/default/pytorchjobs/j") == 2U);
}

BOOST_AUTO_TEST_CASE(a_job_with_a_generated_name_is_new) {
    world w;
    auto job = sample("");
    job.metadata.generate_name = "j-";
    auto const p = good(w.client.plan(job));
    BOOST_TEST(!p.exists);
    BOOST_TEST(p.objects.size() == 4U);
    BOOST_TEST(w.asked.empty());
}

BOOST_AUTO_TEST_CASE(invalid_plans_are_errors) {
    world w;
    auto broken = sample();
    broken.spec.pytorch_replica_specs.at("Master").replicas = 2;
    auto r = w.client.plan(broken);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::invalid_job));
    BOOST_TEST(contains(r.error().detail.message, "Master"), text_of(r.error()));
    w.judge = [](kube::http_request const&) { return fault::answer(403, "Forbidden", "not yours"); };
    r = w.client.plan(sample());
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(is_forbidden(r.error().code));
}

/// Whatever its operator wrote into the job meanwhile.
BOOST_AUTO_TEST_CASE(running_jobs_of_every_kind_have_no_planned_changes) {
    any_kind::world w;
    w.start_operators();
    auto const& jobs = any_kind::known_jobs();
    auto const place = [](std::size_t i) { return "plan-" + std::to_string(i) + "-x"; };
    for (std::size_t i = 0; i != jobs.size(); ++i) w.submit(jobs[i], place(i));
    BOOST_TEST(w.calm());
    w.advance_to(any_kind::stage::running);
    for (std::size_t i = 0; i != jobs.size(); ++i) {
        auto const& job = jobs[i].job;
        auto const text = w.exact(std::string(job.resource().plural) + " " + job.metadata().name, place(i));
        any_job stored(job.rules());
        BOOST_REQUIRE_MESSAGE(stored.read_json(text).has_value(), jobs[i].name + ": " + text);
        any_job wanted = job;
        wanted.metadata().namespace_ = place(i);
        auto const p = plan_update(wanted, &stored);
        BOOST_TEST(p.empty(), jobs[i].name << ": " << p.to_string());
    }
    w.stop_operators();
}

BOOST_AUTO_TEST_SUITE_END()
