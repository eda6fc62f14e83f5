#include "kube/watch/watch_decoder.hpp"
#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(kube_watch_decoder)

using kftrain::errc;
using kftrain::kube::watch_decoder;
using kftrain::kube::watch_event;

namespace {

std::string type_of(watch_event const& e) {
    if (e.is_error) return "error";
    return e.change ? std::string(to_string(*e.change)) : "bookmark";
}

std::vector<std::string> drain(watch_decoder& d) {
    std::vector<std::string> seen;
    for (;;) {
        auto e = d.next();
        if (!e) {
            seen.push_back("failed: " + e.error().to_string());
            return seen;
        }
        if (!*e) return seen;
        seen.push_back(type_of(**e) + " " + std::string((*e)->object));
    }
}

std::string without_blanks(std::string_view text) {
    auto const begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin));
}

/// The result for a caller that decodes every object, and checks those again that cannot be decoded.
std::vector<std::string> drain_decoding(watch_decoder& d) {
    std::vector<std::string> seen;
    for (;;) {
        auto e = d.next_unread();
        if (e && *e && !kftrain::from_json<kftrain::meta::list_meta>((*e)->object)) {
            e = d.exact();
            if (e && !*e) continue;
        }
        if (!e) {
            seen.push_back("failed: " + e.error().to_string());
            return seen;
        }
        if (!*e) return seen;
        seen.push_back(type_of(**e) + " " + without_blanks((*e)->object));
    }
}

using drain_function = std::vector<std::string> (*)(watch_decoder&);

std::vector<std::string> drain_pieces(std::string_view text, std::size_t size, drain_function drained) {
    watch_decoder d;
    std::vector<std::string> seen;
    for (std::size_t at = 0; at < text.size(); at += size) {
        d.feed(text.substr(at, size));
        for (auto& e : drained(d)) seen.push_back(std::move(e));
    }
    return seen;
}

std::string const stream = "{\"type\":\"ADDED\",\"object\":{\"a\":\"}\\\"{\",\"b\":[1,{}]}}\n"
                           "\n"
                           " { \"object\" : {\"x\":null} , \"type\" : \"DELETED\" } \r\n"
                           "{\"type\":\"MODIFIED\",\"object\":{}}\n"
                           "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\"}}}\n"
                           "{\"type\":\"ERROR\",\"object\":{\"code\":410}}\n";
std::vector<std::string> const events = {"added {\"a\":\"}\\\"{\",\"b\":[1,{}]}", "deleted {\"x\":null}", "modified {}",
                                         "bookmark {\"metadata\":{\"resourceVersion\":\"9\"}}", "error {\"code\":410}"};

} // namespace

BOOST_AUTO_TEST_CASE(one_piece_may_contain_many_events) {
    watch_decoder d;
    d.feed(stream);
    BOOST_TEST(drain(d) == events, boost::test_tools::per_element());
    BOOST_TEST(d.pending() == 0U);
}

BOOST_AUTO_TEST_CASE(pieces_may_end_at_every_byte) {
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        BOOST_TEST(drain_pieces(stream, size, drain) == events, boost::test_tools::per_element());
        BOOST_TEST(drain_pieces(stream, size, drain_decoding) == events, boost::test_tools::per_element());
    }
    for (std::size_t first = 0; first <= stream.size(); ++first) {
        watch_decoder d;
        d.feed(std::string_view(stream).substr(0, first));
        auto seen = drain_decoding(d);
        d.feed(std::string_view(stream).substr(first));
        for (auto& e : drain_decoding(d)) seen.push_back(std::move(e));
        BOOST_TEST(seen == events, boost::test_tools::per_element());
    }
}

// The text between the usual beginning and end of a line need not be one object.
BOOST_AUTO_TEST_CASE(a_skipped_object_is_parsed_if_it_is_malformed) {
    for (auto const* line : {
             R"({"type":"ADDED","object":{"a":1}})",
             R"({"type":"ADDED","object": {"a":1} })",
             R"({"type":"ADDED","object":{"a":1},"extra":{}})",
             R"({"type":"ADDED","object":{"a":1},"type":"DELETED"})",
             R"({"type":"ADDED","object":{"a":1},"type":"FUTURE","x":{}})",
             R"({"type":"ADDED","object":{"a":1},"object":{"b":2}})",
             R"({"type":"ADDED","object":"}"})",
             R"({"type":"ADDED","object":null})",
             R"({"type":"ADDED","object":[1,2]})",
             R"({"type":"ADDED","object":{"a":1}}})",
             R"({"type":"ADDED","object":{"a":1}} })",
             R"({"type":"ADDED","object":{"a":1})",
             R"({"type":"ADDED","object":{"a":"})",
             R"({"type":"ADDED","object":})",
             R"({"type":"ADDED","object": })",
             R"({"type":"ADDED","object":{} {}})",
             R"({"type":"ADDED","object":{}x})",
             R"({"type":"ADDED","object":x})",
             R"({"type":"ADDED","object":{"a":x}})",
             R"({"type":"ADDED","objects":{},"object":{}})",
             R"({"type":"ADDED"})",
             R"({"type":"ADDED","object")",
             R"({"type":"ADDED" ,"object":{}})",
             R"({"type":"ERROR","object":{"code":410}})",
             R"({"type":"ERROR","object":{"code":410},"object":{"code":500}})",
             R"({"type":"FUTURE","object":{"a":1}})",
             R"({"type":1,"object":{}})",
             R"({"type":"A,B","object":{}})",
             R"({"type":)",
         }) {
        // A second event shows whether the first one was skipped or refused.
        auto const text = std::string(line) + " \r\n{\"type\":\"ADDED\",\"object\":{\"last\":1}}\n";
        watch_decoder read, unread;
        read.feed(text);
        unread.feed(text);
        BOOST_TEST_CONTEXT(line) {
            BOOST_TEST(drain_decoding(unread) == drain(read), boost::test_tools::per_element());
            BOOST_TEST(unread.pending() == read.pending());
        }
    }
}

BOOST_AUTO_TEST_CASE(an_event_is_valid_until_more_is_fed) {
    watch_decoder d;
    d.feed("{\"type\":\"ADDED\",\"object\":{\"a\":1}}\n{\"type\":\"ADDED\",\"object\":{\"b\":2}}\n{\"type\"");
    auto const first = d.next_unread();
    auto const second = d.next_unread();
    auto const none = d.next_unread();
    BOOST_TEST_REQUIRE((first && *first && second && *second && none && !*none));
    BOOST_TEST((*first)->object == R"({"a":1})");
    BOOST_TEST((*second)->object == R"({"b":2})");
}

// As upstream, whose framer reads a stream of JSON values: lines mean nothing.
BOOST_AUTO_TEST_CASE(an_event_needs_no_line_of_its_own) {
    std::string const added = R"({"type":"ADDED","object":{"a":1}})", modified = R"({"type":"MODIFIED","object":{}})";
    std::string const pretty = "{\n  \"type\": \"ADDED\",\n  \"object\": {\"a\":1}\n}\n";
    std::string const split = "{\"type\":\"ADDED\",\"object\":{\"a\":1}\n}";
    for (auto const& text :
         {added + modified, added + "\n" + modified, added + " " + modified + "\n", added + "\r\n\r\n" + modified,
          pretty + modified, pretty + pretty + modified, split + modified, split + "\n" + split + modified,
          "\n\n" + added + "\t" + modified + modified + "\n"})
        for (std::size_t size = 1; size <= text.size(); ++size) {
            auto const read = drain_pieces(text, size, drain);
            BOOST_TEST(read == drain_pieces(text, size, drain_decoding), boost::test_tools::per_element());
            BOOST_TEST_REQUIRE(read.size() >= 2U, text);
            BOOST_TEST(read.front() == R"(added {"a":1})");
            BOOST_TEST(read.back() == "modified {}");
        }
}

BOOST_AUTO_TEST_CASE(a_failed_status_among_events_is_an_error) {
    std::string const status = R"({"kind":"Status","apiVersion":"v1","status":"Failure","code":403})";
    std::string const indented = "{\n  \"kind\": \"Status\",\n  \"apiVersion\": \"v1\",\n  \"code\": 403\n}";
    for (auto const& text : {status, indented}) {
        watch_decoder d;
        d.feed(text + "\n");
        BOOST_TEST(drain(d) == (std::vector<std::string>{"error " + text}), boost::test_tools::per_element());
    }
    watch_decoder success;
    success.feed(R"({"kind":"Status","apiVersion":"v1","status":"Success"})"
                 "\n");
    BOOST_TEST(drain(success).front().starts_with("failed: "));
}

BOOST_AUTO_TEST_CASE(an_event_is_delivered_at_its_closing_brace) {
    watch_decoder d;
    d.feed(R"({"type":"ADDED","object":{})");
    BOOST_TEST(drain_decoding(d).empty());
    BOOST_TEST(d.pending() == 27U);
    d.feed("}");
    BOOST_TEST(drain_decoding(d).size() == 1U);
    BOOST_TEST(d.pending() == 0U);
    d.feed("\n");
    BOOST_TEST(drain_decoding(d).empty());
    BOOST_TEST(d.pending() == 0U);
}

BOOST_AUTO_TEST_CASE(an_event_of_an_unknown_type_is_refused) {
    for (auto const* type : {"\"FUTURE\"", "\"added\"", "\"\"", "1", "null"}) {
        watch_decoder read, unread;
        for (auto* d : {&read, &unread})
            d->feed(std::string("{\"type\":") + type + ",\"object\":{}}\n{\"type\":\"ADDED\",\"object\":{}}\n");
        for (auto const& e : {read.next(), unread.next_unread()}) {
            BOOST_TEST_REQUIRE(e.has_error(), type);
            BOOST_TEST((e.error().code == errc::syntax));
            BOOST_TEST(e.error().detail.message ==
                       std::string("expected a watch event of type ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, got ") +
                           type);
        }
    }
}

BOOST_AUTO_TEST_CASE(invalid_events_are_refused_where_they_break) {
    for (auto const* text : {"<html>",
                             "{\"type\":\"ADDED\"}",
                             "{\"object\":{}}",
                             "{\"type\":\"ADDED\" \"object\":{}}",
                             "[]",
                             "[{}]",
                             "1",
                             "\"x\"",
                             "null",
                             "{\"type\":\"ADDED\",\"object\":\"\n",
                             "{\"a\\\"\n",
                             "{]",
                             "{\"a\":[}",
                             "{,",
                             "{\"a\":,",
                             "{\"a\"::",
                             "{\"a\":1 2",
                             "{\"a\":{}{",
                             "}",
                             "{\"type\":\"ADDED\",\"object\":{}\n{"}) {
        watch_decoder d;
        d.feed(text);
        auto const e = d.next();
        BOOST_TEST(e.has_error(), text);
        BOOST_TEST((e.has_error() && e.error().code == errc::syntax));
    }
    watch_decoder behind;
    behind.feed("{\"type\":\"ADDED\",\"object\":{}} x");
    BOOST_TEST(behind.next().has_value());
    BOOST_TEST(behind.next().has_error());
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
    watch_decoder unread(64);
    unread.feed("{\"type\":\"ADDED\",\"object\":{\"a\":\"" + std::string(64, 'x') + "\"}}\n");
    BOOST_TEST((unread.next_unread().error().code == errc::too_large));
    watch_decoder lines(64); // however many
    lines.feed("{\n" + std::string(32, '\n') + "\"type\":\n");
    BOOST_TEST(!lines.next_unread().value().has_value());
    lines.feed(std::string(32, '\n'));
    BOOST_TEST((lines.next_unread().error().code == errc::too_large));
}

BOOST_AUTO_TEST_SUITE_END()
