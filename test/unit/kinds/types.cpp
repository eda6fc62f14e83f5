#include <kftrain/kinds/types.hpp>

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

BOOST_AUTO_TEST_SUITE(kinds_types)

using namespace kftrain;

namespace {

std::string read(std::filesystem::path const& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

BOOST_AUTO_TEST_CASE(types_are_found_by_api_version_and_kind) {
    BOOST_TEST((find_type("v1", "Pod")->model == &descriptor_of<pod>()));
    BOOST_TEST((find_type("v1", "PodList")->model == &descriptor_of<object_list<pod>>()));
    BOOST_TEST((find_type("v1", "List")->model == &descriptor_of<mixed_list>()));
    BOOST_TEST(find_type("v1", "PodList")->kind() == "PodList");
    BOOST_TEST((find_type("v1", "pod") == nullptr));
    BOOST_TEST((find_type("v2", "Pod") == nullptr));
    BOOST_TEST((find_type("", "") == nullptr));
    // Two groups have an Event, two a PodGroup.
    BOOST_TEST((find_type("v1", "Event")->model != find_type("events.k8s.io/v1", "Event")->model));
    BOOST_TEST((find_type("scheduling.volcano.sh/v1beta1", "PodGroup") !=
                find_type("scheduling.x-k8s.io/v1alpha1", "PodGroup")));
    for (auto const* kind : known_job_rules())
        BOOST_TEST((find_type(kind->primary().info->api_version(), kind->primary().info->kind)->model ==
                    kind->primary().model));
}

/// A type that is modelled and not listed would be unknown to the command.
BOOST_AUTO_TEST_CASE(every_modelled_type_is_listed) {
    std::regex const line(R"re(resource_info resource\{"([^"]*)", "([^"]*)", "([^"]*)")re");
    int seen = 0;
    for (auto const* folder : {"model", "objects", "kinds"})
        for (auto const& file : std::filesystem::recursive_directory_iterator(
                 std::filesystem::path(KFTRAIN_SOURCE_DIR) / "include/kftrain" / folder)) {
            if (!file.is_regular_file()) continue;
            std::string const text = read(file.path());
            for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it) {
                std::string const group = (*it)[1];
                if ((*it)[3].length() == 0) continue; // mixed_list
                auto const version = (group.empty() ? "" : group + "/") + (*it)[2].str();
                bool const is_listed = find_type(version, (*it)[3].str()) != nullptr;
                BOOST_TEST(is_listed, version << ' ' << (*it)[3]);
                ++seen;
            }
        }
    BOOST_TEST(seen > 20);
}

BOOST_AUTO_TEST_CASE(types_are_listed_once) {
    std::set<std::string> names;
    for (auto const* t : known_types()) {
        BOOST_TEST(names.insert(t->info->api_version() + " " + t->kind()).second, t->kind());
        BOOST_TEST((t->make() != nullptr));
    }
}

BOOST_AUTO_TEST_CASE(the_type_of_a_document_is_read_alone) {
    auto const type = type_of_document("kind: Gizmo\nspec: {a: [1, 2]}\napiVersion: example.com/v1\n");
    BOOST_TEST(type->api_version == "example.com/v1");
    BOOST_TEST(type->kind == "Gizmo");
    BOOST_TEST(type_of_document("a: b")->kind == "");
    BOOST_TEST(type_of_document("- 1").has_error());
}

BOOST_AUTO_TEST_SUITE_END()
