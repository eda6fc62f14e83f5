#include "unit/model/patch/sample_item.hpp"

#include <kftrain/model/patch.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_merge_patch)

using namespace kftrain;

namespace {

std::string applied(std::string_view before, std::string_view patch) {
    auto const r = apply_merge_patch(before, patch);
    return r ? *r : r.error().to_string();
}

std::string differences(std::string_view before, std::string_view after) {
    std::string out;
    for (auto const& d : diff(from_json<pod>(before).value(), from_json<pod>(after).value()))
        out += d.path + ": " + d.before + " -> " + d.after + "\n";
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(merge_patches_follow_the_rfc) { // RFC 7386, appendix A
    struct row {
        std::string_view original;
        std::string_view patch;
        std::string_view result;
    };
    for (auto const& [original, patch, expected] :
         {row{R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
          row{R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"}, row{R"({"a":"b"})", R"({"a":null})", R"({})"},
          row{R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
          row{R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
          row{R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
          row{R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
          row{R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
          row{R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"}, row{R"({"a":"b"})", R"(["c"])", R"(["c"])"},
          row{R"({"a":"foo"})", "null", "null"}, row{R"({"a":"foo"})", R"("bar")", R"("bar")"},
          row{R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
          row{"[1,2]", R"({"a":"b","c":null})", R"({"a":"b"})"},
          row{"{}", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"}})
        BOOST_TEST(applied(original, patch) == expected);
    BOOST_TEST(applied("{}", "{").starts_with("the patch is not valid JSON: "));
}

BOOST_AUTO_TEST_CASE(merge_patches_contain_changes_and_null_for_removed_members) {
    sample_item a;
    sample_item b;
    BOOST_TEST(merge_patch(a, b).value() == "{}");
    a.name = "x";
    a.labels = {{"k", "1"}, {"l", "2"}};
    a.amount = quantity("1");
    a.numbers = {1, 2};
    b.value = "v";
    b.labels = {{"k", "3"}};
    b.amount = quantity("1000m");
    b.numbers = {1, 2, 3};
    BOOST_TEST(merge_patch(a, b).value() ==
               R"({"value":"v","numbers":[1,2,3],"labels":{"k":"3","l":null},"name":null})");
    BOOST_TEST(apply_merge_patch(a, merge_patch(a, b).value()).has_value());
    BOOST_TEST(equal(descriptor_of<sample_item>(), &a, &b));
}

BOOST_AUTO_TEST_CASE(lists_with_keys_differ_by_their_items) {
    BOOST_TEST(differences(R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"pytorch","image":"1"}]}})",
                           R"({"spec":{"containers":[{"name":"pytorch","image":"2"},{"name":"a","image":"1"}]}})") ==
               "spec.containers[name=pytorch].image: \"1\" -> \"2\"\n");
    BOOST_TEST(differences(R"({"spec":{"containers":[{"name":"a","env":[{"name":"X"},{"name":"Y","value":"1"}]}]}})",
                           R"({"spec":{"containers":[{"name":"a","env":[{"name":"Z"},{"name":"X"}]}]}})") ==
               "spec.containers[name=a].env[name=Y]: {\"name\":\"Y\",\"value\":\"1\"} -> \n"
               "spec.containers[name=a].env[name=Z]:  -> {\"name\":\"Z\"}\n");
    BOOST_TEST(
        differences(R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":1,"protocol":"TCP"}]}]}})",
                    R"({"spec":{"containers":[{"name":"a","ports":[{"containerPort":1,"protocol":"UDP"}]}]}})") ==
        "spec.containers[name=a].ports[containerPort=1,protocol=TCP]: {\"containerPort\":1,\"protocol\":\"TCP\"} -> \n"
        "spec.containers[name=a].ports[containerPort=1,protocol=UDP]:  -> "
        "{\"containerPort\":1,\"protocol\":\"UDP\"}\n");
    BOOST_TEST(
        differences(R"({"metadata":{"finalizers":["a","b/c"]}})", R"({"metadata":{"finalizers":["b/c","d"]}})") ==
        "metadata.finalizers[=a]: \"a\" -> \nmetadata.finalizers[=d]:  -> \"d\"\n");
    BOOST_TEST(differences(R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"a"}]}})",
                           R"({"spec":{"containers":[{"name":"a","image":"2"},{"name":"a"}]}})") ==
               "spec.containers[0].image: \"1\" -> \"2\"\n");
    BOOST_TEST(
        differences(R"({"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"1","memory":"1Gi"}}}]}})",
                    R"({"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"1000m","memory":"1G"}}}]}})") ==
        "spec.containers[name=a].resources.limits.memory: \"1Gi\" -> \"1G\"\n");
    BOOST_TEST(differences(R"({"spec":{"containers":[{"name":"a","args":["x","y"]}]}})",
                           R"({"spec":{"containers":[{"name":"a","args":["y","x"]}]}})") ==
               "spec.containers[name=a].args[0]: \"x\" -> \"y\"\nspec.containers[name=a].args[1]: \"y\" -> \"x\"\n");
}

BOOST_AUTO_TEST_SUITE_END()
