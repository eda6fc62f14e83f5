#include "unit/kinds/volcano_job/sample.hpp"

#include <kftrain/kinds/volcano_job_builder.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_builder)

using namespace volcano_sample;

BOOST_AUTO_TEST_CASE(a_job_is_made_of_tasks_and_plugins) {
    auto const made = volcano_job_builder("mnist")
                          .in("team-a")
                          .queue("research")
                          .gang_priority("urgent")
                          .image("mnist:1")
                          .command({"python", "train.py"})
                          .gpus(2)
                          .plugin("pytorch", {"--port=29500"})
                          .on(policy_event::pod_failed, policy_action::restart)
                          .on_exit_code(7, policy_action::abort)
                          .task("master", 1)
                          .on_task(policy_event::task_completed, policy_action::complete)
                          .task("worker", 3, [](pod_settings& p) { p.memory("64Gi"); })
                          .max_retry(5)
                          .min_available(4)
                          .min_success(1)
                          .time_to_live(std::chrono::hours(1))
                          .share_claim("data", "/data")
                          .build();
    BOOST_TEST_REQUIRE(made.has_value(), (made ? "" : made.error().to_string()));
    auto const& spec = made->spec;
    BOOST_TEST(made->metadata.namespace_ == "team-a");
    BOOST_TEST(spec.queue == "research");
    BOOST_TEST(spec.priority_class_name == "urgent");
    BOOST_TEST(spec.min_available == 4);
    BOOST_TEST(spec.min_success.value_or(0) == 1);
    BOOST_TEST(spec.tasks.size() == 2U);
    BOOST_TEST(spec.tasks[0].policies.front().action == "CompleteJob");
    BOOST_TEST(spec.tasks[1].replicas == 3);
    auto const& worker = spec.tasks[1].template_.spec;
    BOOST_TEST(worker.restart_policy == "Never");
    BOOST_TEST(worker.containers.front().name == "main");
    BOOST_TEST(worker.containers.front().resources.limits.at("memory").text() == "64Gi");
    BOOST_TEST(spec.tasks[0].template_.spec.containers.front().resources.limits.contains("nvidia.com/gpu"));
    BOOST_TEST(spec.policies[1].exit_code.value() == 7);
    BOOST_TEST(spec.ttl_seconds_after_finished.value() == 3600);
    BOOST_TEST(spec.volumes.front().volume_claim_name == "data");
}

BOOST_AUTO_TEST_CASE(faults_are_reported_with_their_positions) {
    auto const none = volcano_job_builder("j").image("i:1").build();
    BOOST_TEST_REQUIRE(none.has_error());
    BOOST_TEST(none.error().detail.path == "spec.tasks");
    auto const plugin = volcano_job_builder("j").image("i:1").plugin("pytorch").task("worker", 2).build();
    BOOST_TEST_REQUIRE(plugin.has_error());
    BOOST_TEST(plugin.error().detail.path == "spec.plugins.pytorch");
    auto const many = volcano_job_builder("j").image("i:1").task("a", 5'000'000'000).build();
    BOOST_TEST_REQUIRE(many.has_error());
    BOOST_TEST(many.error().detail.path == "spec.tasks[0].replicas");
    auto const amount = volcano_job_builder("j").image("i:1").memory("lots").task("a", 1).build();
    BOOST_TEST_REQUIRE(amount.has_error());
    BOOST_TEST(amount.error().detail.path == "spec.tasks[0].template.spec.containers[0].resources.limits[memory]");
    BOOST_TEST(amount.error().detail.message.starts_with("\"lots\", expected a quantity"));
    BOOST_CHECK_THROW(volcano_job_builder("j").depends_on({"a"}), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()
