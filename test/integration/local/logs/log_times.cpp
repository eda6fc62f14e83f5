#include "facade/logs/log_bookmark.hpp"
#include "integration/local/logs/logged_cluster.hpp"

#include <regex>

BOOST_AUTO_TEST_SUITE(integration_local_log_times)

using namespace local_log_tests;

// The times of lines, and requests for the lines since a time.

namespace {

/// Without the times in front of its lines, each of which is looked at.
std::string unstamped(std::string const& log) {
    static std::regex const form(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z (.*))");
    std::string text;
    log_instant before;
    std::istringstream in(log);
    for (std::string line; std::getline(in, line);) {
        std::smatch parts;
        BOOST_REQUIRE_MESSAGE(std::regex_match(line, parts, form), line);
        auto const at = read_log_stamp(line).at;
        BOOST_TEST((at >= before), line);
        before = at;
        text += parts[1].str() + "\n";
    }
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(lines_have_the_times_at_which_they_were_written) {
    logged c(with_limits(4096, 3));
    c.make_pod("a", "printf 'in two '; sleep .3; echo pieces; echo; seq 1 3; sleep 60");
    std::string const text = "in two pieces\n\n1\n2\n3\n";
    BOOST_REQUIRE(c.until([&] { return c.log("a") == text; }));
    auto const stamped = c.log("a", kube::log_options().with_timestamps());
    BOOST_TEST(unstamped(stamped) == text);
    auto const first = read_log_stamp(stamped).at;
    auto const second = read_log_stamp(stamped.substr(stamped.find('\n') + 1)).at;
    BOOST_TEST((second.seconds - first.seconds) * 1000 + (second.nanoseconds - first.nanoseconds) / 1'000'000 >= 200);
    BOOST_TEST(unstamped(c.log("a", kube::log_options().with_timestamps().with_tail_lines(2))) == "2\n3\n");
    BOOST_TEST(c.log("a", kube::log_options().with_timestamps().with_limit_bytes(10)).size() == 11U); // and a newline

    c.make_pod("b", "seq 1 2000; sleep 60"); // over the ends of files, of which the oldest go
    BOOST_REQUIRE(c.until([&] { return c.log("b").ends_with("\n2000\n"); }));
    auto const kept = c.log("b");
    BOOST_TEST(unstamped(c.log("b", kube::log_options().with_timestamps())) == kept);
}

BOOST_AUTO_TEST_CASE(a_log_can_be_requested_from_a_time_on) {
    logged c;
    c.make_pod("a", "echo old; sleep 2.5; echo new; sleep 60");
    BOOST_REQUIRE(c.until([&] { return c.log("a") == "old\nnew\n"; }));
    auto const stamped = c.log("a", kube::log_options().with_timestamps());
    auto const line = stamped.substr(stamped.find('\n') + 1);
    auto const time = line.substr(0, line.find(' '));
    BOOST_TEST(c.log("a", kube::log_options().with_since_time(time)) == "new\n");
    BOOST_TEST(c.log("a", kube::log_options().with_since_time("2020-01-01T00:00:00Z")) == "old\nnew\n");
    BOOST_TEST(c.log("a", kube::log_options().with_since_time("2100-01-01T00:00:00Z")).empty());
    BOOST_TEST(c.log("a", kube::log_options().with_since_seconds(1'000'000'000'000)) == "old\nnew\n");
    BOOST_TEST(c.until([&] { return c.log("a", kube::log_options().with_since_seconds(1)).empty(); }));
}

BOOST_AUTO_TEST_CASE(the_output_of_a_job_resumes_at_a_position_across_restarts) {
    logged c;
    flag const begun, go;
    auto const stored = c.submit(scripts("seq 1 50; if [ ! -e " + begun.text() + " ]; then touch " + begun.text() +
                                             "; exit 1; fi; " + go.awaited() + "seq 51 60",
                                         1, "seq 1 50; " + go.awaited() + "seq 51 60", "OnFailure"));
    std::map<std::string, std::string> output;
    log_position from;
    for (int part = 0; part < 4; ++part) {
        auto stream = c.client.open_logs(stored, job_log_options().with_resume_after(from).with_buffer(7, 1 << 20));
        for (int i = 0; i < 30; ++i) {
            auto const line = stream.next(kube::next_options().with_timeout(std::chrono::seconds(30)));
            BOOST_REQUIRE_MESSAGE(line.has_value(), (line ? "" : line.error().to_string()));
            output[line->member.pod_name] += line->text + "\n";
        }
        auto const read = log_position::parse(stream.position().to_string());
        BOOST_REQUIRE(read.has_value());
        from = *read;
    }
    go.raise();
    auto const rest = c.client.logs(
        stored, [&](log_line const& l) { output[l.member.pod_name] += l.text + "\n"; },
        job_log_options().with_resume_after(from));
    BOOST_TEST(rest.has_value(), (rest ? "" : rest.error().to_string()));
    BOOST_TEST(output["sh-master-0"] == lines_text(1, 50) + lines_text(1, 60));
    BOOST_TEST(output["sh-worker-0"] == lines_text(1, 60));
}

BOOST_AUTO_TEST_SUITE_END()
