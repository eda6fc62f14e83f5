#include "async/facade/logs/job_log_cluster.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>

BOOST_AUTO_TEST_SUITE(async_job_timeline)

using namespace job_log_tests;

namespace {

struct recorded_job : job_log_cluster {
    recorded_job() {
        for (auto const* const name : {"j-master-0", "j-worker-0"}) {
            make_pod(name);
            set(name, "running");
        }
        log("j-master-0/0") = {
            responds({"epoch 1\nkftrain-progress/1 step=1 total=2\nkftrain-progress/1 step=2 total=2\n"})};
        log("j-worker-0/0") = {responds({"kftrain-progress/1 step=7 total=2\n"})};
    }

    void record(timeline_options options = timeline_options().with_follow()) {
        client.async_timeline(stored, options.with_detail(detail),
                              asio::bind_cancellation_slot(stop.slot(), [this](error_code ec, job_timeline t) {
                                  ended = ec;
                                  seen = std::move(t);
                              }));
    }
    /// The recording has read what there was and reads the output now.
    void begin() {
        record();
        BOOST_TEST_REQUIRE(until([&] { return !source->requests.empty(); }));
    }

    asio::cancellation_signal stop;
    job_timeline seen;
};

timeline_pod const& pod_of(job_timeline const& t, std::string const& name) {
    for (auto const& p : t.pods)
        if (p.member.pod_name == name) return p;
    BOOST_FAIL("no pod " << name);
    return t.pods.front();
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_recording_has_deleted_pods_and_the_progress_of_rank_0, recorded_job) {
    begin();
    make_pod("j-worker-1"); // which the job does not request: its operator has not deleted it yet
    remove_pod("j-worker-0");
    finish_job();
    BOOST_TEST(end() == error_code(), end().message() + ": " + detail.message);
    BOOST_TEST(seen.recorded);
    BOOST_TEST((seen.phase == job_phase::succeeded));
    BOOST_TEST(seen.pods.size() == 3U);
    auto const& gone = pod_of(seen, "j-worker-0");
    BOOST_TEST((gone.deleted.has_value() && gone.phase == rank_phase::absent));
    BOOST_TEST(!pod_of(seen, "j-master-0").deleted.has_value());
    BOOST_TEST(pod_of(seen, "j-worker-1").member.index == 1);
    BOOST_TEST_REQUIRE(seen.progress.size() == 2U);
    BOOST_TEST((seen.progress[1].step == 2 && seen.progress[1].pod == "j-master-0"));
    for (auto const& r : source->requests) BOOST_TEST(r.pod == "j-master-0"); // no other log is read
}

BOOST_FIXTURE_TEST_CASE(a_cancelled_recording_completes_with_what_it_has, recorded_job) {
    begin();
    remove_pod("j-worker-0");
    stop.emit(asio::cancellation_type::terminal);
    BOOST_TEST(end() == asio::error::operation_aborted);
    BOOST_TEST((seen.recorded && seen.pods.size() == 2U));
}

BOOST_FIXTURE_TEST_CASE(the_time_limit_ends_a_recording_without_an_error, recorded_job) {
    record(timeline_options().with_follow().with_timeout(20ms));
    BOOST_TEST(end() == error_code(), detail.message);
    BOOST_TEST((seen.recorded && seen.pods.size() == 2U && seen.phase == job_phase::created));
    BOOST_TEST(detail.message.empty());
}

BOOST_FIXTURE_TEST_CASE(a_recording_ends_when_the_job_is_deleted, recorded_job) {
    begin();
    kube::run_blocking(io.get_executor(), diagnostics(), [&](auto h) { jobs.async_delete("j", std::move(h)); }).value();
    BOOST_TEST(end() == make_error_code(errc::deleted));
    BOOST_TEST(seen.pods.size() == 2U);
}

BOOST_FIXTURE_TEST_CASE(a_finished_job_is_read_once, recorded_job) {
    finish_job();
    record();
    BOOST_TEST(end() == error_code(), detail.message);
    BOOST_TEST(!seen.recorded);
    BOOST_TEST((seen.pods.size() == 2U && seen.progress.size() == 2U));
    log("j-master-0/0") = {responds({"kftrain-progress/1 step=1 total=2\n"})};
    auto const p = client.progress(stored);
    BOOST_TEST_REQUIRE(p.has_value());
    BOOST_TEST((p->step == 1 && p->pod == "j-master-0"));
    log("j-master-0/0") = {refuses(403, reason::forbidden)};
    BOOST_TEST(client.progress(stored).value().empty());
    auto const small = client.timeline(stored, timeline_options().with_progress(false).with_most_pods(1)).value();
    BOOST_TEST((small.progress.empty() && small.pods.size() == 1U && small.left_out == 1U));
}

BOOST_FIXTURE_TEST_CASE(a_job_that_does_not_exist_has_no_timeline, recorded_job) {
    auto const absent = job_reference::to<pytorch_job>("default", "absent");
    BOOST_TEST(client.timeline(absent).error().code == make_error_code(reason::not_found));
    BOOST_TEST(client.progress(absent).error().code == make_error_code(reason::not_found));
    BOOST_TEST(client.timeline(job_reference()).error().code == make_error_code(errc::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
