#include <kftrain/model/patch.hpp>
#include <kftrain/model/pod.hpp>
#include <kftrain/model/schema.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>

using namespace kftrain;

// What anybody may send to a server must not cost time by the square of its length.
namespace {

using item_text = std::function<std::string(int)>;

std::string list(int n, item_text const& item) {
    std::string s;
    for (int i = 0; i < n; ++i) s += (i == 0 ? "" : ",") + item(i);
    return s;
}

std::string number(int i) { return std::to_string(i); }
std::string named(int i, std::string const& more) { return R"({"name":"x)" + number(i) + "\"," + more + "}"; }

std::string members(int n, std::string const& value) {
    return "{" + list(n, [&](int i) { return "\"x" + number(i) + "\":" + value; }) + "}";
}
std::string containers(int n, item_text const& item) {
    return R"({"metadata":{"name":"a"},"spec":{"containers":[)" + list(n, item) + "]}}";
}
item_text image(std::string const& tag) {
    return [=](int i) { return named(i, R"("image":")" + tag + '"'); };
}

resource_schema const& schema() {
    static resource_schema const s = resource_schema::parse(R"({"schema":{"type":"object","properties":{
            "keyed":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
                     "items":{"type":"object","properties":{"name":{"type":"string"},"n":{"type":"integer"}}}},
            "different":{"type":"array","uniqueItems":true,"items":{"type":"integer"}},
            "map":{"type":"object","additionalProperties":{"type":"integer"}}}}})")
                                         .value();
    return s;
}

std::size_t faults(std::string const& body, std::string const& old = "") {
    return validate(schema(), body, old).value().size();
}

/// Processor time, so that others on the machine do not count; the least of some rounds.
double seconds_of(std::function<void()> const& f) {
    double least = 1e9;
    for (int round = 0; round < 3; ++round) {
        auto const start = std::clock();
        f();
        least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return least;
}

void grows_evenly(std::string const& what, std::function<void(int)> const& f) {
    constexpr int few = 2000, times = 6;
    auto const small = seconds_of([&] { f(few); });
    auto const large = seconds_of([&] { f(few * times); });
    // 6 to 8 times when it grows evenly, 36 times when it grows by the square.
    BOOST_TEST(large < 16 * small + 0.005, what << ": " << few << " take " << small << " s, " << few * times << " take "
                                                << large << " s, expected less than 16 times as long");
}

} // namespace

BOOST_AUTO_TEST_SUITE(model_growth)

BOOST_AUTO_TEST_CASE(validation_grows_evenly) {
    grows_evenly("an update of a list with keys, turned round", [](int n) {
        auto const old = R"({"keyed":[)" + list(n, [](int i) { return named(i, R"("n":1)"); }) + "]}";
        auto const body = R"({"keyed":[)" + list(n, [&](int i) { return named(n - 1 - i, R"("n":2)"); }) + "]}";
        BOOST_TEST(faults(body, old) == 0U);
    });
    grows_evenly("faults in items", [](int n) {
        auto const body = R"({"keyed":[)" + list(n, [](int i) { return named(i, R"("n":"2")"); }) + "]}";
        BOOST_TEST(faults(body) == static_cast<std::size_t>(n));
    });
    grows_evenly("faults in members", [](int n) {
        BOOST_TEST(faults(R"({"map":)" + members(n, R"("2")") + "}") == static_cast<std::size_t>(n));
    });
    grows_evenly("items that must differ",
                 [](int n) { BOOST_TEST(faults(R"({"different":[)" + list(n, number) + "]}") == 0U); });
}

BOOST_AUTO_TEST_CASE(pruning_and_defaulting_grow_evenly) {
    grows_evenly("unknown fields", [](int n) {
        auto const pruned = prune(schema(), members(n, "1")).value();
        BOOST_TEST(pruned.json == "{}");
        BOOST_TEST(pruned.unknown_fields.size() == static_cast<std::size_t>(n));
    });
    grows_evenly("nulls that are dropped", [](int n) {
        BOOST_TEST(set_schema_defaults(schema(), R"({"map":)" + members(n, "null") + "}").value() == R"({"map":{}})");
    });
}

BOOST_AUTO_TEST_CASE(patches_grow_evenly) {
    auto const& type = descriptor_of<pod>();
    auto const patched = [&](std::string const& before, std::string const& patch) {
        return apply_strategic_patch(type, before, patch).value();
    };
    grows_evenly("a merge patch of nulls",
                 [](int n) { BOOST_TEST(apply_merge_patch(members(n, "1"), members(n, "null")).value() == "{}"); });
    grows_evenly("nulls", [&](int n) { BOOST_TEST(patched(members(n, "1"), members(n, "null")) == "{}"); });
    grows_evenly("items that change", [&](int n) {
        auto const turned = [&](int i) { return image("2")(n - 1 - i); };
        BOOST_TEST((patched(containers(n, image("1")), containers(n, turned)) == containers(n, turned)));
    });
    grows_evenly("items that go", [&](int n) {
        auto const gone = [](int i) { return named(i, R"("$patch":"delete")"); };
        BOOST_TEST((patched(containers(n, image("1")), containers(n, gone)) == containers(0, gone)));
    });
    grows_evenly("an order that is set", [&](int n) {
        auto const order = [&](int i) { return R"({"name":"x)" + number(n - 1 - i) + R"("})"; };
        auto const turned = [&](int i) { return image("1")(n - 1 - i); };
        BOOST_TEST((patched(containers(n, image("1")), R"({"spec":{"$setElementOrder/containers":[)" + list(n, order) +
                                                           "]}}") == containers(n, turned)));
    });
    grows_evenly("scalars that go", [&](int n) {
        auto const text = [](int i) { return "\"x" + number(i) + '"'; };
        BOOST_TEST(patched(R"({"metadata":{"finalizers":[)" + list(n, text) + "]}}",
                           R"({"metadata":{"$deleteFromPrimitiveList/finalizers":[)" + list(n, text) + "]}}") ==
                   R"({"metadata":{"finalizers":[]}})");
    });
}

BOOST_AUTO_TEST_SUITE_END()
