#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_yaml_decode)

using namespace kftrain;

namespace {

constexpr std::string_view manifest = R"yaml(# A job of two replicas
apiVersion: "kubeflow.org/v1"
kind: PyTorchJob
metadata:
  name: digits
  labels: {team: vision, "on": "yes"}
spec:
  runPolicy:
    cleanPodPolicy: None
    ttlSecondsAfterFinished: 0x10
    suspend: no
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: OnFailure
      template: &pod
        metadata:
          annotations:
            sidecar.istio.io/inject: "false"
        spec:
          containers:
            - name: pytorch
              image: docker.io/kubeflowkatib/pytorch-mnist:v1beta1
              imagePullPolicy: Always
              command:
                - "python3"
                - /opt/pytorch-mnist/mnist.py
                - --epochs=1
              args: [-c, "print('x')"]
              env:
              - name: SCRIPT
                value: |
                  import torch
                  print(torch.__version__)
              - {name: PATH_LIKE, value: "a:b"}
              resources:
                limits:
                  cpu: 1
                  memory: 1Gi
                  nvidia.com/gpu: "2"
          ofTheFuture: [{operator: Exists, tolerationSeconds: 1_0}]
    Worker:
      replicas: 2
      template: *pod
---
# nothing more
)yaml";

} // namespace

BOOST_AUTO_TEST_CASE(a_typical_manifest_is_decoded) {
    auto const r = from_yaml<sample_job>(manifest);
    BOOST_TEST_REQUIRE(r.has_value(), (r ? "" : r.error().to_string()));
    BOOST_TEST((r->metadata.labels == string_map{{"on", "yes"}, {"team", "vision"}}));
    auto const& policy = r->spec.run_policy_;
    BOOST_TEST(
        (policy.clean_pod_policy == "None" && policy.ttl_seconds_after_finished == 16 && policy.suspend == false));
    auto const& master = r->spec.pytorch_replica_specs.at("Master");
    BOOST_TEST((master.replicas == 1 && master.restart_policy == "OnFailure"));
    BOOST_TEST(master.template_.metadata.annotations.at("sidecar.istio.io/inject") == "false");
    auto const& c = master.template_.spec.containers.at(0);
    BOOST_TEST((c.command == std::vector<std::string>{"python3", "/opt/pytorch-mnist/mnist.py", "--epochs=1"}));
    BOOST_TEST((c.args == std::vector<std::string>{"-c", "print('x')"}));
    BOOST_TEST(c.env.at(0).value == "import torch\nprint(torch.__version__)\n");
    BOOST_TEST(c.resources.limits.at("cpu").text() == "1");
    BOOST_TEST(master.template_.spec.unknown.find("ofTheFuture")->text ==
               R"([{"operator":"Exists","tolerationSeconds":10}])");
    auto const& worker = r->spec.pytorch_replica_specs.at("Worker");
    BOOST_TEST(worker.replicas.value_or(0) == 2);
    BOOST_TEST(equal(descriptor_of<core::pod_template_spec>(), &worker.template_, &master.template_));
}

BOOST_AUTO_TEST_CASE(an_error_names_path_value_expectation_line_and_column) {
    BOOST_TEST(why_yaml<sample_job>(R"(apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: digits
spec:
  runPolicy:
    cleanPodPolicy: None
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: OnFailure
    # the workers
    Worker:
      replicas: three
)") == "spec.pytorchReplicaSpecs.Worker.replicas: expected int32, got \"three\" (line 14, column 17)");
    BOOST_TEST(why_yaml<pod>("spec:\n  containers:\n  - name: c\n    env:\n    - name: A\n      value: 1\n") ==
               "spec.containers[0].env[0].value: expected string, got 1 (line 6, column 14)");
    BOOST_TEST(why_yaml<pod>("metadata:\n  labels:\n    a.b/c: yes\n") ==
               "metadata.labels[\"a.b/c\"]: expected string, got true (line 3, column 12)");
    BOOST_TEST(why_yaml<pod>("spec:\n  containers:\n    name: c\n") ==
               "spec.containers: expected a list, got an object (line 3, column 5)");
    BOOST_TEST(why_yaml<pod>("spec:\n- a\n") == "spec: expected an object, got a list (line 2, column 1)");
    BOOST_TEST(why_yaml<pod>("kind: Service") == "kind: expected Pod of v1, got \"Service\" (line 1, column 7)");
    BOOST_TEST(why_yaml<pod>("hello") == "expected an object, got \"hello\" (line 1, column 1)");
    BOOST_TEST(why_yaml<sample_values>("a: \xC3\xA9\nmaybeSmall: 3_000_000_000") ==
               "maybeSmall: expected int32, got 3000000000 (line 2, column 13)");
    BOOST_TEST(why_yaml<sample_values>("small: 0.5") == "small: expected int32, got 0.5 (line 1, column 8)");
    BOOST_TEST(why_yaml<sample_values>("a: &x [one]\nnumbers: *x") ==
               "numbers[0]: expected int32, got \"one\" (line 1, column 8)");
}

BOOST_AUTO_TEST_CASE(strict_decoding_names_the_place_of_the_key) {
    BOOST_TEST(why_yaml<pod>("spec:\n  hostname: a\n  containres: []\n", true) ==
               "spec.containres: unknown field \"containres\"; did you mean \"containers\"? (line 3, column 3)");
    BOOST_TEST(why_yaml<pod>("spec:\n  hostname: a\n  hostname: b\n", true) ==
               "spec.hostname: duplicate field \"hostname\" (line 3, column 3)");
    BOOST_TEST(from_yaml<pod>("spec:\n  hostname: a\n  hostname: b\n").value().spec.hostname == "b");
}

BOOST_AUTO_TEST_CASE(anchors_are_replayed_where_aliases_stand) {
    auto const json = [](std::string_view yaml) {
        auto const r = from_yaml<raw_json>(yaml);
        return r ? r->text : r.error().to_string();
    };
    BOOST_TEST(json("a: &x {c: [1, &y z]}\nb: *x\nd: [*y, *x]") ==
               R"({"a":{"c":[1,"z"]},"b":{"c":[1,"z"]},"d":["z",{"c":[1,"z"]}]})");
    BOOST_TEST(json("a: &x 1\nb: &x 2\nc: *x") == R"({"a":1,"b":2,"c":2})");
    BOOST_TEST(json("a: &x\nb: *x") == R"({"a":null,"b":null})");
    BOOST_TEST(json("&k a: 1\nb: *k") == R"({"a":1,"b":"a"})");
    BOOST_TEST(json("a: &x\n  b: *x") == "invalid YAML: an anchor contains itself (line 2, column 6)");
    BOOST_TEST(json("a: *nope").starts_with("invalid YAML: "));
}

BOOST_AUTO_TEST_CASE(merge_keys_take_maps_and_lists_of_maps) {
    auto const labels = [](std::string_view yaml) {
        auto const r = from_yaml<sample_values>(yaml);
        if (!r) return r.error().to_string();
        std::string text;
        for (auto const& [k, v] : r->labels) text += k + "=" + v + " ";
        return text;
    };
    BOOST_TEST(labels("a: &b {x: '1', z: '2'}\nlabels:\n  <<: *b\n  z: '3'") == "x=1 z=3 ");
    BOOST_TEST(labels("labels:\n  <<: {x: '1', z: '2'}\n  z: '3'") == "x=1 z=3 ");
    BOOST_TEST(labels("a: &b {x: '1'}\nc: &d {x: '2', z: '3'}\nlabels:\n  <<: [*b, *d]\n  q: ''") == "q= x=1 z=3 ");
    BOOST_TEST(labels("labels:\n  <<: [{x: '1'}, {x: '2', z: '3'}]") == "x=1 z=3 ");
    BOOST_TEST(labels("a: &b {x: '1'}\nc: &d {<<: *b, z: '3'}\nlabels:\n  <<: *d") == "x=1 z=3 ");
    BOOST_TEST(labels("labels:\n  \"<<\": x") == "<<=x ");
    for (std::string_view value : {"1", "[1]", "[[]]", "~"})
        BOOST_TEST(
            labels("labels:\n  <<: " + std::string(value)).find("a merge key requires a map or a list of maps") !=
            std::string::npos);
    BOOST_TEST(labels("a: &b [1]\nlabels: {<<: *b}").find("(line 2, column 14)") != std::string::npos);
    auto const v =
        from_yaml<sample_values>("base: &b {name: k, value: v}\nbyName:\n  x: {<<: *b, value: w}\n  z: *b").value();
    BOOST_TEST((v.by_name.at("x").name == "k" && v.by_name.at("x").value == "w" && v.by_name.at("z").value == "v"));
}

// Which value holds is as `kubectl label --local` 1.32 prints it. A key in front of a merge key that brings it, too, is
// refused: there kubectl takes the merged value, and YAML's definition of merge keys the other one.
BOOST_AUTO_TEST_CASE(strict_reading_takes_keys_that_override_merged_ones_and_no_duplicates) {
    auto const data = [](std::string_view lines) {
        decode_options strict;
        strict.strict = true;
        auto head = std::string("metadata: {annotations: &b {x: base, z: base}}\ndata:\n");
        auto const r = from_yaml<core::config_map>(head.append(lines), strict);
        if (!r) return r.error().to_string();
        std::string text;
        for (auto const& [k, v] : r->data) text.append(k).append("=").append(v).append(" ");
        return text;
    };
    BOOST_TEST(data("  <<: *b\n  z: own") == "x=base z=own ");
    BOOST_TEST(data("  <<: [{x: first}, *b]\n  z: own") == "x=first z=own ");
    BOOST_TEST(data("  <<: [{x: first}, *b, {x: last, q: last}]") == "q=last x=first z=base ");
    BOOST_TEST(data("  <<: {<<: *b, z: inner}\n  x: own") == "x=own z=inner ");
    BOOST_TEST(data("  <<: {q: one}\n  <<: {q: two}") == "q=two ");

    std::string const twice = "data.z: duplicate field \"z\" ";
    BOOST_TEST(data("  z: one\n  z: two") == twice + "(line 4, column 3)");
    BOOST_TEST(data("  <<: *b\n  z: one\n  z: two") == twice + "(line 5, column 3)");
    BOOST_TEST(data("  <<: {z: one, z: two}") == twice + "(line 3, column 16)");
    BOOST_TEST(data("  z: own\n  <<: *b") == twice + "(line 1, column 38)");

    BOOST_TEST(why_yaml<pod>("spec:\n  containers: [&c {name: a, image: i}, {<<: *c, name: b, env: [{name: e}]}]",
                             true) == "");
    BOOST_TEST(why_yaml<pod>("spec:\n  containers: [&c {name: a}, {<<: *c, name: b, env: [{name: e, name: f}]}]", true)
                   .find("duplicate field \"name\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(empty_documents_are_skipped_and_a_second_document_is_rejected) {
    auto const name = [](std::string_view yaml) {
        auto const r = from_yaml<sample_narrow>(yaml);
        return r ? r->name : r.error().to_string();
    };
    BOOST_TEST(name("---\n# nothing\n---\nname: x\n---\n# end\n") == "x");
    BOOST_TEST(name("---\n# nothing\n---\nname: x\n---\nname: y") ==
               "expected one document, got several (line 6, column 1)");
    BOOST_TEST(name("name: x\n...\nname: y") == "expected one document, got several (line 3, column 1)");
    BOOST_TEST(name("name: x\n...\n") == "x");
    BOOST_TEST(name("%YAML 1.1\n---\nname: x\n") == "x");
    BOOST_TEST(name("\xEF\xBB\xBFname: x\r\n") == "x");
    BOOST_TEST(name("name: x\n--- [broken") == "expected one document, got several (line 2, column 1)");
    BOOST_TEST(name("{\"name\":\"x\"}\n---\n{\"name\":\"y\"}") ==
               "expected one document, got several (line 3, column 1)");
    BOOST_TEST(name("~\n---\nname: x\n---\nnull\n") == "x");
    BOOST_TEST(name(std::string_view()) == "expected YAML, got an empty text (line 1, column 1)");
    BOOST_TEST(name("") == "expected YAML, got an empty text (line 1, column 1)");
    BOOST_TEST(name("# only\n---\n---\n") == "expected YAML, got an empty text (line 1, column 1)");
}

BOOST_AUTO_TEST_CASE(yaml_decoding_accepts_json) {
    auto const from_both = from_yaml<pod>(sample_pod_json);
    auto const expected = from_json<pod>(sample_pod_json).value();
    BOOST_TEST_REQUIRE(from_both.has_value());
    BOOST_TEST(equal(descriptor_of<pod>(), &*from_both, &expected));
    BOOST_TEST(from_yaml<sample_narrow>("{name: flow}").value().name == "flow");
    BOOST_TEST(from_yaml<sample_narrow>("{\"name\": \"flow\" , other: [1]}").value().name == "flow");
    BOOST_TEST(why_yaml<sample_values>("{\"small\":\n true}") == "small: expected int32, got true (line 2, column 2)");
    BOOST_TEST(why_yaml<sample_values>("{small:\n three}") ==
               "small: expected int32, got \"three\" (line 2, column 2)");
}

BOOST_AUTO_TEST_CASE(stray_punctuation_ends_in_an_error_and_not_in_a_loop) {
    for (std::string_view text : {",", "]", "}", ",a: 1", "---\n, b", "# c\n]"}) {
        auto const r = from_yaml<raw_json>(text);
        BOOST_TEST((!r && r.error().code == make_error_code(errc::syntax)), text);
    }
    BOOST_TEST(why_yaml<raw_json>("\n, b") ==
               "invalid YAML: did not find expected node content while parsing a block node (line 2, column 1)");
}

BOOST_AUTO_TEST_CASE(a_quote_that_never_closes_does_not_swallow_the_rest) {
    for (std::string_view text : {"a: \"x\n", "a: 'x\n\n", "a: \"x\nb: 1\n", "- 'it''s\n", "a: !!str &x \"x\\\"\n",
                                  "b: 1\na: \"\n---\nc: 1\n"}) {
        auto const r = from_yaml<raw_json>(text);
        BOOST_TEST((!r && r.error().code == make_error_code(errc::syntax)), text);
    }
    BOOST_TEST(why_yaml<raw_json>("a: \"x\nb: 1\n") == "invalid YAML: the quote is not closed (line 1, column 4)");
    BOOST_TEST(from_yaml<raw_json>("a: 'it''s'\nb: \"\\\"\"\n").value().text == R"({"a":"it's","b":"\""})");
    BOOST_TEST(from_yaml<raw_json>("a: |\n  \"x\n").value().text == R"({"a":"\"x\n"})");
}

BOOST_AUTO_TEST_CASE(every_escape_becomes_utf_8) {
    BOOST_TEST(from_yaml<raw_json>("\"\\N|\\_|\\L|\\P|\\x41|\\xE9|\\u263A|\\U0001F600|\\t\"").value().text ==
               "\"\xC2\x85|\xC2\xA0|\xE2\x80\xA8|\xE2\x80\xA9|A|\xC3\xA9|\xE2\x98\xBA|\xF0\x9F\x98\x80|\\t\"");
}

BOOST_AUTO_TEST_CASE(invalid_yaml_is_a_syntax_error_with_its_position) {
    for (std::string_view text :
         {"a: [1", "a: ]", "a: {b: 1", "a: \"x", "a: 'x", "a: b: c", "\ta: 1", "a:\n  - b\n c: 1", "a: @x", "a: `x",
          "a: *x", "a: 1\nb", "\"foo\" bar", "{a: 1} x", "a: \"\\q\"", "a: \"\\ud800\""}) {
        auto const r = from_yaml<raw_json>(text);
        BOOST_TEST_REQUIRE(!r.has_value(), text << " was taken as " << (r ? r->text : ""));
        BOOST_TEST(r.error().code == make_error_code(errc::syntax), text);
        BOOST_TEST(r.error().detail.line > 0U, text);
    }
    BOOST_TEST(why_yaml<raw_json>("a: 1\nb") == "invalid YAML: could not find expected ':' (line 2, column 1)");
    BOOST_TEST(why_yaml<raw_json>("a: 1\nb: \"\xFF\"") == "invalid YAML: not UTF-8 (line 2, column 5)");
    BOOST_TEST(why_yaml<raw_json>("a: \x04\nb: 1") == "invalid YAML: control character (line 1, column 4)");
    BOOST_TEST(why_yaml<raw_json>(std::string_view("a: \0", 4)) ==
               "invalid YAML: control character (line 1, column 4)");
}

BOOST_AUTO_TEST_CASE(the_error_comes_from_the_decoder_that_got_further) {
    BOOST_TEST(why_yaml<raw_json>("{\"a\": 1,\n\"b\": \"\xFF\"}") == "invalid JSON: not UTF-8 (line 2, column 7)");
    for (std::string_view half : {"\\ud800", "\\uDBff", "\\ud800x"})
        BOOST_TEST(why_yaml<raw_json>("{\"a\": \"" + std::string(half) + "\"}") ==
                       "invalid JSON: incomplete surrogate pair (line 1, column 14)",
                   half);
    BOOST_TEST(why_yaml<raw_json>("{\"a\": \"\\udc00\"}").starts_with("invalid JSON: "));
    BOOST_TEST(why_json<raw_json>("{\"a\": \"\\\\ud800\x01\"}").starts_with("invalid JSON: syntax error"));
    auto const flow = why_yaml<raw_json>("{a: 1,\nb: @x}"); // JSON has names in quotes only
    BOOST_TEST(flow.starts_with("invalid YAML: "), flow);
    BOOST_TEST(flow.ends_with("(line 2, column 4)"), flow);
}

BOOST_AUTO_TEST_SUITE_END()
