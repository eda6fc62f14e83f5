#include "async/facade/follow/job_watch_cluster.hpp"

#include "facade/follow/job_board.hpp"

BOOST_AUTO_TEST_SUITE(async_job_watch)

using namespace job_watch_tests;

BOOST_AUTO_TEST_CASE(a_watch_reports_existing_jobs_before_changes) {
    job_watch_cluster w;
    w.submit("a");
    w.submit("b");
    followed t(w.client.watch(pytorch_jobs()));
    BOOST_TEST(!t.watch.has_synced());
    std::set<std::string> first{t.text(), t.text()};
    BOOST_TEST((first == std::set<std::string>{"added a Created initial", "added b Created initial"}));
    w.submit("c");
    BOOST_TEST(t.text() == "added c Created");
    BOOST_TEST(t.watch.has_synced());
    w.set_condition("a", "Running");
    BOOST_TEST(t.text() == "modified a Running");
    w.remove("b");
    BOOST_TEST(t.text() == "deleted b Created");
    BOOST_TEST((t.next(50ms) == std::nullopt));
    BOOST_TEST((t.error == make_error_code(errc::timeout)));
}

BOOST_AUTO_TEST_CASE(the_state_of_ranks_follows_their_pods) {
    job_watch_cluster w;
    w.submit("a", 2);
    followed t(w.client.watch(pytorch_jobs()));
    t.all(100ms);
    w.make_pods("a");
    for (auto const* p : {"a-master-0", "a-worker-0"}) w.set_pod(p, "Running");
    w.set_pod("a-worker-1", "Running", false);
    t.all();
    BOOST_TEST(t.last.at("default/a").to_string() == "Created, Master 1/1, Worker 1/2 ready");
    w.remove_pod("a-worker-0");
    t.all();
    BOOST_TEST((t.last.at("default/a").ranks[1].phase == rank_phase::absent));
    BOOST_TEST((t.last == w.truth()));
}

BOOST_AUTO_TEST_CASE(scaling_adds_and_removes_members) {
    job_watch_cluster w;
    w.submit("a", 1);
    followed t(w.client.watch(pytorch_jobs()));
    w.make_pods("a");
    for (std::int32_t const workers : {5, 2, 7}) {
        w.change("a", [&](pytorch_job& j) { j.spec.pytorch_replica_specs["Worker"].replicas = workers; });
        t.all();
        BOOST_TEST(t.last.at("default/a").roles[1].wanted == workers);
        BOOST_TEST(t.last.at("default/a").roles[1].pending == 1); // the pod that there is
        BOOST_TEST((t.last == w.truth()));
    }
}

BOOST_AUTO_TEST_CASE(watch_options_filter_the_changes) {
    job_watch_cluster w;
    w.make_namespace("other");
    w.submit("a");
    auto labelled = job_watch_cluster::sample("b");
    labelled.metadata.labels["team"] = "x";
    auto const b = w.submit(labelled);
    w.submit(job_watch_cluster::sample("c", 1, "other"));
    auto const names_of = [&](job_watch_options o) {
        followed t(w.client.watch(std::move(o)));
        t.all();
        std::string text;
        for (auto const& [key, s] : t.last) text += (text.empty() ? "" : " ") + key;
        return text;
    };
    BOOST_TEST(names_of(pytorch_jobs()) == "default/a default/b");
    BOOST_TEST(names_of(pytorch_jobs().with_namespace("other")) == "other/c");
    BOOST_TEST(names_of(pytorch_jobs().with_all_namespaces()) == "default/a default/b other/c");
    BOOST_TEST(names_of(pytorch_jobs().with_label_selector("team=x")) == "default/b");
    BOOST_TEST(names_of(job_watch_options().with_job(b)) == "default/b");
    BOOST_TEST(names_of(job_watch_options().with_job(job_reference(b.rules(), "default", "b", "another"))) == "");
}

BOOST_AUTO_TEST_CASE(a_job_that_leaves_the_selection_is_reported_as_gone) {
    job_watch_cluster w;
    w.submit("a");
    followed t(w.client.watch(pytorch_jobs().with_label_selector("!hidden")));
    BOOST_TEST(t.text() == "added a Created initial");
    w.change("a", [](pytorch_job& j) { j.metadata.labels["hidden"] = "yes"; });
    BOOST_TEST(t.text() == "deleted a Created");
    w.change("a", [](pytorch_job& j) { j.metadata.labels.clear(); });
    BOOST_TEST(t.text() == "added a Created");
}

BOOST_AUTO_TEST_CASE(without_pods_there_are_no_ranks_and_no_requests_for_them) {
    job_watch_cluster w;
    w.submit("a");
    w.make_pods("a");
    followed t(w.client.watch(pytorch_jobs().with_pods(false)));
    t.all();
    BOOST_TEST(t.last.at("default/a").ranks.empty());
    BOOST_TEST(w.requests["list pods"] == 0);
    BOOST_TEST(w.requests["watch pods"] == 0);
}

BOOST_AUTO_TEST_CASE(unread_changes_are_merged_into_the_latest_state) {
    job_watch_cluster w;
    w.submit("a");
    followed t(w.client.watch(pytorch_jobs()));
    BOOST_TEST(t.text() == "added a Created initial");
    for (int i = 0; i != 20; ++i) {
        w.set_condition("a", i % 2 == 0 ? "Running" : "Restarting");
        w.run(2ms);
    }
    w.set_condition("a", "Suspended");
    w.run(50ms);
    BOOST_TEST(t.text() == "modified a Suspended");
    BOOST_TEST((t.next(50ms) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(every_end_and_deletion_is_reported) {
    job_watch_cluster w;
    w.submit("a");
    w.submit("b");
    followed t(w.client.watch(pytorch_jobs()));
    t.all(100ms);
    w.set_condition("a", "Running");
    w.set_condition("a", "Succeeded");
    w.run(20ms);
    w.remove("a");
    w.remove("b");
    w.run(20ms);
    w.submit("b");
    w.submit("c");
    w.set_condition("c", "Failed");
    w.run(20ms);
    w.remove("c");
    w.run(20ms);
    names got;
    for (int i = 0; i != 6; ++i) got.push_back(t.text(100ms));
    BOOST_TEST((got == names{"modified a Succeeded", "deleted a Succeeded", "deleted b Created", "added b Created",
                             "added c Failed", "deleted c Failed"}),
               got[0] << ", " << got[1] << ", " << got[2] << ", " << got[3] << ", " << got[4] << ", " << got[5]);
    BOOST_TEST((t.next(50ms) == std::nullopt));
}

BOOST_AUTO_TEST_CASE(a_second_concurrent_call_fails_and_events_are_kept) {
    job_watch_cluster w;
    followed t(w.client.watch(pytorch_jobs()));
    asio::cancellation_signal stop;
    std::optional<error_code> first, second;
    t.watch.async_next(
        asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, job_change const&) { first = ec; }));
    t.watch.async_next([&](error_code ec, job_change const&) { second = ec; });
    BOOST_TEST_REQUIRE(w.until([&] { return second.has_value(); }));
    BOOST_TEST((*second == make_error_code(errc::already_running)));
    stop.emit(asio::cancellation_type::total);
    BOOST_TEST_REQUIRE(w.until([&] { return first.has_value(); }));
    BOOST_TEST(is_cancelled(*first));
    w.submit("a");
    w.run(20ms);
    BOOST_TEST(t.text().starts_with("added a Created"));
}

BOOST_AUTO_TEST_CASE(changes_can_be_pushed_to_a_callback) {
    job_watch_cluster w;
    w.submit("a");
    auto watch = w.client.watch(pytorch_jobs());
    names got;
    watch.on_change([&](job_change const& c) {
        got.push_back(std::string(to_string(c.kind)) + " " + c.state.job.name);
        if (c.kind == change_kind::modified) throw std::runtime_error("dropped");
    });
    BOOST_TEST(w.until([&] { return got.size() == 1; }));
    std::optional<error_code> refused;
    watch.async_next([&](error_code ec, job_change const&) { refused = ec; });
    w.set_condition("a", "Running");
    BOOST_TEST(w.until([&] { return got.size() == 2; }));
    w.remove("a");
    BOOST_TEST(w.until([&] { return got.size() == 3; }));
    BOOST_TEST((got == names{"added a", "modified a", "deleted a"}));
    BOOST_TEST((refused == make_error_code(errc::already_running)));
}

BOOST_AUTO_TEST_CASE(watches_with_callbacks_share_the_state_of_a_change) {
    job_watch_cluster w;
    w.submit("a");
    auto one = w.client.watch(pytorch_jobs());
    auto two = w.client.watch(pytorch_jobs());
    job_state const* of_one = nullptr;
    job_state const* of_two = nullptr;
    one.on_change([&](job_change const& c) { of_one = c.initial ? nullptr : &c.state; });
    two.on_change([&](job_change const& c) { of_two = c.initial ? nullptr : &c.state; });
    BOOST_TEST(w.until([&] { return one.has_synced() && two.has_synced(); }));
    w.set_condition("a", "Running");
    BOOST_TEST(w.until([&] { return of_one != nullptr && of_two != nullptr; }));
    BOOST_TEST(of_one == of_two);
}

/// All pods of a job change at once: its state is worked out a few times, not once for each.
BOOST_AUTO_TEST_CASE(simultaneous_pod_changes_are_merged_into_few_job_changes) {
    constexpr int workers = 1'500;
    job_watch_cluster w;
    w.submit("a", workers);
    w.make_pods("a");
    auto const board = std::make_shared<kftrain::detail::job_board>(w.client.get_client());
    auto watch = begin_watch(board, pytorch_jobs().with_namespace("default"));
    int changes = 0;
    std::int32_t ready = 0;
    watch.on_change([&](job_change const& c) {
        ++changes;
        ready = c.state.roles[1].ready;
    });
    BOOST_TEST_REQUIRE(w.until([&] { return changes == 1; }));
    auto all = w.pods();
    for (int i = 0; i != workers; ++i)
        all.async_patch_status(
            "a-worker-" + std::to_string(i),
            kube::patch_body(patch_type::merge,
                             R"({"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}})"),
            [](error_code ec, pod const&) { BOOST_TEST(!ec, ec.message()); });
    BOOST_TEST(w.until([&] { return ready == workers; }), ready << " of " << workers << " ready");
    feed_options of;
    of.kind = &job_rules_for<pytorch_job>();
    of.namespace_ = "default";
    BOOST_TEST(board->find(of)->worked_out() < 150U);
    BOOST_TEST(changes < 150);
}

BOOST_AUTO_TEST_SUITE_END()
