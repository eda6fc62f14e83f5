#include "model/rules/object_meta.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(object_meta_validation)

using namespace kftrain;

// Expected: what `ValidateObjectMeta` of apimachinery v0.31.3 returned for the same metadata, with
// `NameIsDNSSubdomain`.
namespace {

using lines = std::vector<std::string>;

std::string const subdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
std::string const label =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
std::string const name_characters =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
std::string const name_part = "name part " + name_characters;
std::string const label_value =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

boost::json::object parsed(std::string const& text) { return boost::json::parse(text).get_object(); }

lines texts(std::vector<metadata_fault> const& found) {
    lines out;
    for (auto const& fault : found) out.push_back(fault.what.text());
    return out;
}
lines faults(std::string const& metadata, name_rule rule = dns_subdomain_faults,
             resource_scope where = resource_scope::namespaced) {
    return texts(object_meta_faults(parsed(metadata), rule, where));
}
/// Of an object that is well apart from these members.
lines with(std::string const& members) { return faults(R"({"name":"j","namespace":"team",)" + members + "}"); }

lines on(std::string const& field, std::string const& value, lines reasons) {
    for (auto& reason : reasons) reason = field + ": Invalid value: \"" + value + "\": " + reason;
    return reasons;
}

void expect(lines const& found, lines const& expected) {
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

std::string in_json(std::string const& text) { return boost::json::serialize(boost::json::string(text)); }

} // namespace

BOOST_AUTO_TEST_CASE(a_name_must_be_a_subdomain) {
    std::string const where = R"("namespace":"team")";
    expect(faults("{" + where + "}"), {"metadata.name: Required value: name or generateName is required"});
    expect(faults(R"({"name":"Bad_Name",)" + where + "}"), on("metadata.name", "Bad_Name", {subdomain}));
    expect(faults(R"({"name":"9.good-name",)" + where + "}"), {});
    std::string const longest(253, 'a'), longer(254, 'a');
    expect(faults(R"({"name":")" + longest + "\"," + where + "}"), {});
    expect(faults(R"({"name":")" + longer + "\"," + where + "}"),
           on("metadata.name", longer, {"must be no more than 253 characters"}));
}

BOOST_AUTO_TEST_CASE(a_name_prefix_can_end_with_a_dash) {
    for (auto const* good : {"a-", "a_-", "a--", "A-", ".-", "a"})
        expect(with(R"("generateName":")" + std::string(good) + "\""), {});
    for (auto const* bad : {"-", "Bad_", "a."})
        expect(with(R"("generateName":")" + std::string(bad) + "\""), on("metadata.generateName", bad, {subdomain}));
}

BOOST_AUTO_TEST_CASE(kinds_have_other_rules_for_names) {
    std::string const named = R"({"namespace":"team","name":")";
    expect(faults(named + "a.b\"}", dns_label_faults), on("metadata.name", "a.b", {"must not contain dots"}));
    expect(faults(named + "9a\"}", dns_label_faults), {});
    expect(faults(named + "9a\"}", dns_1035_label_faults),
           on("metadata.name", "9a",
              {"a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic "
               "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "
               "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"}));
    expect(faults(named + "A b\"}", path_segment_faults), {});
    expect(faults(named + "..\"}", path_segment_faults), on("metadata.name", "..", {"may not be '..'"}));
    expect(faults(R"({"namespace":"team","name":"a/%","generateName":"."})", path_segment_faults),
           on("metadata.name", "a/%", {"may not contain '/'", "may not contain '%'"}));
}

BOOST_AUTO_TEST_CASE(a_namespace_must_be_a_label) {
    auto const in = [](std::string const& ns) { return faults(R"({"name":"j","namespace":")" + ns + "\"}"); };
    expect(in("1-a"), {});
    expect(in(""), {"metadata.namespace: Required value"});
    expect(in("Team"), on("metadata.namespace", "Team", {label}));
    expect(in("a.b"), on("metadata.namespace", "a.b", {"must not contain dots"}));
    std::string const longer(64, 'n');
    expect(in(longer), on("metadata.namespace", longer, {"must be no more than 63 characters"}));
    expect(faults(R"({"name":"j","namespace":"a"})", dns_subdomain_faults, resource_scope::cluster),
           {"metadata.namespace: Forbidden: not allowed on this type"});
    expect(faults(R"({"name":"j"})", dns_subdomain_faults, resource_scope::cluster), {});
}

BOOST_AUTO_TEST_CASE(a_generation_is_not_negative) {
    expect(with(R"("generation":-1)"), {"metadata.generation: Invalid value: -1: must be greater than or equal to 0"});
    expect(with(R"("generation":0)"), {});
}

BOOST_AUTO_TEST_CASE(keys_of_labels_and_annotations_and_finalizers_are_qualified_names) {
    std::string const long_name(64, 'k'), long_prefix = std::string(254, 'p') + "/a";
    std::string const many = "a qualified name " + name_characters +
                             " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
    std::vector<std::pair<std::string, lines>> const bad{
        {"a b", {name_part}},
        {"", {"name part must be non-empty", name_part}},
        {"/", {"prefix part must be non-empty", "name part must be non-empty", name_part}},
        {"/a", {"prefix part must be non-empty"}},
        {"a/", {"name part must be non-empty", name_part}},
        {"a/b/c", {many}},
        {"a/-", {name_part}},
        {long_name, {"name part must be no more than 63 characters"}},
        {long_prefix, {"prefix part must be no more than 253 characters"}},
    };
    for (auto const& [key, reasons] : bad) {
        auto const quoted = in_json(key);
        expect(with("\"labels\":{" + quoted + ":\"v\"}"), on("metadata.labels", key, reasons));
        expect(with("\"annotations\":{" + quoted + ":\"v\"}"), on("metadata.annotations", key, reasons));
        expect(with("\"finalizers\":[" + quoted + "]"), on("metadata.finalizers", key, reasons));
    }
    expect(with("\"labels\":{" + in_json("é\t\"\x7f\u2028") + ":\"v\"}"),
           on("metadata.labels", R"(é\t\"\x7f\u2028)", {name_part}));
    // Only annotations are looked at in lower case.
    expect(with(R"("labels":{"A/b":""},"finalizers":["A/b"])"),
           {on("metadata.labels", "A/b", {"prefix part " + subdomain})[0],
            on("metadata.finalizers", "A/b", {"prefix part " + subdomain})[0]});
    expect(with(R"("annotations":{"Example.COM/Name":"","\u212A":"","\u0130":""})"), {});
}

BOOST_AUTO_TEST_CASE(label_values_are_limited) {
    expect(with(R"("labels":{"a":""})"), {});
    expect(with(R"("labels":{"a b":"x y"})"),
           {on("metadata.labels", "a b", {name_part})[0], on("metadata.labels", "x y", {label_value})[0]});
    std::string const longer(64, 'v');
    expect(with(R"("labels":{"a":")" + longer + "\"}"),
           on("metadata.labels", longer, {"must be no more than 63 characters"}));
    // Go walks maps at random; here it is the order of the keys.
    expect(with(R"("labels":{"b":"2 ","a":"1 "})"),
           {on("metadata.labels", "1 ", {label_value})[0], on("metadata.labels", "2 ", {label_value})[0]});
}

BOOST_AUTO_TEST_CASE(annotations_are_limited_to_256_kib) {
    auto const sized = [](std::size_t n) { return R"("annotations":{"a":")" + std::string(n, 'v') + "\"}"; };
    expect(with(sized(262143)), {});
    expect(with(sized(262144)), {"metadata.annotations: Too long: must have at most 262144 bytes"});
    auto const found = object_meta_faults(parsed(R"({"name":"j","namespace":"t",)" + sized(262144) + "}"),
                                          dns_subdomain_faults, resource_scope::namespaced);
    BOOST_TEST(found.at(0).what.reason == "FieldValueTooLong");
}

BOOST_AUTO_TEST_CASE(owner_references_must_be_complete) {
    std::string const field = "metadata.ownerReferences";
    expect(with(R"("ownerReferences":[{}])"), {field + ".apiVersion: Invalid value: \"\": version must not be empty",
                                               field + ".kind: Invalid value: \"\": kind must not be empty",
                                               field + ".name: Invalid value: \"\": name must not be empty",
                                               field + ".uid: Invalid value: \"\": uid must not be empty"});
    auto const event = [](std::string const& version) {
        return with(R"("ownerReferences":[{"apiVersion":")" + version + R"(","kind":"Event","name":"n\"","uid":"u"}])");
    };
    for (std::string version : {"/", "a/", "a/b/c"})
        expect(event(version), {field + ".apiVersion: Invalid value: \"" + version + "\": version must not be empty"});
    for (std::string version : {"v1", "/v1"})
        expect(event(version),
               {field + ": Invalid value: v1.OwnerReference{APIVersion:\"" + version +
                R"(", Kind:"Event", Name:"n\"", UID:"u", Controller:(*bool)(nil), BlockOwnerDeletion:(*bool)(nil)})"
                ": /v1, Kind=Event is disallowed from being an owner"});
    expect(event("events.k8s.io/v1"), {});
}

BOOST_AUTO_TEST_CASE(at_most_one_owner_is_the_controller) {
    auto const owner = [](std::string const& name, std::string const& more) {
        return R"({"apiVersion":"v1","kind":"Pod","name":")" + name + R"(","uid":"u")" + more + "}";
    };
    auto const first = owner("a", R"(,"controller":true)"), second = owner("b", R"(,"controller":false)"),
               third = owner("c", R"(,"controller":true,"blockOwnerDeletion":false)");
    expect(with("\"ownerReferences\":[" + first + "," + second + "]"), {});
    // Upstream prints the addresses of the truth values, which are others each time.
    expect(with("\"ownerReferences\":[" + first + "," + second + "," + third + "]"),
           {"metadata.ownerReferences: Invalid value: []v1.OwnerReference{"
            R"(v1.OwnerReference{APIVersion:"v1", Kind:"Pod", Name:"a", UID:"u", Controller:(*bool)(true), )"
            R"(BlockOwnerDeletion:(*bool)(nil)}, )"
            R"(v1.OwnerReference{APIVersion:"v1", Kind:"Pod", Name:"b", UID:"u", Controller:(*bool)(false), )"
            R"(BlockOwnerDeletion:(*bool)(nil)}, )"
            R"(v1.OwnerReference{APIVersion:"v1", Kind:"Pod", Name:"c", UID:"u", Controller:(*bool)(true), )"
            R"(BlockOwnerDeletion:(*bool)(false)}}: )"
            R"(Only one reference can have Controller set to true. Found "true" in references for Pod/a and Pod/c)"});
    std::string all = first;
    for (int i = 0; i < 5000; ++i) all += "," + third;
    BOOST_TEST(with("\"ownerReferences\":[" + all + "]").size() == 8U); // each repeats all owners
}

BOOST_AUTO_TEST_CASE(orphan_and_foreground_finalizers_exclude_each_other) {
    expect(with(R"("finalizers":["orphan","a.b/c","foregroundDeletion"])"),
           {"metadata.finalizers: Invalid value: []string{\"orphan\", \"a.b/c\", \"foregroundDeletion\"}: finalizer "
            "orphan and foregroundDeletion cannot be both set"});
    expect(with(R"("finalizers":["orphan","hold"])"), {});
    expect(texts(builtin_finalizer_faults(
               parsed(R"({"finalizers":["orphan","foregroundDeletion","kubernetes","a/b","x"]})"))),
           {"metadata.finalizers[4]: Invalid value: \"x\": name is neither a standard finalizer name nor is it fully "
            "qualified"});
}

BOOST_AUTO_TEST_CASE(new_finalizers_without_a_domain_are_warned_of_in_order) {
    auto const metadata = parsed(R"({"finalizers":["b","orphan","x/y","a","c","b"]})");
    auto const old = parsed(R"({"finalizers":["c"]})");
    auto const found = finalizer_warnings(metadata, &old);
    std::string const why = ": prefer a domain-qualified finalizer name to avoid accidental conflicts with other "
                            "finalizer writers";
    expect(texts(found), {"metadata.finalizers: \"a\"" + why, "metadata.finalizers: \"b\"" + why});
    BOOST_TEST(found.at(1).place == "metadata.finalizers[0]");
    BOOST_TEST((found.at(0).to_issue().level == issue::severity::warning));
    BOOST_TEST(finalizer_warnings(metadata, nullptr).size() == 3U);
    BOOST_TEST(finalizer_warnings(parsed("{}"), nullptr).empty());
}

BOOST_AUTO_TEST_CASE(faults_come_in_the_order_of_the_server) {
    std::string const wrong =
        R"({"name":"A","generateName":"B","namespace":"C","generation":-1,"finalizers":[""],"annotations":{"a b":""},)"
        R"("ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"n"}],"labels":{"a":"x y"}})";
    auto const reported = [](std::vector<metadata_fault> const& found) {
        lines out;
        for (auto const& fault : found)
            out.push_back(fault.what.field + " " + fault.to_issue().rule + " " + fault.place);
        return out;
    };
    lines const updated{R"(metadata.labels metadata.labels metadata.labels.a)",
                        R"(metadata.annotations metadata.annotations metadata.annotations["a b"])",
                        "metadata.ownerReferences.uid metadata.owner-references metadata.ownerReferences[0].uid"};
    lines common = updated;
    common.insert(common.end(), 2, "metadata.finalizers metadata.finalizers metadata.finalizers[0]");
    lines all{"metadata.generateName metadata.generate-name metadata.generateName",
              "metadata.name metadata.name metadata.name", "metadata.namespace metadata.namespace metadata.namespace",
              "metadata.generation metadata.generation metadata.generation"};
    all.insert(all.end(), common.begin(), common.end());
    auto const metadata = parsed(wrong);
    expect(reported(object_meta_faults(metadata, dns_subdomain_faults, resource_scope::namespaced)), all);
    expect(reported(common_meta_faults(metadata)), common);
    expect(reported(updated_meta_faults(metadata)), updated);
}

BOOST_AUTO_TEST_CASE(an_object_to_create_gets_namespace_generation_and_name) {
    auto const created = [](std::string const& metadata) { return texts(created_meta_faults(parsed(metadata))); };
    expect(created(R"({"name":"j","generation":-1})"), {});
    expect(created("{}"), {"metadata.name: Required value: name or generateName is required"});
    expect(created(R"({"generateName":"j-"})"), {});
    expect(created(R"({"generateName":"Bad_"})"), on("metadata.generateName", "Bad_", {subdomain}));
    expect(created(R"({"generateName":"a_-"})"), on("metadata.name", "a_-xxxxx", {subdomain}));
    expect(created(R"({"generateName":")" + std::string(200, 'g') + "\"}"), {});
}

BOOST_AUTO_TEST_CASE(values_of_other_types_are_left_to_the_decoder) {
    expect(with(R"("labels":[1],"annotations":{"a":1},"ownerReferences":[1,"x"],"finalizers":[{}],"generation":"x")"),
           {});
    expect(with(R"("labels":{"a b":1})"), on("metadata.labels", "a b", {name_part}));
}

BOOST_AUTO_TEST_SUITE_END()
