#include "facade/follow/pod_index.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(facade_pod_index)

using namespace kftrain;

namespace {

pod_index::object make_pod(std::string name, string_map labels, std::string ns = "n") {
    pod p;
    p.metadata.name = std::move(name);
    p.metadata.namespace_ = std::move(ns);
    p.metadata.labels = std::move(labels);
    return std::make_shared<pod const>(std::move(p));
}

std::vector<std::string> found(pod_index const& i, string_map const& role, std::string const& ns = "n") {
    std::vector<pod_index::object> pods;
    i.find(i.mark_of(ns, role), pods);
    std::vector<std::string> names;
    for (auto const& p : pods) names.push_back(p->metadata.name);
    std::ranges::sort(names);
    return names;
}

using names = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_CASE(pods_are_found_by_the_labels_of_their_role) {
    pod_index i;
    string_map const workers{{"job", "a"}, {"role", "w"}};
    BOOST_TEST(!i.learn(workers));
    BOOST_TEST(i.learn(string_map{{"job", "b"}, {"role", "m"}})); // the same keys
    BOOST_TEST(!i.learn(string_map{{"job", "b"}}));
    i.put(make_pod("w0", {{"job", "a"}, {"role", "w"}, {"index", "0"}}));
    i.put(make_pod("w1", {{"job", "a"}, {"role", "w"}}));
    i.put(make_pod("m", {{"job", "a"}, {"role", "m"}}));
    i.put(make_pod("w0", {{"job", "a"}, {"role", "w"}}, "other"));
    i.put(make_pod("none", {{"role", "w"}}));
    BOOST_TEST((found(i, workers) == names{"w0", "w1"}));
    BOOST_TEST((found(i, {{"job", "a"}}) == names{"m", "w0", "w1"}));
    BOOST_TEST((found(i, workers, "other") == names{"w0"}));
    BOOST_TEST((found(i, {{"job", "b"}}).empty()));
}

BOOST_AUTO_TEST_CASE(a_pod_is_kept_once_and_removed_by_its_labels) {
    pod_index i;
    string_map const role{{"job", "a"}};
    i.learn(role);
    auto const p = make_pod("p", {{"job", "a"}});
    i.put(p);
    i.put(p);
    BOOST_TEST((found(i, role) == names{"p"}));
    i.remove(p->metadata);
    i.remove(p->metadata);
    BOOST_TEST(found(i, role).empty());
}

BOOST_AUTO_TEST_SUITE_END()
