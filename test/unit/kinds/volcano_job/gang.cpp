#include "unit/kinds/volcano_job/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_gang)

using namespace volcano_sample;

// Expected: upstream's own table of v1.10, and its unit test of quota usage.
namespace {

/// `cpu` of the gang of a job with two masters of 50m, which come first, and two workers of 100m.
std::string cpu(std::int32_t least, std::optional<std::int32_t> masters, std::optional<std::int32_t> workers,
                volcano_release r) {
    auto j = job_of("j", {task("master", 2), task("work", 2)});
    j.spec.min_available = least;
    j.spec.tasks[0].min_available = masters.value_or(2); // as admission does
    j.spec.tasks[1].min_available = workers.value_or(2);
    j.spec.tasks[0].template_.spec.priority_class_name = "high";
    j.spec.tasks[0].template_.spec.containers.front().resources.requests["cpu"] = quantity("50m");
    j.spec.tasks[1].template_.spec.containers.front().resources.requests["cpu"] = quantity("100m");
    priority_map priorities;
    priorities["high"] = 10;
    auto const all = min_resources(j, priorities, r);
    auto const found = all.find("cpu");
    return found == all.end() ? "-" : found->second.text();
}

} // namespace

BOOST_AUTO_TEST_CASE(min_resources_cover_the_minimum_of_the_gang) {
    using enum volcano_release;
    std::optional<std::int32_t> const unset;
    BOOST_TEST(cpu(3, 1, unset, v1_9_0) == "200m");
    BOOST_TEST(cpu(3, 1, unset, v1_10_0) == "250m");
    BOOST_TEST(cpu(3, 1, 1, v1_9_0) == "200m");
    BOOST_TEST(cpu(3, 1, 1, v1_10_0) == "200m");
    BOOST_TEST(cpu(2, 1, 1, v1_9_0) == "100m");
    BOOST_TEST(cpu(2, 1, 1, v1_10_0) == "150m");
    BOOST_TEST(cpu(2, unset, 1, v1_10_0) == "100m");
    BOOST_TEST(cpu(2, 1, unset, v1_10_0) == "100m");
    BOOST_TEST(cpu(0, 1, 1, v1_9_0) == "-");
}

BOOST_AUTO_TEST_CASE(the_quota_usage_of_a_pod_counts_requests_and_limits) {
    core::pod_spec pod;
    auto& c = pod.containers.emplace_back().resources;
    c.requests["cpu"] = quantity("500m");
    c.requests["nvidia.com/gpu"] = quantity("1");
    c.requests["hugepages-2Mi"] = quantity("4Mi");
    c.limits["memory"] = quantity("1Gi");
    pod.init_containers.emplace_back().resources.requests["cpu"] = quantity("2");
    pod.overhead["cpu"] = quantity("250m");
    std::string reported;
    for (auto const& [name, amount] : quota_usage(pod)) reported += name + "=" + amount.canonical() + " ";
    BOOST_TEST(reported == "count/pods=1 cpu=2250m hugepages-2Mi=4Mi limits.memory=1Gi nvidia.com/gpu=1 pods=1 "
                           "requests.cpu=2250m requests.hugepages-2Mi=4Mi requests.nvidia.com/gpu=1 ");
}

BOOST_AUTO_TEST_CASE(a_pod_group_has_the_name_and_labels_of_its_job) {
    auto j = complete(job_of("j", {task("a", 2), task("b", 1)}));
    j.metadata.labels["team"] = "x";
    j.spec.tasks[1].min_available = 0;
    auto const g = render_pod_group(j, {}, volcano_release::v1_9_0);
    BOOST_TEST(g.metadata.name == "j-uid-1");
    BOOST_TEST(g.metadata.labels.at("team") == "x");
    BOOST_TEST(g.spec.min_member == 3);
    BOOST_TEST(g.spec.min_task_member.at("a") == 2);
    BOOST_TEST(g.spec.min_task_member.at("b") == 0);
}

/// Upstream: volcano.sh/apis v1.12.1 `pkg/apis/{batch/v1alpha1/job,scheduling/v1beta1/types}.go`: both have the field.
BOOST_AUTO_TEST_CASE(the_gang_has_the_topology_of_the_job) {
    auto j = job_of("j", {task("a", 1)});
    j.spec.network_topology.emplace().mode = "soft";
    auto const of = [&](volcano_release r) { return render_pod_group(j, priority_map(), r).spec.network_topology; };
    BOOST_TEST(!of(volcano_release::v1_11_0).has_value());
    BOOST_TEST((of(volcano_release::v1_12_3) == j.spec.network_topology));
}

BOOST_AUTO_TEST_SUITE_END()
