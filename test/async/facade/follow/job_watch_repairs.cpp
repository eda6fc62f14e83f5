#include "async/facade/follow/job_watch_cluster.hpp"

#include "facade/follow/job_board.hpp"
#include "support/sanitized.hpp"

#include <random>

BOOST_AUTO_TEST_SUITE(async_job_watch_repairs)

using namespace job_watch_tests;

BOOST_AUTO_TEST_CASE(many_waits_and_watches_share_a_few_requests) {
    constexpr int count = test::draws(1'000);
    job_watch_cluster w;
    std::vector<any_job> jobs;
    for (int i = 0; i != count; ++i) jobs.push_back(w.submit("j" + std::to_string(i)));
    std::vector<std::unique_ptr<followed>> watches;
    for (int i = 0; i != 3; ++i) watches.push_back(std::make_unique<followed>(w.client.watch(pytorch_jobs())));
    int done = 0;
    training_client const copy = w.client;
    for (int i = 0; i != count; ++i) {
        training_client c = copy;
        c.async_wait(jobs[static_cast<std::size_t>(i)],
                     i % 2 == 0 ? until::finished() : until::ranks_ready("Master", 1),
                     [&](error_code ec, any_job const&) {
                         BOOST_TEST(!ec, ec.message());
                         ++done;
                     });
    }
    BOOST_TEST_REQUIRE(w.until([&] { return w.requests["get pytorchjobs"] == count; }));
    for (auto& t : watches) {
        while (t->last.size() != jobs.size() && t->next(20s)) {}
        t->all();
        BOOST_TEST(t->last.size() == jobs.size());
    }
    BOOST_TEST(w.requests["list pytorchjobs"] <= 3); // pages
    BOOST_TEST(w.requests["watch pytorchjobs"] == 1);
    BOOST_TEST(w.requests["list pods"] == 1);
    BOOST_TEST(w.requests["watch pods"] == 1);
    BOOST_TEST(done == 0);
    for (int i = 0; i != count; ++i) {
        auto const name = "j" + std::to_string(i);
        if (i % 2 == 0) {
            w.set_condition(name, "Succeeded");
        } else {
            w.make_pods(name);
            w.set_pod(name + "-master-0", "Running");
        }
    }
    BOOST_TEST(w.until([&] { return done == count; }), done << " of " << count);
    watches.clear();
    w.run(50ms);
    // Without a watch no change is reported.
    auto const before = w.requests;
    w.link->cut();
    w.run(100ms);
    BOOST_TEST((w.requests == before));
}

BOOST_AUTO_TEST_CASE(with_cluster_wide_permission_namespaces_share_a_watch) {
    job_watch_cluster w;
    std::vector<any_job> jobs;
    for (int i = 0; i != 10; ++i) {
        auto const ns = "ns-" + std::to_string(i);
        w.make_namespace(ns);
        jobs.push_back(w.submit(job_watch_cluster::sample("a", 1, ns)));
    }
    w.client.follow_all_namespaces();
    int done = 0;
    for (auto const& j : jobs)
        w.client.async_wait(j, until::deleted(), [&](error_code ec, any_job const&) {
            BOOST_TEST(!ec, ec.message());
            ++done;
        });
    followed one(w.client.watch(pytorch_jobs().with_namespace("ns-3")));
    one.all();
    BOOST_TEST(one.last.size() == 1U);
    BOOST_TEST(w.requests["watch pytorchjobs"] == 1);
    BOOST_TEST(w.requests["watch pods"] == 1);
    for (int i = 0; i != 10; ++i) {
        auto all = w.jobs("ns-" + std::to_string(i));
        kube::run_blocking(w.io.get_executor(), diagnostics(), [&](auto h) {
            all.async_delete("a", std::move(h));
        }).value();
    }
    BOOST_TEST(w.until([&] { return done == 10; }));
}

BOOST_AUTO_TEST_CASE(broken_watches_and_outages_are_recovered) {
    job_watch_cluster w;
    w.submit("a", 2);
    followed t(w.client.watch(pytorch_jobs()));
    t.all(100ms);
    w.make_pods("a");
    for (auto const& spoil : {fault::error(errc::connection_lost), fault::answer(410, "Expired", "too old"),
                              fault::answer(500, "InternalError", "no"), fault::error(errc::unreachable)}) {
        bool away = true;
        w.judge = [&](kube::http_request const&) { return away ? std::optional(spoil) : std::nullopt; };
        w.link->cut();
        w.run(20ms);
        w.set_pod("a-worker-0", "Running");
        w.submit("b");
        w.set_condition("a", "Running");
        w.run(20ms);
        w.set_pod("a-worker-0", "Pending");
        w.remove("b");
        away = false;
        w.set_pod("a-worker-1", "Running");
        BOOST_TEST(w.until([&] {
            t.all(20ms);
            return t.last == w.truth();
        }));
        w.judge = nullptr;
    }
}

BOOST_AUTO_TEST_CASE(a_new_resource_version_alone_is_no_change) {
    job_watch_cluster w;
    w.submit("a");
    followed t(w.client.watch(pytorch_jobs()));
    t.all(100ms);
    w.change("a", [](pytorch_job& j) { j.metadata.annotations["example.com/beat"] = "1"; });
    BOOST_TEST((t.next(200ms) == std::nullopt));
    w.set_condition("a", "Running");
    BOOST_TEST(t.text() == "modified a Running");
}

BOOST_AUTO_TEST_CASE(unread_changes_of_jobs_are_merged_into_the_latest) {
    job_watch_cluster w;
    auto const board = std::make_shared<kftrain::detail::job_board>(w.client.get_client());
    board->most_strays = 3;
    w.submit("stays");
    followed t(begin_watch(board, pytorch_jobs().with_namespace("default")));
    BOOST_TEST(t.text() == "added stays Created initial");
    for (int i = 0; i != 20; ++i) {
        w.submit("j" + std::to_string(i));
        w.run(2s); // longer than a feed rests
        w.remove("j" + std::to_string(i));
        w.run(2s); // longer than a feed rests
    }
    w.remove("stays");
    names got;
    for (int i = 0; i != 5; ++i) got.push_back(t.text(100ms));
    names const wanted{"deleted j17 Created", "deleted j18 Created", "deleted j19 Created", "deleted stays Created",
                       make_error_code(errc::timeout).message()};
    BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

/// Whatever happens, the last reported states are those of the server.
BOOST_AUTO_TEST_CASE(the_last_reported_states_are_those_of_the_server) {
    for (unsigned seed = 1; seed != 9; ++seed) {
        std::minstd_rand random(seed);
        auto const below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
        job_watch_cluster w;
        followed pulled(w.client.watch(pytorch_jobs()));
        auto pushing = w.client.watch(pytorch_jobs());
        std::map<std::string, job_state> pushed;
        pushing.on_change([&](job_change const& c) {
            auto const key = c.state.job.namespace_ + "/" + c.state.job.name;
            if (c.kind == change_kind::deleted)
                pushed.erase(key);
            else
                pushed[key] = without_version(c.state);
        });
        std::set<std::string> jobs, pods;
        for (int step = 0; step != 60; ++step) {
            auto const name = "j" + std::to_string(below(4));
            bool const there = jobs.contains(name);
            switch (below(8)) {
            case 0:
            case 1:
                if (!there) w.submit(name, static_cast<std::int32_t>(1 + below(3))), jobs.insert(name);
                break;
            case 2:
                if (there) w.remove(name), jobs.erase(name);
                break;
            case 3:
                if (there && !pods.contains(name)) w.make_pods(name), pods.insert(name);
                break;
            case 4:
                if (there) w.set_condition(name, below(2) == 0 ? "Running" : "Restarting");
                break;
            case 5:
                if (pods.contains(name)) w.set_pod(name + "-master-0", below(2) == 0 ? "Running" : "Failed");
                break;
            case 6:
                if (there)
                    w.change(name, [&](pytorch_job& j) {
                        j.spec.pytorch_replica_specs["Worker"].replicas = static_cast<std::int32_t>(1 + below(4));
                    });
                break;
            default:
                if (below(3) == 0) w.link->cut();
                if (below(2) == 0) pulled.next(5ms);
                w.run(std::chrono::milliseconds(below(4)));
            }
        }
        auto const truth = w.truth();
        BOOST_TEST(w.until([&] {
            pulled.all(20ms);
            return pulled.last == truth && pushed == truth;
        }),
                   "seed " << seed);
    }
}

BOOST_AUTO_TEST_SUITE_END()
