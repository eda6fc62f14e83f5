#include "cli/manifests/linter.hpp"
#include "cli/manifests/manifests.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

#include <dlfcn.h>
#include <fstream>
#include <unistd.h>
#include <yaml.h>

BOOST_AUTO_TEST_SUITE(cli_document_reads)

namespace {

int parsers = 0;

} // namespace

// In front of that of libyaml's shared library, to count.
extern "C" int yaml_parser_initialize(yaml_parser_t* parser) {
    ++parsers;
    static auto const real = reinterpret_cast<int (*)(yaml_parser_t*)>(::dlsym(RTLD_NEXT, "yaml_parser_initialize"));
    return real(parser);
}

using namespace kftrain;

namespace {

/// How often libyaml reads a text meanwhile.
template <class Work> int reads(Work work) {
    int const before = parsers;
    work();
    return parsers - before;
}

// Admission, the schema, the rules and the reader all report something.
constexpr std::string_view a_job =
    "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: Mnist}\nspce: {}\nspec:\n"
    "  pytorchReplicaSpecs:\n    Worker:\n      replicas: 2\n      template:\n        spec:\n"
    "          containers:\n          - {name: pytorch, image: 'train:latest', imagee: x}\n";
constexpr std::string_view a_pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: A}\nspec: {containers: 5}\n";

std::string list_of(std::string_view item) {
    std::string text = "apiVersion: v1\nkind: List\nitems:\n- ";
    for (char const c : item) text.append(c == '\n' ? "\n  " : std::string(1, c));
    return text;
}

/// A file of four documents.
std::string file_of(std::string_view other) {
    std::string const next = "\n---\n";
    return std::string(a_job) + next + list_of(a_job) + next + std::string(other) + next + std::string(a_job);
}

class written_file {
public:
    explicit written_file(std::string const& text)
        : name_("/tmp/kftrain-document-reads-" + std::to_string(::getpid()) + ".yaml") {
        std::ofstream(name_) << text;
    }
    ~written_file() { ::unlink(name_.c_str()); }
    std::string const& name() const { return name_; }

private:
    std::string name_;
};

} // namespace

BOOST_AUTO_TEST_CASE(parse_job_reads_its_document_once) {
    result<any_job> r = any_job();
    auto const of = [&](std::string const& text) { return reads([&] { r = parse_job(text); }); };
    BOOST_TEST(of(std::string(a_job)) == 1);
    BOOST_TEST(r.has_value());
    BOOST_TEST(of(std::string(a_pod)) == 1);
    BOOST_TEST((r.error().code == errc::unknown_kind));
    BOOST_TEST(of(std::string(a_job) + "status: 1") == 1);
    BOOST_TEST((r.error().code == errc::type_mismatch));
    BOOST_TEST(of("{apiVersion: kubeflow.org/v1, kind: PyTorchJob}") == 1);
    BOOST_TEST(r.has_value());
    BOOST_TEST(of(R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob"})") == 0);
    BOOST_TEST(r.has_value());
}

BOOST_AUTO_TEST_CASE(parse_jobs_reads_each_document_once) {
    result<std::vector<any_job>> r = std::vector<any_job>();
    BOOST_TEST(reads([&] { r = parse_jobs(file_of(a_job)); }) == 4);
    BOOST_TEST(r.value().size() == 4U);
    std::vector<failure> found;
    decode_options strict;
    strict.strict = true;
    strict.found = &found;
    BOOST_TEST(reads([&] { r = parse_jobs(file_of(a_job), strict); }) == 4);
    BOOST_TEST(r.has_error());
    BOOST_TEST(found.size() == 8U);
}

BOOST_AUTO_TEST_CASE(a_conversion_reads_its_document_once) {
    document text(a_job, 1);
    result<document_type> type = document_type();
    result<convert::converted<any_job>> made = failure();
    text_position at;
    int const count = reads([&] {
        type = text.type();
        made = convert::convert_job(text, convert::kind_name("PyTorchJob"));
        at = text.find("spce");
    });
    BOOST_TEST(count == 1);
    BOOST_TEST(type->kind == "PyTorchJob");
    BOOST_TEST(made.has_value());
    BOOST_TEST(at.line == 4U);
}

BOOST_AUTO_TEST_CASE(lint_reads_each_document_once) {
    written_file const file(file_of(a_pod));
    cli::linter look;
    BOOST_TEST(reads([&] { look.look_at(file.name()); }) == 4);
    std::set<std::string> rules;
    std::set<std::int64_t> lines;
    for (auto const& f : look.report().findings) {
        rules.insert(f.what.rule);
        lines.insert(f.line);
    }
    BOOST_TEST(look.report().errors > 4);
    BOOST_TEST(rules.contains("decode.unknown-field"));
    BOOST_TEST(rules.contains("decode.type"));
    BOOST_TEST(lines.size() > 6U);
    BOOST_TEST(!lines.contains(0));
}

BOOST_AUTO_TEST_CASE(a_json_list_is_read_once_for_positions) {
    written_file const file(
        R"({"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod","a":1,"b":2}]})");
    cli::linter look;
    BOOST_TEST(reads([&] { look.look_at(file.name()); }) == 1);
    BOOST_TEST(look.report().findings.size() > 1U);
}

BOOST_AUTO_TEST_CASE(manifests_of_other_commands_are_read_once) {
    std::vector<cli::manifest> all;
    std::string const text = file_of("apiVersion: v1\nkind: Pod\n");
    BOOST_TEST(reads([&] { cli::read_manifests("jobs.yaml", text, all); }) == 4);
    BOOST_TEST(all.size() == 4U);
    std::string const refused = list_of("{apiVersion: v1, kind: Pod, spec: 5}");
    result<cli::manifest> r = cli::manifest();
    BOOST_TEST(reads([&] { r = cli::read_manifest(yaml_document(refused, 3)); }) == 1);
    BOOST_TEST(r.error().detail.line == 6U);
}

BOOST_AUTO_TEST_SUITE_END()
