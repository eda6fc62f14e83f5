#include <kftrain/kinds/registry.hpp>

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/kinds/pytorch_job.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

BOOST_AUTO_TEST_SUITE(kinds_registry)

using namespace kftrain;

BOOST_AUTO_TEST_CASE(every_kind_is_found_by_its_own_names) {
    BOOST_TEST(!known_job_rules().empty());
    for (auto const* k : known_job_rules())
        BOOST_TEST(find_job_rules(k->primary().info->api_version(), k->primary().info->kind) == k);
    BOOST_TEST(find_job_rules("kubeflow.org/v1", "pytorchjob") == nullptr);
    BOOST_TEST(find_job_rules("kubeflow.org/v1beta1", "PyTorchJob") == nullptr);
    BOOST_TEST(find_job_rules("kubeflow.org/v1", "PyTorchJob") == &job_rules_for<pytorch_job>());
}

BOOST_AUTO_TEST_CASE(every_kind_is_found_by_user_facing_names) {
    for (auto const* k : known_job_rules()) {
        auto const& info = *k->primary().info;
        std::string const of(info.group), kind(info.kind), plural(info.plural), version(info.version);
        for (auto const& name : {job_kind_name(*k), kind + "." + version, plural + "." + version + "." + of}) {
            auto const found = find_job_kind(name);
            BOOST_TEST_REQUIRE(found.has_value(), name);
            BOOST_TEST(*found == k, name);
        }
        std::vector<std::string> names{kind, plural, plural + "." + of};
        names.insert(names.end(), k->form().short_names.begin(), k->form().short_names.end());
        for (auto name : names) {
            BOOST_TEST(std::ranges::count(find_job_kinds(name), k) == 1, name);
            for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
            BOOST_TEST(std::ranges::count(find_job_kinds(name), k) == 1, name);
        }
    }
    BOOST_TEST(job_kind_name(job_rules_for<pytorch_job>()) == "PyTorchJob.v1");
}

BOOST_AUTO_TEST_CASE(an_unknown_or_ambiguous_kind_name_is_rejected_with_the_known_ones) {
    auto const none = find_job_kind("pods");
    BOOST_TEST_REQUIRE(none.has_error());
    BOOST_TEST((none.error().code == errc::unknown_kind));
    BOOST_TEST(none.error().to_string().starts_with(
        "kind \"pods\" is not a known job kind; known kinds are: PyTorchJob.v1, TFJob, "));
    auto const two = find_job_kind("mpijobs");
    BOOST_TEST_REQUIRE(two.has_error());
    BOOST_TEST((two.error().code == errc::invalid_argument));
    BOOST_TEST(two.error().to_string() == "kind \"mpijobs\" could be MPIJob.v1 or MPIJob.v2beta1");
    for (auto const* bad : {"", ".", "TFJob.", ".v1", "TFJob.v2", "TFJob.v1.", "TFJob.kubeflow.org.v1", "tf job"})
        BOOST_TEST(find_job_kinds(bad).empty(), bad);
}

BOOST_AUTO_TEST_CASE(every_schema_that_is_shipped_compiles) {
    for (auto const* k : known_job_rules()) BOOST_TEST(!k->schema().empty(), k->primary().info->kind);
    for (auto const* name : {"scheduler_plugins_pod_group", "volcano_command", "volcano_pod_group", "volcano_queue"}) {
        std::ifstream in(std::string(KFTRAIN_SOURCE_DIR "/test/data/schemas/") + name + ".json");
        std::string const text(std::istreambuf_iterator<char>(in), {});
        auto const compiled = resource_schema::parse(text);
        BOOST_TEST(compiled.has_value(), name << ": " << (compiled ? "" : compiled.error().to_string()));
    }
}

BOOST_AUTO_TEST_CASE(a_job_is_read_from_yaml_and_from_json) {
    auto const yaml =
        parse_job("apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata:\n  name: pt\n"
                  "spec:\n  nprocPerNode: \"2\"\n  pytorchReplicaSpecs:\n    Worker:\n      replicas: 3\n");
    BOOST_TEST_REQUIRE(yaml.has_value());
    auto const* j = yaml->get_if<pytorch_job>();
    BOOST_TEST_REQUIRE(j != nullptr);
    BOOST_TEST(j->metadata.name == "pt");
    BOOST_TEST(j->spec.nproc_per_node.value() == "2");
    BOOST_TEST(j->spec.pytorch_replica_specs.at("Worker").replicas.value() == 3);
    auto const json = parse_job(yaml->to_json());
    BOOST_TEST_REQUIRE(json.has_value());
    BOOST_TEST(json->to_json() == yaml->to_json());
}

BOOST_AUTO_TEST_CASE(an_unknown_kind_is_named_beside_the_known_ones) {
    auto const r = parse_job("apiVersion: batch/v1\nkind: Job\n");
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::unknown_kind));
    std::string known;
    for (auto const* k : known_job_rules())
        known +=
            (known.empty() ? "" : ", ") + k->primary().info->api_version() + " " + std::string(k->primary().info->kind);
    BOOST_TEST(r.error().to_string() ==
               "apiVersion \"batch/v1\" and kind \"Job\" are not a known job kind; known kinds are: " + known +
                   " (line 2, column 7)");
    BOOST_TEST(known.find("kubeflow.org/v1 PyTorchJob") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(only_the_given_kinds_are_considered) {
    std::array<rules::job_rules const*, 2> const kinds{&job_rules_for<jax_job>(), &job_rules_for<mpi_job>()};
    std::string const of_jax = "apiVersion: kubeflow.org/v1\nkind: JAXJob\nmetadata: {name: a}\n";
    BOOST_TEST(parse_job(of_jax, {}, kinds).has_value());
    BOOST_TEST(parse_jobs(of_jax + "---\n" + of_jax, {}, kinds).value().size() == 2U);
    auto const other = parse_job("apiVersion: kubeflow.org/v1\nkind: PyTorchJob\n", {}, kinds);
    BOOST_TEST_REQUIRE(other.has_error());
    BOOST_TEST(other.error().to_string() ==
               "apiVersion \"kubeflow.org/v1\" and kind \"PyTorchJob\" are not a known job kind; known kinds are: "
               "kubeflow.org/v1 JAXJob, kubeflow.org/v2beta1 MPIJob (line 2, column 7)");
    BOOST_TEST(find_job_kind("mpijobs", kinds).value() == kinds[1]); // MPIJob.v1 is not among them
    BOOST_TEST((find_job_kind("TFJob", kinds).error().code == errc::unknown_kind));
    BOOST_TEST((to_job(any_object(pytorch_job()), kinds).error().code == errc::unknown_kind));
}

BOOST_AUTO_TEST_CASE(a_document_without_a_kind_is_an_error_that_names_the_field) {
    auto const neither = parse_job("metadata: {name: pt}\n");
    BOOST_TEST_REQUIRE(neither.has_error());
    BOOST_TEST((neither.error().code == errc::unknown_kind));
    BOOST_TEST(neither.error().to_string() ==
               "kind: expected apiVersion and kind of a job, got neither (line 1, column 1)");
    auto const half = parse_job("apiVersion: kubeflow.org/v1\n");
    BOOST_TEST_REQUIRE(half.has_error());
    BOOST_TEST(half.error().detail.path == "kind");
}

BOOST_AUTO_TEST_CASE(faults_in_the_text_keep_their_code_and_place) {
    auto const r = parse_job("apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nspec:\n  pytorchReplicaSpecs:\n"
                             "    Worker:\n      replicas: three\n");
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::type_mismatch));
    BOOST_TEST(r.error().detail.path == "spec.pytorchReplicaSpecs.Worker.replicas");
    BOOST_TEST(r.error().detail.line == 6U);
    BOOST_TEST((parse_job("{").error().code == errc::syntax));
}

constexpr std::string_view two_documents = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: a}\n---\n"
                                           "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: b}\n";

BOOST_AUTO_TEST_CASE(several_documents_are_several_jobs_and_never_one) {
    auto const jobs = parse_jobs(two_documents);
    BOOST_TEST_REQUIRE(jobs.has_value());
    BOOST_TEST_REQUIRE(jobs->size() == 2U);
    BOOST_TEST((*jobs)[0].metadata().name == "a");
    BOOST_TEST((*jobs)[1].metadata().name == "b");
    BOOST_TEST(parse_job(two_documents).error().to_string() == "expected one document, got several (line 5, column 1)");
    BOOST_TEST(parse_jobs(std::string(two_documents) + "spec: 1\n").error().to_string() ==
               "spec: expected an object, got 1 (line 8, column 7)");
    BOOST_TEST((parse_jobs("# nothing\n").error().code == errc::syntax));
    BOOST_TEST((parse_jobs("apiVersion: v1\nkind: Pod\n").error().code == errc::unknown_kind));
}

BOOST_AUTO_TEST_CASE(lists_are_expanded_to_their_items) {
    std::string const item = R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"x"}})";
    auto const list = [&](std::string const& items) {
        return parse_jobs(R"({"apiVersion":"v1","kind":"List","items":[)" + items + "]}");
    };
    BOOST_TEST(list(item + "," + item).value().size() == 2U);
    BOOST_TEST(list("").value().empty());
    BOOST_TEST(list(item + R"(,{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","spec":1})").error().to_string() ==
               "items[1].spec: expected an object, got 1 (line 1, column 179)");
    BOOST_TEST((list(R"({"apiVersion":"v1","kind":"Pod"})").error().code == errc::unknown_kind));
    auto const typed = parse_jobs("apiVersion: kubeflow.org/v1\nkind: PyTorchJobList\nitems:\n- metadata: {name: z}\n");
    BOOST_TEST(typed.value().at(0).metadata().name == "z");
}

BOOST_AUTO_TEST_CASE(strict_reading_collects_over_all_documents) {
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    BOOST_TEST(!parse_jobs("apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nspce: {}\n---\n"
                           "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nstatsu: {}\n",
                           options)
                    .has_value());
    BOOST_TEST_REQUIRE(found.size() == 2U);
    BOOST_TEST(found[0].to_string() == "spce: unknown field \"spce\"; did you mean \"spec\"? (line 3, column 1)");
    BOOST_TEST(found[1].to_string() == "statsu: unknown field \"statsu\"; did you mean \"status\"? (line 7, column 1)");
}

BOOST_AUTO_TEST_CASE(strict_reading_continues_after_values_that_do_not_fit) {
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    constexpr std::string_view head = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\n";
    std::string const text =
        std::string(head) + "spce: {}\n---\n" + std::string(head) +
        "spec: 5\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: kubeflow.org/v1, kind: "
        "PyTorchJob, metadata: 1, specs: 2}\n- {apiVersion: kubeflow.org/v1, kind: PyTorchJob, spec: []}\n";
    auto const r = parse_jobs(text, options);
    BOOST_TEST(r.error().to_string() == "spec: expected an object, got 5 (line 7, column 7)");
    std::string all;
    for (auto const& f : found) all += f.detail.path + " ";
    BOOST_TEST(all == "spce spec items[0].metadata items[0].specs items[1].spec ");
    found.clear();
    auto const nameless = parse_jobs("apiVersion: kubeflow.org/v1\nkind: [1]\n---\n" + text, options);
    BOOST_TEST(nameless.error().to_string() == "kind: expected string, got a list (line 2, column 7)");
    BOOST_TEST(found.empty());
}

// Names and types of the flags: training-operator v1.9.0 `cmd/training-operator.v1/main.go`.
BOOST_AUTO_TEST_CASE(flags_of_the_upstream_operator_set_the_options) {
    operator_options reported;
    for (auto const* flag : {"--gang-scheduler-name=volcano", "--pytorch-init-container-image=example.com/a:1=b",
                             "--pytorch-init-container-max-tries=7"})
        BOOST_TEST(read_operator_flag(reported, flag).has_value(), flag);
    BOOST_TEST(reported.get<training_operator_options>().gang_scheduler_name == "volcano");
    BOOST_TEST(reported.get<pytorch_operator_options>().init_container_image == "example.com/a:1=b");
    BOOST_TEST(reported.get<pytorch_operator_options>().init_container_max_tries == 7);
    BOOST_TEST(read_operator_flag(reported, "--gang-scheduler-name=").has_value());
    BOOST_TEST(reported.get<training_operator_options>().gang_scheduler_name.empty());
}

BOOST_AUTO_TEST_CASE(unknown_flags_are_rejected) {
    operator_options reported;
    auto const answer = [&](std::string_view flag) {
        auto const read = read_operator_flag(reported, flag);
        BOOST_TEST_REQUIRE(read.has_error(), flag);
        BOOST_TEST((read.error().code == errc::invalid_argument));
        return read.error().detail.message;
    };
    BOOST_TEST(answer("--namespace=a") == "flag --namespace=a: unknown flag of an operator");
    BOOST_TEST(answer("--gang-scheduler-name") == "flag --gang-scheduler-name: expected --name=value");
    BOOST_TEST(answer("gang-scheduler-name=a") == "flag gang-scheduler-name=a: expected --name=value");
    BOOST_TEST(answer("--pytorch-init-container-max-tries=7a") ==
               "flag --pytorch-init-container-max-tries=7a: expected a 32-bit integer, got \"7a\"");
    BOOST_TEST(answer("--pytorch-init-container-max-tries=") ==
               "flag --pytorch-init-container-max-tries=: expected a 32-bit integer, got \"\"");
    BOOST_TEST(reported.get<pytorch_operator_options>().init_container_max_tries == 100);
}

BOOST_AUTO_TEST_SUITE_END()
