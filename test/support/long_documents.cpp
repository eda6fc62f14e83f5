#include "support/long_documents.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/document.hpp>
#include <kftrain/model/patch.hpp>
#include <kftrain/model/schema.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <algorithm>

namespace kftrain::test {
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

} // namespace

std::vector<long_document> long_documents() {
    std::vector<long_document> rows;
    rows.push_back({"an update of a list with keys, turned round", [](int n) {
                        auto const old = R"({"keyed":[)" + list(n, [](int i) { return named(i, R"("n":1)"); }) + "]}";
                        auto const body =
                            R"({"keyed":[)" + list(n, [&](int i) { return named(n - 1 - i, R"("n":2)"); }) + "]}";
                        return faults(body, old) == 0U;
                    }});
    rows.push_back({"faults in items", [](int n) {
                        auto const body =
                            R"({"keyed":[)" + list(n, [](int i) { return named(i, R"("n":"2")"); }) + "]}";
                        return faults(body) == static_cast<std::size_t>(n);
                    }});
    rows.push_back({"faults in members", [](int n) {
                        return faults(R"({"map":)" + members(n, R"("2")") + "}") == static_cast<std::size_t>(n);
                    }});
    rows.push_back(
        {"items that must differ", [](int n) { return faults(R"({"different":[)" + list(n, number) + "]}") == 0U; }});

    rows.push_back({"unknown fields", [](int n) {
                        auto const pruned = prune(schema(), members(n, "1")).value();
                        return pruned.json == "{}" && pruned.unknown_fields.size() == static_cast<std::size_t>(n);
                    }});
    rows.push_back({"nulls that are dropped", [](int n) {
                        return set_schema_defaults(schema(), R"({"map":)" + members(n, "null") + "}").value() ==
                               R"({"map":{}})";
                    }});

    auto const patched = [](std::string const& before, std::string const& patch) {
        return apply_strategic_patch(descriptor_of<pod>(), before, patch).value();
    };
    rows.push_back({"a merge patch of nulls",
                    [](int n) { return apply_merge_patch(members(n, "1"), members(n, "null")).value() == "{}"; }});
    rows.push_back({"nulls", [patched](int n) { return patched(members(n, "1"), members(n, "null")) == "{}"; }});
    rows.push_back({"items that change", [patched](int n) {
                        auto const turned = [&](int i) { return image("2")(n - 1 - i); };
                        return (patched(containers(n, image("1")), containers(n, turned)) == containers(n, turned));
                    }});
    rows.push_back({"items that go", [patched](int n) {
                        auto const gone = [](int i) { return named(i, R"("$patch":"delete")"); };
                        return (patched(containers(n, image("1")), containers(n, gone)) == containers(0, gone));
                    }});
    rows.push_back({"an order that is set", [patched](int n) {
                        auto const order = [&](int i) { return R"({"name":"x)" + number(n - 1 - i) + R"("})"; };
                        auto const turned = [&](int i) { return image("1")(n - 1 - i); };
                        return (patched(containers(n, image("1")),
                                        R"({"spec":{"$setElementOrder/containers":[)" + list(n, order) + "]}}") ==
                                containers(n, turned));
                    }});
    rows.push_back({"scalars that go", [patched](int n) {
                        auto const text = [](int i) { return "\"x" + number(i) + '"'; };
                        return patched(R"({"metadata":{"finalizers":[)" + list(n, text) + "]}}",
                                       R"({"metadata":{"$deleteFromPrimitiveList/finalizers":[)" + list(n, text) +
                                           "]}}") == R"({"metadata":{"finalizers":[]}})";
                    }});
    auto const scattered = [](int n) {
        auto const label = [](int i) { return "\"k" + number(static_cast<int>(i * 7919LL % 1'000'003)) + R"(":"v")"; };
        return "{" + list(n, label) + "}";
    };
    auto const has = [](result<pod> const& p, int n) {
        return p.value().metadata.labels.size() == static_cast<std::size_t>(n);
    };
    rows.push_back({"labels in no order",
                    [=](int n) { return has(from_json<pod>(R"({"metadata":{"labels":)" + scattered(n) + "}}"), n); }});
    rows.push_back({"labels in no order, in YAML",
                    [=](int n) { return has(from_yaml<pod>("metadata:\n  labels: " + scattered(n)), n); }});
    rows.push_back({"unknown fields, all reported", [](int n) {
                        std::vector<failure> found;
                        decode_options options;
                        options.strict = true;
                        options.found = &found;
                        return from_yaml<pod>("spec: " + members(n, "1"), options).has_error() &&
                               found.size() == std::min(static_cast<std::size_t>(n), max_found);
                    }});
    rows.push_back({"places of members", [](int n) {
                        auto const text = "spec: " + members(n, "\n1");
                        document places(text);
                        for (int i = 0; i < n; ++i)
                            if (places.find("spec.x" + number(i)).line != static_cast<std::size_t>(i) + 2) return false;
                        return true;
                    }});
    rows.push_back({"places of items", [](int n) {
                        auto const text = "spec: [" + list(n, [](int) { return "\n1"; }) + "]";
                        document places(text);
                        for (int i = 0; i < n; ++i)
                            if (places.find("spec[" + number(i) + "]").line != static_cast<std::size_t>(i) + 2)
                                return false;
                        return true;
                    }});
    rows.push_back({"YAML within 50 brackets", [](int n) {
                        std::string const open(50, '['), close(50, ']');
                        return from_yaml<raw_json>("x: " + open + list(n, number) + close).has_value();
                    }});
    return rows;
}

} // namespace kftrain::test
