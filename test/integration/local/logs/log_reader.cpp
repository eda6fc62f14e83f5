#include "local/logs/log_reader.hpp"

#include "local/sandbox/containers/container_log.hpp"
#include "local/sandbox/containers/log_file_name.hpp"
#include "support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

BOOST_AUTO_TEST_SUITE(integration_log_reader)

using namespace kftrain;
using namespace kftrain::local;

// The files in which output is kept, as one process writes and another reads them.

namespace {

struct folder : test::temporary_directory {
    void file(std::uint64_t place, std::string const& text) const {
        std::ofstream(path / sandbox::log_file_name(place)) << text;
    }
    void remove(std::uint64_t place) const { std::filesystem::remove(path / sandbox::log_file_name(place)); }
    std::vector<std::uint64_t> places() const { return log_file_places(path); }
    sandbox::unique_fd open() const {
        return sandbox::unique_fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    }
    std::uintmax_t size(std::uint64_t place) const {
        return std::filesystem::file_size(path / sandbox::log_file_name(place));
    }
};

/// Reads to the present end.
std::string read_all(log_reader& reader, error_code& ec) {
    std::string text;
    for (;;) {
        std::string piece(1000, '\0');
        ec = reader.read(piece);
        if (ec || piece.empty()) return text;
        text += piece;
    }
}

std::string tail(folder const& f, std::int64_t lines) {
    log_tail search(f.path, lines);
    while (!search.step()) {}
    log_reader reader(f.path);
    reader.seek(search.place());
    error_code ec;
    auto const text = read_all(reader, ec);
    BOOST_TEST(!ec, ec.message());
    return text;
}

void write(sandbox::container_log& log, std::string_view text) {
    while (!text.empty()) {
        auto const size = ::write(log.writer(), text.data(), std::min<std::size_t>(text.size(), 1500));
        BOOST_REQUIRE(size > 0);
        text.remove_prefix(static_cast<std::size_t>(size));
        log.keep_some();
    }
}

std::string numbered(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "line " + std::to_string(i) + "\n";
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(files_are_read_in_order_while_they_grow) {
    folder const f;
    f.file(0, "one\n");
    log_reader reader(f.path);
    error_code ec;
    BOOST_TEST(read_all(reader, ec) == "one\n");
    BOOST_TEST(!ec);
    f.file(0, "one\ntwo\n");
    f.file(8, "three\n");
    f.remove(100); // nothing
    BOOST_TEST(read_all(reader, ec) == "two\nthree\n");
    f.remove(0);
    f.file(14, "four");
    BOOST_TEST(read_all(reader, ec) == "four");
    BOOST_TEST(!ec);
    log_reader late(f.path);
    BOOST_TEST(read_all(late, ec) == "three\nfour");
    BOOST_TEST(!ec);
}

BOOST_AUTO_TEST_CASE(reading_dropped_bytes_is_an_error) {
    folder const f;
    f.file(0, "one\n");
    log_reader overtaken(f.path), gap(f.path), removed(f.path);
    error_code ec;
    for (auto* r : {&overtaken, &gap, &removed}) BOOST_TEST(read_all(*r, ec) == "one\n");
    f.file(10, "after a gap\n");
    read_all(gap, ec);
    BOOST_TEST(ec == make_error_code(errc::incomplete));
    f.remove(0);
    overtaken.seek(4);
    read_all(overtaken, ec);
    BOOST_TEST(ec == make_error_code(errc::incomplete));
    f.remove(10);
    read_all(removed, ec);
    BOOST_TEST(ec == make_error_code(errc::incomplete));
}

BOOST_AUTO_TEST_CASE(the_last_lines_are_found_across_files) {
    folder const f;
    BOOST_TEST(tail(f, 3) == "");
    f.file(100, "rest\na\n");
    f.file(107, "b");
    f.file(108, "c\n");
    f.file(110, "d\n\ne");
    BOOST_TEST(tail(f, 0) == "");
    BOOST_TEST(tail(f, 1) == "e");
    BOOST_TEST(tail(f, 2) == "\ne");
    BOOST_TEST(tail(f, 3) == "d\n\ne");
    BOOST_TEST(tail(f, 4) == "bc\nd\n\ne");
    BOOST_TEST(tail(f, 5) == "a\nbc\nd\n\ne");
    for (std::int64_t const n : {std::int64_t{6}, std::int64_t{7}, std::numeric_limits<std::int64_t>::max()})
        BOOST_TEST(tail(f, n) == "rest\na\nbc\nd\n\ne");
    f.file(110, "d\n");
    BOOST_TEST(tail(f, 1) == "d\n");
}

BOOST_AUTO_TEST_CASE(each_step_of_a_search_is_bounded) {
    folder const f;
    std::string const line(5'000'000, 'x');
    f.file(0, "short\n" + line + "\n");
    log_tail search(f.path, 1);
    auto before = search.place();
    int steps = 0;
    for (; !search.step(); ++steps) {
        BOOST_REQUIRE(before - search.place() <= 65536U);
        before = search.place();
    }
    BOOST_TEST(steps >= 5'000'000 / 65536);
    BOOST_TEST(search.place() == 6U);
}

BOOST_AUTO_TEST_CASE(files_end_at_line_breaks_and_the_oldest_are_removed) {
    folder const f;
    sandbox::container_log log(f.open(), 4096, 3);
    auto const text = numbered(3000);
    write(log, text);
    log.finish();
    auto const places = f.places();
    BOOST_REQUIRE(places.size() == 3U);
    for (auto const place : places) {
        BOOST_TEST(f.size(place) <= 4096U);
        BOOST_TEST(text[place - 1] == '\n');
    }
    BOOST_TEST(f.size(places[1]) > 2048U);
    log_reader reader(f.path);
    error_code ec;
    BOOST_TEST((read_all(reader, ec) == text.substr(places[0])));
    BOOST_TEST(!ec);
}

BOOST_AUTO_TEST_CASE(a_line_longer_than_a_file_spans_several) {
    folder const f;
    sandbox::container_log log(f.open(), 4096, 4);
    std::string const text(10'000, 'x');
    write(log, text);
    log.finish();
    BOOST_TEST(f.places() == (std::vector<std::uint64_t>{0, 4096, 8192}), boost::test_tools::per_element());
    log_reader reader(f.path);
    error_code ec;
    BOOST_TEST((read_all(reader, ec) == text));
    BOOST_TEST(!ec);
}

BOOST_AUTO_TEST_CASE(readers_report_output_that_could_not_be_written) {
    folder const f;
    sandbox::container_log log(f.open(), 4096, 4);
    auto const before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit whole{};
    ::getrlimit(RLIMIT_FSIZE, &whole);
    rlimit small = whole;
    small.rlim_cur = 1000; // stands for a disk that is full
    ::setrlimit(RLIMIT_FSIZE, &small);
    write(log, std::string(1400, 'a') + "\n");
    ::setrlimit(RLIMIT_FSIZE, &whole);
    std::signal(SIGXFSZ, before);
    log_reader reader(f.path);
    error_code ec;
    BOOST_TEST((read_all(reader, ec) == std::string(1000, 'a')));
    log.finish(); // nothing more comes, and yet the loss shows
    read_all(reader, ec);
    BOOST_TEST(ec == make_error_code(errc::incomplete));
}

BOOST_AUTO_TEST_SUITE_END()
