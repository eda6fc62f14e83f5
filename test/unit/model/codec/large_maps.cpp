#include "support/sanitized.hpp"

#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(model_large_maps)

using namespace kftrain;

namespace {

std::string name_of(int i) {
    auto const digits = std::to_string(i);
    return "k" + std::string(6 - digits.size(), '0') + digits;
}

std::vector<int> falling(int n) {
    std::vector<int> all;
    for (int i = n - 1; i >= 0; --i) all.push_back(i);
    return all;
}
/// First the numbers that are not multiples of 7, in a row, then the others among them.
std::vector<int> two_rows(int n) {
    std::vector<int> all;
    for (int i = 0; i < n; ++i)
        if (i % 7 != 0) all.push_back(i);
    for (int i = 0; i < n; i += 7) all.push_back(i);
    return all;
}
std::vector<int> in_no_order(int n) {
    std::vector<int> all;
    for (int i = 0; i < n; ++i) all.push_back(static_cast<int>(i * 7919LL % n));
    return all;
}

std::string json_of(std::vector<int> const& order) {
    std::string text = R"({"metadata":{"labels":{)";
    for (int const i : order) text += '"' + name_of(i) + R"(":"v)" + std::to_string(i) + "\",";
    text.back() = '}';
    return text + "}}";
}
std::string yaml_of(std::vector<int> const& order) {
    std::string text = "metadata:\n  labels:\n";
    for (int const i : order) text += "    " + name_of(i) + ": v" + std::to_string(i) + "\n";
    return text;
}

bool holds_all(name_map<std::string> const& labels, int n) {
    if (labels.size() != static_cast<std::size_t>(n)) return false;
    int i = 0; // a map is in order, whatever the text was
    return std::ranges::all_of(labels, [&](auto const& l) {
        bool const right = l.first == name_of(i) && l.second == "v" + std::to_string(i);
        ++i;
        return right;
    });
}

} // namespace

// Moving those behind aside for each would be 5,000,000,000 moves.
BOOST_AUTO_TEST_CASE(unsorted_names_are_read_in_linear_time,
                     *boost::unit_test::enable_if<!kftrain::test::sanitized>()) {
    constexpr int n = 100'000;
    for (auto const& order : {falling(n), two_rows(n), in_no_order(n)}) {
        auto const first = std::to_string(order[0]) + ", " + std::to_string(order[1]);
        BOOST_TEST(holds_all(from_json<pod>(json_of(order)).value().metadata.labels, n), first);
        BOOST_TEST(holds_all(from_yaml<pod>(yaml_of(order)).value().metadata.labels, n), first);
    }
}

BOOST_AUTO_TEST_CASE(values_stay_with_their_names) {
    std::string text = R"({"spec":{"containers":[{"resources":{"limits":{)";
    for (int const i : in_no_order(1000)) text += '"' + name_of(i) + "\":" + std::to_string(i) + ",";
    text.back() = '}';
    text += "}}]}}";
    for (auto const& p : {from_json<pod>(text).value(), from_yaml<pod>("#\n" + text).value()}) {
        auto const& limits = p.spec.containers.at(0).resources.limits;
        BOOST_TEST_REQUIRE(limits.size() == 1000U);
        for (int const i : {0, 1, 63, 64, 500, 999}) BOOST_TEST(limits.at(name_of(i)).text() == std::to_string(i));
    }
}

BOOST_AUTO_TEST_CASE(the_last_of_duplicate_names_wins) {
    for (int const twice : {0, 3, 50, 63, 64, 500, 998, 999}) {
        auto order = in_no_order(1000);
        order.push_back(twice);
        auto json = json_of(order);
        json.replace(json.rfind("\"v"), 2, "\"again");
        auto yaml = yaml_of(order);
        yaml.replace(yaml.rfind(": v"), 3, ": again");
        for (auto const& p : {from_json<pod>(json).value(), from_yaml<pod>(yaml).value()}) {
            BOOST_TEST(p.metadata.labels.size() == 1000U, twice);
            BOOST_TEST(p.metadata.labels.at(name_of(twice)) == "again" + std::to_string(twice));
        }
        decode_options strict;
        strict.strict = true;
        auto const why = "metadata.labels." + name_of(twice) + ": duplicate field \"" + name_of(twice) + "\" (line ";
        BOOST_TEST(from_json<pod>(json, strict).error().to_string().starts_with(why + "1, "));
        BOOST_TEST(from_yaml<pod>(yaml, strict).error().to_string() == why + "1003, column 5)");
    }
}

// A refused value leaves others waiting for their place.
BOOST_AUTO_TEST_CASE(a_fault_among_unsorted_names_is_reported_with_its_position) {
    auto yaml = yaml_of(in_no_order(1000));
    auto const at = yaml.find(name_of(17) + ": v17");
    yaml.replace(at + 9, 3, "[1]");
    auto const line = std::count(yaml.begin(), yaml.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    BOOST_TEST(from_yaml<pod>(yaml).error().to_string() == "metadata.labels." + name_of(17) +
                                                               ": expected string, got a list (line " +
                                                               std::to_string(line) + ", column 14)");
    decode_options all;
    std::vector<failure> found;
    all.strict = true;
    all.found = &found;
    BOOST_TEST(from_yaml<pod>(yaml, all).has_error());
    BOOST_TEST(found.size() == 1U);
}

BOOST_AUTO_TEST_CASE(refused_texts_exceed_the_memory_limit) {
    decode_options small;
    small.max_memory = 1;
    std::string text = R"({"spec":{"pytorchReplicaSpecs":{)";
    for (int const i : falling(3000)) text += '"' + name_of(i) + "\":{},";
    text.back() = '}';
    auto const refused = from_json<pytorch_job>(text + "}}", small).error();
    BOOST_TEST(refused.code == make_error_code(errc::too_large));
    BOOST_TEST(refused.detail.message ==
               "expected at most 1 bytes in memory (max_memory) and 32 more for each byte of the text, got more");
    BOOST_TEST(holds_all(from_json<pod>(json_of(falling(3000)), small).value().metadata.labels, 3000)); // is none
}

BOOST_AUTO_TEST_SUITE_END()
