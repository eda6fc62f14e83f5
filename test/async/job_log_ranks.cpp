#include "async/node_logs.hpp"

using namespace node_logs;

// The output of a job of a thousand ranks.

BOOST_FIXTURE_TEST_SUITE(async_job_log_ranks, node_world)

BOOST_AUTO_TEST_CASE(a_thousand_ranks_that_write_without_end_are_read_in_bounds_and_each_has_its_turn) {
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
    std::set<std::string> heard;
    for (int i = 0; i < 2500; ++i) {
        auto const line = next(stream);
        BOOST_REQUIRE(line.front() != '(');
        heard.insert(last.member.pod_name);
    }
    BOOST_TEST(heard.size() == 1000U);
    settle();
    BOOST_TEST(node->taken() <= size * 3600);
    BOOST_TEST(stream.position().places.size() == 1000U);

    auto few = open(job_log_options().with_buffer(100, 1 << 20).with_open_logs(20).with_follow(false));
    auto const open_before = node->open();
    for (int i = 0; i < 1000; ++i) {
        next(few);
        BOOST_REQUIRE(node->open() <= open_before + 20);
    }
}

BOOST_AUTO_TEST_SUITE_END()
