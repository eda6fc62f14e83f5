#include "unit/job/sample.hpp"

#include <kftrain/kinds/tf_job.hpp>

#include <boost/test/unit_test.hpp>

#include <utility>

BOOST_AUTO_TEST_SUITE(job_any_job)

using namespace sample;

BOOST_AUTO_TEST_CASE(copies_are_independent) {
    any_job const original(job(1, 2));
    any_job copy = original;
    copy.metadata().name = "other";
    copy.get_if<pytorch_job>()->spec.pytorch_replica_specs.clear();
    BOOST_TEST(original.metadata().name == "pt");
    BOOST_TEST(original.get_if<pytorch_job>()->spec.pytorch_replica_specs.size() == 2U);
    BOOST_TEST(copy.metadata().name == "other");
}

BOOST_AUTO_TEST_CASE(assignment_replaces_and_does_not_share) {
    any_job a(job(1, 2));
    any_job b(job(0, 1));
    a = b;
    a.metadata().name = "changed";
    BOOST_TEST(b.metadata().name == "pt");
    BOOST_TEST(a.get_if<pytorch_job>()->spec.pytorch_replica_specs.size() == 1U);
    any_job moved = std::move(a);
    BOOST_TEST(moved.metadata().name == "changed");
}

BOOST_AUTO_TEST_CASE(an_empty_any_job_can_be_read) {
    any_job moved_from(job(1, 2));
    any_job const taken = std::move(moved_from);
    for (any_job none : {any_job(), std::move(moved_from), any_job().with_defaults()}) {
        any_job const& seen = none;
        BOOST_TEST(none.empty());
        BOOST_TEST(&none.type() == &no_object_type());
        BOOST_TEST(none.resource().kind.empty());
        BOOST_TEST((seen.metadata() == object_meta()));
        BOOST_TEST((none.phase() == job_phase::created));
        BOOST_TEST(none.conditions().empty());
        BOOST_TEST(none.lint().empty());
        BOOST_TEST(none.members().members.empty());
        BOOST_TEST(none.render().empty());
        BOOST_TEST(none.scaling().places.empty());
        BOOST_TEST(!none.scaling().refused.empty());
        BOOST_TEST(!none.suspending().refused.empty());
        BOOST_TEST(has_errors(none.validate()));
        BOOST_TEST(has_errors(none.validate_update(any_job(job(1, 2)))));
        BOOST_TEST(none.to_json() == "null");
        BOOST_TEST(none.to_yaml() == "null\n");
        none.set_defaults();
        BOOST_TEST(none.empty());
    }
}

BOOST_AUTO_TEST_CASE(an_empty_any_job_cannot_be_changed) {
    any_job none;
    auto const is_refusal = [](error const& e) { return e.code() == errc::invalid_argument; };
    BOOST_CHECK_EXCEPTION(none.metadata(), error, is_refusal);
    BOOST_CHECK_EXCEPTION((void)none.rules(), error, is_refusal);
    BOOST_TEST((none.read_json("{}").error().code == errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(an_update_with_another_kind_is_an_issue) {
    any_job const j(job(1, 2));
    BOOST_TEST(has_errors(j.validate_update(any_job())));
    BOOST_TEST(has_errors(j.validate_update(any_job(tf_job()))));
    BOOST_TEST(!has_errors(j.validate_update(j)));
}

BOOST_AUTO_TEST_CASE(const_functions_do_not_change_the_job) {
    any_job const j(job(1, 2));
    auto const before = j.to_json();
    (void)j.members();
    (void)j.render();
    (void)j.validate();
    (void)plan_of(j, observed(), at(0));
    BOOST_TEST(j.to_json() == before);
    BOOST_TEST(j.with_defaults().to_json() != before);
}

BOOST_AUTO_TEST_CASE(a_job_survives_a_round_trip_through_text) {
    any_job const j(job(1, 2));
    any_job from_json(j.rules());
    BOOST_TEST(from_json.read_json(j.to_json()).has_value());
    BOOST_TEST(from_json.to_json() == j.to_json());
    auto const from_yaml = kftrain::from_yaml<pytorch_job>(j.to_yaml());
    BOOST_TEST_REQUIRE(from_yaml.has_value());
    BOOST_TEST(any_job(*from_yaml).to_json() == j.to_json());
}

BOOST_AUTO_TEST_CASE(the_phase_follows_the_status) {
    any_job j(job(1, 2));
    BOOST_TEST((j.phase() == job_phase::created));
    *j.get_if<pytorch_job>() = running(job(1, 2));
    BOOST_TEST((j.phase() == job_phase::running));
    BOOST_TEST(j.conditions().size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_written_status_belongs_to_the_job_as_it_is_stored) {
    pytorch_job const j = job(1, 2);
    auto const actions = actions_of(plan_of(j, observed(), at(0)));
    auto const& next = *std::get<rules::write_status>(actions.back()).object.get_if<pytorch_job>();
    BOOST_TEST_REQUIRE(next.status.conditions.size() == 1U);
    BOOST_TEST(next.status.conditions[0].message == "PyTorchJob pt is created.");
    pytorch_job before = next;
    before.status = j.status;
    BOOST_TEST(to_json(before) == to_json(j)); // none of its defaults
}

BOOST_AUTO_TEST_SUITE_END()
