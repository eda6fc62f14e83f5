#include <kftrain/kube/watch_decoder.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using kftrain::errc;
using kftrain::kube::watch_decoder;
using kftrain::kube::watch_event;
using kind = watch_event::kind;

namespace {

std::vector<std::string> drain(watch_decoder& d) {
    std::vector<std::string> seen;
    for (;;) {
        auto e = d.next();
        if (!e) {
            seen.push_back("failed: " + e.error().to_string());
            return seen;
        }
        if (!*e) return seen;
        seen.push_back(std::to_string(static_cast<int>((*e)->type)) + " " + (*e)->object);
    }
}

std::string const stream = "{\"type\":\"ADDED\",\"object\":{\"a\":\"}\\\"{\",\"b\":[1,{}]}}\n"
                           "\n"
                           " { \"object\" : {\"x\":null} , \"type\" : \"DELETED\" } \r\n"
                           "{\"type\":\"MODIFIED\",\"object\":{}}\n"
                           "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\"}}}\n"
                           "{\"type\":\"ERROR\",\"object\":{\"code\":410}}\n";
std::vector<std::string> const events = {"0 {\"a\":\"}\\\"{\",\"b\":[1,{}]}", "2 {\"x\":null}", "1 {}",
                                         "3 {\"metadata\":{\"resourceVersion\":\"9\"}}", "4 {\"code\":410}"};

} // namespace

BOOST_AUTO_TEST_SUITE(kube_watch_decoder)

BOOST_AUTO_TEST_CASE(one_piece_may_hold_many_events) {
    watch_decoder d;
    d.feed(stream);
    BOOST_TEST(drain(d) == events, boost::test_tools::per_element());
    BOOST_TEST(d.pending() == 0U);
}

BOOST_AUTO_TEST_CASE(pieces_may_end_at_every_byte) {
    for (std::size_t size = 1; size < stream.size(); ++size) {
        watch_decoder d;
        std::vector<std::string> seen;
        for (std::size_t at = 0; at < stream.size(); at += size) {
            d.feed(std::string_view(stream).substr(at, size));
            for (auto& e : drain(d)) seen.push_back(std::move(e));
        }
        BOOST_TEST(seen == events, boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(an_event_without_its_newline_is_not_delivered) {
    watch_decoder d;
    d.feed(R"({"type":"ADDED","object":{}})");
    BOOST_TEST(drain(d).empty());
    BOOST_TEST(d.pending() == 28U);
}

BOOST_AUTO_TEST_CASE(unknown_types_are_skipped) {
    watch_decoder d;
    d.feed("{\"type\":\"FUTURE\",\"object\":{}}\n{\"type\":\"ADDED\",\"object\":{}}\n");
    BOOST_TEST(drain(d).size() == 1U);
    BOOST_TEST(d.skipped() == 1U);
}

BOOST_AUTO_TEST_CASE(a_line_that_is_no_event_is_refused) {
    for (auto const* line : {"<html>", "{\"type\":\"ADDED\"}", "{\"object\":{}}", "{\"type\":\"ADDED\",\"object\":{}",
                             "{\"type\":\"ADDED\",\"object\":{}} x", "{\"type\":\"ADDED\" \"object\":{}}", "[]", "{",
                             "{\"type\":\"ADDED\",\"object\":\"", "{\"a\\"}) {
        watch_decoder d;
        d.feed(std::string(line) + "\n");
        auto const e = d.next();
        BOOST_TEST(e.has_error(), line);
        BOOST_TEST((e.has_error() && e.error().code == errc::syntax));
    }
}

BOOST_AUTO_TEST_CASE(an_event_has_a_size_limit_whether_complete_or_not) {
    watch_decoder open(64);
    open.feed("{\"type\":\"ADDED\",\"object\":{\"a\":\"");
    BOOST_TEST(drain(open).empty());
    open.feed(std::string(64, 'x'));
    BOOST_TEST((open.next().error().code == errc::too_large));
    watch_decoder closed(64);
    closed.feed("{\"type\":\"ADDED\",\"object\":{\"a\":\"" + std::string(64, 'x') + "\"}}\n");
    BOOST_TEST((closed.next().error().code == errc::too_large));
}

BOOST_AUTO_TEST_SUITE_END()
