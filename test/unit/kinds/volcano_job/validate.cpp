#include "kinds/volcano_job/admission/admission.hpp"
#include "unit/kinds/volcano_job/sample.hpp"

#include <kftrain/objects/volcano/pod_group.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_validate)

using namespace volcano_sample;

// Expected: answers of vc-webhook-manager v1.9.0, recorded or read off its rules.
namespace {

/// The answer of a server to the job in a cluster with the open queue `default` and the closed queue `shut`.
std::string answer(volcano_job const& j, volcano_job const* before = nullptr,
                   volcano_operator_options const& options = {}) {
    rules::admission_context context;
    context.before = before;
    context.look_up = [](rules::reference const& t) -> any_object {
        if (t.name != "default" && t.name != "shut") return {};
        queue q;
        q.metadata.name = t.name;
        q.status.state = t.name == "shut" ? "Closed" : "Open";
        return q;
    };
    auto const response = admit(j, context, options);
    if (!response.denied) return "";
    BOOST_TEST(response.denied->code == 400U);
    return response.denied->text;
}

volcano_job sound() { return job_of("j", {task("a", 2)}); }

template <class Change> std::string changed(Change change) {
    auto j = sound();
    change(j);
    return answer(j);
}

std::string policies(std::vector<lifecycle_policy> list) {
    auto const text = changed([&](volcano_job& j) { j.spec.policies = std::move(list); });
    return text.substr(0, text.find("\n\n"));
}

} // namespace

BOOST_AUTO_TEST_CASE(valid_jobs_pass_validation) { BOOST_TEST(answer(sound()) == ""); }

BOOST_AUTO_TEST_CASE(basic_faults_are_reported_alone) {
    BOOST_TEST(changed([](auto& j) { j.spec.min_available = -1; }) == "job 'minAvailable' must be >= 0.");
    BOOST_TEST(changed([](auto& j) { j.spec.max_retry = -1; }) == "'maxRetry' cannot be less than zero.");
    BOOST_TEST(changed([](auto& j) { j.spec.ttl_seconds_after_finished = -1; }) ==
               "'ttlSecondsAfterFinished' cannot be less than zero.");
    BOOST_TEST(changed([](auto& j) { j.spec.tasks.clear(); }) == "No task specified in job spec");
    BOOST_TEST(changed([](auto& j) { j.spec.plugins["mpi"]; }) == "The specified mpi master task was not found");
    BOOST_TEST(changed([](auto& j) { j.spec.plugins["mpi"] = {"--master=a"}; }) ==
               "The specified mpi worker task was not found");
}

BOOST_AUTO_TEST_CASE(sentences_are_joined_in_order) {
    BOOST_TEST(
        changed([](auto& j) {
            j.spec.tasks[0].replicas = -1;
            j.spec.min_available = 1;
        }) == "'replicas' < 0 in task: a, job: j; 'minAvailable' < 0 in task: a, job: j; job 'minAvailable' should not "
              "be greater than total replicas in tasks;");
    BOOST_TEST(changed([](auto& j) { j.spec.tasks.push_back(task("a", 1)); }) == "duplicated task name a;");
    BOOST_TEST(
        changed([](auto& j) {
            j.spec.plugins["nope"];
            j.spec.queue = "shut";
        }) == "unable to find job plugin: nope; can only submit job to queue with state `Open`, queue `shut` status is "
              "`Closed`;");
    BOOST_TEST(changed([](auto& j) { j.spec.tasks[0].replicas = 100'001; }) ==
               "'replicas' > 100000 in task: a, job: j;");
    BOOST_TEST(changed([](auto& j) { j.spec.queue = "x"; }) ==
               "unable to find job queue: queues.scheduling.volcano.sh \"x\" not found;");
    BOOST_TEST(changed([](auto& j) {
                   j.spec.tasks[0].topology_policy = "restricted";
                   j.spec.tasks[0].template_.spec.containers[0].resources.limits["cpu"] = quantity("1500m");
               }) == "the cpu request isn't  an integer in spec.task[0] container[0].");
    BOOST_TEST(changed([](auto& j) {
                   j.spec.tasks[0].topology_policy = "restricted";
                   j.spec.tasks[0].template_.spec.containers[0].resources.limits["cpu"] = quantity("2");
               }) == "");
}

BOOST_AUTO_TEST_CASE(dependency_cycles_are_rejected) {
    auto const wait = [](std::vector<std::string> names) {
        return changed([&](volcano_job& j) {
            j.spec.tasks.push_back(task("b", 1));
            j.spec.tasks[1].depends_on.emplace().name = std::move(names);
        });
    };
    std::string const circle = "job has dependencies between tasks, but doesn't form a directed acyclic graph(DAG);";
    BOOST_TEST(wait({}) == "");
    BOOST_TEST(wait({"a"}) == "");
    BOOST_TEST(wait({"b"}) == circle);
    BOOST_TEST(wait({"c"}) == circle);
    BOOST_TEST(wait({"a", "a"}) == circle);
}

BOOST_AUTO_TEST_CASE(policies_name_events_or_codes) {
    auto const one = [](std::string const& text) { return "1 error occurred:\n\t* " + text; };
    auto both = on("PodFailed", "AbortJob");
    both.exit_code = 1;
    BOOST_TEST(policies({both}) == one("must not specify event and exitCode simultaneously"));
    BOOST_TEST(policies({on("", "AbortJob")}) == one("either event and exitCode should be specified"));
    BOOST_TEST(policies({on("OutOfSync", "AbortJob")}) ==
               one("spec.policies: Invalid value: \"OutOfSync\": invalid policy event"));
    BOOST_TEST(policies({on("PodFailed", "")}) == one("spec.policies: Invalid value: \"\": invalid policy action"));
    BOOST_TEST(policies({on("PodFailed", "AbortJob"), on("PodFailed", "RestartJob")}) ==
               one("duplicate event PodFailed  across different policy"));
    BOOST_TEST(policies({on_code(0, "AbortJob")}) == one("0 is not a valid error code"));
    BOOST_TEST(policies({on_code(1, "x"), on_code(1, "x")}) == one("duplicate exitCode 1"));
    BOOST_TEST(policies({on_code(1, "whatever")}) == "");
    BOOST_TEST(policies({on("*", "AbortJob"), on_code(1, "RestartJob")}) == "");
    BOOST_TEST(policies({on("*", "AbortJob"), on("PodFailed", "AbortJob"), on("Nope", "AbortJob")}) ==
               "2 errors occurred:\n\t* spec.policies: Invalid value: \"Nope\": invalid policy event\n\t* if there's * "
               "here, no "
               "other policy should be here");
    auto twice = on("PodFailed", "AbortJob");
    twice.events = {"PodFailed", "PodEvicted"};
    BOOST_TEST(policies({twice}) == "");
}

BOOST_AUTO_TEST_CASE(volumes_need_a_claim_and_a_distinct_mount_path) {
    auto const volume = [](std::string path, std::string claim, bool made) {
        return changed([&](volcano_job& j) {
            volume_spec v;
            v.mount_path = path;
            v.volume_claim_name = claim;
            if (made) v.volume_claim.emplace();
            j.spec.volumes.push_back(std::move(v));
        });
    };
    BOOST_TEST(volume("/x", "c", false) == "");
    BOOST_TEST(volume("/x", "", true) == "");
    BOOST_TEST(volume("", "c", false) == "mountPath is required;");
    BOOST_TEST(volume("/x", "", false) == "either VolumeClaim or VolumeClaimName must be specified;");
    BOOST_TEST(volume("/x", "c", true).starts_with("conflict: If you want to use an existing PVC"));
    // As the controller stores the job when it has made the claim.
    BOOST_TEST(changed([](volcano_job& j) {
                   auto& v = j.spec.volumes.emplace_back();
                   v.mount_path = "/x";
                   v.volume_claim_name = "c";
                   v.volume_claim.emplace();
                   j.status.controlled_resources.emplace("volume-pvc-c", "c");
               }) == "");
    BOOST_TEST(volume("/x", "A_b", false).starts_with("invalid VolumeClaimName A_b : [a lowercase RFC 1123 subdomain"));
}

BOOST_AUTO_TEST_CASE(only_replica_numbers_of_a_stored_job_can_change) {
    auto const before = complete(sound());
    auto const update = [&](auto change) {
        auto next = before;
        change(next);
        return answer(next, &before);
    };
    BOOST_TEST(update([](auto& j) {
                   j.spec.tasks[0].replicas = 5;
                   j.spec.min_available = 0;
                   j.spec.priority_class_name = "high";
               }) == "");
    BOOST_TEST(update([](auto& j) { j.spec.tasks[0].replicas = 1; }) ==
               "'minAvailable' must be <= 'replicas' in task: a");
    BOOST_TEST(update([](auto& j) { j.spec.min_available = 3; }) ==
               "job 'minAvailable' must not be greater than total replicas");
    BOOST_TEST(update([](auto& j) { j.spec.tasks.push_back(task("b", 1)); }) ==
               "job updates may not add or remove tasks");
    BOOST_TEST(update([](auto& j) { j.spec.max_retry = 9; }) ==
               "job updates may not change fields other than `minAvailable`, `tasks[*].replicas under spec`");
}

BOOST_AUTO_TEST_CASE(plugins_depend_on_the_release) {
    auto j = sound();
    j.spec.plugins["ray"];
    BOOST_TEST(answer(j) == "unable to find job plugin: ray;");
    BOOST_TEST(answer(j, nullptr, release(volcano_release::v1_13_0)) == "");
}

BOOST_AUTO_TEST_CASE(missing_fields_are_filled_in) {
    auto j = job_of("j", {task("", 1), task("worker", 2)});
    j.spec.plugins["mpi"] = {"--master=default0"};
    j.spec.tasks[0].template_.spec.host_network = true;
    rules::admission_context const context;
    BOOST_TEST(
        admit(j, context, {})
            .patch.starts_with(
                R"([{"op":"add","path":"/spec/queue","value":"default"},)"
                R"({"op":"add","path":"/spec/schedulerName","value":"volcano"},)"
                R"({"op":"add","path":"/spec/maxRetry","value":3},{"op":"replace","path":"/spec/tasks","value":[{)"));
    BOOST_TEST(
        admit(j, context, {})
            .patch.ends_with(
                R"({"op":"add","path":"/spec/minAvailable","value":3},)"
                R"({"op":"replace","path":"/spec/plugins","value":{"mpi":["--master=default0"],"ssh":[],"svc":[]}}])"));
    auto const c = complete(j);
    BOOST_TEST(c.spec.tasks[0].name == "default0");
    BOOST_TEST(c.spec.tasks[0].template_.spec.dns_policy == "ClusterFirstWithHostNet");
    BOOST_TEST(c.spec.tasks[1].min_available.value() == 2);
    BOOST_TEST(defaults_patch(c, {}) ==
               R"([{"op":"replace","path":"/spec/plugins","value":{"mpi":["--master=default0"],)"
               R"("ssh":[],"svc":[]}}])");
}

BOOST_AUTO_TEST_SUITE_END()
