#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

using namespace kftrain;

namespace {

/// All that strict decoding collects, one per line.
template <class T> std::string all(std::string_view text, T& value, std::size_t first_line = 1) {
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    options.first_line = first_line;
    auto const r = decode_yaml(text, descriptor_of<T>(), &value, options);
    BOOST_TEST(r.has_value() == found.empty());
    if (!found.empty()) BOOST_TEST(r.error().to_string() == found.front().to_string());
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

} // namespace

BOOST_AUTO_TEST_SUITE(model_strict)

BOOST_AUTO_TEST_CASE(all_unknown_and_duplicate_fields_of_yaml_are_collected_with_places_and_near_names) {
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

BOOST_AUTO_TEST_CASE(all_of_json_are_collected_too) {
    pod p;
    BOOST_TEST(all(faulty_json, p) ==
               "spec.replica: unknown field \"replica\" (line 2, column 20)\n"
               "spec.hostname: duplicate field \"hostname\" (line 3, column 3)\n"
               "spec.containers[1].comand: unknown field \"comand\"; did you mean \"command\"? (line 3, column 40)\n"
               "zzz: unknown field \"zzz\" (line 4, column 3)\n");
    BOOST_TEST(p.spec.hostname == "b", "decoding went on");
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

BOOST_AUTO_TEST_CASE(a_worse_fault_is_the_error_and_what_was_found_before_stays) {
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    auto const r = from_json<pod>(R"({"zzz":1,"spec":[]})", options);
    BOOST_TEST(r.error().to_string() == "spec: expected an object, got a list (line 1, column 17)");
    BOOST_TEST(found.size() == 1U);
    BOOST_TEST(!from_json<pod>(R"({"zzz":1})", options).has_value());
    BOOST_TEST(found.size() == 2U);
}

BOOST_AUTO_TEST_CASE(what_is_collected_is_bounded) {
    std::string text = "{";
    for (std::size_t i = 0; i < 3 * most_found; ++i)
        text += (i == 0 ? "\"x" : ",\"x") + std::to_string(i) + "\":" + std::to_string(i);
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    BOOST_TEST(!from_json<pod>(text + "}", options).has_value());
    BOOST_TEST(found.size() == most_found);
}

BOOST_AUTO_TEST_CASE(near_names_are_few_edits_away) {
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
