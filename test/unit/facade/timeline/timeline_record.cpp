#include "facade/timeline/timeline_record.hpp"
#include "facade/timeline/timeline_rows.hpp"
#include "unit/facade/follow/pods_of_job.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(facade_timeline)

using namespace pods_of_job;
using sample::at;

namespace {

/// `at(0)` is 2026-01-01T00:00:00Z.
any_job job_with(std::vector<std::tuple<std::string, std::string, int>> const& conditions, int workers = 1) {
    auto j = sample::job(1, workers);
    j.metadata.creation_timestamp = at(0);
    for (auto const& [type, status, seconds] : conditions) {
        auto& c = j.status.conditions.emplace_back();
        c.type = type;
        c.status = status;
        c.reason = "PyTorchJob" + type;
        c.last_transition_time = at(seconds);
    }
    return j;
}

void schedule(std::shared_ptr<pod const>& p, int created, int scheduled) {
    change(p, [&](pod& next) {
        next.metadata.creation_timestamp = at(created);
        next.spec.node_name = "n1";
        auto& c = next.status.conditions.emplace_back();
        c.type = "PodScheduled";
        c.status = "True";
        c.last_transition_time = at(scheduled);
    });
}

core::container_state_terminated end_of(int from, int to, int code, std::string reason) {
    core::container_state_terminated t;
    t.started_at = at(from);
    t.finished_at = at(to);
    t.exit_code = code;
    t.reason = std::move(reason);
    return t;
}

void end(std::shared_ptr<pod const>& p, int from, int to, int code, std::string reason) {
    change(p, [&](pod& next) {
        next.status.phase = code == 0 ? "Succeeded" : "Failed";
        container(next).state.terminated.emplace() = end_of(from, to, code, reason);
    });
}

job_event pod_event(std::string kind, std::string name, std::string reason, int seconds) {
    job_event e;
    e.object_kind = std::move(kind);
    e.object_name = std::move(name);
    e.reason = std::move(reason);
    e.first = e.last = at(seconds);
    return e;
}

/// A finished job: the master succeeded, the worker was restarted once in its pod.
struct finished_job {
    any_job job = job_with({{"Created", "True", 0}, {"Running", "False", 6}, {"Succeeded", "True", 40}});
    pod_list pods = made(job);

    finished_job() {
        schedule(pods[0], 0, 2);
        end(pods[0], 5, 40, 0, "Completed");
        schedule(pods[1], 0, 4);
        end(pods[1], 20, 38, 0, "Completed");
        change(pods[1], [](pod& p) {
            container(p).restart_count = 1;
            container(p).last_state.terminated.emplace() = end_of(6, 16, 137, "OOMKilled");
        });
    }
    job_timeline timeline() const { return job_timeline_of(job, pods, {}, at(100)); }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_finished_job_has_its_runs_and_sizes) {
    auto const t = finished_job().timeline();
    BOOST_TEST((t.phase == job_phase::succeeded));
    BOOST_TEST((t.created == at(0) && t.finished == at(40)));
    BOOST_TEST(!t.recorded);
    BOOST_TEST(t.conditions.size() == 3U);
    BOOST_TEST(t.missing.empty());
    BOOST_TEST_REQUIRE(t.pods.size() == 2U);
    auto const& w = t.pods[1];
    BOOST_TEST(w.member.role == "Worker");
    BOOST_TEST((w.member.rank == 1));
    BOOST_TEST(w.node == "n1");
    BOOST_TEST(w.restarts == 1);
    BOOST_TEST((w.created == at(0) && w.scheduled == at(4) && w.ended == at(38)));
    BOOST_TEST_REQUIRE(w.runs.size() == 2U);
    BOOST_TEST(w.runs[0].number == 0);
    BOOST_TEST((w.runs[0].started == at(6) && w.runs[0].ended == at(16) && w.runs[0].exit_code == 137));
    BOOST_TEST(w.runs[0].reason == "OOMKilled");
    BOOST_TEST(w.runs[1].number == 1);
    BOOST_TEST((w.runs[1].started == at(20) && w.runs[1].ended == at(38) && w.runs[1].exit_code == 0));
    std::string sizes;
    for (auto const& s : t.sizes)
        sizes += std::to_string((s.time - at(0)).count()) + ":" + std::to_string(s.running) + " ";
    BOOST_TEST(sizes == "5:1 6:2 16:1 20:2 38:1 40:0 ");
    BOOST_TEST((t.span() == std::pair(at(0), at(40))));
}

BOOST_AUTO_TEST_CASE(the_stages_of_a_pod_follow_each_other) {
    auto const t = finished_job().timeline();
    std::vector<pod_segment> expected{{at(0), at(4), pod_stage::unscheduled},
                                      {at(4), at(6), pod_stage::starting},
                                      {at(6), at(16), pod_stage::running},
                                      {at(16), at(20), pod_stage::restarting},
                                      {at(20), at(38), pod_stage::running}};
    expected[2].failed = true;
    BOOST_TEST((segments_of(t.pods[1], at(40)) == expected));
    BOOST_TEST((status_segments(t) == std::vector<status_segment>{{at(0), at(5), "Created"},
                                                                  {at(5), at(40), "Running"},
                                                                  {at(40), at(40), "Succeeded"}}));
    timeline_pod waiting;
    waiting.created = at(3);
    BOOST_TEST((segments_of(waiting, at(9)) == std::vector<pod_segment>{{at(3), at(9), pod_stage::unscheduled}}));
    BOOST_TEST(segments_of(timeline_pod(), at(9)).empty());
    auto deleted = t.pods[1]; // a signal that ends a pod that is deleted is no failure
    deleted.deleted = at(16);
    BOOST_TEST(!segments_of(deleted, at(40))[2].failed);
}

BOOST_AUTO_TEST_CASE(runs_of_two_containers_that_overlap_are_one_stage) {
    timeline_pod p;
    p.created = p.scheduled = at(0);
    for (auto const& [from, to] : {std::pair(2, 10), std::pair(4, 8)}) {
        auto& r = p.runs.emplace_back();
        r.started = at(from);
        r.ended = at(to);
    }
    p.ended = at(10);
    BOOST_TEST((segments_of(p, at(20)) ==
                std::vector<pod_segment>{{at(0), at(2), pod_stage::starting}, {at(2), at(10), pod_stage::running}}));
}

BOOST_AUTO_TEST_CASE(a_failure_is_shown_if_the_next_run_begins_in_the_same_second) {
    auto j = finished_job();
    change(j.pods[1], [](pod& p) { container(p).state.terminated->started_at = at(16); });
    auto const stages = segments_of(j.timeline().pods[1], at(40));
    BOOST_TEST_REQUIRE(stages.size() == 4U);
    BOOST_TEST((stages[2].to == at(16) && stages[2].failed));
    BOOST_TEST((stages[3] == pod_segment(at(16), at(38), pod_stage::running)));
}

BOOST_AUTO_TEST_CASE(the_text_shows_a_bar_for_each_replica) {
    auto const text = finished_job().timeline().to_text();
    BOOST_TEST(text.find("PyTorchJob team/pt: Succeeded\n"
                         "2026-01-01T00:00:00Z to 2026-01-01T00:00:40Z, 40s, from the API\n") == 0U);
    // 48 columns for 40 seconds: 5 s are 6 columns
    BOOST_TEST(text.find("Master 0, rank 0  |..----##########################################| Succeeded\n") !=
                   text.npos,
               text);
    BOOST_TEST(
        text.find("Worker 0, rank 1  |....---############x~~~~#####################   | Succeeded, 1 restart\n") !=
            text.npos,
        text);
    BOOST_TEST(text.find("  +6s      Running=False     PyTorchJobRunning\n") != text.npos, text);
}

BOOST_AUTO_TEST_CASE(events_replace_pods_that_no_longer_exist) {
    any_job const job = job_with({{"Failed", "True", 50}}, 2);
    std::vector<job_event> const events{
        pod_event("Pod", "pt-worker-0", "Scheduled", 3), pod_event("Pod", "pt-worker-0", "Started", 5),
        pod_event("Pod", "pt-worker-0", "Killing", 49), pod_event("PyTorchJob", "pt", "SuccessfulCreatePod", 1)};
    auto const t = job_timeline_of(job, {}, events, at(100));
    BOOST_TEST_REQUIRE(t.pods.size() == 1U);
    auto const& p = t.pods[0];
    BOOST_TEST((p.member.role == "Worker" && p.member.index == 0 && p.uid.empty()));
    BOOST_TEST((p.scheduled == at(3) && p.deleted == at(49) && p.phase == rank_phase::absent));
    BOOST_TEST_REQUIRE(p.runs.size() == 1U);
    BOOST_TEST((p.runs[0].started == at(5) && p.runs[0].ended == at(49)));
    BOOST_TEST((t.missing == std::vector<std::string>{"Of 1 pod that no longer exists, only events are known.",
                                                      "2 of 3 replicas have no pod, and no event reports one."}));
}

BOOST_AUTO_TEST_CASE(events_of_a_pod_that_exists_add_none) {
    auto j = finished_job();
    std::vector<job_event> const events{pod_event("Pod", "pt-worker-0", "Scheduled", 4)};
    BOOST_TEST(job_timeline_of(j.job, j.pods, events, at(100)).pods.size() == 2U);
    // But an event before its creation is about its predecessor.
    for (auto& p : j.pods) change(p, [](pod& next) { next.metadata.creation_timestamp = at(5); });
    BOOST_TEST(job_timeline_of(j.job, j.pods, events, at(100)).pods.size() == 3U);
}

BOOST_AUTO_TEST_CASE(runs_missing_in_the_api_are_counted) {
    auto j = finished_job();
    change(j.pods[1], [](pod& p) { container(p).restart_count = 5; });
    BOOST_TEST((job_timeline_of(j.job, j.pods, {}, at(100)).missing ==
                std::vector<std::string>{
                    "4 earlier runs of restarted containers: a cluster keeps the latest two runs of each container."}));
    auto const stages = segments_of(job_timeline_of(j.job, j.pods, {}, at(100)).pods[1], at(40));
    BOOST_TEST_REQUIRE(stages.size() == 5U);
    BOOST_TEST((stages[1] == pod_segment(at(4), at(6), pod_stage::unknown)));
}

BOOST_AUTO_TEST_CASE(a_recording_keeps_runs_that_the_api_drops) {
    timeline_record r(10);
    r.set_recorded();
    r.see(job_with({{"Created", "True", 0}}, 2), at(0));
    auto pods = made(job_with({}, 2));
    for (auto& p : pods) {
        schedule(p, 1, 1);
        run(p);
        change(p, [](pod& next) { next.status.container_statuses[0].state.running->started_at = at(3); });
        r.see(*p, at(3));
    }
    r.see(job_with({{"Created", "True", 0}, {"Restarting", "True", 10}}, 1), at(10)); // scaled down
    r.see_deleted(pods[2]->metadata, at(12));
    auto again = pods[1]; // a new pod of the same name
    r.see_deleted(pods[1]->metadata, at(13));
    change(again, [](pod& p) {
        p.metadata.uid = "second";
        p.metadata.creation_timestamp = at(14);
        p.status.container_statuses[0].state.running->started_at = at(15);
    });
    r.see(*again, at(15));
    r.see(job_with({{"Created", "True", 0}, {"Running", "True", 15}}, 1), at(15));
    auto const t = r.result(at(20));
    BOOST_TEST(t.recorded);
    BOOST_TEST_REQUIRE(t.pods.size() == 4U);
    BOOST_TEST((t.pods[1].deleted == at(13) && t.pods[1].ended == at(13) && t.pods[1].uid == "uid-of-pt-worker-0"));
    BOOST_TEST((t.pods[2].uid == "second" && !t.pods[2].deleted));
    BOOST_TEST((t.pods[3].member.index == 1 && t.pods[3].phase == rank_phase::absent));
    BOOST_TEST_REQUIRE(t.scalings.size() == 1U);
    BOOST_TEST((t.scalings[0].role == "Worker" && t.scalings[0].from == 2 && t.scalings[0].to == 1));
    BOOST_TEST((status_segments(t) == std::vector<status_segment>{{at(0), at(10), "Created"},
                                                                  {at(10), at(15), "Restarting"},
                                                                  {at(15), at(20), "Running"}}));
    auto const rows = rows_of(t);
    BOOST_TEST(rows.size() == 3U);
    BOOST_TEST(rows[1].outcome() == "Ready, 2 pods");
    BOOST_TEST(rows[2].outcome() == "Deleted");
}

BOOST_AUTO_TEST_CASE(a_condition_without_a_new_time_gets_that_of_its_observation) {
    timeline_record r(10);
    r.see(job_with({{"Created", "True", 0}, {"Running", "True", 5}}), at(5));
    for (int i = 0; i < 2; ++i)
        r.see(job_with({{"Created", "True", 0}, {"Running", "False", 5}, {"Succeeded", "True", 30}}), at(31 + i));
    std::string conditions;
    for (auto const& c : r.result(at(40)).conditions)
        conditions += c.type + "=" + c.status + " " + std::to_string((*c.time - at(0)).count()) + " ";
    BOOST_TEST(conditions == "Created=True 0 Running=True 5 Succeeded=True 30 Running=False 31 ");
}

BOOST_AUTO_TEST_CASE(a_later_job_of_the_name_and_pods_of_others_are_ignored) {
    timeline_record r(10);
    r.see(job_with({}), at(0));
    auto other = sample::job(1, 1);
    other.metadata.uid = "another";
    other.metadata.creation_timestamp = at(50);
    r.see(any_job(other), at(50));
    BOOST_TEST((r.result(at(60)).created == at(0)));
    pod stranger;
    stranger.metadata.uid = "x";
    r.see(stranger, at(60));
    BOOST_TEST(r.result(at(60)).pods.empty());
}

BOOST_AUTO_TEST_CASE(reports_are_thinned_out_evenly_and_the_last_one_stays) {
    timeline_record r(10);
    r.see(job_with({}), at(0));
    log_line line;
    line.member.rank = 0;
    for (int i = 0; i < 5000; ++i) {
        line.text = "kftrain-progress/1 step=" + std::to_string(i);
        r.see(line, at(i));
    }
    auto const t = r.result(at(5000));
    BOOST_TEST(t.progress.size() <= 1000U);
    BOOST_TEST(t.progress.size() > 500U);
    BOOST_TEST((t.progress.front().step == 0 && t.progress.back().step == 4999));
    for (std::size_t i = 2; i + 1 < t.progress.size(); ++i)
        BOOST_TEST((*t.progress[i].step - *t.progress[i - 1].step == *t.progress[1].step - *t.progress[0].step));
}

BOOST_AUTO_TEST_CASE(drawings_of_ten_thousand_pods_are_bounded) {
    any_job const job = job_with({{"Running", "True", 5}}, 9999);
    auto pods = made(job);
    for (auto& p : pods) {
        schedule(p, 0, 1);
        run(p);
        change(p, [](pod& next) { next.status.container_statuses[0].state.running->started_at = at(3); });
    }
    end(pods[5000], 3, 20, 1, "Error");
    auto const t = job_timeline_of(job, pods, {}, at(60));
    BOOST_TEST(t.pods.size() == 10'000U);
    auto const svg = t.to_svg();
    BOOST_TEST(svg.size() < 60'000U);
    BOOST_TEST(svg.find("and 9960 replicas: 9960 Ready") != svg.npos);
    BOOST_TEST(svg.find("Worker 4999, rank 5000") != svg.npos); // the one that failed
    auto const text = t.to_text();
    BOOST_TEST(text.size() < 20'000U);
    BOOST_TEST(text.find("and 9900 replicas: 9900 Ready") != text.npos);
    BOOST_TEST(t.to_html().size() < 400'000U);
    timeline_record few(3);
    few.see(job, at(0));
    for (auto const& p : pods) few.see(*p, at(60));
    BOOST_TEST(few.result(at(60)).pods.size() == 3U);
    BOOST_TEST(few.result(at(60)).left_out == 9997U);
}

BOOST_AUTO_TEST_CASE(texts_of_the_server_are_escaped) {
    auto j = finished_job();
    auto broken = sample::job(1, 1);
    change(j.pods[1], [](pod& p) {
        p.status.phase = "Failed";
        p.status.reason = "<script>&\x1b[31m\xff\u202e";
    });
    auto const t = job_timeline_of(j.job, j.pods, {}, at(100));
    for (auto const& drawn : {t.to_svg(), t.to_html(), t.to_text()}) {
        BOOST_TEST(drawn.find("<script>&") == (drawn.starts_with("PyTorchJob") ? drawn.find("<script>") : drawn.npos));
        BOOST_TEST(drawn.find('\x1b') == drawn.npos);
        BOOST_TEST(drawn.find('\xff') == drawn.npos);
        BOOST_TEST(drawn.find("\u202e") == drawn.npos);
    }
    BOOST_TEST(t.to_svg().find("&lt;script&gt;&amp;\uFFFD[31m\uFFFD\uFFFD") != std::string::npos);
    BOOST_TEST(t.to_svg().find("<title>PyTorchJob team/pt: Succeeded</title>\n<desc>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_empty_timeline_can_be_drawn) {
    job_timeline const t;
    BOOST_TEST(t.to_text() == "Job : Created\n1970-01-01T00:00:00Z to 1970-01-01T00:00:00Z, 0s, from the API\n");
    BOOST_TEST(t.to_svg().find("</svg>") != std::string::npos);
    BOOST_TEST(t.to_html().find("</html>") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(axis_ticks_are_round_numbers) {
    BOOST_TEST(tick_step(0, 6) == 1);
    BOOST_TEST(tick_step(40, 6) == 10);
    BOOST_TEST(tick_step(3600, 9) == 600);
    BOOST_TEST(tick_step(std::int64_t{1} << 40, 9) % 604'800 == 0);
}

BOOST_AUTO_TEST_SUITE_END()
