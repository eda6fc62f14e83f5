#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(model_json_places)

using namespace kftrain;

namespace {

struct many_places;

/// Has fewer fields than the type whose places it shares.
struct few_fields {
    few_fields() = default;

    std::vector<many_places> inner;
};

struct many_places {
    many_places() = default;

    std::string a, b, c, d, e, f, g, h;
    std::vector<many_places> left;
    few_fields middle;
    std::vector<many_places> right;
};
BOOST_DESCRIBE_STRUCT(few_fields, (), (inner))
BOOST_DESCRIBE_STRUCT(many_places, (), (a, b, c, d, e, f, g, h, left, middle, right))

/// Another number of items at each place.
many_places grown(int depth, int& number) {
    many_places p;
    p.a = std::to_string(++number);
    (number % 2 == 0 ? p.g : p.h) = "x";
    if (depth == 0) return p;
    for (int i = 0; i <= number % 2; ++i) p.left.push_back(grown(depth - 1, number));
    p.middle.inner.push_back(grown(depth - 1, number));
    for (int i = 0; i <= number % 3; ++i) p.right.push_back(grown(depth - 1, number));
    return p;
}

} // namespace

// The reader remembers something about each place, as far as it has room: here are more places than that.
BOOST_AUTO_TEST_CASE(a_document_with_very_many_values_has_positions) {
    int number = 0;
    auto const written = grown(7, number);
    auto const text = to_json(written);
    auto const read = from_json<many_places>(text);
    BOOST_REQUIRE(read.has_value());
    BOOST_TEST((*read == written));
    BOOST_TEST((to_json(*read) == text));
    auto const list = "[" + text + "," + text + "]";
    auto const all = from_json<std::vector<many_places>>(list);
    BOOST_REQUIRE(all.has_value());
    BOOST_TEST(((*all)[0] == written && (*all)[1] == written));
}

BOOST_AUTO_TEST_SUITE_END()
