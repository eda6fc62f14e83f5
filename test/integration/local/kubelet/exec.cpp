#include "integration/local/kubelet/running_pod.hpp"

#include <kftrain/kube/exec.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/data/test_case.hpp>

BOOST_AUTO_TEST_SUITE(integration_local_exec)

using namespace kubelet_tests;

namespace {

struct outcome {
    outcome() = default;

    error_code ec;
    std::string why;
    std::optional<int> code;
    std::string output, error_output;
};

/// A pod `a` that runs, and a client on one of the ways.
struct exec_pod : running_pod {
    using running_pod::running_pod;

    result<kube::exec_stream> begin(std::vector<std::string> const& command, kube::exec_options o = {}) {
        diagnostics why;
        o.detail = &why;
        return kube::run_blocking<kube::exec_stream>(io.get_executor(), why, [&](auto h) {
            kube::async_exec(client, "default", "a", command, o, std::move(h));
        });
    }
    outcome finish(kube::exec_stream& s) {
        outcome o;
        for (;;) {
            auto part = read(s);
            if (part) {
                (part->channel == kube::exec_channel::output ? o.output : o.error_output) += part->text;
                continue;
            }
            o.ec = part.error().code;
            o.why = part.error().detail.message;
            o.code = s.exit_code();
            return o;
        }
    }
    outcome run(std::vector<std::string> const& command, kube::exec_options const& options = {}) {
        auto s = begin(command, options);
        if (s) return finish(*s);
        outcome o;
        o.ec = s.error().code;
        o.why = s.error().detail.message;
        return o;
    }
    outcome shell(std::string const& script) { return run({"sh", "-c", script}); }
};

/// Reads from `s` until the text has come.
bool reads(exec_pod& w, kube::exec_stream& s, std::string const& text) {
    std::string all;
    while (all.find(text) == std::string::npos) {
        auto const part = w.read(s);
        if (!part) return false;
        all += part->text;
    }
    return true;
}

/// A name that the command line of a process of this test alone contains.
std::string unique_argument() { return local_tests::fresh_folder().filename().string(); }

} // namespace

BOOST_DATA_TEST_CASE(a_command_returns_its_output_and_exit_code, boost::unit_test::data::make(ways), how) {
    exec_pod w(how);
    auto const o = w.shell("echo out; echo err >&2; exit 3");
    BOOST_TEST(o.ec == asio::error::eof, o.why);
    BOOST_TEST(o.code.value_or(-1) == 3);
    BOOST_TEST(o.output == "out\n");
    BOOST_TEST(o.error_output == "err\n");
    BOOST_TEST(w.run({"true"}).code.value_or(-1) == 0);
    BOOST_TEST(w.shell("kill -TERM $$").code.value_or(-1) == 128 + SIGTERM);
}

BOOST_DATA_TEST_CASE(the_command_receives_the_whole_input, boost::unit_test::data::make(ways), how) {
    exec_pod w(how);
    auto s = w.begin({"sh", "-c", "cat; echo end"}, kube::exec_options().with_input());
    BOOST_REQUIRE_MESSAGE(s.has_value(), (s ? "" : s.error().to_string()));
    std::string sent;
    // More than the buffers on the way hold, in both directions at a time.
    for (int i = 0; i < 1024; ++i) {
        std::string const line = std::string(16'000, static_cast<char>('a' + i % 26)) + "\n";
        sent += line;
    }
    error_code written, closed;
    s->async_write(sent, [&](error_code ec) {
        written = ec;
        s->async_close_input([&](error_code c) { closed = c; });
    });
    auto const o = w.finish(*s);
    BOOST_TEST(o.ec == asio::error::eof, o.why);
    BOOST_TEST(!written);
    BOOST_TEST(!closed);
    BOOST_TEST((o.output == sent + "end\n"));
    BOOST_TEST(w.write(*s, "more") == make_error_code(errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_command_runs_with_user_and_environment_of_its_container) {
    exec_pod w(way::in_process);
    auto p = shell_pod("b", "sleep 1000");
    auto& c = p.spec.containers[0];
    c.working_dir = "/usr";
    c.env.emplace_back("GREETING", "hello");
    c.volume_mounts.emplace_back();
    c.volume_mounts[0].name = "v";
    c.volume_mounts[0].mount_path = "/mnt";
    p.spec.volumes.emplace_back();
    p.spec.volumes[0].name = "v";
    p.spec.volumes[0].empty_dir.emplace();
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return w.phase("b") == "Running"; }));
    auto s = kube::run_blocking<kube::exec_stream>(w.io.get_executor(), diagnostics(), [&](auto h) {
        kube::async_exec(w.client, "default", "b", {"sh", "-c", "pwd; echo $GREETING; hostname; touch /mnt/x; ls /mnt"},
                         std::move(h));
    });
    BOOST_REQUIRE(s.has_value());
    BOOST_TEST(w.finish(*s).output == "/usr\nhello\nb\nx\n");
}

// Of runc: 127 for a program that does not exist, 126 for one that cannot be executed.
BOOST_AUTO_TEST_CASE(a_command_that_cannot_be_executed_has_the_exit_code_of_a_shell) {
    exec_pod w(way::in_process);
    auto const missing = w.run({"/no/such/program"});
    BOOST_TEST(missing.code.value_or(-1) == 127);
    BOOST_TEST(missing.error_output.find("/no/such/program") != std::string::npos, missing.error_output);
    BOOST_TEST(w.run({"/etc"}).code.value_or(-1) == 126);
}

BOOST_DATA_TEST_CASE(invalid_exec_requests_are_rejected, boost::unit_test::data::make(ways), how) {
    exec_pod w(how, "true");
    BOOST_REQUIRE(w.ended("a"));
    auto o = w.run({"true"});
    BOOST_TEST(o.ec == make_error_code(reason::internal_error));
    BOOST_TEST(o.why == "container not found (\"main\")");
    o = w.run({"true"}, kube::exec_options().with_container("other"));
    BOOST_TEST(o.ec == make_error_code(reason::bad_request));
    BOOST_TEST(o.why == "container other is not valid for pod a");
    BOOST_TEST(w.run({}).ec == make_error_code(errc::invalid_argument));
    kube::http_request plain;
    plain.method = "GET";
    plain.target = "/api/v1/namespaces/default/pods/a/exec?command=true&stdout=true";
    diagnostics why;
    auto const refused = kube::run_blocking<std::string>(w.io.get_executor(), why, [&](auto h) {
        w.client.async_call(plain, kube::call_options().with_detail(why), std::move(h));
    });
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST(refused.error().code == make_error_code(reason::bad_request));
    BOOST_TEST(refused.error().detail.message == "Upgrade request required");
}

// A real server refuses such bytes, too, when it passes the words on to the container runtime.
BOOST_DATA_TEST_CASE(arguments_that_are_no_text_or_too_long_are_refused, boost::unit_test::data::make(ways), how) {
    exec_pod w(how);
    auto o = w.run({"echo", "a\xff"});
    BOOST_TEST(o.ec == make_error_code(reason::bad_request));
    BOOST_TEST(o.why == "invalid request target: query parameter \"command\": expected UTF-8 in percent-encoding, got "
                        "\"a%FF\"");
    o = w.run({"echo", std::string("a\0b", 3)});
    BOOST_TEST(o.ec == make_error_code(reason::bad_request));
    BOOST_TEST(o.why == "command: expected a text without NUL bytes, got \"a\\u0000b\"");
    std::vector<std::string> words(12, std::string(100'000, 'x'));
    words[0] = "echo";
    o = w.run(words);
    if (how == way::in_process) {
        BOOST_TEST(o.output.size() == 11 * 100'001U);
    } else {
        BOOST_TEST(o.ec == make_error_code(reason::bad_request));
        BOOST_TEST(o.why == "Request header fields too large: limit is 1048576, 65533 for one field");
    }
    words.resize(6);
    BOOST_TEST(w.run(words).output.size() == 5 * 100'001U);
    BOOST_TEST(w.run({"echo", "\xc3\xa4"}).output == "\xc3\xa4\n");
}

BOOST_DATA_TEST_CASE(the_end_of_the_client_kills_the_command, boost::unit_test::data::make(ways), how) {
    bool written = false; // set once more when the stream is gone
    exec_pod w(how);
    for (bool const fills_input : {false, true}) { // which the command does not read
        auto const name = unique_argument();
        {
            auto options = kube::exec_options();
            options.input = fills_input;
            auto s = w.begin({"sh", "-c", "echo begun; sleep 1000; : " + name}, options);
            BOOST_REQUIRE(s.has_value());
            BOOST_REQUIRE(reads(w, *s, "begun"));
            if (fills_input) s->async_write(std::string(8U << 20U, 'x'), [&](error_code) { written = true; });
            w.io.restart();
            w.io.run_for(500ms);
            BOOST_TEST(!written); // more than pipe and connection take
            BOOST_REQUIRE(!local_tests::processes_with(name).empty());
        }
        BOOST_TEST(w.until([&] { return local_tests::processes_with(name).empty(); }));
    }
}

BOOST_DATA_TEST_CASE(the_end_of_the_pod_ends_the_command, boost::unit_test::data::make(ways), how) {
    exec_pod w(how);
    auto s = w.begin({"sh", "-c", "echo begun; sleep 1000"});
    BOOST_REQUIRE(s.has_value());
    BOOST_REQUIRE(reads(w, *s, "begun"));
    w.remove_pod("a");
    auto const o = w.finish(*s);
    BOOST_TEST(o.ec == asio::error::eof, o.why);
    BOOST_TEST(o.code.value_or(-1) == 128 + SIGKILL);
}

BOOST_DATA_TEST_CASE(the_end_of_the_server_ends_the_command, boost::unit_test::data::make(ways), how) {
    exec_pod w(how);
    auto const name = unique_argument();
    auto s = w.begin({"sh", "-c", "echo begun; sleep 1000; : " + name});
    BOOST_REQUIRE(s.has_value());
    BOOST_REQUIRE(reads(w, *s, "begun"));
    w.server.close(asio::error::connection_refused);
    auto const o = w.finish(*s);
    BOOST_TEST(o.ec == make_error_code(errc::connection_lost), o.ec.message());
    BOOST_TEST(!o.code.has_value());
    BOOST_TEST(w.until([&] { return local_tests::processes_with(name).empty(); }));
}

BOOST_DATA_TEST_CASE(a_read_can_time_out_and_be_cancelled, boost::unit_test::data::make(ways), how) {
    exec_pod w(how);
    auto s = w.begin({"sleep", "1000"});
    BOOST_REQUIRE(s.has_value());
    auto const late = w.read(*s, 1s);
    BOOST_REQUIRE(!late.has_value());
    BOOST_TEST(late.error().code == make_error_code(errc::timeout));
    auto const after = w.read(*s);
    BOOST_TEST(after.error().code == make_error_code(asio::error::operation_aborted));

    auto other = w.begin({"sleep", "1000"});
    BOOST_REQUIRE(other.has_value());
    w.cancel_read<kube::exec_output>(*other);
}

BOOST_DATA_TEST_CASE(a_slow_reader_slows_the_command, boost::unit_test::data::make(ways), how) {
    exec_pod w(how);
    shared_folder seen;
    auto const script = "i=0; while [ $i -lt 400 ]; do head -c 100000 /dev/zero; i=$((i+1)); echo $i >" +
                        (seen.path / "count").string() + "; done";
    auto s = w.begin({"sh", "-c", script});
    BOOST_REQUIRE(s.has_value());
    BOOST_REQUIRE(w.read(*s).has_value());
    std::string count;
    // Until it stands still.
    w.until([&] {
        auto const before = std::exchange(count, seen.text("count"));
        w.io.restart();
        w.io.run_for(300ms);
        return !count.empty() && before == count && seen.text("count") == count;
    });
    BOOST_TEST(std::stoi("0" + count) < 200, "after " << count << " pieces of 400");
    std::size_t total = 0;
    auto const o = w.finish(*s);
    total = o.output.size();
    BOOST_TEST(o.code.value_or(-1) == 0);
    BOOST_TEST(total > 30'000'000U);
}

BOOST_DATA_TEST_CASE(a_call_can_be_cancelled_before_the_command_runs, boost::unit_test::data::make(ways), how) {
    exec_pod w(how);
    auto const name = unique_argument();
    // After as many steps of the io_context.
    for (int steps = 0; steps < 12; ++steps) {
        asio::cancellation_signal stop;
        std::optional<error_code> ended;
        kube::async_exec(
            w.client, "default", "a", {"sh", "-c", "sleep 1000; : " + name}, kube::exec_options(),
            asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, kube::exec_stream) { ended = ec; }));
        w.io.restart();
        for (int i = 0; i < steps && !ended; ++i) w.io.run_one_for(20ms);
        if (!ended) stop.emit(asio::cancellation_type::terminal);
        BOOST_REQUIRE(w.until([&] { return ended.has_value(); }));
        BOOST_TEST((!*ended || *ended == asio::error::operation_aborted), ended->message());
    }
    BOOST_TEST(w.until([&] { return local_tests::processes_with(name).empty(); }));
}

// Nothing runs after that: the destructors alone end everything.
BOOST_AUTO_TEST_CASE(a_cluster_may_be_destroyed_while_commands_run) {
    auto const name = unique_argument();
    for (bool const reads : {false, true}) {
        asio::io_context io;
        std::optional<kube::exec_stream> stream;
        local::local_cluster_options o;
        o.directory = local_tests::fresh_folder();
        o.mode = local::isolation::namespaces;
        std::optional<local::local_cluster> cluster(std::in_place, io, o);
        BOOST_REQUIRE(cluster->start().has_value());
        auto const client = cluster->client();
        kube::api<pod> pods(client, "default");
        BOOST_REQUIRE(kube::run_blocking<pod>(io.get_executor(), diagnostics(), [&](auto h) {
                          pods.async_create(shell_pod("a", "sleep 1000"), std::move(h));
                      }).has_value());
        for (auto const end = std::chrono::steady_clock::now() + 40s;
             !stream && std::chrono::steady_clock::now() < end;) {
            auto begun = kube::run_blocking<kube::exec_stream>(io.get_executor(), diagnostics(), [&](auto h) {
                kube::async_exec(client, "default", "a", {"sh", "-c", "sleep 1000; : " + name}, std::move(h));
            });
            if (begun) stream.emplace(std::move(*begun));
        }
        BOOST_REQUIRE(stream.has_value());
        if (reads) stream->async_read([](error_code, kube::exec_output) {});
        io.restart();
        io.run_for(50ms);
        cluster.reset();
        BOOST_TEST(local_tests::processes_with(name).empty());
    }
}

BOOST_AUTO_TEST_CASE(a_command_can_have_a_terminal) {
    exec_pod w(way::https);
    auto const options = kube::exec_options().with_tty().with_input();
    auto s = w.begin({"sh", "-c", "test -t 0 && test -t 2 && read line && stty size && echo got $line"}, options);
    BOOST_REQUIRE(s.has_value());
    auto const sized =
        kube::run_blocking(w.io.get_executor(), diagnostics(), [&](auto h) { s->async_resize(91, 17, std::move(h)); });
    BOOST_TEST(sized.has_value());
    BOOST_TEST(!w.write(*s, "hello\n"));
    auto const o = w.finish(*s);
    BOOST_TEST(o.code.value_or(-1) == 0, o.output);
    BOOST_TEST(o.output.find("17 91") != std::string::npos, o.output);
    BOOST_TEST(o.output.find("got hello") != std::string::npos, o.output);
}

BOOST_AUTO_TEST_CASE(a_stream_without_a_command_aborts) {
    kube::exec_stream s;
    check_without_connection<kube::exec_output>(s);
    BOOST_TEST(!s.exit_code().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
