#include "model/codec/tree_decode.hpp"

#include <kftrain/model/any_object.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_tree_decode)

using namespace kftrain;

namespace {

namespace json = boost::json;

/// Decodes a tree and returns the result as text, or the error. Decoding the same text must have the same result.
template <class K> std::string read(std::string const& text, decode_options const& options = {}) {
    auto const reported = [](result<void> const& r, K const& value) {
        return r ? to_json(value) : r.error().code.message() + ": " + r.error().to_string();
    };
    K from_tree, from_text;
    auto const tree = json::parse(text);
    auto const by_tree = reported(detail::decode_tree(tree, descriptor_of<K>(), &from_tree, options), from_tree);
    auto const by_text =
        reported(decode_json(json::serialize(tree), descriptor_of<K>(), &from_text, options), from_text);
    BOOST_TEST(by_tree == by_text);
    if (tree.is_object()) {
        K again;
        auto const by_object =
            reported(detail::decode_tree(tree.get_object(), descriptor_of<K>(), &again, options), again);
        BOOST_TEST(by_object == by_tree);
    }
    return by_tree;
}

std::string const whole =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"b":"1","a":"2"},)"
    R"("creationTimestamp":"2026-01-02T03:04:05Z"},"spec":{"containers":[{"name":"c","image":"i",)"
    R"("ports":[{"containerPort":80}],"resources":{"limits":{"cpu":"1500m","memory":"1Gi"}},)"
    R"("livenessProbe":{"httpGet":{"port":"http"}}},{"name":"d"}],"priority":-5,"hostNetwork":true,)"
    R"("later":{"x":[1,2.5,null,"y"]}},"status":{"phase":"Running"}})";

} // namespace

BOOST_AUTO_TEST_CASE(decoding_a_tree_equals_decoding_its_text) {
    auto const pod_text = read<pod>(whole);
    BOOST_TEST(pod_text.find(R"("labels":{"a":"2","b":"1"})") != std::string::npos);
    BOOST_TEST(pod_text.find(R"("later":{"x":[1,2.5E0,null,"y"]})") != std::string::npos);
    BOOST_TEST(pod_text.find(R"("priority":-5)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(absent_and_null_are_the_same) {
    BOOST_TEST(read<pod>(R"({"metadata":null,"spec":{"containers":null,"priority":null}})") ==
               R"({"apiVersion":"v1","kind":"Pod"})");
    BOOST_TEST(read<pod>(R"({"spec":{"containers":[null]}})").find("containers") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(numbers_are_converted_to_types_that_hold_them) {
    read<pod>(R"({"spec":{"priority":3.0}})");
    read<pod>(R"({"spec":{"priority":18446744073709551615}})");
    read<pod>(R"({"spec":{"priority":4294967296}})");
    read<pod>(R"({"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":2}},)"
              R"("livenessProbe":{"httpGet":{"port":80}}}]}})");
    read<pod>(R"({"spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":0.5}}}]}})");
    read<pod>(R"({"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":80.5}}}]}})");
}

BOOST_AUTO_TEST_CASE(mismatched_values_are_rejected_with_their_path) {
    BOOST_TEST(
        read<pod>(R"({"spec":{"containers":[{"name":5}]}})").find("spec.containers[0].name: expected string, got 5") !=
        std::string::npos);
    for (auto const* wrong :
         {R"({"spec":[]})", R"({"spec":{"containers":{}}})", R"({"metadata":{"labels":["a"]}})",
          R"({"metadata":{"labels":{"a":true}}})", R"({"spec":{"hostNetwork":"yes"}})", R"([])", "null", "7",
          R"({"metadata":{"creationTimestamp":"yesterday"}})", R"({"kind":"Service"})", R"({"apiVersion":"v2"})",
          R"({"kind":5})", R"({"spec":{"containers":[{"resources":{"limits":{"cpu":"many"}}}]}})"})
        BOOST_TEST(read<pod>(wrong).find('{') != 0U, wrong);
    BOOST_TEST(read<pod>(R"({"kind":"","apiVersion":null})") == R"({"apiVersion":"v1","kind":"Pod"})");
}

BOOST_AUTO_TEST_CASE(depth_and_memory_are_bounded) {
    decode_options shallow;
    shallow.max_depth = 3;
    BOOST_TEST(read<pod>(whole, shallow).find("nested deeper than 3 levels") != std::string::npos);
    decode_options small;
    small.max_memory = 1;
    pod p;
    json::object many;
    auto& list = many["spec"].emplace_object()["containers"].emplace_array();
    for (int i = 0; i < 1000; ++i) list.emplace_back(json::object());
    auto const refused = detail::decode_tree(many, descriptor_of<pod>(), &p, small);
    BOOST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().code == errc::too_large));
    BOOST_TEST(detail::decode_tree(many, descriptor_of<pod>(), &p).has_value());
}

BOOST_AUTO_TEST_CASE(managed_fields_can_be_left_out) {
    decode_options without;
    without.keep_managed_fields = false;
    BOOST_TEST(read<pod>(R"({"metadata":{"name":"a","managedFields":[{"manager":"m"}]}})", without).find("managed") ==
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
