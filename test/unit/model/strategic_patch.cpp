#include "unit/model/sample_item.hpp"
#include "unit/model/strategic_rows.hpp"

#include <kftrain/model/patch.hpp>
#include <kftrain/model/pod.hpp>

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

using namespace kftrain;

namespace {

namespace json = boost::json;

descriptor const& item() { return descriptor_of<sample_item>(); }

/// As one spelling, for comparisons.
json::value parsed(std::string_view text) { return json::parse({text.data(), text.size()}); }

std::string applied(std::string_view before, std::string_view patch) {
    auto const r = apply_strategic_patch(item(), before, patch);
    return r ? *r : r.error().to_string();
}

std::string made(std::string_view before, std::string_view after) {
    auto const r = strategic_patch_of_documents(item(), before, after);
    return r ? *r : r.error().to_string();
}

std::string made_for_pod(std::string_view before, std::string_view after) {
    auto const r = strategic_patch(from_json<pod>(before).value(), from_json<pod>(after).value());
    return r ? *r : r.error().to_string();
}

} // namespace

BOOST_AUTO_TEST_SUITE(model_strategic_patch)

BOOST_AUTO_TEST_CASE(patches_are_made_and_applied_as_upstream_does) {
    for (auto const& row : strategic_rows::made) {
        BOOST_TEST(parsed(made(row.before, row.after)) == parsed(row.patch),
                   row.before << " to " << row.after << ": expected " << row.patch << ", got "
                              << made(row.before, row.after));
        BOOST_TEST(parsed(applied(row.before, row.patch)) == parsed(row.after),
                   row.before << " with " << row.patch << ": expected " << row.after << ", got "
                              << applied(row.before, row.patch));
    }
}

BOOST_AUTO_TEST_CASE(patches_that_others_made_are_applied_as_upstream_does) {
    for (auto const& row : strategic_rows::applied)
        BOOST_TEST(parsed(applied(row.before, row.patch)) == parsed(row.after),
                   row.before << " with " << row.patch << ": expected " << row.after << ", got "
                              << applied(row.before, row.patch));
}

// Expected values: customStrategicMergePatchRawTestCases of patch_test.go.
BOOST_AUTO_TEST_CASE(directives_may_name_what_is_not_there) {
    BOOST_TEST(applied(R"({"mergingList":[{"name":1},{"name":3}]})",
                       R"({"$setElementOrder/mergingList":[{"name":3},{"name":2},{"name":1}],
                           "mergingList":[{"name":3,"value":3},{"name":1,"value":1}]})") ==
               R"({"mergingList":[{"name":3,"value":3},{"name":1,"value":1}]})");
    BOOST_TEST(applied(R"({"mergingIntList":[1,3]})", R"({"$setElementOrder/mergingIntList":[3,2,1]})") ==
               R"({"mergingIntList":[3,1]})");
    BOOST_TEST(applied(R"({"mergingIntList":[1,2]})", R"({"$deleteFromPrimitiveList/mergingIntList":[3]})") ==
               R"({"mergingIntList":[1,2]})");
    BOOST_TEST(applied(R"({"mergingIntList":null})", R"({"$deleteFromPrimitiveList/mergingIntList":[3]})") ==
               R"({"mergingIntList":null})");
    BOOST_TEST(applied(R"({"foo":["bar"]})", R"({"$deleteFromPrimitiveList/mergingIntList":[3]})") ==
               R"({"foo":["bar"]})");
    BOOST_TEST(applied(R"({"mergingIntList":[1,2,3]})", R"({"$deleteFromPrimitiveList/mergingIntList":[2]})") ==
               R"({"mergingIntList":[1,3]})");
    BOOST_TEST(applied(R"({"nonMergingIntList":[1,2,3]})", R"({"$deleteFromPrimitiveList/nonMergingIntList":[2]})") ==
               R"({"nonMergingIntList":[1,3]})");
    BOOST_TEST(applied(R"({"name":"hi"})", R"({"mergingList":[{"name":"hello"},{"$patch":"delete","name":"none"}]})") ==
               R"({"name":"hi","mergingList":[{"name":"hello"}]})");
}

BOOST_AUTO_TEST_CASE(patches_that_contradict_themselves_or_the_document_are_refused_where_they_do) {
    BOOST_TEST(applied(R"({"mergingList":[{"name":1},{"name":3},{"name":2}]})",
                       R"({"$setElementOrder/mergingList":[{"name":1},{"name":2},{"name":3}],
                           "mergingList":[{"name":3,"value":3},{"name":1,"value":1}]})") ==
               "mergingList: the order of the list in the patch is not that of its $setElementOrder");
    BOOST_TEST(applied(R"({"mergingIntList":[1,3,2]})",
                       R"({"$setElementOrder/mergingIntList":[1,2,3],"mergingIntList":[3,1]})") ==
               "mergingIntList: the order of the list in the patch is not that of its $setElementOrder");
    BOOST_TEST(applied(R"({"mergingList":[{"name":1,"value":"a"}]})", R"({"mergingList":[{"value":"b"}]})") ==
               "mergingList: expected an object with the merge key \"name\", got \"{\\\"value\\\":\\\"b\\\"}\"");
    BOOST_TEST(applied(R"({"mergingList":[{"name":1}]})", R"({"mergingList":[5]})") ==
               "mergingList: expected an object, got \"5\"");
    BOOST_TEST(applied(R"({"mergingList":[{"name":1}]})", R"({"mergingList":[{"name":1,"$patch":"merge"}]})") ==
               "mergingList: unknown directive $patch: \"\\\"merge\\\"\" in a list");
    BOOST_TEST(applied(R"({"mergeItemPtr":{}})", R"({"mergeItemPtr":{"$patch":5}})") ==
               "mergeItemPtr: unknown directive $patch: \"5\"");
    BOOST_TEST(
        applied(R"({"retainKeysMap":{"name":"a"}})", R"({"retainKeysMap":{"$retainKeys":["name"],"value":"x"}})") ==
        "retainKeysMap: the patch sets \"value\", which its $retainKeys lacks");
    BOOST_TEST(applied("{}", R"({"$setElementOrder/name":[]})") ==
               "name: $setElementOrder for what is no list with a merge key");
    BOOST_TEST(applied("{}", "[]") == "expected an object as patch");
    BOOST_TEST(applied("{", "{}").starts_with("the document is no JSON: "));
    BOOST_TEST(applied("{}", "}").starts_with("the patch is no JSON: "));
    for (std::string_view bad :
         {R"({"$deleteFromPrimitiveList/mergingIntList":5})", R"({"$deleteFromPrimitiveList/name":"x"})",
          R"({"$retainKeys":5})", R"({"$setElementOrder/mergingList":5})", R"({"$setElementOrder/mergingList":[5]})",
          R"({"mergingList":5,"$setElementOrder/mergingList":[]})", R"({"$patch":null})"})
        applied(R"({"name":"x","mergingIntList":[1],"mergingList":[{"name":"a"}]})", bad); // whatever it is, no crash
}

BOOST_AUTO_TEST_CASE(whole_values_are_replaced_or_deleted_on_demand) {
    BOOST_TEST(applied(R"({"name":"a","simpleMap":{"x":"1"}})", R"({"simpleMap":{"$patch":"replace","y":"2"}})") ==
               R"({"name":"a","simpleMap":{"y":"2"}})");
    BOOST_TEST(applied(R"({"name":"a","simpleMap":{"x":"1"}})", R"({"simpleMap":{"$patch":"delete"}})") ==
               R"({"name":"a","simpleMap":{}})");
    BOOST_TEST(applied(R"({"mergingList":[{"name":"a"},{"name":"b"}]})",
                       R"({"mergingList":[{"name":"c"},{"$patch":"replace"}]})") ==
               R"({"mergingList":[{"name":"c"}]})");
    BOOST_TEST(applied(R"({"name":"a"})", R"({"name":null,"mergeItemPtr":{"name":null,"value":"x"}})") ==
               R"({"mergeItemPtr":{"value":"x"}})");
}

BOOST_AUTO_TEST_CASE(items_that_share_a_key_go_and_stay_together) {
    std::string_view const before =
        R"({"mergingList":[{"name":"a","value":"1"},{"name":"b"},{"name":"a","value":"2"}]})";
    BOOST_TEST(applied(before, R"({"mergingList":[{"$patch":"delete","name":"a"}]})") ==
               R"({"mergingList":[{"name":"b"}]})");
    // The first one is meant; the order among them stays.
    BOOST_TEST(applied(before, R"({"mergingList":[{"name":"a","value":"3"}]})") ==
               R"({"mergingList":[{"name":"a","value":"3"},{"name":"a","value":"2"},{"name":"b"}]})");
    // What is deleted and named comes anew.
    BOOST_TEST(applied(before, R"({"mergingList":[{"$patch":"delete","name":"b"},{"name":"b","value":"4"}]})") ==
               R"({"mergingList":[{"name":"a","value":"1"},{"name":"a","value":"2"},{"name":"b","value":"4"}]})");
}

BOOST_AUTO_TEST_CASE(items_that_share_a_key_are_replaced_as_a_list) {
    std::string_view const before = R"({"mergingList":[{"name":"a","value":"1"},{"name":"a","value":"2"}]})";
    std::string_view const after = R"({"mergingList":[{"name":"a","value":"2"},{"name":"a","value":"3"}]})";
    BOOST_TEST(made(before, after) ==
               R"({"mergingList":[{"name":"a","value":"2"},{"name":"a","value":"3"},{"$patch":"replace"}]})");
    BOOST_TEST(applied(before, made(before, after)) == after);
    BOOST_TEST(made(before, before) == "{}");
    BOOST_TEST(made(R"({"mergingList":[{"value":"1"}]})", R"({"mergingList":[{"value":"2"}]})") ==
               "mergingList[0]: expected an object with the merge key \"name\", got \"{\\\"value\\\":\\\"1\\\"}\"");
}

// Expected values: worked out by the rules of kubectl's documentation on strategic merge patches, for the keys of core/v1.
BOOST_AUTO_TEST_CASE(pods_are_patched_by_the_keys_of_their_lists) {
    BOOST_TEST(
        made_for_pod(R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"1"}]}})",
                     R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"}]}})") ==
        R"({"spec":{"containers":[{"image":"2","name":"b"}],"$setElementOrder/containers":[{"name":"a"},{"name":"b"}]}})");
    BOOST_TEST(made_for_pod(R"({"metadata":{"finalizers":["a","b"]}})", R"({"metadata":{"finalizers":["b","c"]}})") ==
               R"({"metadata":{"finalizers":["c"],"$deleteFromPrimitiveList/finalizers":["a"],)"
               R"("$setElementOrder/finalizers":["b","c"]}})");
    BOOST_TEST(
        parsed(made_for_pod(R"({"spec":{"volumes":[{"name":"v","emptyDir":{}}]}})",
                            R"({"spec":{"volumes":[{"name":"v","hostPath":{"path":"/x"}}]}})")) ==
        parsed(R"({"spec":{"$setElementOrder/volumes":[{"name":"v"}],"volumes":[{"$retainKeys":["hostPath","name"],
                          "emptyDir":null,"hostPath":{"path":"/x"},"name":"v"}]}})"));
    BOOST_TEST(made_for_pod(R"({"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"1"}}}]}})",
                            R"({"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"1000m"}}}]}})") ==
               "{}");
}

BOOST_AUTO_TEST_CASE(a_patch_that_fails_leaves_the_object_as_it_was) {
    auto p = from_json<pod>(R"({"metadata":{"name":"x"},"spec":{"containers":[{"name":"a"}]}})").value();
    BOOST_TEST(apply_strategic_patch(p, R"({"spec":{"containers":[{"name":"a","image":"i"}]}})").has_value());
    BOOST_TEST(p.spec.containers.at(0).image == "i");
    auto const r = apply_strategic_patch(p, R"({"spec":{"containers":[{"name":"a","image":5}]}})");
    BOOST_TEST((r.error().code == errc::type_mismatch));
    BOOST_TEST(r.error().detail.path == "spec.containers[0].image");
    BOOST_TEST(p.spec.containers.at(0).image == "i");
}

BOOST_AUTO_TEST_SUITE_END()
