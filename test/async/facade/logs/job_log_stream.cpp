#include "async/facade/logs/node_logs.hpp"

using namespace node_logs;

// The output of a job as it is pulled.

BOOST_FIXTURE_TEST_SUITE(async_job_log_stream, node_with_logs)

BOOST_AUTO_TEST_CASE(each_line_has_its_member_container_and_run) {
    run_pod("j-master-0", {"01 one", "02 two"});
    end_pod("j-master-0");
    auto stream = open(job_log_options().with_role("Master").with_timestamps());
    BOOST_TEST(next(stream) == "j-master-0: one");
    BOOST_TEST(last.container == "pytorch");
    BOOST_TEST(last.member.role == "Master");
    BOOST_TEST(last.run == 0);
    BOOST_TEST(last.time == "2026-03-01T10:11:01.000000000Z");
    BOOST_TEST(next(stream) == "j-master-0: two");
    finish_job();
    for (int i = 0; i < 2; ++i) BOOST_TEST(next(stream) == "(" + eof.message() + ")");
}

BOOST_AUTO_TEST_CASE(reading_stops_while_the_buffer_is_full) {
    run_pod("j-master-0", std::vector<std::string>(5000, "01 a line"));
    auto const size = log_of("j-master-0/0").lines.front().size() + 1;
    auto stream = open(job_log_options().with_buffer(10, 1 << 20));
    settle();
    BOOST_TEST(node->taken() > 0U);
    BOOST_TEST(node->taken() <= size * 11); // one line more, which waits for room
    next(stream, 100);
    settle();
    BOOST_TEST(node->taken() > size * 100);
    BOOST_TEST(node->taken() <= size * 111);
    auto by_bytes = open(job_log_options().with_buffer(1 << 20, size * 4));
    auto const before = node->taken();
    settle();
    BOOST_TEST(node->taken() - before <= size * 5);
    next(stream, 4);
}

BOOST_AUTO_TEST_CASE(a_slow_reader_receives_all_lines) {
    std::vector<std::string> const many(300, "01 a line");
    run_pod("j-master-0", many);
    run_pod("j-worker-0", many);
    auto stream = open(job_log_options().with_buffer(5, 1 << 20));
    BOOST_TEST(next(stream) != "");
    finish_job(); // while its pods go on
    time.advance(1500ms);
    BOOST_TEST(rest(stream).size() == 599U);
}

BOOST_AUTO_TEST_CASE(a_timed_out_call_leaves_the_stream_open) {
    run_pod("j-master-0", {"01 one"});
    auto stream = open();
    BOOST_TEST(next(stream) == "j-master-0: one");
    auto const late = stream.next(kube::next_options().with_timeout(20ms).with_detail(error_detail));
    BOOST_REQUIRE(late.has_error());
    BOOST_TEST(late.error().code == make_error_code(errc::timeout));
    BOOST_TEST(error_detail.message.find("20 ms") != std::string::npos, error_detail.message);
    write("j-master-0/0", {"02 two"});
    BOOST_TEST(next(stream) == "j-master-0: two");
}

BOOST_AUTO_TEST_CASE(the_time_limit_ends_the_stream_after_the_buffered_lines) {
    run_pod("j-master-0", {"01 one", "02 two"});
    auto stream = open(job_log_options().with_timeout(300ms));
    settle();
    time.advance(500ms);
    BOOST_TEST(next(stream, 2).back() == "j-master-0: two");
    for (int i = 0; i < 2; ++i) BOOST_TEST(next(stream) == "(" + make_error_code(errc::timeout).message() + ")");
    BOOST_TEST(error_detail.message.find("PyTorchJob default/j: not complete after 300 ms") != std::string::npos,
               error_detail.message);
}

BOOST_AUTO_TEST_CASE(a_cancelled_call_loses_no_line) {
    run_pod("j-master-0", {"01 one", "02 two"});
    auto stream = open();
    for (bool const line_is_there : {false, true}) {
        asio::cancellation_signal stop;
        std::optional<error_code> done;
        auto const note = [&](error_code ec, log_line const&) { done = ec; };
        asio::post(io, [&] {
            stream.async_next(asio::bind_cancellation_slot(stop.slot(), note));
            stop.emit(asio::cancellation_type::total);
        });
        BOOST_REQUIRE(until([&] { return done.has_value(); }));
        BOOST_TEST(*done == error_code(asio::error::operation_aborted), done->message());
        if (!line_is_there) settle();
    }
    BOOST_TEST(next(stream) == "j-master-0: one");
    BOOST_TEST(next(stream) == "j-master-0: two");
}

BOOST_AUTO_TEST_CASE(a_second_concurrent_call_of_next_fails) {
    auto stream = open();
    std::vector<error_code> ends;
    auto const note = [&](error_code ec, log_line const&) { ends.push_back(ec); };
    stream.async_next(note);
    stream.async_next(note);
    BOOST_REQUIRE(until([&] { return ends.size() == 1; }));
    BOOST_TEST(ends[0] == make_error_code(errc::already_running));
}

BOOST_AUTO_TEST_CASE(a_log_stream_can_be_destroyed_at_any_step) {
    run_pod("j-master-0", std::vector<std::string>(50, "01 a line"));
    run_pod("j-worker-0", {"01 up"});
    for (int const turns : {0, 1, 2, 5, 10, 20, 40, 60, 90, 130, 200, 300, 500, 1000}) {
        std::optional<error_code> done;
        {
            auto stream = open(job_log_options().with_buffer(5, 1 << 20).with_open_logs(turns % 2 == 0 ? 1U : 0U));
            io.restart();
            for (int i = 0; i < turns; ++i) io.poll_one();
            stream.async_next([&](error_code ec, log_line const&) { done = ec; });
            if (turns % 20 == 0) io.poll_one();
        }
        BOOST_TEST(until([&] { return done.has_value() && node->open() == 0; }), "after " << turns << " turns");
    }
    auto left = std::make_unique<job_log_stream>(open());
    settle();
    *left = job_log_stream();
    BOOST_TEST(until([&] { return node->open() == 0; }));
    auto late = open(); // is destroyed after its io_context has stopped
    settle();
}

BOOST_AUTO_TEST_CASE(deleting_the_job_ends_the_log_with_an_error) {
    run_pod("j-master-0", {"01 one"});
    auto stream = open();
    BOOST_TEST(next(stream) == "j-master-0: one");
    jobs.async_delete("j", [](error_code) {});
    BOOST_TEST(next(stream) == "(" + make_error_code(errc::deleted).message() + ")");
}

BOOST_AUTO_TEST_CASE(lines_pushed_to_a_callback_end_with_the_call) {
    run_pod("j-master-0", std::vector<std::string>(500, "01 a line"));
    asio::cancellation_signal stop;
    client.async_logs(
        stored,
        [&](log_line const& l) {
            lines.push_back(l.text);
            if (lines.size() == 70) stop.emit(asio::cancellation_type::terminal);
        },
        asio::bind_cancellation_slot(stop.slot(), [&](error_code ec) { ended = ec; }));
    BOOST_TEST(end() == error_code(asio::error::operation_aborted), end().message());
    BOOST_TEST(lines.size() == 70U);
    BOOST_TEST(until([&] { return node->open() == 0; }));
}

BOOST_AUTO_TEST_SUITE_END()
