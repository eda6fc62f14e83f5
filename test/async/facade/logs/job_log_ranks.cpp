#include "async/facade/logs/node_logs.hpp"
#include "support/faulty_transport.hpp"

using namespace node_logs;

// The output of a job of many ranks.

namespace {

using test::fault;

/// How many requests of each form there were.
struct log_request_counts {
    std::size_t pod_watches = 0;
    std::size_t job_watches = 0;
    std::size_t pod_lists = 0;
    std::size_t single_pods = 0;
    std::size_t logs = 0;

    void note(kube::http_request const& r) {
        auto const path = r.target.substr(0, r.target.find('?'));
        bool const watch = r.target.find("watch=") != std::string::npos;
        if (path.ends_with("/log"))
            ++logs;
        else if (path.ends_with("/pods"))
            ++(watch ? pod_watches : pod_lists);
        else if (path.find("/pods/") != std::string::npos)
            ++single_pods;
        else if (path.ends_with("/pytorchjobs") && watch)
            ++job_watches;
    }
};

/// A service with a connection of its own.
struct many_ranks : node_with_logs {
    using names = std::vector<std::string>;

    many_ranks() {
        link->judge = [this](kube::http_request const& r) {
            counts.note(r);
            return refuse ? refuse(r) : std::nullopt;
        };
    }

    void have_workers(int count) {
        change<pytorch_job>("j", [&](pytorch_job& j) { j.spec.pytorch_replica_specs["Worker"].replicas = count; });
    }
    /// Follows a job of so many ranks from before its first pod until it is over, while the half of them still run.
    void follow_ranks(int ranks) {
        have_workers(ranks - 1);
        auto stream = service.open_logs(stored);
        settle();
        names all{"j-master-0"};
        for (int i = 0; i < ranks - 1; ++i) all.push_back("j-worker-" + std::to_string(i));
        for (auto const& name : all) run_pod(name, {"01 up"});
        std::set<std::string> members;
        for (int i = 0; i < ranks; ++i) members.insert(next(stream));
        BOOST_TEST(members.size() == all.size());
        for (int i = 0; i < ranks; i += 2) end_pod(all[static_cast<std::size_t>(i)]);
        finish_job();
        BOOST_TEST(rest(stream).empty());
    }

    log_request_counts counts;
    std::function<std::optional<fault>(kube::http_request const&)> refuse;
    training_client service{kube::client(link)};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(async_job_log_ranks, node_with_logs)

BOOST_AUTO_TEST_CASE(a_thousand_busy_ranks_are_read_fairly_in_bounded_memory) {
    auto j = ask<pytorch_job>([&](auto h) { jobs.async_get("j", std::move(h)); });
    j.spec.pytorch_replica_specs["Worker"].replicas = 999;
    ask<pytorch_job>([&](auto h) { jobs.async_replace(j, std::move(h)); });
    std::vector<std::string> const many(200, "01 a line of some length");
    run_pod("j-master-0", many);
    for (int i = 0; i < 999; ++i) run_pod("j-worker-" + std::to_string(i), many);
    auto const size = log_of("j-master-0/0").lines.front().size() + 1;
    auto stream = open(job_log_options().with_buffer(100, 1 << 20));
    BOOST_REQUIRE(until([&] { return node->open() == 1000; }));
    settle();
    BOOST_TEST(node->taken() <= size * 1100); // a line of each waits for room
    std::set<std::string> members;
    for (int i = 0; i < 2500; ++i) {
        auto const line = next(stream);
        BOOST_REQUIRE(line.front() != '(');
        members.insert(last.member.pod_name);
    }
    BOOST_TEST(members.size() == 1000U);
    settle();
    BOOST_TEST(node->taken() <= size * 3600);
    BOOST_TEST(stream.position().entries.size() == 1000U);

    auto few = open(job_log_options().with_buffer(100, 1 << 20).with_open_logs(20).with_follow(false));
    auto const open_before = node->open();
    for (int i = 0; i < 1000; ++i) {
        next(few);
        BOOST_REQUIRE(node->open() <= open_before + 20);
    }
}

// One watch is that of the job, and one that of the pods; what each rank costs besides is its log, and one look at who
// writes it.
BOOST_AUTO_TEST_CASE(the_number_of_watches_does_not_depend_on_the_ranks) {
    for (int const ranks : {2, 60}) {
        many_ranks w;
        w.follow_ranks(ranks);
        BOOST_TEST_CONTEXT(ranks << " ranks") {
            BOOST_TEST(w.counts.pod_watches == 1U);
            BOOST_TEST(w.counts.job_watches == 1U);
            BOOST_TEST(w.counts.pod_lists == 2U); // when it begins, and when the job is over
            // Once, and once more for the last lines of a container that still runs.
            BOOST_TEST(w.counts.logs >= static_cast<std::size_t>(ranks));
            BOOST_TEST(w.counts.logs <= static_cast<std::size_t>(2 * ranks));
            BOOST_TEST(w.counts.single_pods == w.counts.logs);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(logs_of_a_finished_job_need_one_list_of_pods, many_ranks) {
    for (std::string const name : {"j-master-0", "j-worker-0"}) {
        run_pod(name, {"01 up"});
        end_pod(name);
    }
    finish_job();
    for (bool const follow : {true, false}) {
        counts = log_request_counts();
        auto stream = service.open_logs(stored, job_log_options().with_follow(follow));
        BOOST_TEST(rest(stream).size() == 2U);
        BOOST_TEST(counts.pod_lists == 1U);
        BOOST_TEST(counts.pod_watches == 0U);
    }
}

BOOST_FIXTURE_TEST_CASE(streams_and_watches_of_one_client_share_the_pod_informer, many_ranks) {
    have_workers(9);
    run_pod("j-master-0", {"01 up"});
    for (int i = 0; i < 9; ++i) run_pod("j-worker-" + std::to_string(i), {"01 up"});
    auto changes = service.watch(job_watch_options().with_kind<pytorch_job>());
    BOOST_REQUIRE(until([&] { return changes.has_synced() || changes.next().has_value(); }));
    auto first = service.open_logs(stored);
    auto second = service.open_logs(stored, job_log_options().with_role("Worker"));
    next(first, 10);
    next(second, 9);
    BOOST_TEST(counts.pod_watches == 1U);
    BOOST_TEST(counts.pod_lists == 1U);
    changes = job_watch();
    first = job_log_stream();
    write("j-worker-3/0", {"02 more"});
    BOOST_TEST(next(second) == "j-worker-3: more");
    run_pod("j-worker-9", {"01 of nobody"}); // beyond the job's size
    have_workers(10);
    BOOST_TEST(next(second) == "j-worker-9: of nobody");
    BOOST_TEST(counts.pod_watches == 1U);
}

BOOST_FIXTURE_TEST_CASE(forbidden_pods_are_reported, many_ranks) {
    refuse = [](kube::http_request const& r) -> std::optional<fault> {
        if (r.target.find("/pods?") == std::string::npos) return std::nullopt;
        return fault::answer(403, "Forbidden", "pods are forbidden");
    };
    for (bool const follow : {true, false}) {
        auto stream = service.open_logs(stored, job_log_options().with_follow(follow));
        BOOST_TEST(next(stream) == "(" + make_error_code(reason::forbidden).message() + ")");
        BOOST_TEST(error_detail.message == "pods of PyTorchJob default/j: pods are forbidden");
    }
}

// The events of all pods may be late; the state of the pod whose log was opened is not.
BOOST_FIXTURE_TEST_CASE(a_run_is_found_without_pod_events, many_ranks) {
    run_pod("j-master-0", {"01 one"});
    auto stream = service.open_logs(stored);
    BOOST_TEST(next(stream) == "j-master-0: one");
    refuse = [](kube::http_request const& r) -> std::optional<fault> {
        if (r.target.find("/pods?") == std::string::npos) return std::nullopt;
        return fault::answer(503, "ServiceUnavailable", "try later");
    };
    link->cut();
    settle();
    end_pod("j-master-0");
    write("j-master-0/1", {"02 two"});
    set("j-master-0", "running", 1);
    BOOST_TEST(next(stream) == "j-master-0: two");
    BOOST_TEST(last.run == 1);
}

BOOST_AUTO_TEST_SUITE_END()
