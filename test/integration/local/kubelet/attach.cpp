#include "integration/local/kubelet/running_pod.hpp"

#include <kftrain/kube/exec.hpp>

#include <boost/asio/error.hpp>
#include <boost/test/data/test_case.hpp>

#include <fstream>

BOOST_AUTO_TEST_SUITE(integration_local_attach)

using namespace kubelet_tests;

namespace {

pod reading_pod(std::string const& script, bool once = false) {
    auto p = shell_pod("a", script);
    p.spec.containers[0].stdin = true;
    p.spec.containers[0].stdin_once = once;
    return p;
}

struct attached_pod : running_pod {
    attached_pod(way w, pod const& p) : running_pod(w, p) {}

    result<kube::exec_stream> attach(bool input = true, bool terminal = false) {
        diagnostics why;
        auto const o = kube::exec_options().with_input(input).with_tty(terminal).with_detail(why);
        return kube::run_blocking<kube::exec_stream>(
            io.get_executor(), why, [&](auto h) { kube::async_attach(client, "default", "a", o, std::move(h)); });
    }
    /// Reads to the end, or until the output ends with `end`.
    error_code read_to(kube::exec_stream& s, std::string& text, std::string const& end = "never") {
        for (;;) {
            auto part = read(s);
            if (!part) return part.error().code;
            text += part->text;
            if (text.ends_with(end)) return {};
        }
    }
};

std::string const greet = "while read line; do echo hello $line; [ $line = end ] && exit 3; done";

} // namespace

BOOST_DATA_TEST_CASE(a_client_attaches_to_input_and_output, boost::unit_test::data::make(ways), how) {
    attached_pod w(how, reading_pod("echo earlier; " + greet));
    // The input stays open from one client to the next.
    for (std::string const name : {"one", "two"}) {
        auto s = w.attach();
        BOOST_REQUIRE_MESSAGE(s.has_value(), (s ? "" : s.error().to_string()));
        std::string output;
        BOOST_TEST(!w.write(*s, name + "\n"));
        BOOST_TEST(!w.read_to(*s, output, "hello " + name + "\n"));
        if (name == "one") BOOST_TEST(!w.close_input(*s));
    }
    auto s = w.attach();
    BOOST_REQUIRE(s.has_value());
    std::string output;
    BOOST_TEST(!w.write(*s, "end\n"));
    BOOST_TEST(w.read_to(*s, output) == asio::error::eof);
    BOOST_TEST(output == "hello end\n");
    BOOST_TEST(s->exit_code().value_or(-1) == 0); // that of attaching
    BOOST_REQUIRE(w.ended("a"));
    BOOST_TEST(w.exit_code("a") == 3);
}

BOOST_AUTO_TEST_CASE(the_input_for_one_client_ends_with_it) {
    attached_pod w(way::https, reading_pod("cat; echo end", true));
    auto s = w.attach();
    BOOST_REQUIRE(s.has_value());
    BOOST_TEST(!w.write(*s, "text\n"));
    std::string output;
    BOOST_TEST(!w.read_to(*s, output, "text\n"));
    BOOST_TEST(!w.close_input(*s));
    BOOST_TEST(w.read_to(*s, output) == asio::error::eof);
    BOOST_TEST(output == "text\nend\n");
}

BOOST_DATA_TEST_CASE(a_client_that_leaves_lets_the_program_run, boost::unit_test::data::make(ways), how) {
    attached_pod w(how, shell_pod("a", "while true; do echo tick; sleep 0.05; done"));
    for (int i = 0; i < 3; ++i) {
        auto s = w.attach(false);
        BOOST_REQUIRE(s.has_value());
        std::string output;
        BOOST_TEST(!w.read_to(*s, output, "tick\n"));
    }
    w.io.restart();
    w.io.run_for(200ms);
    BOOST_TEST(w.phase("a") == "Running");
}

BOOST_DATA_TEST_CASE(a_client_attaches_to_a_terminal, boost::unit_test::data::make(ways), how) {
    auto p = reading_pod("stty -echo; read line; tty -s && tty -s <&1 && tty -s <&2 && echo $TERM $line; "
                         "until [ \"$(stty size)\" = \"40 100\" ]; do sleep 0.05; done; stty size; exit 3");
    p.spec.containers[0].tty = true;
    auto& probe = p.spec.containers[0].readiness_probe.emplace(); // commands do not get the terminal
    probe.exec.emplace().command = {"sh", "-c", "! tty -s"};
    probe.period_seconds = 1;
    attached_pod w(how, p);
    BOOST_REQUIRE(w.until([&] { return w.get("a").status.container_statuses.at(0).ready; }));
    auto s = w.attach(true, true);
    BOOST_REQUIRE_MESSAGE(s.has_value(), (s ? "" : s.error().to_string()));
    BOOST_TEST(!w.write(*s, "there\n"));
    std::string output;
    BOOST_TEST(!w.read_to(*s, output, "xterm there\r\n"));
    BOOST_TEST(!w.code_of([&](auto h) { s->async_resize(100, 40, std::move(h)); }));
    BOOST_TEST(w.read_to(*s, output) == asio::error::eof);
    BOOST_TEST(output == "xterm there\r\n40 100\r\n");
    BOOST_REQUIRE(w.ended("a"));
    BOOST_TEST(w.exit_code("a") == 3);
}

BOOST_AUTO_TEST_CASE(the_last_output_of_a_terminal_is_kept) {
    auto p = shell_pod("a", "seq 20000");
    p.spec.containers[0].tty = true; // without an input
    attached_pod w(way::in_process, p);
    BOOST_REQUIRE(w.ended("a"));
    std::string text;
    for (auto const& e : std::filesystem::recursive_directory_iterator(w.directory / "logs"))
        if (std::ifstream in(e.path()); e.is_regular_file()) text.append(std::istreambuf_iterator<char>(in), {});
    BOOST_TEST(text.find("\n19999\r\n20000\r\n") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(invalid_attach_requests_are_rejected) {
    attached_pod w(way::in_process, shell_pod("a", "sleep 1000"));
    auto const without = w.attach(true);
    BOOST_REQUIRE(!without.has_value());
    BOOST_TEST(without.error().code == make_error_code(reason::bad_request));
    BOOST_TEST(without.error().detail.message == "container main has no input to attach to: expected stdin: true");
    attached_pod ended(way::in_process, shell_pod("a", "true"));
    BOOST_REQUIRE(ended.ended("a"));
    BOOST_TEST(ended.attach(false).error().detail.message == "container not found (\"main\")");
}

BOOST_AUTO_TEST_SUITE_END()
