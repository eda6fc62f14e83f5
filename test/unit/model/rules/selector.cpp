#include <kftrain/model/codec.hpp>
#include <kftrain/model/selector.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>

BOOST_AUTO_TEST_SUITE(model_selector)

using namespace kftrain;

namespace {

std::string printed(std::string_view text) {
    auto const q = label_query::parse(text);
    return q ? q->to_string() : "refused: " + q.error().detail.message;
}

std::string fields(std::string_view text) {
    auto const q = field_query::parse(text);
    return q ? q->to_string() : "refused: " + q.error().detail.message;
}

bool selects(std::string_view text, string_map const& labels) {
    auto const q = label_query::parse(text);
    BOOST_REQUIRE_MESSAGE(q, text << " was refused");
    auto const find = [&](std::string_view key) -> std::optional<std::string_view> {
        auto const found = labels.find(std::string(key));
        if (found == labels.end()) return std::nullopt;
        return found->second;
    };
    BOOST_TEST(q->matches_labels(find) == q->matches(labels), text);
    return q->matches(labels);
}

bool selects_fields(std::string_view text, string_map const& values) {
    auto const q = field_query::parse(text);
    BOOST_REQUIRE_MESSAGE(q, text << " was refused");
    return q->matches_fields([&](std::string_view path) {
        auto const it = values.find(path);
        return it == values.end() ? std::string() : it->second;
    });
}

} // namespace

// Expected values: labels/selector_test.go and fields/selector_test.go of apimachinery v0.31; the texts of errors are
// those of labels/selector.go and fields/selector.go.

BOOST_AUTO_TEST_CASE(label_selectors_are_printed_sorted_by_key) {
    for (std::string_view s : {"x=a,y=b,z=c", "", "x!=a,y=b", "x=", "!x", "x>1", "x>1,z<5"})
        BOOST_TEST(printed(s) == s);
    BOOST_TEST(printed("x= ,z= ") == "x=,z=");
    BOOST_TEST(printed("x=a,a=x") == printed("a=x,x=a"));
    BOOST_TEST(printed("x in (foo,,baz),y,z notin ()") == "x in (,baz,foo),y,z notin ()");
    BOOST_TEST(printed("x==a") == "x==a");
    BOOST_TEST(printed("x in (b,a,b)") == "x in (a,b)");
    BOOST_TEST(printed("x notin (abc,def)") == "x notin (abc,def)");
    BOOST_TEST(printed("x in (,)") == "x in ()");
    BOOST_TEST(printed("x in (a,)") == "x in (,a)");
    BOOST_TEST(printed("in in (in,notin),notin") == "in in (in,notin),notin");
}

BOOST_AUTO_TEST_CASE(label_selectors_match_as_upstream) {
    using map = string_map;
    BOOST_TEST(selects("", map{{"x", "y"}}));
    BOOST_TEST(selects("x=y,z=w", map{{"x", "y"}, {"z", "w"}}));
    BOOST_TEST(selects("x!=y,z!=w", map{{"x", "z"}, {"z", "a"}}));
    BOOST_TEST(selects("notin=in", map{{"notin", "in"}}));
    BOOST_TEST(selects("x", map{{"x", "z"}}));
    BOOST_TEST(selects("!x", map{{"y", "z"}}));
    BOOST_TEST(selects("x>1", map{{"x", "2"}}));
    BOOST_TEST(selects("x<1", map{{"x", "0"}}));
    BOOST_TEST(!selects("x=z", map{}));
    BOOST_TEST(!selects("x=y,z=w", map{{"x", "w"}, {"z", "w"}}));
    BOOST_TEST(!selects("x!=y,z!=w", map{{"x", "z"}, {"z", "w"}}));
    BOOST_TEST(!selects("x", map{{"y", "z"}}));
    BOOST_TEST(!selects("!x", map{{"x", "z"}}));
    BOOST_TEST(!selects("x>1", map{{"x", "0"}}));
    BOOST_TEST(!selects("x<1", map{{"x", "2"}}));
    BOOST_TEST(!selects("x>1", map{{"x", "two"}}));
    BOOST_TEST(!selects("x>1", map{}));
    BOOST_TEST(selects("x notin (a),y!=b", map{}));
}

BOOST_AUTO_TEST_CASE(invalid_label_selectors_are_rejected_with_the_message_of_the_server) {
    struct row {
        std::string_view text;
        std::string_view why;
    };
    for (auto const& [text, why] :
         {row{"x=a||y=b",
              "unable to parse requirement: values[0][x]: Invalid value: \"a||y\": a valid label must be an "
              "empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end "
              "with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for "
              "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"},
          row{"x==a==b", "found '==', expected: ',' or 'end of string'"},
          row{"!x=a", "found '=', expected: ',' or 'end of string'"},
          row{"x<a",
              "unable to parse requirement: values[0]: Invalid value: \"a\": for 'Gt', 'Lt' operators, the value "
              "must be an integer"},
          row{"x<99999999999999999999",
              "unable to parse requirement: values[0]: Invalid value: "
              "\"99999999999999999999\": for 'Gt', 'Lt' operators, the value must be an integer"},
          row{"=x", "found '=', expected: !, identifier, or 'end of string'"},
          row{"a,,b", "found ',', expected: identifier after ','"},
          row{"a,", "found '', expected: identifier after ','"},
          row{"a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"},
          row{"!", "unable to parse requirement: found '', expected: identifier"},
          row{"x in", "unable to parse requirement: found '' expected: '('"},
          row{"x in a", "unable to parse requirement: found 'a' expected: '('"},
          row{"x in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"},
          row{"x in (a", "unable to parse requirement: found '', expected: ',' or ')'"},
          row{"x in (a,", "unable to parse requirement: found '', expected: ',', or identifier"},
          row{"x=(", "unable to parse requirement: found '(', expected: identifier"},
          row{"/x", "unable to parse requirement: <nil>: Invalid value: \"/x\": prefix part must be non-empty"},
          row{"a/b/c",
              "unable to parse requirement: <nil>: Invalid value: \"a/b/c\": a qualified name must consist of "
              "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. "
              "'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
              "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. "
              "'example.com/MyName')"}})
        BOOST_TEST(printed(text) == "refused: " + std::string(why));
    std::string const long_key(64, 'k');
    BOOST_TEST(printed(long_key) == "refused: unable to parse requirement: <nil>: Invalid value: \"" + long_key +
                                        "\": name part must be no more than 63 characters");
}

BOOST_AUTO_TEST_CASE(a_label_selector_object_equals_its_text_form) {
    label_selector s;
    BOOST_TEST(label_query::from(s).value().empty());
    s.match_labels["foo"] = "bar";
    auto& e = s.match_expressions.emplace_back();
    e.key = "baz";
    e.operator_ = "In";
    e.values = {"qux", "norf"};
    BOOST_TEST(label_query::from(s).value().to_string() == "baz in (norf,qux),foo=bar");
    e.operator_ = "NotIn";
    BOOST_TEST(label_query::from(s).value().to_string() == "baz notin (norf,qux),foo=bar");
    e.operator_ = "Exists";
    BOOST_TEST(label_query::from(s).error().detail.message ==
               "values: Invalid value: []string{\"qux\", \"norf\"}: values "
               "set must be empty for exists and does not exist");
    e.values.clear();
    BOOST_TEST(label_query::from(s).value().to_string() == "baz,foo=bar");
    e.operator_ = "DoesNotExist";
    BOOST_TEST(label_query::from(s).value().to_string() == "!baz,foo=bar");
    e.operator_ = "In";
    BOOST_TEST(label_query::from(s).error().detail.message ==
               "values: Invalid value: []string(nil): for 'in', 'notin' operators, values set can't be empty");
    e.operator_ = "Equals";
    BOOST_TEST(label_query::from(s).error().detail.message == "\"Equals\" is not a valid label selector operator");
}

BOOST_AUTO_TEST_CASE(field_selectors_are_parsed_and_printed) {
    for (std::string_view s : {"x=a,y=b,z=c", "", "x!=a,y=b", R"(x=a||y\=b)", R"(x=a\=\=b)"})
        BOOST_TEST(fields(s) == s);
    BOOST_TEST(fields("x=a,a=x") == fields("a=x,x=a"));
    BOOST_TEST(fields("x==a,") == "x=a");
    BOOST_TEST(fields(R"(k=\\\,,k2=v2)") == R"(k2=v2,k=\\\,)"); // terms are sorted as texts
    BOOST_TEST(fields("x") == "refused: invalid selector: 'x'; can't understand 'x'");
    BOOST_TEST(fields("x=a,b") == "refused: invalid selector: 'x=a,b'; can't understand 'b'");
    BOOST_TEST(fields("x in (a)") == "refused: invalid selector: 'x in (a)'; can't understand 'x in (a)'");
    BOOST_TEST(fields("x=a||y=b") == "refused: invalid field selector: unescaped character in value: 61");
    BOOST_TEST(fields("x==a==b") == "refused: invalid field selector: unescaped character in value: 61");
    BOOST_TEST(fields(R"(x=\a)") == R"(refused: invalid field selector: invalid escape sequence: \a)");
    BOOST_TEST(fields(R"(x=\)") == R"(refused: invalid field selector: invalid escape sequence: \)");
}

BOOST_AUTO_TEST_CASE(field_selectors_match_as_upstream) {
    string_map const values{{"foo", "bar"}, {"baz", "blah"}, {"complex", R"(=value\,\)"}};
    BOOST_TEST(selects_fields("foo=bar", values));
    BOOST_TEST(selects_fields("foo=bar,baz=blah", values));
    BOOST_TEST(selects_fields(R"(foo=bar,baz=blah,complex=\=value\\\,\\)", values));
    BOOST_TEST(!selects_fields("foo=blah", values));
    BOOST_TEST(!selects_fields("foo=bar,foobar=bar,baz=blah", values));
    BOOST_TEST(selects_fields("foobar=", values));
    BOOST_TEST(selects_fields("foo!=blah,foobar!=x", values));
}

BOOST_AUTO_TEST_CASE(a_printed_field_selector_reads_back) {
    for (auto const* text : {R"(x=Running,x==\,\=\\)", "b!=1,a==2,a=1", "=,a="}) {
        auto const q = field_query::parse(text);
        BOOST_TEST_REQUIRE(q.has_value(), text);
        auto const again = field_query::parse(q->to_string());
        BOOST_TEST_REQUIRE(again.has_value(), text);
        BOOST_TEST((*again == *q), text << " prints as " << q->to_string());
    }
    BOOST_TEST(fields(R"(x=Running,x==\,\=\\)") == R"(x=Running,x=\,\=\\)");
}

BOOST_AUTO_TEST_CASE(a_printed_label_selector_object_reads_back) {
    auto const q = label_query::from(
        from_json<label_selector>(R"({"matchExpressions":[{"key":"n","operator":"In","values":["b","a","b"]}]})")
            .value());
    BOOST_TEST_REQUIRE(q.has_value());
    BOOST_TEST(q->to_string() == "n in (a,b)");
    BOOST_TEST((label_query::parse(q->to_string()).value() == *q));
}

BOOST_AUTO_TEST_SUITE_END()
