#include "facade/logs/log_bookmark.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(unit_facade_log_bookmark)

using namespace kftrain;

namespace {

using verdict = log_bookmark::verdict;
using lines = std::vector<std::string>;

std::string at(std::string const& second, std::string const& text) {
    return "2026-03-01T10:11:" + second + "Z " + text;
}

/// Which lines of a log, as it is read again, are delivered; the last one is `another` if the log is not as before.
lines read_again(log_bookmark& mark, lines const& log) {
    lines fresh;
    mark.begin();
    for (auto const& l : log) {
        auto const v = mark.take(l);
        if (v == verdict::fresh) fresh.push_back(l.substr(mark.stamp_size() == 0 ? 0 : mark.stamp_size() + 1));
        if (v == verdict::another) fresh.emplace_back("another");
        if (v == verdict::another) break;
    }
    return fresh;
}

log_position::entry place_of(log_bookmark const& mark) {
    log_position::entry p;
    p.time = mark.time();
    p.delivered = mark.same();
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(timestamps_are_parsed_with_nanoseconds_and_any_offset) {
    auto const whole = parse_log_instant("2026-03-01T10:11:12Z");
    BOOST_REQUIRE(whole.has_value());
    BOOST_TEST(whole->nanoseconds == 0);
    auto const cut = parse_log_instant("2026-03-01T10:11:12.5Z");
    BOOST_TEST((cut > whole));
    BOOST_TEST(cut->nanoseconds == 500'000'000);
    BOOST_TEST((parse_log_instant("2026-03-01T10:11:12.500000000+00:00") == cut));
    BOOST_TEST((parse_log_instant("2026-03-01T12:11:12.5+02:00") == cut));
    BOOST_TEST(parse_log_instant("2026-03-01T10:11:12.000000001Z")->nanoseconds == 1);
    for (auto const* text : {"", "2026-03-01", "10:11:12Z", "2026-03-01T10:11:12", "2026-13-01T10:11:12Z", "INFO"})
        BOOST_TEST(!parse_log_instant(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(the_time_of_a_line_ends_with_a_space) {
    BOOST_TEST(read_log_stamp("2026-03-01T10:11:12.000000001Z text").size == 30U);
    BOOST_TEST(read_log_stamp("2026-03-01T10:11:12Z ").size == 20U);
    BOOST_TEST(read_log_stamp("2026-03-01T10:11:12Z").size == 0U);
    BOOST_TEST(read_log_stamp("epoch 3 of 9").size == 0U);
    BOOST_TEST(read_log_stamp("").size == 0U);
}

BOOST_AUTO_TEST_CASE(reading_resumes_among_lines_with_the_same_timestamp) {
    lines const log{at("01", "a"), at("02", "b"), at("02", "c"), at("02", "d"), at("03", "e")};
    log_bookmark mark;
    BOOST_TEST(mark.since().empty());
    BOOST_TEST(read_again(mark, lines(log.begin(), log.begin() + 3)) == (lines{"a", "b", "c"}),
               boost::test_tools::per_element());
    BOOST_TEST(mark.same() == 2);
    BOOST_TEST(mark.since() == "2026-03-01T10:11:01Z");
    auto other = log_bookmark(place_of(mark)); // in another stream
    for (auto* m : {&mark, &other}) {
        BOOST_TEST(read_again(*m, log) == (lines{"d", "e"}), boost::test_tools::per_element());
        BOOST_TEST(m->caught_up());
        BOOST_TEST(m->time() == "2026-03-01T10:11:03Z");
        BOOST_TEST(m->same() == 1);
    }
}

BOOST_AUTO_TEST_CASE(a_log_without_the_last_delivered_lines_is_a_different_log) {
    log_bookmark mark;
    read_again(mark, {at("01", "a"), at("02", "b"), at("02", "c")});
    BOOST_TEST(read_again(mark, {at("02", "c"), at("03", "d")}) == (lines{"another"}),
               boost::test_tools::per_element());
    BOOST_TEST(read_again(mark, {at("02", "c")}).empty());
    BOOST_TEST(!mark.caught_up());
    BOOST_TEST(read_again(mark, {}).empty());
    BOOST_TEST(!mark.caught_up());
}

BOOST_AUTO_TEST_CASE(adjacent_lines_of_two_writers_can_be_swapped) {
    lines const log{at("02.5", "a"), at("02.4", "b"), at("02.5", "c"), at("02.6", "d")};
    for (std::size_t n = 1; n <= log.size(); ++n) {
        log_bookmark mark;
        auto all = read_again(mark, lines(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(n)));
        log_bookmark other(place_of(mark));
        auto const rest = read_again(other, log);
        all.insert(all.end(), rest.begin(), rest.end());
        BOOST_TEST_CONTEXT(n) BOOST_TEST(all == (lines{"a", "b", "c", "d"}), boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(parts_of_a_long_line_share_its_timestamp) {
    log_bookmark mark;
    mark.begin();
    BOOST_TEST((mark.take(at("01", "begin")) == verdict::fresh));
    BOOST_TEST((mark.take(at("09", "looks like a line"), true) == verdict::fresh));
    BOOST_TEST(mark.stamp_size() == 0U);
    BOOST_TEST(!mark.stamp_is_latest());
    BOOST_TEST(mark.time() == "2026-03-01T10:11:01Z");
    BOOST_TEST(mark.same() == 2);
}

BOOST_AUTO_TEST_CASE(a_line_without_a_timestamp_is_kept_unchanged) {
    log_bookmark mark;
    BOOST_TEST(read_again(mark, {at("01", "a"), "no time", at("02", "b")}) == (lines{"a", "no time", "b"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_log_without_timestamps_resumes_by_line_count_and_checksum) {
    log_bookmark mark;
    BOOST_TEST(read_again(mark, {"a", at("01", "b")}) == (lines{"a", at("01", "b")}), boost::test_tools::per_element());
    BOOST_TEST(mark.since().empty());
    BOOST_TEST(read_again(mark, {"a", at("01", "b"), "c"}) == (lines{"c"}), boost::test_tools::per_element());
    BOOST_TEST(read_again(mark, {"x", at("01", "b"), "c"}) == (lines{"another"}), boost::test_tools::per_element());
    log_bookmark other(place_of(mark));
    BOOST_TEST(read_again(other, {"a", at("01", "b"), "c", "d"}) == (lines{"d"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
