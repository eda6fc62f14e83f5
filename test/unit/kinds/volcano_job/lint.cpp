#include "kinds/volcano_job/lint/lint_rules.hpp"
#include "unit/kinds/volcano_job/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_lint)

using namespace volcano_sample;

namespace {

/// The ids of the findings, without their common prefix, and the paths.
lines linted(volcano_job const& j, volcano_release r = volcano_release::v1_9_0) {
    issues found;
    auto completed = j;
    set_defaults(completed, release(r));
    lint(completed, found, release(r));
    lines all;
    for (auto const& i : found) all.push_back(i.rule.substr(13) + " " + i.path);
    return all;
}

template <class Change> lines changed(Change change, volcano_release r = volcano_release::v1_9_0) {
    auto j = job_of("j", {task("master", 1), task("worker", 2)});
    change(j);
    return linted(j, r);
}

} // namespace

BOOST_AUTO_TEST_CASE(good_jobs_have_no_findings) {
    BOOST_TEST(changed([](auto& j) { j.spec.plugins["pytorch"]; }) == lines{});
}

BOOST_AUTO_TEST_CASE(lint_rules_have_unique_ids_and_reasons) {
    std::set<std::string_view> ids;
    for (auto const& r : volcano::lint_rules()) {
        BOOST_TEST(r.id.starts_with("lint.volcano."));
        BOOST_TEST(ids.insert(r.id).second, r.id);
        BOOST_TEST(r.reason.ends_with('.'), r.id);
    }
}

BOOST_AUTO_TEST_CASE(plugins_without_matching_tasks_are_reported) {
    BOOST_TEST(changed([](auto& j) { j.spec.plugins["pytorch"] = {"--master=chief"}; }) ==
               lines{"plugin-task spec.plugins.pytorch"});
    BOOST_TEST(changed([](auto& j) { j.spec.plugins["svc"] = {"--no-such"}; }) ==
               lines{"plugin-arguments spec.plugins.svc"});
    BOOST_TEST(changed([](auto& j) { j.spec.plugins["ssh"]; }) == lines{"ssh-hosts spec.plugins.ssh"});
    BOOST_TEST(changed([](auto& j) {
                   j.spec.plugins["pytorch"];
                   j.spec.tasks.push_back(task("board", 1));
               }) == lines{"world-size spec.plugins.pytorch"});
    BOOST_TEST(changed(
                   [](auto& j) {
                       j.spec.plugins["pytorch"];
                       j.spec.tasks.push_back(task("board", 1));
                   },
                   volcano_release::v1_12_3) == lines{});
    BOOST_TEST(changed([](auto& j) {
                   j.spec.plugins["mpi"];
                   j.spec.tasks[1].replicas = 0;
               }) == lines{"mpi-workers spec.plugins.mpi"});
    BOOST_TEST(changed([](auto& j) {
                   j.spec.plugins["svc"];
                   j.metadata.name = "a.b";
               }).front() == "service-name metadata.name");
}

BOOST_AUTO_TEST_CASE(policies_without_effect_or_with_side_effects_are_reported) {
    BOOST_TEST(changed([](auto& j) { j.spec.policies = {on("PodFailed", "AbortJob"), on_code(3, "RestartJob")}; }) ==
               lines{"shadowed-policy spec.policies[1].exitCode"});
    BOOST_TEST(changed([](auto& j) { j.spec.policies = {on_code(3, "Restart")}; }) ==
               lines{"exit-code-action spec.policies[0].action"});
    BOOST_TEST(changed([](auto& j) { j.spec.tasks[1].policies = {on("TaskFailed", "RestartTask")}; }) ==
               lines{"restart-task spec.tasks[1].policies[0].action"});
    BOOST_TEST(changed([](auto& j) {
                   j.spec.min_available = 2;
                   j.spec.policies = {on("PodEvicted", "AbortJob")};
               }) == lines{"eviction-by-scaling spec.policies[0]"});
    // A job that needs all its pods is not meant to shrink.
    BOOST_TEST(changed([](auto& j) { j.spec.policies = {on("PodEvicted", "AbortJob")}; }) == lines{});
    BOOST_TEST(changed([](auto& j) {
                   j.spec.max_retry = 1;
                   j.spec.policies = {on("PodFailed", "RestartJob")};
               }) == lines{"retries spec.policies[0].action"});
    // Later releases do what these say, count it as a retry, and restart a task also when the job is made smaller.
    auto const restarts = [](auto& j) {
        j.spec.max_retry = 1;
        j.spec.tasks[1].min_available = 1;
        j.spec.tasks[1].policies = {on("PodEvicted", "RestartTask")};
    };
    BOOST_TEST(changed(restarts) == lines{"restart-task spec.tasks[1].policies[0].action"});
    BOOST_TEST(changed(restarts, volcano_release::v1_11_0) ==
               (lines{"eviction-by-scaling spec.tasks[1].policies[0]", "retries spec.tasks[1].policies[0].action"}));
}

BOOST_AUTO_TEST_CASE(a_gang_that_never_starts) {
    auto const waits = [](std::int32_t least) {
        return changed([&](volcano_job& j) {
            j.spec.tasks[0].depends_on.emplace().name = {"worker"};
            j.spec.min_available = least;
        });
    };
    BOOST_TEST(waits(0) == lines{"depends-on-gang spec.minAvailable"}); // which is then 3
    BOOST_TEST(waits(2) == lines{});
}

BOOST_AUTO_TEST_CASE(template_fields_without_effect_are_reported) {
    BOOST_TEST(changed([](auto& j) { j.spec.tasks[0].template_.spec.restart_policy = ""; }) ==
               lines{"restart-policy spec.tasks[0].template.spec.restartPolicy"});
    BOOST_TEST(changed([](auto& j) {
                   j.spec.plugins["pytorch"];
                   j.spec.tasks[0].template_.spec.containers[0].env.emplace_back("RANK", "9");
               }) == lines{"reserved-environment spec.tasks[0].template.spec.containers[0].env[0]"});
    BOOST_TEST(changed([](auto& j) { j.spec.tasks[0].template_.metadata.labels["volcano.sh/job-name"] = "x"; }) ==
               lines{"reserved-label spec.tasks[0].template.metadata.labels[volcano.sh/job-name]"});
}

BOOST_AUTO_TEST_SUITE_END()
