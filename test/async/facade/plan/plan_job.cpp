#include "async/facade/facade_cluster.hpp"

BOOST_AUTO_TEST_SUITE(async_facade_plan)

using namespace facade_tests;

BOOST_AUTO_TEST_CASE(a_plan_needs_one_request_and_changes_nothing) {
    facade_cluster w;
    auto p = good(w.client.plan(sample()));
    BOOST_TEST(!p.exists);
    good(w.client.submit(sample()));
    w.requests.clear();
    p = good(w.client.plan(sample()));
    BOOST_TEST(p.empty(), p.to_string());
    p = good(w.client.plan(sample("j", 2)));
    BOOST_TEST((p.effect == change_effect::recreation), p.to_string());
    BOOST_TEST(w.requests.size() == 2U);
    BOOST_TEST(w.count("GET", "/namespaces/default/pytorchjobs/j") == 2U);
}

BOOST_AUTO_TEST_CASE(a_job_with_a_generated_name_is_new) {
    facade_cluster w;
    auto job = sample("");
    job.metadata.generate_name = "j-";
    auto const p = good(w.client.plan(job));
    BOOST_TEST(!p.exists);
    BOOST_TEST(p.objects.size() == 4U);
    BOOST_TEST(w.requests.empty());
}

BOOST_AUTO_TEST_CASE(invalid_plans_are_errors) {
    facade_cluster w;
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

BOOST_AUTO_TEST_SUITE_END()
