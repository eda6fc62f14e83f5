#include "integration/local/logs/logged_cluster.hpp"

#include <filesystem>

BOOST_AUTO_TEST_SUITE(integration_local_logs)

using namespace local_log_tests;

// The content of pod logs, how long it is kept, and its readers.

namespace {

/// Of output; beside it stand times, which take no more. Files may go while they are counted.
std::uintmax_t bytes_below(std::filesystem::path const& folder) {
    std::uintmax_t sum = 0;
    std::error_code gone;
    for (std::filesystem::recursive_directory_iterator at(folder, gone), end; !gone && at != end; at.increment(gone)) {
        auto const size = at->file_size(gone);
        if (!gone && at->path().extension() == ".log") sum += size;
        gone.clear();
    }
    return sum;
}

std::size_t folders_below(std::filesystem::path const& folder) {
    std::size_t count = 0;
    std::error_code none;
    for (std::filesystem::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) ++count;
    return count;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_logs_of_other_pods_remain_when_one_ends) {
    logged c;
    flag const go;
    c.make_pod("a", "echo one; " + go.awaited() + "echo two; sleep 60");
    c.make_pod("b", "echo here; sleep 60");
    BOOST_REQUIRE(c.until([&] { return c.log("a") == "one\n"; }));
    BOOST_REQUIRE(c.until([&] { return c.log("b") == "here\n"; }));
    BOOST_TEST(folders_below(std::filesystem::path(c.options.directory) / "logs") == 2U);
    c.delete_now("b");
    BOOST_REQUIRE(c.until([&] { return c.get_pod("b").metadata.name.empty(); }));
    BOOST_TEST(c.until([&] { return folders_below(std::filesystem::path(c.options.directory) / "logs") == 1U; }),
               "the logs of the deleted pod are still there");
    BOOST_TEST(c.log("a") == "one\n");
    go.raise();
    BOOST_TEST(c.until([&] { return c.log("a") == "one\ntwo\n"; }), c.log("a"));
}

BOOST_AUTO_TEST_CASE(a_new_pod_with_an_old_name_has_its_own_log) {
    logged c;
    c.make_pod("a", "trap '' TERM; echo first; sleep 98771");
    BOOST_REQUIRE(c.until([&] { return c.log("a") == "first\n"; }));
    c.delete_now("a"); // the object goes before its processes have ended
    c.make_pod("a", "echo second; sleep 60");
    BOOST_TEST(c.until([&] { return c.log("a") == "second\n"; }), c.log("a"));
    BOOST_REQUIRE(c.until([] { return processes_with(std::string("sleep\0", 6) + "98771").empty(); }));
    BOOST_REQUIRE(c.until([&] { return folders_below(std::filesystem::path(c.options.directory) / "logs") == 1U; }));
    BOOST_TEST(c.log("a") == "second\n");
}

BOOST_AUTO_TEST_CASE(the_previous_run_can_be_read) {
    logged c;
    flag const before;
    c.make_pod("a",
               "if [ -e " + before.text() + " ]; then echo second; sleep 60; else touch " + before.text() +
                   "; echo first; exit 1; fi",
               "OnFailure");
    BOOST_REQUIRE(c.until([&] { return c.log("a") == "second\n"; }));
    BOOST_TEST(c.log("a", kube::log_options().with_previous()) == "first\n");
    c.make_pod("b", "echo up; sleep 60");
    BOOST_REQUIRE(c.until([&] { return c.log("b") == "up\n"; }));
    c.open("b", kube::log_options().with_previous());
    BOOST_TEST(c.refused == make_error_code(reason::bad_request));
}

BOOST_AUTO_TEST_CASE(writing_to_dev_stderr_by_name_keeps_earlier_output) {
    logged c;
    c.make_pod("a", "echo one; echo two >/dev/stderr; echo three; echo four >/dev/stdout");
    BOOST_TEST(c.until([&] { return c.get_pod("a").status.phase == "Succeeded"; }));
    BOOST_TEST(c.log("a") == "one\ntwo\nthree\nfour\n");
}

BOOST_AUTO_TEST_CASE(a_follower_reads_across_rotation_and_disk_use_is_bounded) {
    logged c(with_limits(4096, 2));
    // 40 times 100 lines of 6 bytes; each hundred waits until the one before was read, so that no reader falls behind.
    flag const read;
    c.make_pod("a", "i=100; while [ $i -lt 140 ]; do seq ${i}00 ${i}99; while [ ! -e " + read.text() +
                        ".$i ]; do sleep .01; done; rm " + read.text() + ".$i; i=$((i+1)); done");
    BOOST_REQUIRE(c.until([&] { return c.get_pod("a").status.phase == "Running"; }));
    auto stream = c.open("a", kube::log_options().with_follow());
    BOOST_REQUIRE(!c.refused);
    int next = 10000;
    for (auto l = c.line(stream); !c.last; l = c.line(stream)) {
        BOOST_REQUIRE(l == std::to_string(next));
        if (++next % 100 == 0) std::ofstream(read.text() + "." + std::to_string(next / 100 - 1)) << "read";
        if (next % 1000 != 0) continue;
        // The oldest file goes just after the newest was written to.
        BOOST_TEST(
            c.until([&] { return bytes_below(std::filesystem::path(c.options.directory) / "logs") <= 2U * 4096U; }));
    }
    BOOST_TEST(c.last == error_code(asio::error::eof), c.last.message());
    BOOST_TEST(next == 14000);
    BOOST_TEST(bytes_below(std::filesystem::path(c.options.directory) / "logs") <= 2U * 4096U);
    // A later reader gets the kept lines, from the beginning of one to the end.
    auto const kept = c.log("a");
    BOOST_REQUIRE(kept.size() > 4096U);
    BOOST_TEST(kept == lines_text(14000 - static_cast<int>(kept.size() / 6), 13999));
    BOOST_TEST(c.log("a", kube::log_options().with_tail_lines(3)) == "13997\n13998\n13999\n");
    BOOST_TEST(c.log("a", kube::log_options().with_tail_lines(1000000)) == kept);
    BOOST_TEST(c.log("a", kube::log_options().with_tail_lines(0)) == "");
}

BOOST_AUTO_TEST_CASE(a_reader_overtaken_by_rotation_gets_an_error) {
    logged c(with_limits(4096, 2));
    flag const go;
    c.make_pod("a", "echo begun; " + go.awaited() + "seq 1 20000");
    BOOST_REQUIRE(c.until([&] { return c.log("a") == "begun\n"; }));
    auto stream = c.open("a", kube::log_options().with_follow());
    BOOST_TEST(c.line(stream) == "begun");
    go.raise();
    BOOST_REQUIRE(c.until([&] { return c.get_pod("a").status.phase == "Succeeded"; }));
    while (!c.last) c.line(stream);
    BOOST_TEST(c.last == make_error_code(errc::incomplete), c.last.message());
}

BOOST_AUTO_TEST_CASE(readers_get_all_output_of_a_deleted_pod) {
    logged c(with_limits(4096, 5));
    flag const go, written;
    c.make_pod("a", "echo begun; " + go.awaited() + "seq 1 3000; touch " + written.text() + "; sleep 60");
    BOOST_REQUIRE(c.until([&] { return c.log("a") == "begun\n"; }));
    auto stream = c.open("a", kube::log_options().with_follow());
    BOOST_TEST(c.line(stream) == "begun");
    go.raise();
    BOOST_REQUIRE(c.until([&] { return written.up(); })); // while files rotate a reading may be incomplete
    BOOST_REQUIRE(c.until([&] { return c.log("a", kube::log_options().with_tail_lines(1)) == "3000\n"; }));
    c.delete_now("a");
    BOOST_REQUIRE(c.until([&] { return c.get_pod("a").metadata.name.empty(); }));
    c.run_for(300ms);
    std::string text;
    for (auto l = c.line(stream); !c.last; l = c.line(stream)) text += l + "\n";
    BOOST_TEST(c.last == error_code(asio::error::eof), c.last.message());
    BOOST_TEST((text == lines_text(1, 3000)));
}

BOOST_AUTO_TEST_CASE(too_small_log_limits_are_rejected_by_name) {
    for (auto const& [size, files, named] :
         {std::tuple{1000, 5, "logs.file_size: expected at least 4096 bytes, got 1000"},
          std::tuple{4096, 1, "logs.files: expected at least 2, got 1"}}) {
        asio::io_context io;
        local::local_cluster cluster(io, with_limits(size, files));
        auto const started = cluster.start();
        BOOST_REQUIRE(started.has_error());
        BOOST_TEST(started.error().code == make_error_code(errc::invalid_argument));
        BOOST_TEST(started.error().detail.message == named);
    }
}

BOOST_AUTO_TEST_SUITE_END()
