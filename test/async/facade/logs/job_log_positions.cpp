#include "async/facade/logs/node_logs.hpp"

using namespace node_logs;

// Going on behind the last line, without loss or repetition.

BOOST_FIXTURE_TEST_SUITE(async_job_log_positions, node_with_logs)

BOOST_AUTO_TEST_CASE(a_new_stream_resumes_from_the_text_of_any_position) {
    run_pod("j-master-0", {"01 a", "02 b", "02 c", "02 d"});
    end_pod("j-master-0");
    write("j-master-0/1", {"02 e", "03 f"});
    set("j-master-0", "running", 1);
    run_pod("j-worker-0", {"01 up"});
    list const of_master{"j-master-0: a", "j-master-0: b", "j-master-0: c",
                         "j-master-0: d", "j-master-0: e", "j-master-0: f"};
    for (int left_after = 0; left_after <= 7; ++left_after) {
        list all;
        std::string text;
        {
            auto stream = open(job_log_options().with_buffer(1 + left_after % 3, 1 << 20));
            all = next(stream, left_after);
            settle(); // lines that were read but not returned do not count
            text = stream.position().to_string();
        }
        auto const from = log_position::parse(text);
        BOOST_REQUIRE_MESSAGE(from.has_value(), text);
        auto stream = open(job_log_options().with_resume_after(*from).with_follow(left_after % 2 == 0));
        auto const others = next(stream, 7 - left_after);
        all.insert(all.end(), others.begin(), others.end());
        BOOST_TEST_CONTEXT("left after " << left_after << " lines, " << text) {
            list master;
            std::ranges::copy_if(all, std::back_inserter(master),
                                 [](auto const& l) { return l.starts_with("j-master"); });
            BOOST_TEST(master == of_master, boost::test_tools::per_element());
            BOOST_TEST(std::ranges::count(all, "j-worker-0: up") == 1);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_lost_connection_among_lines_of_one_timestamp_loses_none) {
    run_pod("j-master-0", {"01 a", "02 b", "02 c"});
    auto stream = open(job_log_options().with_role("Master"));
    BOOST_TEST(next(stream, 3).back() == "j-master-0: c");
    log_of("j-master-0/0").breaks = true;
    time.advance(50ms);
    write("j-master-0/0", {"02 d", "03 e"});
    BOOST_TEST(next(stream, 2) == (list{"j-master-0: d", "j-master-0: e"}), boost::test_tools::per_element());
    BOOST_TEST(node->requests.back().since_time.value_or("") == "2026-03-01T10:11:01Z"); // not from its beginning
}

BOOST_AUTO_TEST_CASE(lines_lost_to_rotation_are_reported) {
    run_pod("j-master-0", {"01 a", "02 b"});
    log_position from;
    {
        auto stream = open(job_log_options().with_role("Master"));
        next(stream, 2);
        from = stream.position();
    }
    log_of("j-master-0/0").lines.clear();
    write("j-master-0/0", {"05 z"});
    end_pod("j-master-0");
    finish_job();
    auto stream = open(job_log_options().with_role("Master").with_resume_after(from));
    BOOST_TEST(next(stream) == "(" + make_error_code(errc::incomplete).message() + ")");
    BOOST_TEST(error_detail.message.find("container \"pytorch\" of pod j-master-0: its log") != std::string::npos,
               error_detail.message);
}

BOOST_AUTO_TEST_CASE(runs_that_were_lost_while_the_reader_was_away_are_reported) {
    run_pod("j-master-0", {"01 a"});
    auto const options = job_log_options().with_role("Master").with_follow(false);
    auto stream = open(options);
    BOOST_TEST(next(stream) == "j-master-0: a");
    write("j-master-0/2", {"05 y"}).ended = true;
    write("j-master-0/3", {"06 z"});
    set("j-master-0", "running", 3);
    auto other = open(job_log_options(options).with_resume_after(stream.position()));
    BOOST_TEST(next(other, 2) == (list{"j-master-0: y", "j-master-0: z"}), boost::test_tools::per_element());
    BOOST_TEST(next(other) == "(" + make_error_code(errc::incomplete).message() + ")");
    BOOST_TEST(error_detail.message.find("its runs 0 to 1 ended") != std::string::npos, error_detail.message);
}

BOOST_AUTO_TEST_CASE(a_position_drops_a_deleted_pod_once_its_lines_are_delivered) {
    run_pod("j-master-0", {"01 a", "02 b"});
    run_pod("j-worker-0", {"01 up"});
    auto stream = open(job_log_options().with_role("Master"));
    BOOST_TEST(next(stream) == "j-master-0: a");
    auto const before = stream.position();
    BOOST_TEST(before.entries.size() == 1U);
    end_pod("j-master-0");
    settle();
    remove_pod("j-master-0");
    node->logs.erase("j-master-0/0");
    run_pod("j-master-0", {"05 new"});
    settle();
    BOOST_TEST(stream.position().entries.size() == 1U); // a line of it is not handed out yet
    BOOST_TEST(next(stream) == "j-master-0: b");
    BOOST_TEST(stream.position().entries.empty());
    BOOST_TEST(next(stream) == "j-master-0: new");
    BOOST_TEST(stream.position().entries.size() == 1U);

    auto again = open(job_log_options().with_role("Master").with_resume_after(before));
    BOOST_TEST(next(again) == "j-master-0: new");
    settle();
    BOOST_TEST((again.position() == stream.position()), again.position().to_string());
}

BOOST_AUTO_TEST_CASE(an_incomplete_line_is_delivered_again_once_complete) {
    log("j-master-0/0") = {responds({"2026-03-01T10:11:01Z one\n2026-03-01T10:11:02Z half"}),
                           responds({"2026-03-01T10:11:01Z one\n2026-03-01T10:11:02Z half and all\n"})};
    server.set_log_source(source);
    make_pod("j-master-0");
    set("j-master-0", "running");
    auto const now = job_log_options().with_role("Master").with_follow(false);
    auto first = open(now);
    BOOST_TEST(rest(first) == (list{"j-master-0: one", "j-master-0: half"}), boost::test_tools::per_element());
    auto second = open(job_log_options(now).with_resume_after(first.position()));
    BOOST_TEST(rest(second) == (list{"j-master-0: half and all"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
