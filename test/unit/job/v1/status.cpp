#include "job/v1/status.hpp"

#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_status_rules)

using namespace sample;

namespace {

/// Sets `type`=True with reason `PyTorchJob<type>`.
void set(job_status& s, std::string const& type, int now, std::string const& value = "True") {
    set_condition(s, type, value, "PyTorchJob" + type, "message " + std::to_string(now), at(now));
}

pod in_phase(std::string phase, bool terminating = false) {
    pod p;
    p.status.phase = std::move(phase);
    if (terminating) p.metadata.deletion_timestamp = at(0);
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(success_ends_running) {
    job_status s;
    set(s, "Created", 0);
    set(s, "Running", 1);
    set(s, "Succeeded", 2);
    BOOST_TEST(sample::conditions(s) == "Created=True Running=False Succeeded=True");
    // Only the status of Running changes: reason, message and times stay.
    BOOST_TEST(s.conditions[1].reason == "PyTorchJobRunning");
    BOOST_TEST((s.conditions[1].last_transition_time == at(1)));
}

BOOST_AUTO_TEST_CASE(running_and_restarting_exclude_each_other) {
    job_status s;
    set(s, "Created", 0);
    set(s, "Running", 1);
    set(s, "Restarting", 2);
    BOOST_TEST(sample::conditions(s) == "Created=True Restarting=True");
    set(s, "Running", 3);
    BOOST_TEST(sample::conditions(s) == "Created=True Running=True");
}

BOOST_AUTO_TEST_CASE(failed_is_sticky_and_succeeded_is_not) {
    job_status s;
    set(s, "Succeeded", 0);
    set(s, "Failed", 1);
    BOOST_TEST(sample::conditions(s) == "Succeeded=True Failed=True");
    set(s, "Running", 2);
    set(s, "Succeeded", 3, "False");
    BOOST_TEST(sample::conditions(s) == "Succeeded=True Failed=True");
}

BOOST_AUTO_TEST_CASE(the_same_status_and_reason_change_nothing) {
    job_status s;
    set(s, "Running", 1);
    set(s, "Running", 5);
    BOOST_TEST(s.conditions.size() == 1U);
    BOOST_TEST(s.conditions[0].message == "message 1");
    BOOST_TEST((s.conditions[0].last_update_time == at(1)));
}

BOOST_AUTO_TEST_CASE(another_reason_keeps_the_time_of_the_transition) {
    job_status s;
    set_condition(s, "Suspended", "False", "PyTorchJobResumed", "a", at(1));
    set_condition(s, "Suspended", "False", "Other", "b", at(2));
    BOOST_TEST((s.conditions[0].last_update_time == at(2)));
    BOOST_TEST((s.conditions[0].last_transition_time == at(1)));
    set_condition(s, "Suspended", "True", "Other", "c", at(3));
    BOOST_TEST((s.conditions[0].last_transition_time == at(3)));
}

BOOST_AUTO_TEST_CASE(a_changed_condition_moves_to_the_end) {
    job_status s;
    set(s, "Created", 0);
    set(s, "Running", 1, "False");
    set(s, "Suspended", 1, "False");
    set(s, "Running", 2);
    BOOST_TEST(sample::conditions(s) == "Created=True Suspended=False Running=True");
}

BOOST_AUTO_TEST_CASE(suspended_and_restarting_can_both_be_true) {
    job_status s;
    set(s, "Created", 0);
    set(s, "Restarting", 1);
    set(s, "Suspended", 2);
    BOOST_TEST(sample::conditions(s) == "Created=True Restarting=True Suspended=True");
}

BOOST_AUTO_TEST_CASE(pods_are_counted_by_phase) {
    replica_status counts;
    for (auto const& p : {in_phase("Running"), in_phase("Running", true), in_phase("Succeeded"), in_phase("Failed"),
                          in_phase("Failed", true), in_phase("Pending"), in_phase("Unknown"), in_phase("")})
        count_pod(counts, p);
    BOOST_TEST(counts.active == 1);
    BOOST_TEST(counts.succeeded == 1);
    BOOST_TEST(counts.failed == 3);
}

BOOST_AUTO_TEST_CASE(finishing_keeps_an_earlier_completion_time) {
    rules::plan_writer todo;
    object_meta meta;
    observed const seen{};
    status_editor e(pytorch_job::resource, meta, job_status(), seen, at(7), todo);
    e.status().completion_time = at(3);
    e.finish("Succeeded", "done");
    BOOST_TEST((e.status().completion_time == at(3)));
    BOOST_TEST(is_finished(e.status()));
    auto const steps = todo.take();
    BOOST_TEST((std::get<rules::emit_event>(steps.at(0).actions.at(0)) ==
                rules::emit_event("Normal", "PyTorchJobSucceeded", "done")));
}

BOOST_AUTO_TEST_SUITE_END()
