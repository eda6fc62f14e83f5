#include "local/dns/pod_names.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_pod_names)

using namespace kftrain;
using namespace kftrain::local;

namespace {

pod sample() {
    pod p;
    p.metadata.name = "pt-worker-0";
    p.metadata.namespace_ = "default";
    p.metadata.uid = "4f6c6d0a-1111-4222-8333-444444444444";
    p.spec.containers.emplace_back().name = "pytorch";
    return p;
}

/// The paths of what is wrong once `change` has been made.
template <class Change> std::vector<std::string> wrong(Change change) {
    auto p = sample();
    change(p);
    std::vector<std::string> paths;
    for (auto const& i : name_faults(p)) {
        BOOST_TEST(i.message.starts_with(i.path + ": "), i.message);
        BOOST_TEST(i.message.find('\n') == std::string::npos, i.message);
        paths.push_back(i.path);
    }
    return paths;
}

using paths = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_CASE(ordinary_names_are_valid) {
    auto const found = wrong([](pod& p) {
        p.metadata.name = "a.b-c";
        p.spec.hostname = "h";
        p.spec.subdomain = "s";
        p.spec.init_containers.emplace_back().name = "init";
        p.spec.containers[0].env = {core::env_var("A.b-C_1", ""), core::env_var("1 x", "")};
    });
    BOOST_TEST(found == paths(), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_that_leave_the_folder_are_invalid) {
    for (std::string const bad : {"../../x", "..", ".", "", "a/b", "A", "a\nb"}) {
        BOOST_TEST((wrong([&](pod& p) { p.metadata.name = bad; }) == paths{"metadata.name"}), bad);
        BOOST_TEST((wrong([&](pod& p) { p.metadata.namespace_ = bad; }) == paths{"metadata.namespace"}), bad);
        BOOST_TEST((wrong([&](pod& p) { p.spec.containers[0].name = bad; }) == paths{"spec.containers[0].name"}), bad);
    }
    for (std::string const bad : {"../../x", "..", ".", "", "a/b"})
        BOOST_TEST((wrong([&](pod& p) { p.metadata.uid = bad; }) == paths{"metadata.uid"}), bad);
    BOOST_TEST((wrong([](pod& p) { p.metadata.uid.assign(300, 'a'); }) == paths{"metadata.uid"}));
}

BOOST_AUTO_TEST_CASE(host_names_with_line_breaks_are_invalid) {
    for (std::string const bad : {"a\n10.0.0.1 b", "a b", "a.b", "-a"}) {
        BOOST_TEST((wrong([&](pod& p) { p.spec.hostname = bad; }) == paths{"spec.hostname"}), bad);
        BOOST_TEST((wrong([&](pod& p) { p.spec.subdomain = bad; }) == paths{"spec.subdomain"}), bad);
    }
}

BOOST_AUTO_TEST_CASE(two_containers_cannot_have_one_name) {
    BOOST_TEST(
        (wrong([](pod& p) { p.spec.containers.push_back(p.spec.containers[0]); }) == paths{"spec.containers[1].name"}));
    BOOST_TEST((wrong([](pod& p) { p.spec.init_containers = p.spec.containers; }) == paths{"spec.containers[0].name"}));
}

BOOST_AUTO_TEST_CASE(a_variable_has_a_name_of_its_own) {
    for (std::string const bad : {"", "A=B", "A\nB", "caf\xc3\xa9"})
        BOOST_TEST((wrong([&](pod& p) { p.spec.containers[0].env = {core::env_var(bad, "x")}; }) ==
                    paths{"spec.containers[0].env[0].name"}),
                   bad);
}

BOOST_AUTO_TEST_CASE(only_single_path_segments_are_valid) {
    auto p = sample();
    BOOST_TEST(fit_for_paths(p.metadata));
    p.metadata.uid = "..";
    BOOST_TEST(!fit_for_paths(p.metadata));
    p = sample();
    p.metadata.namespace_.clear();
    BOOST_TEST(!fit_for_paths(p.metadata));
}

BOOST_AUTO_TEST_SUITE_END()
