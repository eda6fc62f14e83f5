#include "kube/http/header_fields.hpp"

#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(kube_warnings)

using kftrain::kube::http_fields;
using kftrain::kube::detail::read_warnings;

namespace {

std::vector<std::string> warnings_in(std::initializer_list<std::string> values) {
    http_fields fields;
    for (auto const& v : values) fields.add("warning", v);
    return read_warnings(fields);
}

using text_list = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_CASE(texts_of_code_299_are_returned_in_order) {
    BOOST_TEST(warnings_in({R"(299 - "unknown field \"spec.x\"")", R"(299 apiserver "b")"}) ==
                   (text_list{R"(unknown field "spec.x")", "b"}),
               boost::test_tools::per_element());
    BOOST_TEST(warnings_in({R"(299 - "a, b" "Tue, 15 Nov 2022 08:12:31 GMT", 299 - "c",  110 - "stale", 299 - "d")"}) ==
                   (text_list{"a, b", "c", "d"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(warnings_of_other_agents_are_ignored) {
    for (auto const* value : {"", "299", "299 -", R"(299 - unquoted)", R"(299 - "open)", R"(110 - "stale")",
                              R"(299 - "")", R"(299 - "open\)", R"("299" - x)"})
        BOOST_TEST(warnings_in({value}).empty(), value);
    BOOST_TEST(warnings_in({R"(299 - "a" "no date, 299 - "b")"}).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
