#include "unit/schemas/schema_walk.hpp"

#include <kftrain/model/reflect.hpp>

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace kftrain {

struct walked_item {
    walked_item() = default;

    std::string name;
    std::optional<std::int32_t> count;
};
BOOST_DESCRIBE_STRUCT(walked_item, (), (name, count))

struct walked {
    walked() = default;

    std::int32_t number = 0;
    std::vector<walked_item> items;
    std::map<std::string, std::string, std::less<>> labels;
    std::optional<time_point> begun;
    quantity amount;
};
KFTRAIN_FIELD_RULES(walked, {.member = "items", .list_keys = "name"})
BOOST_DESCRIBE_STRUCT(walked, (), (number, items, labels, begun, amount))

} // namespace kftrain

template struct kftrain::model::table<kftrain::walked_item>;
template struct kftrain::model::table<kftrain::walked>;

namespace {

using namespace kftrain;
using texts = std::vector<std::string>;

/// The faults that a walk of a schema with these properties over `walked` finds.
struct outcome {
    explicit outcome(std::string const& properties) : schema(boost::json::parse(text(properties)).as_object()) {
        schemas::place at;
        at.schema = &schema;
        at.file = &schema;
        w.properties_of("x", at, descriptor_of<walked>());
    }
    static std::string text(std::string const& properties) {
        return R"({"$defs":{"n":{"type":"integer","format":"int32"}},"properties":{)" + properties + "}}";
    }

    boost::json::object schema;
    schemas::library files{"."};
    schemas::walk w{files};
};

void expect(std::string const& properties, texts const& faults, std::size_t typed, std::size_t all) {
    outcome const o(properties);
    BOOST_TEST_INFO(properties);
    BOOST_TEST(o.w.faults == faults, boost::test_tools::per_element());
    BOOST_TEST(o.w.typed == typed);
    BOOST_TEST(o.w.in_schemas == all);
}

} // namespace

BOOST_AUTO_TEST_SUITE(schemas_walk_faults)

BOOST_AUTO_TEST_CASE(matching_values_are_counted) {
    expect(R"("number":{"$ref":"#/$defs/n"},"labels":{"type":"object","additionalProperties":{"type":"string"}},
              "begun":{"type":"string","format":"date-time"},
              "items":{"type":"array","x-kubernetes-list-map-keys":["name"],"items":{"type":"object","properties":
                  {"name":{"type":"string"},"count":{"type":"integer","format":"int32"}}}})",
           {}, 6, 6);
}

BOOST_AUTO_TEST_CASE(a_property_without_a_field_is_one_fault_for_its_subtree) {
    expect(R"("other":{"type":"array","items":{"properties":{"a":{"type":"string"},"b":{"type":"string"}}}})",
           {"x.other: no field"}, 0, 3);
}

BOOST_AUTO_TEST_CASE(a_field_of_another_type_is_a_fault) {
    expect(R"("number":{"type":"integer","format":"int64"})",
           {"x.number: expected integer (int64), the field is int32"}, 0, 1);
    expect(R"("number":{"type":"string"})", {"x.number: expected string, the field is int32"}, 0, 1);
    expect(R"("labels":{"type":"object","additionalProperties":{"type":"boolean"}})",
           {"x.labels{}: expected boolean, the field is string"}, 0, 1);
    expect(R"("begun":{"type":"string"})", {"x.begun: expected string, the field is RFC 3339 time"}, 0, 1);
    expect(R"("amount":{"x-kubernetes-int-or-string":true})",
           {"x.amount: expected int-or-string, the field is quantity"}, 0, 1);
    expect(R"("number":{"type":"array","items":{"type":"string"}})", {"x.number: no list"}, 0, 1);
    expect(R"("items":{"type":"object","additionalProperties":{"type":"string"}})", {"x.items: no map"}, 0, 1);
    expect(R"("items":{"type":"object","properties":{"a":{"type":"string"}}})", {"x.items: no struct"}, 0, 2);
    expect(R"("items":{"type":"array","items":{"properties":{"count":{"type":"string"}}}})",
           {"x.items[].count: expected string, the field is int32"}, 1, 2);
}

BOOST_AUTO_TEST_CASE(a_list_with_other_keys_is_a_fault) {
    expect(R"("items":{"type":"array","x-kubernetes-list-map-keys":["name","count"],"items":{"properties":{}}})",
           {"x.items: the keys of items are name,count, not name"}, 0, 1);
}

BOOST_AUTO_TEST_CASE(fields_that_no_schema_has_are_named) {
    outcome const o(R"("number":{"$ref":"#/$defs/n"},"labels":{"type":"object"},
                       "items":{"type":"array","items":{"properties":{"name":{"type":"string"}}}})");
    auto found = o.w.fields_without_schema();
    std::sort(found.begin(), found.end());
    texts const expected{"x.amount", "x.begun", "x.items[].count"};
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
