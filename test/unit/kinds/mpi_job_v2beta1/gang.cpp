#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_gang)

using namespace mpi_sample;

namespace {

using amounts = std::vector<std::pair<std::string, std::string>>;

void request(kubeflow_v2beta1::replica_spec& spec, amounts const& requests, amounts const& limits = {}) {
    auto& r = spec.template_.spec.containers.back().resources;
    for (auto const& [name, amount] : requests) r.requests[name] = quantity(amount);
    for (auto const& [name, amount] : limits) r.limits[name] = quantity(amount);
}

/// A job with one launcher and `workers` workers that request cpu and memory.
mpi_job requesting(amounts const& launcher, std::int32_t workers, amounts const& each, std::int32_t members = -1) {
    mpi_job j = job("g", "n", workers);
    request(j.spec.mpi_replica_specs["Launcher"], launcher);
    request(j.spec.mpi_replica_specs["Worker"], each);
    if (members >= 0) j.spec.run_policy.scheduling_policy.emplace().min_available = members;
    return complete(std::move(j));
}
amounts cores(std::string cpu, std::string memory) { return {{"cpu", std::move(cpu)}, {"memory", std::move(memory)}}; }

std::string text(std::optional<resource_list> const& list) {
    std::string all;
    if (!list) return "none";
    for (auto const& [name, amount] : *list) all += (all.empty() ? "" : " ") + name + "=" + amount.text();
    return all;
}

void set_class(mpi_job& j, std::string const& type, std::string name) {
    j.spec.mpi_replica_specs[type].template_.spec.priority_class_name = std::move(name);
}

priority_map const classes{{"high", 1000}, {"low", 10}};

mpi_operator_options options_with(std::string scheduler) {
    mpi_operator_options options;
    options.gang_scheduling = std::move(scheduler);
    return options;
}

} // namespace

BOOST_AUTO_TEST_CASE(min_resources_sum_the_requests_of_the_members) {
    auto const sum = [](mpi_job const& j) { return text(min_resources(j, classes)); };
    BOOST_TEST(sum(requesting(cores("1", "2Gi"), 2, cores("10", "20Gi"), 3)) == "cpu=21 memory=42Gi");
    BOOST_TEST(sum(requesting(cores("2", "1Gi"), 2, cores("10", "32Gi"), 3)) == "cpu=22 memory=65Gi");
    mpi_job j = requesting(cores("2", "1Gi"), 2, cores("10", "32Gi"));
    auto& workers = j.spec.mpi_replica_specs["Worker"];
    workers.template_.spec.containers.push_back(workers.template_.spec.containers.front());
    request(workers, cores("50", "512Gi"));
    BOOST_TEST(sum(j) == "cpu=122 memory=1089Gi");
    j = requesting(cores("2", "2Gi"), 2, cores("5", "16Gi"), 2);
    set_class(j, "Launcher", "unknown");
    set_class(j, "Worker", "unknown, too");
    BOOST_TEST(sum(j) == "cpu=7 memory=18Gi");
    j = requesting(cores("2", "4Gi"), 100, cores("20", "64Gi"), 2);
    set_class(j, "Launcher", "high");
    set_class(j, "Worker", "low");
    BOOST_TEST(sum(j) == "cpu=22 memory=68Gi");
}

// gang-volcano-no-worker of v0.8.0, on which v0.6.0 crashed.
BOOST_AUTO_TEST_CASE(unknown_types_do_not_count_and_workers_are_optional) {
    mpi_job j = requesting(cores("1", "2Gi"), 2, cores("10", "20Gi"));
    j.spec.mpi_replica_specs["Other"] = j.spec.mpi_replica_specs["Worker"];
    BOOST_TEST(text(min_resources(j, classes)) == "cpu=21 memory=42Gi");
    j.spec.mpi_replica_specs.erase("Other");
    j.spec.mpi_replica_specs.erase("Worker");
    BOOST_TEST(text(min_resources(j, classes)) == "cpu=1 memory=2Gi");
}

BOOST_AUTO_TEST_CASE(limits_replace_missing_requests_by_name) {
    mpi_job j = job("g", "n", 0);
    request(j.spec.mpi_replica_specs["Launcher"], cores("10", "16Gi"),
            {{"nvidia.com/gpu", "8"}, {"cpu", "20"}, {"memory", "32Gi"}});
    BOOST_TEST(text(min_resources(complete(j), {})) == "cpu=10 memory=16Gi nvidia.com/gpu=8");
    BOOST_TEST(text(min_resources(complete(job("g", "n", 2)), {})) == "");
}

BOOST_AUTO_TEST_CASE(a_launcher_of_lower_priority_counts_in_place_of_the_workers) {
    // gang-scheduler-plugins-priorities: the sum exceeds three pods
    mpi_job j = requesting(cores("1", "2Gi"), 4, cores("10", "32Gi"), 3);
    request(j.spec.mpi_replica_specs["Worker"], {}, {{"nvidia.com/gpu", "8"}});
    set_class(j, "Launcher", "low");
    set_class(j, "Worker", "high");
    BOOST_TEST(text(min_resources(j, classes)) == "cpu=42 memory=132Gi nvidia.com/gpu=32");
    // seeds/seed-002: one member, and the launcher has no class
    j = requesting({}, 1, cores("2", "1500M"), 1);
    set_class(j, "Worker", "high");
    BOOST_TEST(text(min_resources(j, classes)) == "cpu=2 memory=1500M");
    j.spec.mpi_replica_specs["Worker"].replicas = 2;
    BOOST_TEST(text(min_resources(j, classes)) == "cpu=4 memory=3G");
}

BOOST_AUTO_TEST_CASE(values_of_the_scheduling_policy_are_used_unchecked) {
    mpi_job j = requesting(cores("1", "2Gi"), 2, cores("10", "32Gi"));
    BOOST_TEST(min_member(j) == 3);
    auto& policy = j.spec.run_policy.scheduling_policy.emplace();
    policy.min_available = 0;
    BOOST_TEST(min_member(j) == 0);
    BOOST_TEST(text(min_resources(j, {})) == "none");
    policy.min_resources.emplace();
    (*policy.min_resources)["cpu"] = quantity("3000m");
    BOOST_TEST(text(min_resources(j, {})) == "cpu=3");
}

BOOST_AUTO_TEST_CASE(volcano_pod_groups_have_the_settings_of_the_policy) {
    // gang-volcano-policy
    mpi_job j = requesting(cores("1", "2Gi"), 2, cores("10", "32Gi"), 2);
    request(j.spec.mpi_replica_specs["Worker"], {}, {{"nvidia.com/gpu", "8"}});
    auto& policy = *j.spec.run_policy.scheduling_policy;
    policy.priority_class = "high";
    policy.queue = "q1";
    policy.schedule_timeout_seconds = 30;
    auto const group = render_pod_group(j, {}, options_with("volcano"));
    BOOST_TEST(
        group.to_json() ==
        R"({"apiVersion":"scheduling.volcano.sh/v1beta1","kind":"PodGroup","metadata":{"name":"g","namespace":"n",)"
        R"("ownerReferences":[{"apiVersion":"kubeflow.org/v2beta1","kind":"MPIJob","name":"g","uid":"uid-of-job",)"
        R"("controller":true,"blockOwnerDeletion":true}]},"spec":{"minMember":2,"queue":"q1",)"
        R"("priorityClassName":"high","minResources":{"cpu":"11","memory":"34Gi","nvidia.com/gpu":"8"}}})");
}

BOOST_AUTO_TEST_CASE(queue_and_priority_fall_back) {
    mpi_job j = complete(job("g", "n", 1));
    auto const spec = [&] {
        return render_pod_group(j, {}, options_with("volcano")).get_if<volcano::pod_group>()->spec;
    };
    BOOST_TEST(spec().queue == "");
    j.metadata.annotations["scheduling.volcano.sh/queue-name"] = "annotated";
    BOOST_TEST(spec().queue == "annotated");
    j.spec.run_policy.scheduling_policy.emplace().queue = "own";
    BOOST_TEST(spec().queue == "own");

    BOOST_TEST(spec().priority_class_name == "");
    set_class(j, "Worker", "of-workers");
    BOOST_TEST(spec().priority_class_name == "of-workers");
    set_class(j, "Launcher", "of-launcher");
    BOOST_TEST(spec().priority_class_name == "of-launcher");
    j.spec.run_policy.scheduling_policy->priority_class = "of-policy";
    BOOST_TEST(spec().priority_class_name == "of-policy");
}

BOOST_AUTO_TEST_CASE(pod_groups_of_scheduler_plugins_have_the_settings_of_the_policy) {
    // gang-scheduler-plugins-min-resources
    mpi_job j = requesting(cores("1", "2Gi"), 2, cores("10", "32Gi"));
    auto& policy = j.spec.run_policy.scheduling_policy.emplace();
    policy.min_resources.emplace();
    (*policy.min_resources)["cpu"] = quantity("3");
    (*policy.min_resources)["memory"] = quantity("5Gi");
    policy.queue = "ignored";
    auto const group = render_pod_group(j, {}, options_with("my-scheduler"));
    BOOST_TEST(group.resource().group == "scheduling.x-k8s.io");
    BOOST_TEST(to_json(group.get_if<coscheduling::pod_group>()->spec) ==
               R"({"minMember":3,"minResources":{"cpu":"3","memory":"5Gi"},"scheduleTimeoutSeconds":0})");
    policy.schedule_timeout_seconds = 30;
    BOOST_TEST(render_pod_group(j, {}, options_with("x"))
                   .get_if<coscheduling::pod_group>()
                   ->spec.schedule_timeout_seconds.value() == 30);
}

BOOST_AUTO_TEST_CASE(stored_groups_are_replaced_when_they_differ) {
    mpi_job j = requesting(cores("1000m", "2Gi"), 2, cores("10", "32Gi"));
    for (auto const* scheduler : {"volcano", "my-scheduler"}) {
        auto const options = options_with(scheduler);
        auto const stored = render_pod_group(j, {}, options);
        BOOST_TEST(changed_pod_group(stored, j, {}, options).empty());
        mpi_job more = j;
        more.spec.mpi_replica_specs["Worker"].replicas = 3;
        auto const next = changed_pod_group(stored, more, {}, options);
        BOOST_TEST_REQUIRE(!next.empty());
        BOOST_TEST(next.to_json().find(R"("minMember":4)") != std::string::npos);
        BOOST_TEST(next.to_json().find(R"("cpu":"31","memory":"98Gi")") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(pods_join_by_annotation_or_label) {
    auto const j = complete(job("g", "n", 1));
    core::pod_template_spec pod;
    pod.spec.scheduler_name = "mine";
    join_gang(pod, j, {});
    BOOST_TEST(pod.spec.scheduler_name == "mine");
    join_gang(pod, j, options_with("volcano"));
    BOOST_TEST(pod.spec.scheduler_name == "volcano");
    BOOST_TEST(pod.metadata.annotations.at("scheduling.k8s.io/group-name") == "g");
    BOOST_TEST(pod.metadata.labels.empty());
    join_gang(pod, j, options_with("my-scheduler"));
    BOOST_TEST(pod.spec.scheduler_name == "my-scheduler");
    BOOST_TEST(pod.metadata.labels.at("scheduling.x-k8s.io/pod-group") == "g");
}

BOOST_AUTO_TEST_SUITE_END()
