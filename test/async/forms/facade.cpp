#include "async/forms/forms.hpp"

#include <kftrain/training_client.hpp>

#include <deque>

// The operations of the facade, and their blocking forms.

BOOST_AUTO_TEST_SUITE(async_forms_facade)

using namespace operation_forms;

namespace {

struct client_of_job : pod_and_job {
    job_watch& new_watch() { return watches.emplace_back(jobs.watch()); }
    job_log_stream& new_logs() { return logs.emplace_back(jobs.open_logs(job)); }

    training_client const jobs{client};
    std::deque<job_watch> watches;
    std::deque<job_log_stream> logs;
};

} // namespace

BOOST_AUTO_TEST_CASE(reading_jobs_has_every_form) {
    client_of_job w;
    auto const& jobs = w.jobs;
    job_reference const digits = w.job;
    CHECK_FORMS(training_client, jobs, async_get, kube::call_options, error_code(), digits);
    CHECK_FORMS(training_client, jobs, async_list, job_list_options, error_code());
    CHECK_FORMS(training_client, jobs, async_events, job_event_options, error_code(), digits);
    CHECK_FORMS(training_client, jobs, async_explain, explain_options, error_code(), digits);
    CHECK_FORMS(training_client, jobs, async_timeline, timeline_options, error_code(), digits);
    CHECK_FORMS(training_client, jobs, async_progress, kube::call_options, error_code(), digits);
    CHECK_FORMS(training_client, jobs, async_plan, kube::call_options, error_code(), any_job(w.job));
    CHECK_FORMS(training_client, jobs, async_preflight, preflight_options, error_code(), any_job(w.job));
    CHECK_BLOCKING_FORM(jobs, get, kube::call_options, error_code(), digits);
    CHECK_BLOCKING_FORM(jobs, list, job_list_options, error_code());
    CHECK_BLOCKING_FORM(jobs, events, job_event_options, error_code(), digits);
    CHECK_BLOCKING_FORM(jobs, explain, explain_options, error_code(), digits);
    CHECK_BLOCKING_FORM(jobs, timeline, timeline_options, error_code(), digits);
    CHECK_BLOCKING_FORM(jobs, progress, kube::call_options, error_code(), digits);
    CHECK_BLOCKING_FORM(jobs, plan, kube::call_options, error_code(), any_job(w.job));
    CHECK_BLOCKING_FORM(jobs, preflight, preflight_options, error_code(), any_job(w.job));
}

// The output of a finished job without pods is lost.
BOOST_AUTO_TEST_CASE(following_jobs_has_every_form) {
    client_of_job w;
    auto const& jobs = w.jobs;
    job_reference const digits = w.job;
    auto const sink = [](log_line const&) {};
    CHECK_FORMS(training_client, jobs, async_wait, kube::wait_options, error_code(), digits);
    CHECK_FORMS(training_client, jobs, async_wait, kube::wait_options, error_code(), digits, until::succeeded());
    CHECK_FORMS(training_client, jobs, async_logs, job_log_options, errc::incomplete, digits, sink);
    CHECK_FORMS(job_watch, w.new_watch(), async_next, kube::next_options, error_code());
    CHECK_FORMS(job_log_stream, w.new_logs(), async_next, kube::next_options, errc::incomplete);
    CHECK_BLOCKING_FORM(jobs, wait, kube::wait_options, error_code(), digits);
    CHECK_BLOCKING_FORM(jobs, wait, kube::wait_options, error_code(), digits, until::succeeded());
    CHECK_BLOCKING_FORM(jobs, logs, job_log_options, errc::incomplete, digits, sink);
    CHECK_BLOCKING_FORM(w.new_watch(), next, kube::next_options, error_code());
    CHECK_BLOCKING_FORM(w.new_logs(), next, kube::next_options, errc::incomplete);
}

BOOST_AUTO_TEST_CASE(changing_jobs_has_every_form) {
    client_of_job w;
    auto const& jobs = w.jobs;
    job_reference const digits = w.job;
    job_reference const absent = job_reference::to<pytorch_job>("default", "absent");
    auto const stored = jobs.get(digits).value();
    kube::patch_body const nothing(patch_type::merge, "{}");
    CHECK_FORMS(training_client, jobs, async_submit, submit_options, reason::already_exists, any_job(w.job));
    CHECK_FORMS(training_client, jobs, async_scale, kube::call_options, reason::not_found, absent, "Worker", 2);
    CHECK_FORMS(training_client, jobs, async_suspend, kube::call_options, reason::not_found, absent);
    CHECK_FORMS(training_client, jobs, async_resume, kube::call_options, reason::not_found, absent);
    CHECK_FORMS(training_client, jobs, async_update, kube::write_options, error_code(), stored);
    CHECK_FORMS(training_client, jobs, async_patch, kube::write_options, error_code(), digits, nothing);
    CHECK_FORMS_WITH_OPTIONS(training_client, jobs, async_apply, kube::apply_options, errc::invalid_argument, stored);
    CHECK_FORMS(training_client, jobs, async_delete, job_delete_options, reason::not_found, absent);
    CHECK_BLOCKING_FORM(jobs, submit, submit_options, reason::already_exists, any_job(w.job));
    CHECK_BLOCKING_FORM(jobs, scale, kube::call_options, reason::not_found, absent, "Worker", 2);
    CHECK_BLOCKING_FORM(jobs, suspend, kube::call_options, reason::not_found, absent);
    CHECK_BLOCKING_FORM(jobs, resume, kube::call_options, reason::not_found, absent);
    CHECK_BLOCKING_FORM(jobs, update, kube::write_options, error_code(), stored);
    CHECK_BLOCKING_FORM(jobs, patch, kube::write_options, error_code(), digits, nothing);
    CHECK_BLOCKING_FORM(jobs, delete_job, job_delete_options, reason::not_found, absent);
    CHECK_BLOCKING_FORM_WITH_OPTIONS(jobs, apply, kube::apply_options, errc::invalid_argument, stored);
}

BOOST_AUTO_TEST_SUITE_END()
