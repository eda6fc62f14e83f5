#include "kinds/volcano_job/kind.hpp"
#include "unit/kinds/volcano_job/sample.hpp"

#include <kftrain/job/member_lookup.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/objects/volcano/command.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_scale)

using namespace volcano_sample;

namespace {

volcano_job running() {
    auto j = complete(job_of("j", {task("a", 2), task("b", 4)}));
    j.spec.tasks[1].min_available = 3;
    j.spec.min_available = 5;
    j.metadata.resource_version = "7";
    j.status.state.phase = "Running";
    return j;
}

std::string patch_of(volcano_job const& j, std::string_view task, std::int32_t count) {
    auto const a = prepared_job::stored(j).scaled(task, count);
    return a ? std::get<rules::patch>(*a).text : a.error().to_string();
}

} // namespace

BOOST_AUTO_TEST_CASE(the_gang_follows_the_task) {
    std::string const start = R"([{"op":"add","path":"/metadata/resourceVersion","value":"7"},)";
    BOOST_TEST(patch_of(running(), "a", 3) == start + R"({"op":"add","path":"/spec/tasks/0/replicas","value":3},)"
                                                      R"({"op":"add","path":"/spec/tasks/0/minAvailable","value":3},)"
                                                      R"({"op":"add","path":"/spec/minAvailable","value":6}])");
    BOOST_TEST(patch_of(running(), "b", 2) == start + R"({"op":"add","path":"/spec/tasks/1/replicas","value":2},)"
                                                      R"({"op":"add","path":"/spec/tasks/1/minAvailable","value":2},)"
                                                      R"({"op":"add","path":"/spec/minAvailable","value":4}])");
    auto loose = running();
    loose.spec.min_available = 1;
    BOOST_TEST(patch_of(loose, "b", 5)
                   .ends_with(R"({"op":"add","path":"/spec/tasks/1/minAvailable","value":3},)"
                              R"({"op":"add","path":"/spec/minAvailable","value":1}])"));
}

BOOST_AUTO_TEST_CASE(scaling_of_fixed_roles_is_refused) {
    BOOST_TEST(patch_of(running(), "c", 1).find("spec.tasks[c].replicas") != std::string::npos);
    BOOST_TEST(patch_of(running(), "a", -1).find("spec.tasks[a].replicas") != std::string::npos);
    auto over = running();
    over.status.state.phase = "Failed";
    BOOST_TEST(patch_of(over, "a", 1).find("the job is finished") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(suspending_is_a_command) {
    auto const a = prepared_job::stored(running()).suspended(true);
    BOOST_TEST_REQUIRE(a.has_value());
    auto const* const c = std::get<rules::create>(*a).object.get_if<command>();
    BOOST_TEST_REQUIRE(c != nullptr);
    BOOST_TEST(c->metadata.generate_name == "j-abortjob-");
    BOOST_TEST(c->action == "AbortJob");
    BOOST_TEST(c->target->uid == "uid-1");
    auto aborted = running();
    aborted.status.state.phase = "Aborted";
    BOOST_TEST(prepared_job::stored(aborted).suspending().suspended);
    BOOST_TEST(
        std::get<rules::create>(*prepared_job::stored(aborted).suspended(false)).object.get_if<command>()->action ==
        "ResumeJob");
    // Upstream: volcano v1.9.0 `pkg/controllers/job/state/restarting.go`: retryCount 3 of maxRetry 3 fails the job.
    aborted.spec.max_retry = 3;
    aborted.status.retry_count = 1;
    BOOST_TEST(prepared_job::stored(aborted).suspended(false).has_value());
    aborted.status.retry_count = 2;
    BOOST_TEST(prepared_job::stored(aborted).suspended(false).error().detail.message ==
               "the operator would fail the job: a resumption counts as a restart, and this would be restart 3 of "
               "maxRetry 3");
    BOOST_TEST(prepared_job::stored(aborted).suspended(true).has_value());
    auto over = running();
    over.status.state.phase = "Completed";
    BOOST_TEST(prepared_job::stored(over).suspended(true).has_error());
}

BOOST_AUTO_TEST_CASE(members_have_ranks) {
    auto j = job_of("j", {task("master", 1), task("worker", 2), task("board", 1)});
    j.spec.plugins["pytorch"];
    auto const all = lay_out(j);
    BOOST_TEST(all.members.size() == 4U);
    BOOST_TEST(all.members[0].rank.value() == 0);
    BOOST_TEST(all.members[2].rank.value() == 2);
    BOOST_TEST(!all.members[3].rank);
    BOOST_TEST(all.world_size.value() == 3);
    BOOST_TEST(all.rank_env.rank == "RANK");
    BOOST_TEST(all.rank_env.world_size == ""); // which counts the board, too
    volcano_operator_options newer;
    newer.release = volcano_release::v1_12_3;
    BOOST_TEST(lay_out(j, newer).rank_env.world_size == "WORLD_SIZE");
    BOOST_TEST(all.domain == "j.ns.svc");
    BOOST_TEST(all.roles[1].label_selector() ==
               "volcano.sh/job-name=j,volcano.sh/job-namespace=ns,volcano.sh/task-spec=worker");
    j.spec.tasks[0].replicas = 2; // both get the same rank
    BOOST_TEST(!lay_out(j).world_size);
    BOOST_TEST(!lay_out(j).rank_note.empty());
}

BOOST_AUTO_TEST_CASE(a_shared_host_name_finds_no_member) {
    auto j = job_of("j", {task("a", 2), task("b", 1)});
    j.spec.tasks[0].template_.spec.hostname = "wk";
    member_lookup const of{any_job(j)};
    auto const shared = of.of_host("wk.j");
    BOOST_TEST_REQUIRE(shared.has_error());
    BOOST_TEST(
        shared.error().detail.message ==
        "host \"wk\" is used by several pods of the job; use the pod name instead, one of j-a-0 to j-a-1, j-b-0");
    BOOST_TEST(of.of_pod("j-a-1").value().index == 1);
    BOOST_TEST(of.of_host("j-b-0.j").value().role == "b");
}

BOOST_AUTO_TEST_SUITE_END()
