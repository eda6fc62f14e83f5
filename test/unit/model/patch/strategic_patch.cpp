#include "unit/model/patch/sample_item.hpp"

#include <kftrain/model/patch.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>

BOOST_AUTO_TEST_SUITE(model_strategic_patch)

using namespace kftrain;

namespace {

namespace json = boost::json;

model::descriptor const& item() { return descriptor_of<sample_item>(); }

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

struct row {
    bool made = false; ///< else `patch` was made by someone else, from another document
    std::string before;
    std::string patch;
    std::string after;
};

std::vector<row> rows() {
    std::ifstream in(KFTRAIN_SOURCE_DIR "/test/data/strategic_patches/rows.jsonl");
    std::vector<row> all;
    for (std::string line; std::getline(in, line);) {
        auto const parts = json::parse(line).as_array();
        auto& r = all.emplace_back();
        r.made = parts.at(0).as_string() == "made";
        r.before = json::serialize(parts.at(1));
        r.patch = json::serialize(parts.at(2));
        r.after = json::serialize(parts.at(3));
    }
    return all;
}

} // namespace

// The results of apimachinery: test/data/strategic_patches/README.md.
BOOST_AUTO_TEST_CASE(patches_are_made_and_applied_as_upstream_does) {
    std::size_t made_rows = 0;
    std::size_t all = 0;
    for (auto const& r : rows()) {
        ++all;
        BOOST_TEST(parsed(applied(r.before, r.patch)) == parsed(r.after),
                   r.before << " with " << r.patch << ": expected " << r.after << ", got "
                            << applied(r.before, r.patch));
        if (!r.made) continue;
        ++made_rows;
        BOOST_TEST(parsed(made(r.before, r.after)) == parsed(r.patch),
                   r.before << " to " << r.after << ": expected " << r.patch << ", got " << made(r.before, r.after));
    }
    BOOST_TEST(made_rows == 152U);
    BOOST_TEST(all == 326U);
}

BOOST_AUTO_TEST_CASE(patches_that_contradict_themselves_or_the_document_are_refused_where_they_do) {
    BOOST_TEST(applied(R"({"parts":[{"name":"oak"},{"name":"fir"},{"name":"elm"}]})",
                       R"({"$setElementOrder/parts":[{"name":"oak"},{"name":"elm"},{"name":"fir"}],
                           "parts":[{"name":"fir","value":"v"},{"name":"oak","value":"v"}]})") ==
               "parts: the order of the list in the patch differs from its $setElementOrder");
    BOOST_TEST(applied(R"({"numbers":[4,6,5]})", R"({"$setElementOrder/numbers":[4,5,6],"numbers":[6,4]})") ==
               "numbers: the order of the list in the patch differs from its $setElementOrder");
    BOOST_TEST(applied(R"({"parts":[{"name":1,"value":"a"}]})", R"({"parts":[{"value":"b"}]})") ==
               "parts: expected an object with the merge key \"name\", got \"{\\\"value\\\":\\\"b\\\"}\"");
    BOOST_TEST(applied(R"({"parts":[{"name":1}]})", R"({"parts":[5]})") == "parts: expected an object, got \"5\"");
    BOOST_TEST(applied(R"({"parts":[{"name":1}]})", R"({"parts":[{"name":1,"$patch":"merge"}]})") ==
               "parts: unknown directive $patch: \"\\\"merge\\\"\" in a list");
    BOOST_TEST(applied(R"({"inner":{}})", R"({"inner":{"$patch":5}})") == "inner: unknown directive $patch: \"5\"");
    BOOST_TEST(applied(R"({"choice":{"name":"a"}})", R"({"choice":{"$retainKeys":["name"],"value":"x"}})") ==
               "choice: the patch sets \"value\", which is missing in its $retainKeys");
    BOOST_TEST(applied("{}", R"({"$setElementOrder/name":[]})") ==
               "name: $setElementOrder for a field that is not a list with a merge key");
    for (std::string_view const key : {R"({"a":1})", "[1]", "{}", "[]"}) {
        auto const keyed = R"({"parts":[{"name":)" + std::string(key) + "}]}";
        auto const why = "parts: expected a scalar as merge key \"name\", got ";
        BOOST_TEST(applied(R"({"parts":[{"name":"a"}]})", keyed).starts_with(why), key);
        BOOST_TEST(applied(keyed, R"({"parts":[{"name":"a"}]})").starts_with(why), key);
        BOOST_TEST(made(keyed, R"({"parts":[]})").starts_with("parts[0]: expected a scalar"), key);
    }
    BOOST_TEST(applied(R"({"parts":[{"name":"a"}]})",
                       R"({"parts":[{"name":"a","$deleteFromPrimitiveList/name":"b"},{"name":"a"}]})") ==
               "parts[0]: the patch changes the merge key \"name\" of an item");
    BOOST_TEST(applied("{}", "[]") == "expected an object as patch");
    BOOST_TEST(applied("{", "{}").starts_with("the document is not valid JSON: "));
    BOOST_TEST(applied("{}", "}").starts_with("the patch is not valid JSON: "));
    for (std::string_view bad :
         {R"({"$deleteFromPrimitiveList/numbers":5})", R"({"$deleteFromPrimitiveList/name":"x"})",
          R"({"$retainKeys":5})", R"({"$setElementOrder/parts":5})", R"({"$setElementOrder/parts":[5]})",
          R"({"parts":5,"$setElementOrder/parts":[]})", R"({"$patch":null})"})
        applied(R"({"name":"x","numbers":[1],"parts":[{"name":"a"}]})", bad); // whatever it is, no crash
}

BOOST_AUTO_TEST_CASE(whole_values_are_replaced_or_deleted_on_demand) {
    BOOST_TEST(applied(R"({"name":"a","labels":{"x":"1"}})", R"({"labels":{"$patch":"replace","y":"2"}})") ==
               R"({"name":"a","labels":{"y":"2"}})");
    BOOST_TEST(applied(R"({"name":"a","labels":{"x":"1"}})", R"({"labels":{"$patch":"delete"}})") ==
               R"({"name":"a","labels":{}})");
    BOOST_TEST(applied(R"({"parts":[{"name":"a"},{"name":"b"}]})",
                       R"({"parts":[{"name":"c"},{"$patch":"replace"}]})") == R"({"parts":[{"name":"c"}]})");
    BOOST_TEST(applied(R"({"name":"a"})", R"({"name":null,"inner":{"name":null,"value":"x"}})") ==
               R"({"inner":{"value":"x"}})");
}

BOOST_AUTO_TEST_CASE(items_with_the_same_key_are_kept_or_removed_together) {
    std::string_view const before = R"({"parts":[{"name":"a","value":"1"},{"name":"b"},{"name":"a","value":"2"}]})";
    BOOST_TEST(applied(before, R"({"parts":[{"$patch":"delete","name":"a"}]})") == R"({"parts":[{"name":"b"}]})");
    // The first one is meant; the order among them stays.
    BOOST_TEST(applied(before, R"({"parts":[{"name":"a","value":"3"}]})") ==
               R"({"parts":[{"name":"a","value":"3"},{"name":"a","value":"2"},{"name":"b"}]})");
    // A part that is deleted and also named is added again.
    BOOST_TEST(applied(before, R"({"parts":[{"$patch":"delete","name":"b"},{"name":"b","value":"4"}]})") ==
               R"({"parts":[{"name":"a","value":"1"},{"name":"a","value":"2"},{"name":"b","value":"4"}]})");
}

BOOST_AUTO_TEST_CASE(items_that_share_a_key_are_replaced_as_a_list) {
    std::string_view const before = R"({"parts":[{"name":"a","value":"1"},{"name":"a","value":"2"}]})";
    std::string_view const after = R"({"parts":[{"name":"a","value":"2"},{"name":"a","value":"3"}]})";
    BOOST_TEST(made(before, after) ==
               R"({"parts":[{"name":"a","value":"2"},{"name":"a","value":"3"},{"$patch":"replace"}]})");
    BOOST_TEST(applied(before, made(before, after)) == after);
    BOOST_TEST(made(before, before) == "{}");
    BOOST_TEST(made(R"({"parts":[{"value":"1"}]})", R"({"parts":[{"value":"2"}]})") ==
               "parts[0]: expected an object with the merge key \"name\", got \"{\\\"value\\\":\\\"1\\\"}\"");
}

// Expected values: worked out by the rules of kubectl's documentation on strategic merge patches, for the keys of
// core/v1.
BOOST_AUTO_TEST_CASE(pods_are_patched_by_the_keys_of_their_lists) {
    BOOST_TEST(made_for_pod(R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"1"}]}})",
                            R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"}]}})") ==
               R"({"spec":{"containers":[{"image":"2","name":"b"}],"$setElementOrder/containers":[{"name":"a"},)"
               R"({"name":"b"}]}})");
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
