#include "async/facade/logs/job_log_cluster.hpp"

#include "facade/parallel_queries.hpp"

#include <boost/asio/co_spawn.hpp>

BOOST_AUTO_TEST_SUITE(async_explain_logs)

using namespace job_log_tests;

namespace {

struct ended_worker : job_log_cluster {
    ended_worker() {
        for (auto const& object : stored.render())
            if (auto const* const p = object.get_if<pod>(); p != nullptr && p->metadata.name == name) {
                pod next = *p;
                next.metadata.namespace_ = "default";
                next.spec.node_name = "n";
                create(next);
            }
        set(name, "ended");
    }

    std::string const name = "j-worker-0";
};

std::string line(std::string const& text) { return "2026-03-01T11:30:00.000000000Z " + text + "\n"; }

} // namespace

/// A limit on bytes would keep the beginning of the requested lines: kubelets cut behind it.
BOOST_AUTO_TEST_CASE(the_decisive_line_is_found_before_the_printed_lines) {
    ended_worker w;
    std::deque<std::string> pieces;
    pieces.push_back(line("Host key verification failed."));
    for (int i = 0; i < 15; ++i) pieces.push_back(line(std::string(100'000, 'x')));
    pieces.push_back(line("ValueError: ") + line("bad label"));
    w.log("j-worker-0/0").push_back(responds(std::move(pieces)));
    auto const e = w.ask<explanation>(
        [&](auto h) { w.client.async_explain(w.stored, explain_options().with_log_lines(3), std::move(h)); });
    BOOST_TEST_REQUIRE(!e.causes.empty());
    auto const& log = e.causes[0].log;
    BOOST_TEST_REQUIRE(log.size() == 3U, e.to_string());
    BOOST_TEST(log[0].starts_with("xxx"));
    BOOST_TEST(log[1] == "ValueError: ");
    BOOST_TEST(log[2] == "bad label");
    BOOST_TEST_REQUIRE(w.source->requests.size() == 1U);
    BOOST_TEST(!w.source->requests[0].tail_lines.has_value());
    BOOST_TEST(e.causes[0].decisive_line == "Host key verification failed.");
    BOOST_TEST(!w.source->requests[0].limit_bytes.has_value());
}

BOOST_AUTO_TEST_CASE(a_truncated_log_is_listed_as_missing) {
    ended_worker w;
    w.log("j-worker-0/0").push_back(responds({line("epoch 1")}, make_error_code(errc::connection_lost)));
    auto const e = w.ask<explanation>([&](auto h) { w.client.async_explain(w.stored, {}, std::move(h)); });
    BOOST_TEST(std::ranges::any_of(e.missing, [](auto const& m) { return m.starts_with("log of pod j-worker-0: "); }),
               e.to_string());
}

BOOST_AUTO_TEST_CASE(a_shortened_log_begins_at_the_beginning_of_a_line) {
    for (auto const& [pieces, kept] : std::vector<std::pair<std::deque<std::string>, std::string>>{
             {{"one\n", "two\n"}, "one\ntwo\n"},
             {{"0123456789\n", "abc\n", "def\n"}, "abc\ndef\n"},
             {{"0\n", "abcdefg\n"}, "abcdefg\n"},
             {{"0123456789abc\n", "def\n"}, "def\n"},
             {{std::string(200, 'x'), "end"}, "xxxxxend"},
             {{std::string(200, 'x'), "\n"}, "xxxxxxx\n"},
             {{}, ""}}) {
        ended_worker w;
        w.log("j-worker-0/0").push_back(responds(pieces));
        std::vector<result<kube::http_request>> requests;
        requests.push_back(kube::request::pod_log("default", w.name, kube::log_options()));
        std::optional<std::vector<call_answer>> got;
        asio::co_spawn(w.io, call_all(w.client.get_client(), std::move(requests), kube::call_options(), 8),
                       [&](std::exception_ptr, std::vector<call_answer> a) { got = std::move(a); });
        BOOST_TEST_REQUIRE(w.until([&] { return got.has_value(); }));
        BOOST_TEST(!got->at(0).ec, got->at(0).why());
        BOOST_TEST(got->at(0).text == kept);
    }
}

BOOST_AUTO_TEST_CASE(a_query_may_ignore_that_its_object_is_missing) {
    ended_worker w;
    std::vector<query> queries{object_query<pod>("default", "none", [](pod const&) {})};
    std::optional<std::exception_ptr> ended;
    asio::co_spawn(w.io, run_queries(w.client.get_client(), std::move(queries), kube::call_options()),
                   [&](std::exception_ptr e) { ended = std::move(e); });
    BOOST_TEST_REQUIRE(w.until([&] { return ended.has_value(); }));
    BOOST_TEST((*ended == nullptr));
}

BOOST_AUTO_TEST_SUITE_END()
