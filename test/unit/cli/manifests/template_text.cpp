#include "cli/manifests/manifest_hints.hpp"

#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(cli_template_text)

using namespace kftrain;

namespace {

/// The place and the tool that are named; empty if the failure stays as it is.
std::string explanation_of(std::string const& text) {
    auto const read = parse_jobs(text);
    if (read) return "readable";
    failure f = read.error();
    if (!cli::explain_unfilled(f, text, 1)) return {};
    std::string tool = "other";
    for (auto const* name : {"helm template", "jinja2", "envsubst", "kustomize", "comment"})
        if (f.detail.message.find(name) != std::string::npos) tool = name;
    return std::to_string(f.detail.line) + ":" + std::to_string(f.detail.column) + " " + tool;
}

constexpr std::string_view head = "apiVersion: kubeflow.org/v1\nkind: TFJob\n";

} // namespace

BOOST_AUTO_TEST_CASE(templates_are_named_with_the_tool_that_fills_them_in) {
    std::string const begin(head);
    BOOST_TEST(explanation_of("{{- if .Values.enabled }}\n" + begin + "{{- end }}\n") == "1:1 helm template");
    BOOST_TEST(explanation_of(begin + "metadata:\n  name: {{ .Release.Name }}\n") == "4:9 helm template");
    BOOST_TEST(explanation_of(begin + "metadata:\n  labels:\n    {{- include \"x.labels\" . | nindent 4 }}\n") ==
               "5:5 helm template");
    BOOST_TEST(explanation_of("{% if gpus %}\n" + begin + "{% endif %}\n") == "1:1 jinja2");
    BOOST_TEST(explanation_of(begin + "metadata:\n  name: {{ name }}\n") == "4:9 jinja2");
    BOOST_TEST(explanation_of("{# made by hand #}\n" + begin) == "1:1 jinja2");
    BOOST_TEST(explanation_of(begin + "metadata: {name: a}\nspec:\n  ${EXTRA_FIELDS}\n  tfReplicaSpecs: {}\n") ==
               "5:3 envsubst");
    BOOST_TEST(explanation_of(begin + "metadata: {name: a}\nspec:\n  $EXTRA\n  tfReplicaSpecs: {}\n") ==
               "5:3 envsubst");
}

BOOST_AUTO_TEST_CASE(comments_of_other_languages_are_named) {
    BOOST_TEST(explanation_of("// job.yaml\n" + std::string(head)) == "1:1 comment");
    BOOST_TEST(explanation_of(std::string(head) + "// the job\nmetadata: {name: a}\n") == "3:1 comment");
    BOOST_TEST(explanation_of("/* a job */\n" + std::string(head)) == "1:1 comment");
}

BOOST_AUTO_TEST_CASE(other_failures_are_unchanged) {
    std::string const begin(head);
    BOOST_TEST(explanation_of(begin + "metadata: {name: '{{workflow.name}}'}\n") == "readable");
    BOOST_TEST(explanation_of(begin + "metadata: [\n") == "");
    BOOST_TEST(explanation_of(begin + "metadata: {labels: {a: \"x {{ y }}\"}}\nspec: [\n") == "");
    BOOST_TEST(explanation_of("# {{ not a template }}\n" + begin + "spec: [\n") == "");
    BOOST_TEST(explanation_of("just words\n") == "");
    BOOST_TEST(explanation_of(begin + "metadata: {labels: {a: \"http://x\"}}\nspec: [\n") == "");
}

BOOST_AUTO_TEST_CASE(placeholders_in_values_are_named) {
    auto const hint = [](std::string_view message) { return cli::hint_at_placeholder(message); };
    cli::set_reading_command("kftrain run -");
    constexpr std::string_view shell =
        " is a placeholder: fill it in first, for example: envsubst < FILE | kftrain run -";
    BOOST_TEST(hint(R"(expected int32, got "${N}")") == "; ${N}" + std::string(shell));
    BOOST_TEST(hint(R"(expected int32, got "$N_WORKERS")") == "; $N_WORKERS" + std::string(shell));
    BOOST_TEST(hint(R"(metadata.name: Invalid value: "job-${USER}-1": a lowercase)") ==
               "; ${USER}" + std::string(shell));
    BOOST_TEST(hint("expected int32, got \"$(N)\"") ==
               "; $(N) is a placeholder: fill it in first, for example: kustomize build . | kftrain run -");
    BOOST_TEST(hint(R"(expected int32, got "{{ n }}")").find("jinja2") != std::string::npos);
    BOOST_TEST(hint(R"(expected int32, got "1 // one")") == "; // does not begin a comment in YAML, # does");
    BOOST_TEST(hint(R"(expected int32, got "one")") == "");
    BOOST_TEST(hint(R"(expected int32, got "5$")") == "");
    BOOST_TEST(hint(R"(Invalid value: "A": regex used for validation is '[a-z]$')") == "");
}

BOOST_AUTO_TEST_CASE(old_versions_and_forms_are_named_with_their_conversion) {
    document_type type;
    type.api_version = "kubeflow.org/v1alpha2";
    type.kind = "PyTorchJob";
    BOOST_TEST(cli::conversion_hint(type) == "; update it with kftrain convert --to PyTorchJob.v1");
    type.api_version = "kubeflow.org/v1";
    BOOST_TEST(cli::conversion_hint(type) == "; update it with kftrain convert --to PyTorchJob.v1");
    type.kind = "MXJob";
    BOOST_TEST(cli::conversion_hint(type) == "; update it with kftrain convert --to MXJob.v1");
    type.kind = "XGBoostJob";
    BOOST_TEST(cli::conversion_hint(type) == "");
    type.kind = "PyTorchJob";
    failure f(errc::unknown_field, diagnostics());
    for (auto const& [path, hinted] : {std::pair("spec.cleanPodPolicy", true), std::pair("spec.cleanPodPolicie", false),
                                       std::pair("metadata.cleanPodPolicy", false)}) {
        f.detail.path = path;
        BOOST_TEST(cli::conversion_hint(type, f).empty() != hinted, path);
    }
    f.code = errc::type_mismatch;
    f.detail.path = "spec.cleanPodPolicy";
    BOOST_TEST(cli::conversion_hint(type, f) == "");
}

BOOST_AUTO_TEST_SUITE_END()
