#include "support/sanitized.hpp"

#include <kftrain/model/patch.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_json_patch)

using namespace kftrain;

namespace {

std::string applied(std::string_view before, std::string_view patch) {
    auto const r = apply_json_patch(before, patch);
    return r ? *r : r.error().to_string();
}

} // namespace

BOOST_AUTO_TEST_CASE(json_patch_operations_follow_the_rfc) { // RFC 6902, appendix A
    struct row {
        std::string_view before;
        std::string_view patch;
        std::string_view after;
    };
    for (auto const& [before, patch, after] :
         {row{R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux"}])", R"({"foo":"bar","baz":"qux"})"},
          row{R"({"foo":["bar","baz"]})", R"([{"op":"add","path":"/foo/1","value":"qux"}])",
              R"({"foo":["bar","qux","baz"]})"},
          row{R"({"baz":"qux","foo":"bar"})", R"([{"op":"remove","path":"/baz"}])", R"({"foo":"bar"})"},
          row{R"({"foo":["bar","qux","baz"]})", R"([{"op":"remove","path":"/foo/1"}])", R"({"foo":["bar","baz"]})"},
          row{R"({"baz":"qux","foo":"bar"})", R"([{"op":"replace","path":"/baz","value":"boo"}])",
              R"({"baz":"boo","foo":"bar"})"},
          row{R"({"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}})",
              R"([{"op":"move","from":"/foo/waldo","path":"/qux/thud"}])",
              R"({"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}})"},
          row{R"({"foo":["all","grass","cows","eat"]})", R"([{"op":"move","from":"/foo/1","path":"/foo/3"}])",
              R"({"foo":["all","cows","eat","grass"]})"},
          row{R"({"baz":"qux","foo":["a",2,"c"]})",
              R"([{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}])",
              R"({"baz":"qux","foo":["a",2,"c"]})"},
          row{R"({"foo":"bar"})", R"([{"op":"add","path":"/child","value":{"grandchild":{}}}])",
              R"({"foo":"bar","child":{"grandchild":{}}})"},
          row{R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux","xyz":123}])",
              R"({"foo":"bar","baz":"qux"})"},
          row{R"({"/":9,"~1":10})", R"([{"op":"test","path":"/~01","value":10}])", R"({"/":9,"~1":10})"},
          row{R"({"foo":["bar"]})", R"([{"op":"add","path":"/foo/-","value":["abc","def"]}])",
              R"({"foo":["bar",["abc","def"]]})"},
          row{R"({"a":{"b":1}})", R"([{"op":"copy","from":"/a","path":"/c"}])", R"({"a":{"b":1},"c":{"b":1}})"},
          row{R"({"a":[1,{"b":2}]})", R"([{"op":"test","path":"","value":{"a":[1.0,{"b":2e0}]}}])",
              R"({"a":[1,{"b":2}]})"},
          row{R"({"a":1})", R"([{"op":"add","path":"","value":[2]}])", "[2]"}})
        BOOST_TEST(applied(before, patch) == after);
}

BOOST_AUTO_TEST_CASE(unknown_members_are_ignored_and_the_last_duplicate_counts) {
    BOOST_TEST(applied(R"({"a":1})", R"([{"op":"add","path":"/b","value":2,"why":"so"}])") == R"({"a":1,"b":2})");
    BOOST_TEST(applied(R"({"a":1})", R"([{"op":"add","path":"/b","value":2,"value":3}])") == R"({"a":1,"b":3})");
}

BOOST_AUTO_TEST_CASE(unsupported_operations_are_named) {
    BOOST_TEST(applied(R"({"baz":"qux"})", R"([{"op":"test","path":"/baz","value":"bar"}])") ==
               "operation 0: the test of \"/baz\" failed: expected \"\\\"bar\\\"\", got \"\\\"qux\\\"\"");
    BOOST_TEST(applied(R"({"foo":"bar"})", R"([{"op":"add","path":"/baz/bat","value":"qux"}])") ==
               "operation 0: nothing exists at \"/baz\"");
    BOOST_TEST(applied("{}", R"([{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}])") ==
               "operation 1: nothing exists at \"/b\"");
    BOOST_TEST(applied(R"({"a":[1]})", R"([{"op":"replace","path":"/a/1","value":2}])") ==
               "operation 0: index 1 exceeds the end of a list of 1");
    BOOST_TEST(applied(R"({"a":[1]})", R"([{"op":"remove","path":"/a/00"}])") ==
               "operation 0: expected an index into a list, got \"00\"");
    BOOST_TEST(applied(R"(["a","b"])", R"([{"op":"remove","path":"/-1"}])") ==
               "operation 0: expected an index into a list, got \"-1\"");
    BOOST_TEST(applied(R"({"a":{"b":1}})", R"([{"op":"move","from":"/a","path":"/a/b/c"}])") ==
               "operation 0: \"/a\" cannot be moved into itself");
    BOOST_TEST(applied("{}", R"([{"op":"spam","path":"/a"}])") ==
               "operation 0: expected add, remove, replace, move, copy or test as op, got \"spam\"");
    BOOST_TEST(applied("{}", R"([{"op":"add","path":"a","value":1}])") ==
               "operation 0: expected / at the start of \"a\"");
    BOOST_TEST(applied("{}", R"([{"op":"add","path":"/~2","value":1}])") ==
               "operation 0: expected ~0 or ~1 in \"/~2\"");
    BOOST_TEST(applied("{}", R"([{"op":"add","path":"/a"}])") == "operation 0: expected a value");
    BOOST_TEST(applied("{}", R"([5])") == "operation 0: expected an object");
    BOOST_TEST(applied("{}", "{}") == "expected a list of operations as patch");
}

BOOST_AUTO_TEST_CASE(pointers_are_shown_as_they_were_written_and_cut) {
    BOOST_TEST(applied("{}", R"([{"op":"remove","path":"/a~1b~0/~01"}])") ==
               "operation 0: nothing exists at \"/a~1b~0/~01\"");
    BOOST_TEST(applied("{}", R"([{"op":"add","path":"/a~1b/c/d","value":1}])") ==
               "operation 0: nothing exists at \"/a~1b/c\"");
    BOOST_TEST(applied("{}", R"([{"op":"test","path":"/a~1\n\"","value":1}])") ==
               R"(operation 0: the test of "/a~1\n\"" failed: expected "1", got nothing)");
    BOOST_TEST(applied(R"({"\n":1})", R"([{"op":"move","from":"/\n","path":"/\n/x"}])") ==
               R"(operation 0: "/\n" cannot be moved into itself)");
    std::string const longest(100'000, 'x');
    for (std::string const operation : {R"("op":"test","value":1,)", R"("op":"remove",)", R"("op":"add","value":1,)"})
        BOOST_TEST(applied("{}", "[{" + operation + R"("path":"/a/)" + longest + R"(/b"}])").size() < 200U, operation);
    BOOST_TEST(applied("{\"" + longest + "\":1}",
                       R"([{"op":"move","from":"/)" + longest + R"(","path":"/)" + longest + R"(/b"}])")
                   .size() < 200U);
}

BOOST_AUTO_TEST_CASE(patched_objects_nest_no_deeper_than_readable_ones) {
    auto const lists = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
    auto const change = [](std::string const& op, std::string const& path, std::string const& value) {
        return R"({"op":")" + op + R"(","path":")" + path + R"(","value":)" + value + "}";
    };
    auto const bring = [](std::string const& op, std::string const& from, std::string const& path) {
        return R"({"op":")" + op + R"(","from":")" + from + R"(","path":")" + path + "\"}";
    };
    std::string const before = R"({"a":{"b":{"c":0}},"x":)" + lists(510) + R"(,"y":)" + lists(511) + "}";
    auto const why = [](std::string const& path) {
        return "operation 0: expected at most 512 nested levels, got more at \"" + path + "\"";
    };
    for (std::string const op : {"add", "replace"}) {
        auto const deepest = apply_json_patch(before, "[" + change(op, "/a/b", lists(510)) + "]");
        BOOST_TEST_REQUIRE(deepest.has_value());
        BOOST_TEST(apply_json_patch(*deepest, "[]").has_value()); // can be read
        BOOST_TEST(applied(before, "[" + change(op, "/a/b/c", lists(510)) + "]") == why("/a/b/c"));
    }
    for (std::string const op : {"copy", "move"}) {
        BOOST_TEST(apply_json_patch(before, "[" + bring(op, "/x", "/a/b") + "]").has_value(), op);
        BOOST_TEST(apply_json_patch(before, "[" + bring(op, "/y", "/a") + "]").has_value(), op);
        BOOST_TEST(applied(before, "[" + bring(op, "/x", "/a/b/c") + "]") == why("/a/b/c"));
        BOOST_TEST(applied(before, "[" + bring(op, "/y", "/a/b") + "]") == why("/a/b"));
    }
    std::string inside = "/y";
    for (int i = 1; i < 500; ++i) inside += "/0";
    std::string grow = "[";
    for (int i = 0; i < 1000; ++i)
        grow += (i == 0 ? "" : ",") + change("add", "/y", lists(500)) + "," + bring("move", "/x", inside + "/-") + "," +
                bring("move", "/y", "/x");
    BOOST_TEST(applied(R"({"x":0})", grow + "]").starts_with("operation 4: expected at most 512 nested levels"));
}

BOOST_AUTO_TEST_CASE(copies_and_operations_are_bounded) {
    std::string doubling = R"([{"op":"add","path":"/0","value":["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]})";
    for (int i = 0; i < 64; ++i)
        doubling += R"(,{"op":"copy","from":"/)" + std::to_string(i) + R"(","path":"/)" + std::to_string(i + 1) +
                    R"("},{"op":"copy","from":"/)" + std::to_string(i) + R"(","path":"/)" + std::to_string(i + 1) +
                    "/-\"}";
    BOOST_TEST(applied("{}", doubling + "]").find("copies exceed 3145728 bytes") != std::string::npos);
    std::string many = "[";
    for (int i = 0; i < 10001; ++i) many += std::string(i == 0 ? "" : ",") + R"({"op":"test","path":"","value":{}})";
    BOOST_TEST(applied("{}", many + "]") == "expected at most 10000 operations, got 10001");
}

BOOST_AUTO_TEST_CASE(objects_are_patched_through_their_json) {
    pod p;
    p.metadata.name = "x";
    BOOST_TEST(apply_json_patch(p, R"([{"op":"replace","path":"/metadata/name","value":"y"}])").has_value());
    BOOST_TEST(p.metadata.name == "y");
    BOOST_TEST(!apply_json_patch(p, R"([{"op":"replace","path":"/metadata/name","value":1}])").has_value());
    BOOST_TEST(p.metadata.name == "y");
}

BOOST_AUTO_TEST_CASE(shifted_list_items_are_bounded, *boost::unit_test::enable_if<!kftrain::test::sanitized>()) {
    std::string list = "[0";
    for (int i = 1; i < 100'000; ++i) list += ",0";
    list += "]";
    auto const times = [](std::string const& operation, int count) {
        std::string text = "[" + operation;
        for (int i = 1; i < count; ++i) text += "," + operation;
        return text + "]";
    };
    std::string const front = R"({"op":"add","path":"/0","value":1})";
    BOOST_TEST(apply_json_patch(list, times(front, 2000)).has_value());
    BOOST_TEST(
        applied(list, times(front, 10'000)).ends_with(": too many insertions and removals in long lists and objects"));
    BOOST_TEST(apply_json_patch(list, times(R"({"op":"add","path":"/-","value":1})", 10'000)).has_value());
    BOOST_TEST(applied(list, times(R"({"op":"remove","path":"/0"})", 9000)).ends_with("in long lists and objects"));
    // Moving a value deeper traverses it, and this counts towards the limit.
    auto const document = R"({"y":{},"x":)" + list + "}";
    std::string const around = R"({"op":"move","from":"/x","path":"/y/x"},{"op":"move","from":"/y/x","path":"/x"})";
    BOOST_TEST(apply_json_patch(document, times(around, 1000)).has_value());
    BOOST_TEST(applied(document, times(around, 5000)).ends_with("in long lists and objects"));
}

BOOST_AUTO_TEST_SUITE_END()
