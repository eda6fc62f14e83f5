#include "kinds/volcano_job/admission/admission.hpp"
#include "kinds/volcano_job/kind.hpp"
#include "kinds/volcano_job/lint/lint_rules.hpp"
#include "unit/kinds/volcano_job/scene.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/volcano_job_builder.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_design)

using namespace volcano_sample;

// Plugins as designed: life, lint, ranks. What they give pods is in golden/volcano_design.
namespace {

volcano_operator_options designed(launch_order order = launch_order::init_containers) {
    volcano_operator_options options;
    options.plugins = framework_plugins::designed;
    options.order = order;
    return options;
}

volcano_job mpi_job(volcano_operator_options const& options, std::string restarts = {}) {
    auto j = job_of("j", {task("master", 1), task("worker", 2)});
    for (auto& t : j.spec.tasks) t.template_.spec.restart_policy = restarts;
    j.spec.plugins["mpi"];
    set_defaults(j, options);
    return j;
}

core::pod made(scene const& s, std::string_view of, std::int32_t index, std::string phase,
               volcano_operator_options const& options = designed()) {
    auto p = render_pod(s.job, *find_task(s.job, of), index, options);
    p.metadata.uid = p.metadata.name;
    p.status.phase = std::move(phase);
    return p;
}

/// Shows the next plan that this pod went into another phase.
void change(scene& s, std::size_t number, std::string phase) {
    auto next = s.pods[number];
    next.status.phase = std::move(phase);
    s.changes.emplace_back(0U, s.pods[number], next);
    s.pods[number] = std::move(next);
}

lines linted(volcano_job const& j, volcano_operator_options const& options = designed()) {
    issues found;
    auto completed = j;
    set_defaults(completed, options);
    lint(completed, found, options);
    lines all;
    for (auto const& i : found) all.push_back(i.rule.substr(13) + " " + i.path);
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(all_pods_of_a_launch_order_are_created_at_once) {
    scene s(mpi_job(designed()), designed());
    s.job.status.state.phase = "Pending";
    auto const first = s.look();
    BOOST_TEST(first == (lines{"POST ConfigMap j-mpi", "POST Secret j-ssh", "POST ConfigMap j-svc", "POST Service j",
                               "POST NetworkPolicy j", "POST PodGroup j-uid-1", "status Pending"}));
    s.group = render_pod_group(s.job, {}, volcano_release::v1_9_0);
    s.group->status.phase = "Inqueue";
    s.job.metadata.generation = 2;
    auto const second = s.look();
    for (auto const* name : {"j-master-0", "j-worker-0", "j-worker-1"})
        BOOST_TEST((std::ranges::find(second, "POST Pod " + std::string(name)) != second.end()), name);
}

BOOST_AUTO_TEST_CASE(a_master_with_dependencies_starts_after_its_workers) {
    auto const options = designed(launch_order::depends_on);
    scene s(mpi_job(options), options);
    BOOST_TEST(s.job.spec.min_available == 2); // else the gang would wait for a pod that is never created
    s.job.status.state.phase = "Running";
    s.group = render_pod_group(s.job, {}, volcano_release::v1_9_0);
    s.group->status.phase = "Running";
    s.pods = {made(s, "worker", 0, "Running", options), made(s, "worker", 1, "Pending", options)};
    for (auto& p : s.pods) p.status.container_statuses.emplace_back().ready = p.status.phase == "Running";
    auto const before = s.look();
    BOOST_TEST((std::ranges::find(before, "POST Pod j-master-0") == before.end()));
    auto ready = s.pods[1];
    ready.status.phase = "Running";
    ready.status.container_statuses.front().ready = true;
    s.changes.emplace_back(0U, s.pods[1], ready);
    s.pods[1] = ready;
    auto const after = s.look();
    BOOST_TEST((std::ranges::find(after, "POST Pod j-master-0") != after.end()));
}

BOOST_AUTO_TEST_CASE(the_end_of_the_master_ends_the_job) {
    scene s(mpi_job(designed()), designed());
    s.running();
    s.pods = {made(s, "master", 0, "Running"), made(s, "worker", 0, "Running"), made(s, "worker", 1, "Running")};
    s.look();
    change(s, 0, "Succeeded");
    auto const done = s.look();
    BOOST_TEST(done.front() == "event ExecuteAction");
    BOOST_TEST(s.job.status.state.phase == "Completing");
    for (auto const* name : {"DELETE Pod j-worker-0", "DELETE Pod j-worker-1"})
        BOOST_TEST((std::ranges::find(done, name) != done.end()), name);
    BOOST_TEST((std::ranges::find(done, "DELETE Pod j-master-0") == done.end())); // its log stays
    for (std::size_t i : {1U, 2U}) s.changes.emplace_back(0U, s.pods[i], any_object());
    s.pods.resize(1);
    for (int i = 0; i < 4 && s.job.status.state.phase == "Completing"; ++i) s.look();
    BOOST_TEST(s.job.status.state.phase == "Completed");
}

BOOST_AUTO_TEST_CASE(without_the_option_a_job_outlives_its_master) {
    auto j = job_of("j", {task("master", 1), task("worker", 2)});
    j.spec.plugins["mpi"];
    scene s(complete(j), volcano_operator_options());
    s.running();
    s.pods = {made(s, "master", 0, "Running", {}), made(s, "worker", 0, "Running", {}),
              made(s, "worker", 1, "Running", {})};
    s.look();
    change(s, 0, "Succeeded");
    s.look();
    BOOST_TEST(s.job.status.state.phase == "Running");
}

BOOST_AUTO_TEST_CASE(policies_treat_a_failed_wait_as_a_failed_pod) {
    auto j = mpi_job(designed(), "Never"); // whose init containers are not restarted
    BOOST_TEST(j.spec.tasks[0].template_.spec.restart_policy == "Never");
    j.spec.policies = {on("PodFailed", "AbortJob")};
    scene s(std::move(j), designed());
    s.running();
    s.pods = {made(s, "master", 0, "Pending"), made(s, "worker", 0, "Running"), made(s, "worker", 1, "Running")};
    s.look();
    change(s, 0, "Failed");
    s.look();
    BOOST_TEST(s.job.status.state.phase == "Aborting");
}

BOOST_AUTO_TEST_CASE(hosts_of_a_hostfile_follow_the_spec) {
    scene s(mpi_job(designed()), designed());
    s.running();
    s.config_maps = {render_hosts(s.job), render_hostfile(s.job)};
    s.pods = {made(s, "master", 0, "Running"), made(s, "worker", 0, "Running"), made(s, "worker", 1, "Running")};
    s.look();
    s.job.spec.tasks[1].replicas = 3;
    s.job.metadata.generation = 2;
    auto const grown = s.look();
    BOOST_TEST((std::ranges::find(grown, "PUT ConfigMap j-mpi") != grown.end()));
    BOOST_TEST(render_hostfile(s.job).data.at("hostfile") == "j-worker-0.j slots=1\nj-worker-1.j slots=1\nj-worker-2.j "
                                                             "slots=1");
}

BOOST_AUTO_TEST_CASE(the_hostfile_is_deleted_with_the_pods) {
    scene s(mpi_job(designed()), designed());
    s.running();
    s.config_maps = {render_hostfile(s.job)};
    s.pods = {made(s, "master", 0, "Running")};
    s.look();
    change(s, 0, "Succeeded");
    auto const done = s.look();
    BOOST_TEST((std::ranges::find(done, "DELETE ConfigMap j-mpi") != done.end()));
}

BOOST_AUTO_TEST_CASE(defaults_are_set_once_and_keep_user_values) {
    auto const options = designed(launch_order::depends_on);
    auto j = mpi_job(options);
    auto again = j;
    set_defaults(again, options);
    BOOST_TEST((again == j));
    auto own = job_of("j", {task("master", 1), task("worker", 2)});
    own.spec.plugins["mpi"];
    own.spec.tasks[0].policies = {on("*", "RestartJob")};
    set_defaults(own, designed());
    BOOST_TEST(own.spec.tasks[0].policies.size() == 1U);
    own.spec.tasks[0].policies.clear();
    own.spec.policies = {on("TaskCompleted", "TerminateJob")};
    set_defaults(own, designed());
    BOOST_TEST(own.spec.tasks[0].policies.empty());
    BOOST_TEST(own.spec.tasks[0].template_.spec.restart_policy == "Never");
    auto plain = job_of("j", {task("master", 1), task("worker", 2)});
    plain.spec.plugins["svc"];
    auto expected = plain;
    set_defaults(plain, designed());
    set_defaults(expected);
    BOOST_TEST((plain == expected));
}

BOOST_AUTO_TEST_CASE(the_first_of_two_frameworks_determines_the_order) {
    auto j = job_of("j", {task("master", 1), task("worker", 1)});
    j.spec.plugins["mpi"];
    j.spec.plugins["pytorch"];
    BOOST_TEST(awaited_task(j, j.spec.tasks[0], designed()) == &j.spec.tasks[1]);
    BOOST_TEST((awaited_task(j, j.spec.tasks[1], designed()) == nullptr));
    BOOST_TEST(linted(j) == lines{"frameworks spec.plugins.pytorch"});
}

BOOST_AUTO_TEST_CASE(arguments_of_the_design_are_unknown_to_releases) {
    auto j = job_of("j", {task("master", 1), task("worker", 1)});
    j.spec.plugins["mpi"] = {"--slots=4", "--port=2222"};
    BOOST_TEST(mpi_of(j, framework_plugins::designed).port == 2222);
    BOOST_TEST(mpi_of(j).port == 22);
    BOOST_TEST(linted(j, {}) == lines{"plugin-arguments spec.plugins.mpi"});
    BOOST_TEST(linted(j) == lines{});
}

BOOST_AUTO_TEST_CASE(values_that_start_no_process_are_reported) {
    auto j = job_of("j", {task("master", 1), task("worker", 1)});
    j.spec.plugins["mpi"] = {"--slots=0"};
    BOOST_TEST(linted(j) == lines{"plugin-value spec.plugins.mpi"});
    j.spec.plugins = {};
    j.spec.plugins["pytorch"] = {"--nproc-per-node=many"};
    BOOST_TEST(linted(j) == lines{"plugin-value spec.plugins.pytorch"});
    j.spec.plugins["pytorch"] = {"--nproc-per-node=auto", "--wait-timeout=-1"};
    BOOST_TEST(linted(j) == lines{"plugin-value spec.plugins.pytorch"});
    j = job_of("j", {task("scheduler", 1), task("worker", 1)});
    j.spec.plugins["mxnet"];
    BOOST_TEST(linted(j) == lines{"empty-role spec.plugins.mxnet"});
}

BOOST_AUTO_TEST_CASE(mxnet_is_a_plugin_of_the_design_alone) {
    auto j = job_of("j", {task("scheduler", 1), task("server", 1), task("worker", 1)});
    j.spec.plugins["mxnet"];
    BOOST_TEST(validate(j, designed()).size() == 0U);
    BOOST_TEST(validate(j).size() == 1U);
    auto const built = [&](volcano_operator_options const& reported) {
        return volcano_job_builder("j")
            .in("ns")
            .image("img")
            .plugin("mxnet")
            .task("scheduler", 1)
            .task("server", 1)
            .task("worker", 1)
            .checked_by(reported)
            .build()
            .has_value();
    };
    BOOST_TEST(built(designed()));
    BOOST_TEST(!built({}));
}

BOOST_AUTO_TEST_CASE(every_master_has_a_rank_of_its_own) {
    auto j = job_of("j", {task("master", 2), task("worker", 2)});
    j.spec.plugins["pytorch"] = {"--nproc-per-node=4"};
    member_lookup const oracle(any_job(j), operator_options().set(designed()));
    BOOST_TEST(oracle.layout().world_size.value() == 4);
    BOOST_TEST(oracle.of_rank(2).value().pod_name == "j-worker-0");
    BOOST_TEST(oracle.of_process(13).value().pod_name == "j-worker-1");
    j.spec.plugins["pytorch"] = {"--nproc-per-node=gpu"};
    member_lookup const later(any_job(j), operator_options().set(designed()));
    BOOST_TEST(!later.of_process(1).has_value());
}

BOOST_AUTO_TEST_CASE(jobs_are_filled_in_by_those_who_render_them) {
    auto j = job_of("j", {task("scheduler", 1), task("server", 1), task("worker", 1)});
    j.spec.plugins["mxnet"];
    bool any_service = false;
    for (auto const& child : any_job(j).render(operator_options().set(designed())))
        any_service = any_service || child.resource().kind == "Service";
    BOOST_TEST(any_service); // admission adds svc
}

BOOST_AUTO_TEST_SUITE_END()
