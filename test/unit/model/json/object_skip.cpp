#include "model/json/object_skip.hpp"
#include "model/json/json_scanner.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(model_object_skip)

using namespace kftrain;

namespace {

// As a server writes it: keys of list items hold quotes, escaped.
constexpr std::string_view fields =
    R"json({"f:metadata":{"f:labels":{".":{},"f:team":{},"f:training.kubeflow.org/job-name":{}}},)json"
    R"json("f:spec":{"f:containers":{"k:{\"name\":\"pytorch\"}":{".":{},"f:env":{".":{},)json"
    R"json("k:{\"name\":\"A\\\\\"}":{"f:name":{},"":{}}},"f:x":"a, {b}"}}}})json";

std::string const after =
    R"(,"subresource":"status"},{"manager":"kubelet","operation":"Update"}],"x":")" + std::string(64, '.');

/// How many bytes were passed; 0 if it leaves the object to others. All widths that the processor has agree.
std::size_t passed(std::string const& text, std::size_t levels = 500) {
    auto const with = [&](detail::skip_width width) {
        auto const* behind = detail::skip_object_of_names(text.data(), text.data() + text.size(), levels, width);
        return behind == nullptr ? 0 : static_cast<std::size_t>(behind - text.data());
    };
    std::size_t const n = with(detail::skip_width::bytes_16);
    for (auto const width : {detail::skip_width::bytes_32, detail::skip_width::bytes_64})
        if (width <= detail::widest_skip())
            BOOST_TEST_REQUIRE(with(width) == n, "width " << static_cast<int>(width) << ": " << text);
    return n;
}

bool is_object(std::string_view text) {
    boost::system::error_code ec;
    auto const v = boost::json::parse(text, ec);
    return !ec && v.is_object();
}

} // namespace

BOOST_AUTO_TEST_CASE(an_object_is_skipped_at_any_alignment_of_64_byte_blocks) {
    for (std::size_t shift = 0; shift < 130; ++shift) {
        std::string const object = R"({"f:)" + std::string(shift, 'p') + "\":" + std::string(fields) + "}";
        BOOST_TEST_REQUIRE(is_object(object));
        BOOST_TEST(passed(object + after) == object.size(), "with " << shift << " bytes before");
    }
}

BOOST_AUTO_TEST_CASE(no_changed_byte_makes_a_malformed_object_pass) {
    // Boost.JSON decides what is well-formed.
    std::size_t still_objects = 0;
    for (std::size_t shift : {std::size_t(0), std::size_t(37)}) {
        std::string const object = R"({"f:)" + std::string(shift, 'p') + "\":" + std::string(fields) + "}";
        for (std::size_t at = 1; at < object.size(); ++at)
            for (char const c : std::string_view("\"\\{}[]:,. 1\n\x80")) {
                std::string text = object + after;
                text[at] = c;
                std::size_t const n = passed(text);
                if (n == 0) continue;
                ++still_objects;
                BOOST_TEST_REQUIRE(is_object(std::string_view(text).substr(0, n)),
                                   "passed " << text.substr(0, n) << " with byte " << at << " changed");
            }
    }
    BOOST_TEST(still_objects > 1000U);
}

BOOST_AUTO_TEST_CASE(no_added_or_removed_byte_makes_a_malformed_object_pass) {
    std::string const object(fields);
    for (std::size_t at = 1; at < object.size(); ++at) {
        std::string shorter = object + after;
        shorter.erase(at, 1);
        std::size_t const n = passed(shorter);
        BOOST_TEST_REQUIRE((n == 0 || is_object(std::string_view(shorter).substr(0, n))), "without byte " << at);
        for (char const c : std::string_view("\"\\{}:,")) {
            std::string longer = object + after;
            longer.insert(at, 1, c);
            std::size_t const m = passed(longer);
            BOOST_TEST_REQUIRE((m == 0 || is_object(std::string_view(longer).substr(0, m))), c << " before " << at);
        }
    }
}

BOOST_AUTO_TEST_CASE(other_truncated_and_deeply_nested_objects_are_not_skipped) {
    for (std::string_view object :
         {R"({"f:a":1})", R"({"f:a":[]})", R"({"f:a":null})", R"({"f:a": {}})", R"({"f:a":"\n"})"})
        BOOST_TEST(passed(std::string(object) + after) == 0U, object);
    BOOST_TEST(passed(std::string(fields)) == 0U);
    BOOST_TEST(passed(R"({"f:a":{"b":{}}})" + std::string(64, ' '), 3) == 16U);
    BOOST_TEST(passed(R"({"f:a":{"b":{}}})" + std::string(64, ' '), 2) == 0U);
}

BOOST_AUTO_TEST_CASE(a_known_object_is_skipped_only_if_every_byte_is_equal) {
    std::string const object(fields);
    auto const second = [&](std::string const& text) {
        detail::json_scanner in(text, 500);
        char const* const p = in.skip(in.begin());
        BOOST_TEST_REQUIRE((p == in.begin() + object.size()));
        char const* const behind = in.skip(p + 1);
        return behind == nullptr ? 0 : static_cast<std::size_t>(behind - p) - 1;
    };
    BOOST_TEST(second(object + "," + object) == object.size());
    for (std::size_t at = 0; at < object.size(); ++at) {
        BOOST_TEST_REQUIRE(second(object + "," + object.substr(0, at)) == 0U, "cut off at " << at);
        if (at == 0) continue; // no object any more
        for (char const c : std::string_view("\"\\{}:,x")) {
            std::string changed = object;
            changed[at] = c;
            std::size_t const n = second(object + "," + changed + after);
            BOOST_TEST_REQUIRE((n == 0 || is_object(std::string_view(changed + after).substr(0, n))),
                               c << " at " << at);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_known_object_can_still_be_nested_too_deeply) {
    std::string const text = std::string(fields) + std::string(fields) + std::string(64, ' ');
    for (std::size_t const room : {5U, 6U, 7U, 8U}) {
        detail::json_scanner in(text, 100);
        char const* const p = in.skip(in.begin());
        for (std::size_t i = 0; i < 100 - room; ++i) BOOST_TEST_REQUIRE(in.open());
        BOOST_TEST((in.skip(p) != nullptr) == (room > 6), room);
    }
}

BOOST_AUTO_TEST_SUITE_END()
