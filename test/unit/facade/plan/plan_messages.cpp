#include "facade/plan/plan_update.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

/// The messages of a plan about each changed field.
BOOST_AUTO_TEST_SUITE(facade_plan_messages)

using namespace kftrain;

namespace {

using fields = std::vector<std::pair<std::string, std::string>>; ///< paths and values

/// The job of an example, as a server stores it.
any_job stored_job(std::string const& example) {
    std::ifstream in(std::string(KFTRAIN_SOURCE_DIR) + "/examples/manifests/" + example + ".yaml");
    auto job = parse_job(std::string(std::istreambuf_iterator<char>(in), {})).value();
    job.metadata().namespace_ = "team";
    job.metadata().uid = "uid";
    job.set_defaults();
    return job;
}

void set(any_job& job, fields const& all) {
    for (auto const& [path, value] : all)
        if (auto ok = job.set_field(path, value); !ok) BOOST_ERROR(path << ": " << ok.error().to_string());
}

/// `effect: why` of the first field whose path begins with this; the names of the others if there is none.
std::string judgement_of(update_plan const& plan, std::string const& path) {
    std::string others;
    for (auto const& f : plan.fields) {
        if (f.path.starts_with(path)) return std::string(to_string(f.effect)) + ": " + f.why;
        others += f.path + " ";
    }
    return "no such field: " + others;
}

std::string const succeeded = R"([{"type":"Succeeded","status":"True"}])";
std::string const workers = "spec.pytorchReplicaSpecs.Worker.";
std::string const image = "template.spec.containers[name=pytorch].image";
std::string const other = "\"other:1\"";
fields const elastic{{"spec.pytorchReplicaSpecs.Master", "null"},
                     {"spec.elasticPolicy", R"({"minReplicas":1,"maxReplicas":4})"}};

} // namespace

BOOST_AUTO_TEST_CASE(each_changed_field_has_its_effect) {
    struct {
        std::string example;
        fields before;
        fields change; ///< the first field is looked at
        std::string expected;
    } const rows[] = {
        {"pytorch_digits",
         {{"status.conditions", succeeded}},
         {{"metadata.labels.team", "\"a\""}},
         "none: the job is finished"},
        {"pytorch_digits",
         {{"status.conditions", succeeded}},
         {{"spec.runPolicy.ttlSecondsAfterFinished", "5"}},
         "none: the job is finished; only its cleanup still reads the field"},
        {"pytorch_digits",
         {{"status.conditions", succeeded}},
         {{workers + image, other}},
         "recreation: the job is finished and does not run again"},
        {"pytorch_digits",
         {{workers + "replicas", "2000000000"}},
         {{workers + "replicas", "2"}},
         "in place: the stored job violates rules of its kind, so it does not run yet"},
        {"pytorch_digits",
         {},
         {{"spec.runPolicy.suspend", "true"}},
         "in place: the operator deletes the pods until the job is resumed"},
        {"pytorch_digits",
         {{"spec.runPolicy.suspend", "true"}},
         {{"spec.runPolicy.suspend", "false"}},
         "in place: the operator creates the pods from the new job; to resume it, use resume, which waits until the "
         "old pods are deleted"},
        {"pytorch_digits",
         {{"spec.runPolicy.suspend", "true"}},
         {{workers + image, other}},
         "in place: the job is suspended; the operator creates the pods when the job is resumed"},
        {"pytorch_digits",
         {{"spec.runPolicy.suspend", "true"}},
         {{workers + "replicas", "3"}},
         "in place: Pods that are created when the job is resumed receive the new number."},
        {"pytorch_digits",
         {},
         {{workers + "replicas", "7"}},
         "recreation: the job cannot be scaled: its running pods received the number of replicas when they were "
         "created; suspend the job first"},
        {"pytorch_digits",
         elastic,
         {{workers + "replicas", "3"}},
         "in place: torchrun starts a new rendezvous. All workers continue from their last checkpoint with new "
         "ranks."},
        {"pytorch_digits",
         {},
         {{workers + image, other}},
         "later: the operator does not replace existing pods; the change applies to pods that it creates later"},
        {"pytorch_digits", {}, {{"metadata.labels.team", "\"a\""}}, "none: no object of the job has this metadata"},
        {"pytorch_digits",
         {},
         {{"spec.runPolicy.backoffLimit", "5"}},
         "in place: the operator reads the field in each reconciliation"},
        {"pytorch_digits",
         {},
         {{"spec.colour", "\"red\""}},
         "none: kftrain does not know the field; a server drops it unless its CustomResourceDefinition has it"},
        {"pytorch_digits",
         {{"spec.pytorchReplicaSpecs.Master", "null"},
          {"spec.elasticPolicy", R"({"minReplicas":1,"maxReplicas":4,"nProcPerNode":2})"},
          {"spec.nprocPerNode", "null"}},
         {{"spec.nprocPerNode", "\"2\""}, {"spec.elasticPolicy.nProcPerNode", "null"}},
         "in place: allowed only together with the other changes"},
        {"mpi_job_v1", {}, {{"spec.slotsPerWorker", "4"}}, "in place: the operator updates the ConfigMap"},
        {"chainer_job",
         {{"spec.workerSets",
           R"({"a":{"replicas":1,"template":{"spec":{"containers":[{"name":"chainer","image":"i"}]}}}})"}},
         {{"spec.workerSets.a.template.spec.containers[name=chainer].image", other}},
         "in place: the operator updates the StatefulSet, which replaces its pods one by one"},
        {"chainer_job",
         {},
         {{"spec.master.template.spec.containers[name=chainer].image", other}},
         "recreation: the operator does not update the Job that it created"},
        {"volcano_job",
         {},
         {{"spec.tasks[1].replicas", "3"}},
         "in place: A smaller number deletes the pods with the highest indexes, and policies treat each deletion as a "
         "PodEvicted event. The files in /etc/volcano change while the job runs; the environment and the ssh "
         "configuration of running pods do not."},
    };
    for (auto const& row : rows) {
        auto before = stored_job(row.example);
        set(before, row.before);
        auto wanted = before;
        set(wanted, row.change);
        BOOST_TEST(judgement_of(plan_update(wanted, before), row.change.front().first) == row.expected,
                   row.change.front().first << ": "
                                            << judgement_of(plan_update(wanted, before), row.change.front().first));
    }
}

BOOST_AUTO_TEST_CASE(a_plan_prints_each_changed_field) {
    auto const before = stored_job("pytorch_digits");
    auto wanted = before;
    set(wanted, {{"metadata.labels.team", "\"a\""}, {"spec.runPolicy.backoffLimit", "5"}});
    BOOST_TEST(plan_update(wanted, before).to_string() ==
               "2 fields differ, effect: in place\n"
               "  + metadata.labels.team: \"a\"  [none: no object of the job has this metadata]\n"
               "  + spec.runPolicy.backoffLimit: 5  [in place: the operator reads the field in each reconciliation]");
    BOOST_TEST(plan_update(before, before).to_string() == "nothing changes");
    BOOST_TEST(plan_creation(prepared_job::admitted(before))
                   .to_string()
                   .starts_with("the job does not exist: it would be created\n"));
}

BOOST_AUTO_TEST_SUITE_END()
