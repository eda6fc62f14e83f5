#include "golden/replay.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

namespace {

namespace fs = std::filesystem;
namespace unit_test = boost::unit_test;

fs::path cases() { return fs::path(KFTRAIN_SOURCE_DIR) / "test/golden/pytorch_job"; }

/// Cases in which kftrain differs on purpose; docs/upstream-differences.md gives the reasons.
bool stops_at_a_refused_service(std::string const& name) {
    return name == "admission-name-58" || name == "admission-name-63";
}

golden::replay_options options_of(std::string const& name) {
    golden::replay_options options;
    if (name == "deadline") options.timers = false;
    return options;
}

void agrees_with_the_recording(fs::path const& folder) {
    BOOST_TEST(golden::check_admission(folder) == "");
    auto const name = folder.filename().string();
    if (fs::exists(folder / "steps.json") && !stops_at_a_refused_service(name))
        BOOST_TEST(golden::replay(folder, options_of(name)) == "");
}

/// One test case for every folder with a recording.
struct register_cases {
    register_cases() {
        std::set<fs::path> folders;
        for (auto const& entry : fs::directory_iterator(cases()))
            if (entry.is_directory()) folders.insert(entry.path());
        for (auto const& folder : folders)
            unit_test::framework::current_auto_test_suite().add(unit_test::make_test_case(
                [folder] { agrees_with_the_recording(folder); }, folder.filename().string(), __FILE__, __LINE__));
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(golden_pytorch_job)

register_cases const registered;

BOOST_AUTO_TEST_CASE(there_are_recordings) {
    std::size_t folders = 0;
    for (auto const& entry : fs::directory_iterator(cases())) folders += entry.is_directory() ? 1 : 0;
    BOOST_TEST(folders >= 90U);
}

BOOST_AUTO_TEST_SUITE_END()
