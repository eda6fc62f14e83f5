#include "async/facade/follow/job_watch_cluster.hpp"

BOOST_AUTO_TEST_SUITE(async_job_waits)

using namespace job_watch_tests;

BOOST_AUTO_TEST_CASE(a_condition_that_holds_already_needs_one_request) {
    job_watch_cluster w;
    auto const job = w.submit("a");
    w.set_condition("a", "Succeeded");
    auto const done = w.client.wait(job, kube::wait_options().with_timeout(20s));
    BOOST_TEST_REQUIRE(done.has_value());
    BOOST_TEST((done->phase() == job_phase::succeeded));
    BOOST_TEST(w.requests["get pytorchjobs"] == 1);
    BOOST_TEST(w.requests.size() == 1U);
}

BOOST_AUTO_TEST_CASE(each_condition_completes_its_wait) {
    job_watch_cluster w;
    auto const job = w.submit("a", 2);
    waiting running(w, job, until::running()), ready(w, job, until::all_ranks_ready()),
        some(w, job, until::ranks_ready("Worker", 1)), over(w, job, until::finished()), gone(w, job, until::deleted()),
        own(w, job, until::holds("a worker failed", [](job_state const& s) { return s.roles[1].failed == 1; }));
    w.run(50ms);
    w.make_pods("a");
    w.set_pod("a-worker-0", "Running");
    finish(w, some);
    BOOST_TEST(!ready.ended.has_value());
    w.set_pod("a-worker-1", "Running");
    w.set_pod("a-master-0", "Running");
    finish(w, ready);
    BOOST_TEST(!running.ended.has_value());
    w.set_condition("a", "Running");
    finish(w, running);
    w.set_pod("a-worker-1", "Failed");
    finish(w, own);
    BOOST_TEST(!over.ended.has_value());
    w.set_condition("a", "Failed");
    finish(w, over);
    BOOST_TEST((over.job_then.phase() == job_phase::failed));
    w.remove("a");
    finish(w, gone);
    BOOST_TEST(gone.job_then.empty());
    for (auto const* x : {&running, &ready, &some, &over, &gone, &own}) BOOST_TEST(!*x->ended, x->why.message);
}

BOOST_AUTO_TEST_CASE(until_suspended_waits_for_the_pods_to_be_gone) {
    job_watch_cluster w;
    auto const job = w.submit("a");
    w.make_pods("a");
    waiting x(w, job, until::suspended());
    w.change("a", [](pytorch_job& j) { j.spec.run_policy.suspend = true; });
    w.run(100ms);
    BOOST_TEST(!x.ended.has_value());
    w.remove_pod("a-master-0");
    w.run(50ms);
    BOOST_TEST(!x.ended.has_value());
    w.remove_pod("a-worker-0");
    finish(w, x);
    BOOST_TEST(!*x.ended, x.why.message);
}

BOOST_AUTO_TEST_CASE(impossible_conditions_end_the_wait) {
    job_watch_cluster w;
    auto const job = w.submit("a");
    waiting ready(w, job, until::all_ranks_ready()), well(w, job, until::succeeded()),
        either(w, job, until::succeeded() || until::deleted());
    w.run(50ms);
    w.set_condition("a", "Failed");
    for (auto* x : {&ready, &well}) {
        finish(w, *x);
        BOOST_TEST((*x->ended == make_error_code(errc::incomplete)), x->ended->message());
    }
    BOOST_TEST(ready.why.message ==
               "PyTorchJob default/a: waiting for \"all ranks ready\" cannot succeed any more: Failed, Master 0/1, "
               "Worker 0/1 succeeded");
    w.run(50ms);
    BOOST_TEST(!either.ended.has_value());
    // The same when the job was over before.
    waiting late(w, job, until::ranks_ready("Worker", 1)), late_phase(w, job, until::succeeded());
    for (auto* x : {&late, &late_phase}) {
        finish(w, *x);
        BOOST_TEST((*x->ended == make_error_code(errc::incomplete)));
    }
}

BOOST_AUTO_TEST_CASE(deleting_the_job_ends_the_wait) {
    job_watch_cluster w;
    auto const job = w.submit("a");
    job_reference named = job;
    named.uid.clear();
    waiting by_uid(w, job, until::finished()), by_name(w, named, until::finished()),
        of_pods(w, job, until::all_ranks_ready());
    w.run(50ms);
    w.set_condition("a", "Running");
    w.run(50ms);
    w.remove("a");
    w.submit("a");
    for (auto* x : {&by_uid, &by_name, &of_pods}) {
        finish(w, *x);
        BOOST_TEST((*x->ended == make_error_code(errc::deleted)), x->ended->message());
        BOOST_TEST(x->why.message.starts_with("PyTorchJob default/a was deleted; last state: Running"), x->why.message);
    }
    waiting of_old(w, job, until::finished());
    finish(w, of_old);
    BOOST_TEST((*of_old.ended == make_error_code(errc::deleted)));
    BOOST_TEST(of_old.why.message == "PyTorchJob default/a was replaced by another job of the same name");
    waiting absence(w, job, until::deleted());
    finish(w, absence);
    BOOST_TEST(!*absence.ended);
}

BOOST_AUTO_TEST_CASE(a_job_that_is_deleted_right_after_its_end_counts_as_finished) {
    job_watch_cluster w;
    auto const job = w.submit("a");
    waiting x(w, job, until::finished());
    w.run(50ms);
    w.set_condition("a", "Succeeded");
    w.remove("a");
    finish(w, x);
    BOOST_TEST(!*x.ended, x.why.message);
    BOOST_TEST((x.job_then.phase() == job_phase::succeeded));
}

BOOST_AUTO_TEST_CASE(a_wait_for_a_job_that_does_not_exist_yet_succeeds) {
    job_watch_cluster w;
    waiting x(w, job_reference::to<pytorch_job>("default", "a"), until::running());
    waiting kept(w, job_reference::to<pytorch_job>("default", "a"), until::running());
    w.run(50ms);
    BOOST_TEST(!x.ended.has_value());
    w.submit("a");
    w.set_condition("a", "Running");
    finish(w, x);
    BOOST_TEST(!*x.ended);
    any_job gone = any_job(job_watch_cluster::sample("b"));
    gone.metadata().uid = "once";
    waiting y(w, gone, until::finished());
    finish(w, y);
    BOOST_TEST((*y.ended == make_error_code(errc::deleted)));
}

BOOST_AUTO_TEST_CASE(a_timeout_message_has_the_last_state) {
    job_watch_cluster w;
    auto const job = w.submit("a", 2);
    w.make_pods("a");
    w.set_condition("a", "Running");
    diagnostics why;
    auto const x = w.client.wait(job, until::all_ranks_ready(), kube::wait_options().with_timeout(1s).with_detail(why));
    BOOST_TEST((x.error().code == make_error_code(errc::timeout)));
    BOOST_TEST(why.message ==
               "wait for PyTorchJob default/a (all ranks ready): not complete after 1000 ms; last state: "
               "Running, Master 0/1, Worker 0/2 ready");
    auto const y = w.client.wait(job_reference::to<pytorch_job>("default", "b"), until::finished(),
                                 kube::wait_options().with_timeout(500ms).with_detail(why));
    BOOST_TEST((y.error().code == make_error_code(errc::timeout)));
    BOOST_TEST(why.message ==
               "wait for PyTorchJob default/b (finished): not complete after 500 ms; the job does not exist");
}

BOOST_AUTO_TEST_CASE(a_timeout_without_an_answer_has_the_last_failure) {
    job_watch_cluster w;
    w.judge = [](kube::http_request const&) -> std::optional<fault> { return fault::error(errc::unreachable); };
    diagnostics why;
    auto const x = w.client.wait(job_reference::to<pytorch_job>("default", "b"), until::finished(),
                                 kube::wait_options().with_timeout(3s).with_detail(why));
    BOOST_TEST((x.error().code == make_error_code(errc::timeout)));
    BOOST_TEST(why.message.find("; the job was not read: ") != std::string::npos, why.message);
}

BOOST_AUTO_TEST_CASE(a_wait_can_be_cancelled_at_any_step) {
    for (auto const& condition : {until::finished(), until::all_ranks_ready()})
        for (int turns = 0; turns < 40; ++turns) {
            job_watch_cluster w;
            auto const job = w.submit("a");
            waiting x(w, job, condition);
            w.io.restart();
            for (int i = 0; i < turns; ++i) w.io.poll_one();
            x.stop.emit(asio::cancellation_type::total);
            finish(w, x);
            BOOST_TEST(is_cancelled(*x.ended), x.ended->message());
        }
}

/// An older watch of the jobs is behind: its state proves nothing.
BOOST_AUTO_TEST_CASE(stale_reports_of_the_feed_are_ignored) {
    job_watch_cluster w;
    auto const before = w.submit("a");
    w.set_condition("a", "Succeeded");
    auto watch = w.client.watch(pytorch_jobs());
    BOOST_TEST_REQUIRE(watch.next().has_value());
    waiting still(w, w.submit("other"), until::finished());
    w.run(50ms);
    bool behind = true;
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (behind && job_watch_cluster::what(r) != "get pytorchjobs") return fault::error(errc::connection_lost);
        return std::nullopt;
    };
    w.link->cut();
    w.run(20ms);
    w.remove("a");
    // The name is free: a job in an outdated cache must not be waited for.
    waiting absent(w, job_reference::to<pytorch_job>("default", "a"), until::finished());
    waiting gone(w, job_reference::to<pytorch_job>("default", "a"), until::deleted());
    finish(w, gone);
    BOOST_TEST(!*gone.ended);
    w.run(50ms);
    auto const job = w.submit("a");
    waiting by_uid(w, job, until::finished());
    waiting by_name(w, job_reference::to<pytorch_job>("default", "a"), until::finished());
    waiting pods(w, job, until::all_ranks_ready());
    w.run(50ms);
    for (auto* x : {&absent, &by_uid, &by_name, &pods}) BOOST_TEST(!x->ended.has_value());
    behind = false;
    w.set_condition("a", "Failed");
    for (auto* x : {&absent, &by_uid, &by_name}) {
        finish(w, *x);
        BOOST_TEST(!*x->ended, x->why.message);
        BOOST_TEST((x->job_then.phase() == job_phase::failed));
    }
    finish(w, pods);
    BOOST_TEST((*pods.ended == make_error_code(errc::incomplete)));
}

namespace {

/// Counts how often a condition is called with a running job.
struct counted_runs {
    wait_condition condition() {
        return until::holds("never", [this](job_state const& s) {
            if (s.phase == job_phase::running) ++calls;
            return false;
        });
    }

    int calls = 0;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_wait_whose_kind_was_not_served_at_first_evaluates_each_change_once) {
    job_watch_cluster w;
    auto const job = w.submit("a");
    bool served = false;
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (job_watch_cluster::what(r) != "list pytorchjobs" || std::exchange(served, true)) return std::nullopt;
        return fault::answer(404, "NotFound", "the server could not find the requested resource");
    };
    counted_runs runs;
    waiting x(w, job, runs.condition());
    BOOST_TEST_REQUIRE(w.until([&] { return w.requests["watch pytorchjobs"] > 0; }));
    w.run(2s);
    BOOST_TEST(served);
    w.set_condition("a", "Running");
    w.run(2s);
    BOOST_TEST(runs.calls == 1);
    BOOST_TEST(!x.ended.has_value());
}

BOOST_AUTO_TEST_CASE(a_wait_whose_feed_was_behind_evaluates_each_change_once) {
    job_watch_cluster w;
    w.submit("other");
    auto watch = w.client.watch(pytorch_jobs());
    BOOST_TEST_REQUIRE(watch.next().has_value());
    bool behind = true;
    w.judge = [&](kube::http_request const& r) -> std::optional<fault> {
        if (behind && job_watch_cluster::what(r) != "get pytorchjobs") return fault::error(errc::connection_lost);
        return std::nullopt;
    };
    w.link->cut();
    w.run(20ms);
    counted_runs runs;
    waiting x(w, w.submit("a"), runs.condition());
    w.run(5s);
    BOOST_TEST(w.requests["get pytorchjobs"] > 2); // it listened again
    behind = false;
    w.run(20s);
    BOOST_TEST(runs.calls == 0);
    w.set_condition("a", "Running");
    w.run(2s);
    BOOST_TEST(runs.calls == 1);
    BOOST_TEST(!x.ended.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
