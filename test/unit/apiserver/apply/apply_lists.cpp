#include "unit/apiserver/apply/applied.hpp"

#include "apiserver/definitions/crd.hpp"
#include "unit/apiserver/definitions/served_definitions.hpp"

#include <boost/test/unit_test.hpp>

// Lists whose items have keys. Expected: structured-merge-diff v4.4.1 `typed/`, client-go v0.31.3
// `applyconfigurations/internal/internal.go` with the defaults of keys.

using namespace sample;

namespace {

struct applied_lists : applied {
    std::string const sets = "/apis/apps/v1/namespaces/default/statefulsets";

    static std::string set_of(std::string const& env, std::string const& more = "") {
        return R"({"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"s"},"spec":{)" + more +
               R"("template":{"spec":{"containers":[{"name":"c")" + (more.empty() ? "" : R"(,"image":"i")") +
               R"(,"env":)" + env + "}]}}}}";
    }
    static std::string variables(std::string const& names, std::string const& value) {
        std::string out;
        for (char const name : names)
            out += std::string(out.empty() ? "" : ",") + R"({"name":")" + name + R"(","value":")" + value + "\"}";
        return "[" + out + "]";
    }
    /// Makes a set with these variables.
    void make_set(std::string const& env) {
        auto text = set_of(env, R"("serviceName":"s","selector":{"matchLabels":{"a":"b"}},)");
        text.insert(text.find(R"("spec":{"containers")"), R"("metadata":{"labels":{"a":"b"}},)");
        auto const made = send("POST", sets, text);
        BOOST_TEST_REQUIRE(made.status == 201u, made.body);
    }
    reply apply_env(std::string const& env, std::string const& query = "") {
        return apply("a", sets + "/s", set_of(env), query);
    }
    static json::value container_in(reply const& r) {
        return body_of(r).at("spec").at("template").at("spec").at("containers").as_array().at(0);
    }
    static std::string env_in(reply const& r) {
        std::string out;
        auto const container = container_in(r);
        for (auto const& v : container.at("env").as_array())
            out += std::string(out.empty() ? "" : " ") + std::string(v.at("name").as_string()) + "=" +
                   std::string(v.at("value").as_string());
        return out;
    }
    std::string fault_of_pod(std::string const& spec) {
        auto const refused = apply_pod("a", spec);
        BOOST_TEST(refused.status == 500u);
        auto const text = member(refused, "message");
        std::string const begin = "failed to create typed patch object (/p; /v1, Kind=Pod): ";
        BOOST_TEST(text.starts_with(begin), text);
        return text.substr(std::min(begin.size(), text.size()));
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_apply_lists, applied_lists)

BOOST_AUTO_TEST_CASE(a_key_that_is_no_scalar_is_rejected) {
    std::string const deep = std::string(40, '[') + std::string(40, ']');
    for (auto const& name : {deep, std::string("{}"), R"({"a":)" + deep + "}"})
        BOOST_TEST(fault_of_pod(R"({"containers":[{"name":)" + name + R"(,"bogus":1}]})") ==
                   ".spec.containers: element 0: expected a scalar in key field \"name\"");
}

BOOST_AUTO_TEST_CASE(items_without_a_place_in_the_list_are_rejected) {
    BOOST_TEST(fault_of_pod(R"({"containers":[{"name":"c"},1]})") ==
               ".spec.containers: element 1: associative list with keys may not have non-map elements");
    BOOST_TEST(fault_of_pod(R"({"containers":[null]})") ==
               ".spec.containers: element 0: associative list with keys may not have a null element");
    auto const fault_of_range = [&](std::string const& item) {
        auto const text = member(
            apply("a", "/api/v1/nodes/n",
                  R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"},"spec":{"podCIDRs":[)" + item + "]}}"),
            "message");
        return text.substr(std::min(text.find("): ") + 3, text.size()));
    };
    BOOST_TEST(fault_of_range("{}") ==
               ".spec.podCIDRs: element 0: associative list without keys has an element that's a map type");
    BOOST_TEST(fault_of_range("[]") ==
               ".spec.podCIDRs: element 0: not supported: associative list with lists as elements");
    BOOST_TEST(fault_of_range("null") == ".spec.podCIDRs: element 0: associative list without keys has an "
                                         "element that's an explicit null");
    BOOST_TEST(fault_of_range(R"("10.0.0.0/8","10.0.0.0/8")") ==
               ".spec.podCIDRs: duplicate entries for key [=\"10.0.0.0/8\"]");
}

BOOST_AUTO_TEST_CASE(a_configuration_with_the_same_key_twice_is_rejected) {
    BOOST_TEST(fault_of_pod(R"({"containers":[{"name":"c","image":"i"},{"name":"c","image":"j"}]})") ==
               R"(.spec.containers: duplicate entries for key [name="c"])");
    BOOST_TEST(fault_of_pod(R"({"containers":[{"name":"c","image":"i","ports":[{"containerPort":1},)"
                            R"({"containerPort":1,"protocol":"TCP"}]}]})") ==
               R"(.spec.containers[name="c"].ports: duplicate entries for key [containerPort=1,protocol="TCP"])");
}

BOOST_AUTO_TEST_CASE(duplicate_items_stay_unless_the_configuration_has_their_key) {
    make_set(R"([{"name":"E","value":"1"},{"name":"E","value":"2"}])");
    auto const beside = apply_env(R"([{"name":"F","value":"3"}])");
    BOOST_TEST_REQUIRE(beside.status == 200u, beside.body);
    BOOST_TEST(env_in(beside) == "E=1 E=2 F=3");
    bool recorded = false;
    for (auto const& m : managers(beside)) recorded = recorded || m.find(R"("k:{\"name\":\"E\"}":{}})") != m.npos;
    BOOST_TEST(recorded); // both are one field
    BOOST_TEST(member(apply_env(R"([{"name":"E","value":"9"}])"), "message") ==
               R"(Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1: )"
               R"(.spec.template.spec.containers[name="c"].env[name="E"])");
    auto const named = apply_env(R"([{"name":"E","value":"9"}])", "&force=true");
    BOOST_TEST_REQUIRE(named.status == 200u, named.body);
    BOOST_TEST(env_in(named) == "E=9"); // F was this manager's alone
}

BOOST_AUTO_TEST_CASE(new_items_follow_existing_ones_in_the_order_of_the_configuration) {
    for (auto const& [live, wanted, expected] : {std::tuple("AB", "C", "A=1 B=1 C=1"),
                                                 {"AXB", "BYA", "X=1 B=1 Y=1 A=1"},
                                                 {"AB", "BA", "B=1 A=1"},
                                                 {"AB", "CB", "A=1 C=1 B=1"},
                                                 {"AB", "AC", "A=1 B=1 C=1"}}) {
        make_set(variables(live, "1"));
        auto const r = apply_env(variables(wanted, "1"));
        BOOST_TEST(r.status == 200u, r.body);
        BOOST_TEST(env_in(r) == expected);
        send("DELETE", sets + "/s");
    }
}

BOOST_AUTO_TEST_CASE(keys_of_built_in_kinds_have_defaults) {
    auto const unnamed = apply_pod("a", R"({"containers":[{"image":"i"}]})");
    BOOST_TEST(unnamed.status == 422u); // the default is an empty name, which validation rejects
    auto const accounts = "/api/v1/namespaces/default/serviceaccounts/x";
    auto const account = apply(
        "a", accounts,
        R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"x"},"secrets":[{"namespace":"default"}]})");
    BOOST_TEST(account.status == 500u);
    BOOST_TEST(member(account, "message") ==
               "failed to create typed patch object (/x; /v1, Kind=ServiceAccount): .secrets: element 0: associative "
               "list with keys has an element that omits key field \"name\" (and doesn't have default value)");
    BOOST_TEST(fault_of_pod(R"({"containers":[{"name":"c","ports":[{"protocol":"UDP"},{"protocol":"UDP"}]}]})") ==
               R"(.spec.containers[name="c"].ports: duplicate entries for key [containerPort=0,protocol="UDP"])");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_CASE(items_of_custom_kinds_require_every_key, served_definitions) {
    crd_text crd;
    crd.versions = version_text(
        "v1", true,
        R"({"type":"object","properties":{"spec":{"type":"object","properties":{"ports":{"type":"array",)"
        R"("x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["port","protocol"],"items":{"type":"object",)"
        R"("required":["port"],"properties":{"port":{"type":"integer"},)"
        R"("protocol":{"type":"string","default":"TCP"}}}}}}}})");
    BOOST_TEST_REQUIRE(define(crd).status == 201u);
    auto const apply = [&](std::string const& ports) {
        return send("PATCH", widgets_path + "/w?fieldManager=a",
                    R"({"apiVersion":"acme.example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"ports":)" +
                        ports + "}}",
                    "application/apply-patch+yaml");
    };
    auto const refused = apply(R"([{"protocol":"UDP"}])");
    BOOST_TEST(refused.status == 500u);
    BOOST_TEST(member(refused, "message")
                   .ends_with(".spec.ports: element 0: associative list with keys has an element that omits key field "
                              "\"port\" (and doesn't "
                              "have default value)"));
    BOOST_TEST(apply(R"([{"port":1},{"port":1,"protocol":"UDP"}])").status == 201u);
}
