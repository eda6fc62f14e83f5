#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_yaml_encode)

using namespace kftrain;

BOOST_AUTO_TEST_CASE(the_layout_is_that_of_kubectl) {
    sample_job job;
    job.metadata.name = "digits";
    job.metadata.labels = {{"on", "yes"}, {"team", "vision"}};
    auto& worker = job.spec.pytorch_replica_specs["Worker"];
    worker.replicas = 0;
    auto& c = worker.template_.spec.containers.emplace_back();
    c.name = "pytorch";
    c.command = {"python", "-c", "import torch\nprint(1)", "--epochs=3", ""};
    c.env = {{"A", "1"}, {"B", "x\n"}};
    c.resources.limits["cpu"] = quantity("2");
    worker.template_.spec.unknown.set("listOfTheFuture", raw_json(R"([{"operator":"Exists","list":[[1,2],[],{}]}])"));
    worker.template_.spec.unknown.set("ofTheFuture", raw_json("{}"));
    BOOST_TEST(to_yaml(job) == R"(apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: digits
  labels:
    "on": "yes"
    team: vision
spec:
  pytorchReplicaSpecs:
    Worker:
      replicas: 0
      template:
        spec:
          containers:
          - name: pytorch
            command:
            - python
            - -c
            - |-
              import torch
              print(1)
            - --epochs=3
            - ""
            env:
            - name: A
              value: "1"
            - name: B
              value: |
                x
            resources:
              limits:
                cpu: "2"
          listOfTheFuture:
          - operator: Exists
            list:
            - - 1
              - 2
            - []
            - {}
          ofTheFuture: {}
)");
}

BOOST_AUTO_TEST_CASE(a_pod_survives_a_round_trip) {
    auto p = from_json<pod>(sample_pod_json).value();
    p.metadata.managed_fields.at(0).unknown.set("n", raw_json("1.5")); // YAML numbers lose trailing zeros
    auto const again = from_yaml<pod>(to_yaml(p));
    BOOST_TEST_REQUIRE(again.has_value(), (again ? "" : again.error().to_string()));
    BOOST_TEST(equal(descriptor_of<pod>(), &p, &*again));
    BOOST_TEST(to_yaml(sample_narrow()) == "{}\n");
}

BOOST_AUTO_TEST_CASE(strings_of_every_form_survive_a_round_trip) {
    std::vector<std::string> const parts{"",
                                         "a",
                                         " ",
                                         "  ",
                                         "\n",
                                         "\n\n",
                                         "\t",
                                         "yes",
                                         "No",
                                         "null",
                                         "~",
                                         "1",
                                         "0x1",
                                         "1_0",
                                         "1e3",
                                         ".5",
                                         ".inf",
                                         "<<",
                                         "=",
                                         "-",
                                         "- ",
                                         "--x",
                                         "---",
                                         "...",
                                         "?",
                                         "? ",
                                         ":",
                                         ": ",
                                         "a: b",
                                         "#",
                                         " #",
                                         "'",
                                         "\"",
                                         "\\",
                                         "{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         "&a",
                                         "*a",
                                         "!t",
                                         "|",
                                         ">",
                                         "%",
                                         "@",
                                         "`",
                                         "x:",
                                         "x:y",
                                         "1:30",
                                         "\r",
                                         "\x01",
                                         "\x7f",
                                         "\xC2\x85",
                                         "\xC2\xA0",
                                         "\xE2\x80\xA8",
                                         "\xEF\xBB\xBF",
                                         "\xC3\xA9",
                                         "\xF0\x9F\x98\x80",
                                         "2001-01-01",
                                         "line one\nline two",
                                         "  indented\nmore",
                                         "end\n",
                                         "tail \nx",
                                         "\ttab\nx",
                                         std::string(1500, 'k')};
    for (auto const& a : parts)
        for (auto const& b : parts) {
            std::string const s = a + b;
            sample_values v;
            v.text = s;
            v.labels[s] = s;
            v.rows = {{s, s}, {s}};
            v.by_name[s].value = s;
            std::string const yaml = to_yaml(v);
            auto const again = from_yaml<sample_values>(yaml);
            BOOST_TEST_REQUIRE(again.has_value(), yaml << (again ? "" : again.error().to_string()));
            BOOST_TEST_REQUIRE(equal(descriptor_of<sample_values>(), &v, &*again), yaml);
            raw_json root;
            root.text = to_json(v);
            BOOST_TEST_REQUIRE(from_yaml<raw_json>(to_yaml(root)).value().text == root.text, to_yaml(root));
        }
}

BOOST_AUTO_TEST_CASE(zeros_keep_their_sign) {
    for (std::string_view text : {"-.0", "-0.0", "-0e1"}) {
        auto const read = from_yaml<raw_json>(text).value();
        BOOST_TEST(read.text == "-0", text);
        BOOST_TEST(to_yaml(read) == "-0.0\n");
        BOOST_TEST(from_yaml<raw_json>(to_yaml(read)).value().text == "-0");
    }
    BOOST_TEST(to_yaml(from_yaml<raw_json>("-0").value()) == "0\n");
}

BOOST_AUTO_TEST_CASE(numbers_beyond_a_double_stay_numbers) {
    for (std::string_view text : {"1e400", "-1e400", "1.5E4000", "-10.0e+9999"}) {
        auto const value = from_json<raw_json>(text).value();
        BOOST_TEST(value.text == text);
        BOOST_TEST(to_yaml(value) == "!!float " + std::string(text) + "\n");
        BOOST_TEST(from_yaml<raw_json>(to_yaml(value)).value().text == text);
    }
    BOOST_TEST(from_yaml<raw_json>("!!float 01e400").error().to_string() ==
               "invalid YAML: \"01e400\" is not a valid !!float (line 1, column 1)");
    BOOST_TEST(from_yaml<sample_values>("ratio: !!float 1e400").error().code == make_error_code(errc::out_of_range));
}

BOOST_AUTO_TEST_CASE(a_root_null_survives_a_round_trip) {
    raw_json const null = from_json<raw_json>("null").value();
    for (std::string_view text : {"null", "~", "", "# nothing\n---\n"}) {
        auto const read = from_yaml<raw_json>(text);
        BOOST_TEST_REQUIRE(read.has_value(), text);
        BOOST_TEST((*read == null), text);
    }
    BOOST_TEST((from_yaml<raw_json>(to_yaml(null)).value() == null));
}

BOOST_AUTO_TEST_CASE(a_kept_field_that_is_no_json_is_written) {
    sample_values v;
    v.unknown.set("odd", raw_json("{broken"));
    BOOST_TEST(to_yaml(v) == "{\"alwaysThere\":0,\"odd\":{broken}\n");
}

BOOST_AUTO_TEST_SUITE_END()
