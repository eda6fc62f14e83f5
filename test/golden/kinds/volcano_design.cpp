
#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/model/patch.hpp>

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <map>

BOOST_AUTO_TEST_SUITE(golden_volcano_design)

// Cases written by hand from the design document: golden/volcano_design/README.md.
namespace {

using namespace kftrain;
namespace json = boost::json;

json::value read_cases() {
    std::ifstream in(KFTRAIN_SOURCE_DIR "/test/golden/volcano_design/cases.json");
    return json::parse(std::string(std::istreambuf_iterator<char>(in), {}));
}

/// A template for each task, with one container called main.
json::object job_of(json::object const& about) {
    json::object job{{"apiVersion", "batch.volcano.sh/v1alpha1"}, {"kind", "Job"}};
    job["metadata"] = json::object{{"name", "jobname"}, {"namespace", "ns"}, {"uid", "uid-1"}};
    job["spec"] = about.at("spec");
    for (auto& task : job["spec"].as_object()["tasks"].as_array())
        task.as_object()["template"] = json::parse(R"({"spec":{"containers":[{"name":"main","image":"img:1"}]}})");
    return job;
}

json::value const* at(json::value const& in, std::string_view pointer) {
    boost::system::error_code ec;
    return in.find_pointer(pointer, ec);
}

/// The variables of a container, by its name.
json::object variables_of(json::value const& pod, std::string_view container) {
    json::object all;
    for (auto const* list : {"/spec/containers", "/spec/initContainers"})
        if (auto const* const found = at(pod, list))
            for (auto const& c : found->as_array())
                if (auto const* const env = at(c, "/env"); c.at("name").as_string() == container && env != nullptr)
                    for (auto const& v : env->as_array()) {
                        auto const* const value = at(v, "/value");
                        all[v.at("name").as_string()] = value == nullptr ? json::value("") : *value;
                    }
    return all;
}

void compare(json::value const& expected, json::value const* found, std::string const& where) {
    if (expected.is_null())
        BOOST_TEST((found == nullptr), where << " is there: " << (found == nullptr ? "" : json::serialize(*found)));
    else
        BOOST_TEST((found != nullptr && *found == expected),
                   where << ": " << (found == nullptr ? "absent" : json::serialize(*found)) << ", expected "
                         << json::serialize(expected));
}

void compare_all(json::object const& expected, json::value const& object, std::string const& what) {
    constexpr std::string_view env = "env:";
    for (auto const& [path, value] : expected) {
        std::string_view const place = path;
        if (!place.starts_with(env)) {
            compare(value, at(object, place), what + " " + std::string(place));
            continue;
        }
        auto const environment = variables_of(object, place.substr(env.size()));
        for (auto const& [name, text] : value.as_object())
            compare(text, environment.if_contains(name), what + " " + std::string(place) + " " + std::string(name));
    }
}

void check(json::object const& about) {
    operator_options options;
    read_operator_flag(options, "--volcano-plugins=designed").value();
    if (auto const* const flags = about.if_contains("flags"))
        for (auto const& f : flags->as_array()) read_operator_flag(options, std::string(f.as_string())).value();
    auto const rules = job_rules_for<volcano::job>().with(options);
    json::value stored = job_of(about);
    auto const submitted = from_json<volcano::job>(json::serialize(stored)).value();

    auto const answer = rules->admit(&submitted, {});
    auto const* const denied = about.if_contains("denied");
    BOOST_TEST((answer.denied.has_value() == (denied != nullptr)), (answer.denied ? answer.denied->text : "accepted"));
    if (denied != nullptr && answer.denied) BOOST_TEST(answer.denied->text == std::string(denied->as_string()));
    if (answer.denied) return;

    auto const patched = apply_json_patch(json::serialize(stored), answer.patch).value();
    stored = json::parse(patched);
    if (auto const* const expected = about.if_contains("stored")) compare_all(expected->as_object(), stored, "job");

    any_job const job(*rules, std::make_shared<volcano::job>(from_json<volcano::job>(patched).value()));
    std::map<std::string, json::value, std::less<>> made;
    for (auto const& child : job.render())
        made.emplace(std::string(child.resource().kind) + " " + child.metadata().name, json::parse(child.to_json()));
    if (auto const* const children = about.if_contains("children"))
        for (auto const& [name, expected] : children->as_object()) {
            auto const child = made.find(std::string_view(name));
            BOOST_TEST_REQUIRE((child != made.end()), "there is no " << name);
            compare_all(expected.as_object(), child->second, child->first);
        }
}

} // namespace

BOOST_AUTO_TEST_CASE(plugins_follow_the_design_document) {
    auto const cases = read_cases();
    BOOST_TEST(cases.as_array().size() > 10U);
    for (auto const& one : cases.as_array())
        BOOST_TEST_CONTEXT(one.at("name").as_string() << " (" << one.at("place").as_string() << ")")
    check(one.as_object());
}

BOOST_AUTO_TEST_SUITE_END()
