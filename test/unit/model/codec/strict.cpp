#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(model_strict)

using namespace kftrain;

namespace {

bool is_mismatch(failure const& f) {
    return f.code == make_error_code(errc::type_mismatch) || f.code == make_error_code(errc::out_of_range);
}

/// All that strict decoding collects, one per line. The error of the result is the first value that does not fit, else
/// the first.
template <class T> std::string all(std::string_view text, T& value, std::size_t first_line = 1) {
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    options.first_line = first_line;
    auto const r = decode_yaml(text, descriptor_of<T>(), &value, options);
    BOOST_TEST(r.has_value() == found.empty());
    auto const mismatch = std::ranges::find_if(found, is_mismatch);
    if (!found.empty())
        BOOST_TEST(r.error().to_string() == (mismatch == found.end() ? found.front() : *mismatch).to_string());
    std::string out;
    for (auto const& f : found) out += f.to_string() + "\n";
    return out;
}

constexpr std::string_view faulty_yaml = R"(apiVersion: kubeflow.org/v1
kind: PyTorchJob
metdata: {}
spec:
  pytorchReplicaSpecs:
    Worker:
      replica: 3
      replicas: 3
      replicas: 4
      template:
        spec:
          containers:
          - name: pytorch
            image: a
            Image: b
            envs:
            - {nmae: x}
    Worker: {}
)";

constexpr std::string_view faulty_json = R"({"spec": {
  "hostname": "a", "replica": {"a": 1, "a": 2},
  "hostname": "b", "containers": [{}, {"comand": ["x\"y"], "command": []}]},
  "zzz": null})";

constexpr std::string_view mismatched_yaml = R"(metdata: {}
spec:
  containers:
  - name: [a, {b: [c]}]
    imagPullPolicy: x
    ports:
    - containerPort: 99999999999
    - 80
    - {containerPort: 1.5, contanerPort: 1}
    resources: {limits: {cpu: a lot, memory: [{a: b}], gpu: 1}}
    env: {A: {b: c}}
    command: [[x, [y]], x, {z: 1}]
    stdin: "yes"
    stdn: true
  restartPolicy: [Never]
  hostnme: a
metadata: &m {labels: {a: 1, b: c}, creationTimestamp: soon}
status: *m
kind: {}
)";

constexpr std::string_view mismatched_json = R"({"spec": {
  "containers": [{"name": 1, "ports": [{"containerPort": "80"}, [1, {"a": "]"}]]}, 5,
    {"comand": ["x"], "env": {"a": [1]}}],
  "terminationGracePeriodSeconds": 1e30, "hostnme": "b"},
  "metadata": []})";

} // namespace

BOOST_AUTO_TEST_CASE(yaml_values_that_do_not_fit_are_collected_and_skipped) {
    pod p;
    BOOST_TEST(
        all(mismatched_yaml, p) ==
        "metdata: unknown field \"metdata\"; did you mean \"metadata\"? (line 1, column 1)\n"
        "spec.containers[0].name: expected string, got a list (line 4, column 11)\n"
        "spec.containers[0].imagPullPolicy: unknown field \"imagPullPolicy\"; did you mean \"imagePullPolicy\"? (line "
        "5, column 5)\n"
        "spec.containers[0].ports[0].containerPort: expected int32, got 99999999999 (line 7, column 22)\n"
        "spec.containers[0].ports[1]: expected an object, got 80 (line 8, column 7)\n"
        "spec.containers[0].ports[2].containerPort: expected int32, got 1.5 (line 9, column 23)\n"
        "spec.containers[0].ports[2].contanerPort: unknown field \"contanerPort\"; did you mean \"containerPort\"? "
        "(line 9, column 28)\n"
        "spec.containers[0].resources.limits.cpu: expected quantity, got \"a lot\" (line 10, column 31)\n"
        "spec.containers[0].resources.limits.memory: expected quantity, got a list (line 10, column 46)\n"
        "spec.containers[0].env: expected a list, got an object (line 11, column 10)\n"
        "spec.containers[0].command[0]: expected string, got a list (line 12, column 15)\n"
        "spec.containers[0].command[2]: expected string, got an object (line 12, column 28)\n"
        "spec.containers[0].stdin: expected bool, got \"yes\" (line 13, column 12)\n"
        "spec.containers[0].stdn: unknown field \"stdn\"; did you mean \"stdin\"? (line 14, column 5)\n"
        "spec.restartPolicy: expected string, got a list (line 15, column 18)\n"
        "spec.hostnme: unknown field \"hostnme\"; did you mean \"hostname\"? (line 16, column 3)\n"
        "metadata.labels.a: expected string, got 1 (line 17, column 27)\n"
        "metadata.creationTimestamp: expected RFC 3339 time, got \"soon\" (line 17, column 56)\n"
        "status.labels: unknown field \"labels\" (line 17, column 15)\n"
        "status.creationTimestamp: unknown field \"creationTimestamp\" (line 17, column 37)\n"
        "kind: expected string, got an object (line 19, column 7)\n");
}

BOOST_AUTO_TEST_CASE(json_values_that_do_not_fit_are_collected_and_skipped) {
    pod p;
    BOOST_TEST(all(mismatched_json, p) ==
               "spec.containers[0].name: expected string, got 1 (line 2, column 27)\n"
               "spec.containers[0].ports[0].containerPort: expected int32, got \"80\" (line 2, column 58)\n"
               "spec.containers[0].ports[1]: expected an object, got a list (line 2, column 65)\n"
               "spec.containers[1]: expected an object, got 5 (line 2, column 84)\n"
               "spec.containers[2].comand: unknown field \"comand\"; did you mean \"command\"? (line 3, column 6)\n"
               "spec.containers[2].env: expected a list, got an object (line 3, column 30)\n"
               "spec.terminationGracePeriodSeconds: expected int64, got 1e30 (line 4, column 36)\n"
               "spec.hostnme: unknown field \"hostnme\"; did you mean \"hostname\"? (line 4, column 42)\n"
               "metadata: expected an object, got a list (line 5, column 15)\n");
    for (std::string_view text : {"[1, {\"a\": 2}]", "5", "\"x\""}) BOOST_TEST(!all(text, p).empty(), text);
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    BOOST_TEST(from_json<pod>("null", options).error().to_string() ==
               "expected an object, got null (line 1, column 1)");
    BOOST_TEST(found.size() == 1U);
}

BOOST_AUTO_TEST_CASE(the_fault_that_ends_a_text_is_the_error_despite_collected_ones) {
    auto const why = [](std::string_view text, std::size_t max_depth, std::string_view collected) {
        std::vector<failure> found;
        decode_options options;
        options.strict = true;
        options.found = &found;
        options.max_depth = max_depth;
        auto const r = from_yaml<pod>(text, options);
        BOOST_TEST_REQUIRE(!r.has_value());
        std::string out;
        for (auto const& f : found) out += f.detail.path + " ";
        BOOST_TEST(out == collected);
        return r.error().to_string();
    };
    BOOST_TEST(why("{\"spec\": 1, \"x\": @}", 9, "spec x ").ends_with("(line 1, column 18)"));
    BOOST_TEST(why("spec: 1\nx: @y", 9, "spec x ").starts_with("invalid YAML: "));
    BOOST_TEST(why("spec:\n- - - a", 3, "spec ") == "spec: nested deeper than 3 levels (line 2, column 5)");
    BOOST_TEST(why("spec: 1\nkind: Service", 9, "spec ") ==
               "kind: expected Pod of v1, got \"Service\" (line 2, column 7)");
    BOOST_TEST(why("# nothing", 9, "") == "expected YAML, got an empty text (line 1, column 1)");
    BOOST_TEST(why("{spec: [1], metadata: 2}", 9, "spec metadata ") ==
               "spec: expected an object, got a list (line 1, column 8)");
}

BOOST_AUTO_TEST_CASE(the_first_mismatched_value_is_reported_when_the_budget_is_used_up) {
    std::string text = "{";
    for (std::size_t i = 0; i < max_found; ++i) text += "\"x" + std::to_string(i) + "\":1,";
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    auto const r = from_json<pod>(text + "\n\"spec\":1,\"metadata\":2}", options);
    BOOST_TEST(r.error().to_string() == "spec: expected an object, got 1 (line 2, column 8)");
    BOOST_TEST_REQUIRE(found.size() == max_found);
    BOOST_TEST(found.back().to_string() == r.error().to_string());
    found.clear();
    std::string many = "{\"spec\":{\"containers\":[0";
    for (std::size_t i = 1; i < 3 * max_found; ++i) many += ",\n" + std::to_string(i);
    BOOST_TEST(from_json<pod>(many + "]}}", options).error().detail.line == 1U);
    BOOST_TEST_REQUIRE(found.size() == max_found);
    BOOST_TEST(found.back().detail.line == max_found);
}

BOOST_AUTO_TEST_CASE(unknown_and_duplicate_fields_of_yaml_have_places_and_suggestions) {
    sample_job job;
    BOOST_TEST(
        all(faulty_yaml, job) ==
        "metdata: unknown field \"metdata\"; did you mean \"metadata\"? (line 3, column 1)\n"
        "spec.pytorchReplicaSpecs.Worker.replica: unknown field \"replica\"; did you mean \"replicas\"? (line 7, "
        "column 7)\n"
        "spec.pytorchReplicaSpecs.Worker.replicas: duplicate field \"replicas\" (line 9, column 7)\n"
        "spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].Image: unknown field \"Image\"; did you mean "
        "\"image\"? (line 15, column 13)\n"
        "spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].envs: unknown field \"envs\"; did you mean "
        "\"env\"? (line 16, column 13)\n"
        "spec.pytorchReplicaSpecs.Worker: duplicate field \"Worker\" (line 18, column 5)\n");
    BOOST_TEST(job.spec.pytorch_replica_specs.size() == 1U);
}

BOOST_AUTO_TEST_CASE(all_unknown_and_duplicate_fields_of_json_are_collected) {
    pod p;
    BOOST_TEST(all(faulty_json, p) ==
               "spec.replica: unknown field \"replica\" (line 2, column 20)\n"
               "spec.hostname: duplicate field \"hostname\" (line 3, column 3)\n"
               "spec.containers[1].comand: unknown field \"comand\"; did you mean \"command\"? (line 3, column 40)\n"
               "zzz: unknown field \"zzz\" (line 4, column 3)\n");
    BOOST_TEST(p.spec.hostname == "b", "decoding went on");
}

BOOST_AUTO_TEST_CASE(unknown_fields_are_found_twice) {
    std::string const twice =
        "spec.zzz: unknown field \"zzz\" (line 2, column 3)\nspec.zzz: duplicate field \"zzz\" (line 3, column 3)\n";
    pod p;
    BOOST_TEST(all("spec:\n  zzz: 1\n  zzz: 2\n", p) == twice);
    BOOST_TEST(all("{\"spec\":{\n  \"zzz\": 1,\n  \"zzz\": 2}}", p) == twice);
    BOOST_TEST(all("a: {zzz: 1}\nspec: {zzz: 2}\n", p).find("duplicate") == std::string::npos);
    BOOST_TEST(all("spec: {<<: {zzz: 1}, zzz: 2}\n", p).find("duplicate") == std::string::npos);
}

// The caller has no other sign of the lost value.
BOOST_AUTO_TEST_CASE(the_first_repeated_field_is_found_behind_any_number_of_unknown_ones) {
    std::string text = "{\"spec\":[],";
    for (std::size_t i = 0; i < max_found + 5; ++i) text += "\"u" + std::to_string(i) + "\":1,\n";
    text += "\"u3\":2,\n\"u4\":2}";
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    BOOST_TEST(from_json<pod>(text, options).error().detail.path == "spec");
    BOOST_TEST(found.size() == max_found);
    BOOST_TEST(found.back().to_string() ==
               "u3: duplicate field \"u3\" (line " + std::to_string(max_found + 6) + ", column 1)");
}

BOOST_AUTO_TEST_CASE(lines_count_from_the_first_line_that_is_given) {
    pod p;
    BOOST_TEST(all("spec:\n  hostnme: a\n", p, 11) ==
               "spec.hostnme: unknown field \"hostnme\"; did you mean \"hostname\"? (line 12, column 3)\n");
    decode_options options;
    options.first_line = 5;
    BOOST_TEST(from_json<pod>("{\n\"spec\":1}", options).error().to_string() ==
               "spec: expected an object, got 1 (line 6, column 8)");
}

BOOST_AUTO_TEST_CASE(a_later_syntax_error_keeps_the_collected_faults) {
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    auto const r = from_json<pod>(R"({"zzz":1,"spec":[]})", options);
    BOOST_TEST(r.error().to_string() == "spec: expected an object, got a list (line 1, column 17)");
    BOOST_TEST(found.size() == 2U);
    BOOST_TEST(!from_json<pod>(R"({"zzz":1})", options).has_value());
    BOOST_TEST(found.size() == 3U);
}

BOOST_AUTO_TEST_CASE(collected_faults_are_bounded) {
    std::string text = "{";
    for (std::size_t i = 0; i < 3 * max_found; ++i)
        text += (i == 0 ? "\"x" : ",\"x") + std::to_string(i) + "\":" + std::to_string(i);
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    BOOST_TEST(!from_json<pod>(text + "}", options).has_value());
    BOOST_TEST(found.size() == max_found);
}

BOOST_AUTO_TEST_CASE(suggested_names_are_few_edits_away) {
    auto const hint = [](std::string_view name) {
        auto const why = why_json<pod>("{\"spec\":{\"" + std::string(name) + "\":1}}", true);
        auto const at = why.find("mean \"");
        return at == std::string::npos ? "" : why.substr(at + 6, why.find('"', at + 6) - at - 6);
    };
    BOOST_TEST(hint("nodename") == "nodeName");
    BOOST_TEST(hint("hsotname") == "hostname");
    BOOST_TEST(hint("container") == "containers");
    BOOST_TEST(hint("containersss") == "containers");
    BOOST_TEST(hint("restart") == "");
    BOOST_TEST(hint("q") == "");
    BOOST_TEST(hint(std::string(100000, 'x')) == "");
}

BOOST_AUTO_TEST_SUITE_END()
