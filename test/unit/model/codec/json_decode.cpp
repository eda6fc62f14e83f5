#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_json_decode)

using namespace kftrain;

BOOST_AUTO_TEST_CASE(a_pod_as_a_server_sends_it_becomes_a_struct) {
    auto const r = from_json<pod>(sample_pod_json);
    BOOST_TEST_REQUIRE(r.has_value(), (r ? "" : r.error().to_string()));
    auto const& p = *r;
    BOOST_TEST(p.metadata.name == "digits-worker-0");
    BOOST_TEST(p.metadata.namespace_ == "train");
    BOOST_TEST(p.metadata.labels.at("training.kubeflow.org/job-name") == "digits");
    BOOST_TEST(p.metadata.labels.at("escaped\"key") == "tab\tand \xC3\xA9 \xF0\x9F\x98\x80");
    BOOST_TEST(p.metadata.annotations.empty());
    BOOST_TEST((p.metadata.creation_timestamp == std::chrono::sys_days(std::chrono::year(2026) / 3 / 1) +
                                                     std::chrono::seconds(10 * 3600 + 11 * 60 + 12)));
    BOOST_TEST_REQUIRE(p.metadata.owner_references.size() == 1U);
    BOOST_TEST(p.metadata.owner_references[0].controller.value_or(false));
    BOOST_TEST(!p.metadata.owner_references[0].block_owner_deletion.has_value());
    BOOST_TEST_REQUIRE(p.spec.containers.size() == 1U);
    auto const& c = p.spec.containers[0];
    BOOST_TEST((c.command == std::vector<std::string>{"python", "-c", "print(\"x\")"}));
    BOOST_TEST(c.env.at(1).value_from->field_ref->field_path == "status.podIP");
    BOOST_TEST(c.ports.at(0).container_port_ == 23456);
    BOOST_TEST(c.resources.limits.at("cpu").text() == "2");
    BOOST_TEST(c.resources.limits.at("memory").text() == "1Gi");
    BOOST_TEST(p.spec.termination_grace_period_seconds.value_or(-1) == 0);
    BOOST_TEST(p.status.pod_ips.at(0).ip == "10.0.0.7");
    auto const& s = p.status.container_statuses.at(0);
    BOOST_TEST((s.ready && s.state.running && s.state.running->started_at && !s.last_state.running));
}

BOOST_AUTO_TEST_CASE(fields_without_a_member_are_kept_as_compact_json) {
    auto const p = from_json<pod>(sample_pod_json).value();
    auto const& managed = p.metadata.managed_fields.at(0);
    BOOST_TEST(managed.fields_v1.text == R"({"f:spec":{}})");
    BOOST_TEST(managed.unknown.find("n")->text == "1.50");
    BOOST_TEST(p.spec.unknown.find("ofTheFuture")->text == R"([{"operator":"Exists"},null,true,-3,"a\\b"])");
    BOOST_TEST(p.unknown.empty());

    auto const v =
        from_json<core::exec_action>(R"({"s":"x","n":null,"t":true,"i":18446744073709551615,"e":1E400,"a":[],"o":{}})")
            .value();
    BOOST_TEST(to_json(v) == R"({"s":"x","n":null,"t":true,"i":18446744073709551615,"e":1E400,"a":[],"o":{}})");
}

BOOST_AUTO_TEST_CASE(apiVersion_and_kind_of_a_type_without_them_are_unknown_fields) {
    auto const v = from_json<core::env_var>(R"({"apiVersion":"v1","kind":3})").value();
    BOOST_TEST(v.unknown.find("apiVersion")->text == "\"v1\"");
    BOOST_TEST(v.unknown.find("kind")->text == "3");
}

BOOST_AUTO_TEST_CASE(a_type_without_unknown_fields_drops_them) {
    auto const n = from_json<sample_narrow>(R"({"a":{"b":[1,{"name":"inner"}]},"name":"x","c":1,"d":null})").value();
    BOOST_TEST(n.name == "x");
}

BOOST_AUTO_TEST_CASE(every_value_type_is_decoded) {
    auto const v = from_json<sample_values>(R"({
        "flag": true, "small": -7, "large": -9223372036854775808, "ratio": 0.1, "text": "t", "maybeFlag": false,
        "maybeSmall": 0, "when": "2026-03-01T10:11:12+01:00", "exactly": "2026-03-01T10:11:12.000003Z", "amount": 1.50,
        "anything": {"a": [1, "x"]}, "things": [1, "x", null, [ ], {"k": [true]}], "numbers": [1, 2, 3],
        "rows": [["a"], [], ["b", "c"]], "labels": {"k": "v", "": "empty"}, "byName": {"x": {"name": "n"}, "y": {}},
        "maybeObject": {}, "alwaysThere": 3})")
                       .value();
    BOOST_TEST((v.flag && v.small == -7 && v.large == std::numeric_limits<std::int64_t>::min() && v.ratio == 0.1));
    BOOST_TEST((v.maybe_flag.has_value() && !*v.maybe_flag && v.maybe_small == 0));
    BOOST_TEST(v.amount.text() == "1.50");
    BOOST_TEST(v.anything.text == R"({"a":[1,"x"]})");
    BOOST_TEST_REQUIRE(v.things.size() == 5U);
    BOOST_TEST((v.things[0].text == "1" && v.things[1].text == "\"x\"" && v.things[2].text.empty() &&
                v.things[3].text == "[]"));
    BOOST_TEST(v.things[4].text == R"({"k":[true]})");
    BOOST_TEST((v.numbers == std::vector<std::int32_t>{1, 2, 3}));
    BOOST_TEST((v.rows == std::vector<std::vector<std::string>>{{"a"}, {}, {"b", "c"}}));
    BOOST_TEST((v.labels == string_map{{"k", "v"}, {"", "empty"}}));
    BOOST_TEST((v.by_name.at("x").name == "n" && v.by_name.size() == 2));
    BOOST_TEST((v.maybe_object.has_value() && v.kept == 3));
}

BOOST_AUTO_TEST_CASE(integral_numbers_of_any_spelling_fit_integers) {
    auto const v =
        from_json<sample_values>(R"({"small":1e3,"large":3.0,"numbers":[-2.0e0,2147483647,-2147483648]})").value();
    BOOST_TEST((v.small == 1000 && v.large == 3));
    BOOST_TEST((v.numbers == std::vector<std::int32_t>{-2, 2147483647, -2147483647 - 1}));
}

BOOST_AUTO_TEST_CASE(null_is_absent) {
    auto const v = from_json<sample_values>(R"({"flag":null,"small":null,"text":null,"maybeFlag":null,"when":null,
        "amount":null,"anything":null,"numbers":null,"labels":null,"maybeObject":null,"rows":[null,["a",null]]})")
                       .value();
    sample_values expected;
    expected.rows = {{}, {"a", ""}};
    BOOST_TEST(equal(descriptor_of<sample_values>(), &v, &expected));
    auto const p =
        from_json<pod>(R"({"apiVersion":null,"kind":null,"metadata":{"creationTimestamp":null},"status":null})");
    BOOST_TEST((p.has_value() && equal(descriptor_of<pod>(), &*p, std::make_unique<pod>().get())));
}

BOOST_AUTO_TEST_CASE(the_last_of_repeated_fields_replaces_the_others) {
    auto const v = from_json<sample_values>(R"({"numbers":[1,2],"numbers":[3],"maybeSmall":1,"maybeSmall":null,
        "labels":{"a":"1","a":"2"},"byName":{"x":{"name":"n","value":"v"},"x":{"value":"w"}},
        "maybeObject":{"name":"a"},"maybeObject":{"value":"b"},
        "u":1,"w":2,"u":{"k":3},"anything":[1],"anything":[2]})")
                       .value();
    BOOST_TEST((v.numbers == std::vector<std::int32_t>{3}));
    BOOST_TEST(!v.maybe_small.has_value());
    BOOST_TEST(v.labels.at("a") == "2");
    BOOST_TEST((v.by_name.at("x").name.empty() && v.by_name.at("x").value == "w"));
    BOOST_TEST((v.maybe_object->name.empty() && v.maybe_object->value == "b"));
    BOOST_TEST(v.anything.text == "[2]");
    BOOST_TEST(v.unknown.end() - v.unknown.begin() == 2);
    BOOST_TEST((v.unknown.find("u")->text == R"({"k":3})" && v.unknown.find("w")->text == "2"));
}

BOOST_AUTO_TEST_CASE(apiVersion_and_kind_may_be_absent_or_correct) {
    BOOST_TEST(why_json<pod>("{}") == "");
    BOOST_TEST(why_json<pod>(R"({"kind":"Pod","apiVersion":"v1"})") == "");
    BOOST_TEST(why_json<sample_job>(R"({"kind":"PyTorchJob","apiVersion":"kubeflow.org/v1"})") == "");
    BOOST_TEST(why_json<object_list<sample_job>>(
                   R"({"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1","items":[{},{"kind":"PyTorchJob"}]})") ==
               "");
}

BOOST_AUTO_TEST_CASE(a_root_value_can_have_any_type) {
    BOOST_TEST(from_json<raw_json>(" [1, {\"a\" : null}] ").value().text == R"([1,{"a":null}])");
    BOOST_TEST(from_json<raw_json>("\"x\"").value().text == "\"x\"");
    BOOST_TEST(from_json<std::vector<raw_json>>("[1,[2]]").value().at(1).text == "[2]");
}

BOOST_AUTO_TEST_SUITE_END()
