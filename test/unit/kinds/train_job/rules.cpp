#include "unit/kinds/train_job/sample.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/member_lookup.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kinds/registry.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(kinds_train_job_rules)

using namespace kftrain;
using train_job_sample::job;
using train_job_sample::runtime;

namespace {

any_job resolved(train_job j, any_object const& r) {
    any_job all(std::move(j));
    all.resolve([&](rules::reference const&) { return r; });
    return all;
}

std::string ids_of(issues const& found) {
    std::string all;
    for (auto const& i : found) all += (all.empty() ? "" : " ") + i.rule + "@" + i.path;
    return all;
}

std::map<std::string, std::string> environment_of(any_job const& j, std::int64_t rank) {
    member_lookup const lookup(j);
    std::map<std::string, std::string> all;
    for (auto const& c : lookup.environment_of(lookup.of_rank(rank).value()))
        for (auto const& v : c.effective()) all[v.name] = v.value_from ? "<source>" : v.value;
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_job_refers_to_its_runtime) {
    auto j = job("bert", "{}", "torch-distributed");
    BOOST_TEST(
        (any_job(j).references() ==
         std::vector{rules::reference(object_type_of<trainer::cluster_training_runtime>, "", "torch-distributed")}));
    j.spec.runtime_ref.kind = "TrainingRuntime";
    BOOST_TEST((any_job(j).references() == std::vector{rules::reference(object_type_of<trainer::training_runtime>,
                                                                        "team-a", "torch-distributed")}));
    j.spec.runtime_ref.kind = "Gizmo";
    BOOST_TEST(any_job(j).references().empty());
    BOOST_TEST(ids_of(any_job(j).validate()) == "train.runtime-ref@spec.runtimeRef");
}

BOOST_AUTO_TEST_CASE(a_job_without_its_runtime_has_partial_results) {
    any_job const j(job("bert", "{numNodes: 0}", "elsewhere"));
    BOOST_TEST(j.validate().empty());
    BOOST_TEST(ids_of(j.lint()) == "lint.train.nodes@spec.trainer.numNodes");
    BOOST_TEST(j.render().empty());
    auto const layout = j.members();
    BOOST_TEST(layout.members.empty());
    BOOST_TEST_REQUIRE(layout.roles.size() == 1U);
    BOOST_TEST(layout.roles[0].label_selector() == "jobset.sigs.k8s.io/jobset-name=bert");
    BOOST_TEST(layout.rank_note == "the ClusterTrainingRuntime \"elsewhere\" is not available");
}

BOOST_AUTO_TEST_CASE(a_missing_runtime_is_named) {
    any_job j(job("bert", "{}", "elsewhere"));
    auto const r = j.resolve_from({});
    BOOST_TEST_REQUIRE(!r.has_value());
    BOOST_TEST((r.error().code == errc::invalid_argument));
    BOOST_TEST(r.error().detail.path == "spec");
    BOOST_TEST(r.error().detail.message ==
               "TrainJob \"team-a/bert\" refers to the ClusterTrainingRuntime \"elsewhere\", which is missing");
    BOOST_TEST(j.validate().empty()); // as before
    j.resolve([](rules::reference const&) { return any_object(); });
    BOOST_TEST(ids_of(j.validate()) == "train.runtime-ref@spec.RuntimeRef"); // the path of the webhook
}

BOOST_AUTO_TEST_CASE(a_runtime_of_another_namespace_is_missing) {
    auto j = job("bert", "{}", "own");
    j.spec.runtime_ref.kind = "TrainingRuntime";
    any_job all(j);
    trainer::training_runtime own;
    own.metadata.name = "own";
    own.metadata.namespace_ = "team-b";
    any_object objects[] = {any_object(own)};
    BOOST_TEST(!all.resolve_from(objects).has_value());
    own.metadata.namespace_ = "team-a";
    objects[0] = any_object(own);
    BOOST_TEST(all.resolve_from(objects).has_value());
}

/// Values: Kubeflow Trainer v2.3.0, policy torch.
BOOST_AUTO_TEST_CASE(an_installed_runtime_needs_no_object) {
    any_job j(job("bert", "{numNodes: 2, numProcPerNode: 4}", "torch-distributed"));
    BOOST_TEST_REQUIRE(j.resolve_from({}).has_value());
    BOOST_TEST(j.validate().empty());
    auto const layout = j.members();
    BOOST_TEST_REQUIRE(layout.members.size() == 2U);
    BOOST_TEST(layout.members[1].host_name() == "bert-node-0-1");
    BOOST_TEST((layout.world_size == 2));
    auto const environment = environment_of(j, 1);
    BOOST_TEST(environment.at("PET_NODE_RANK") == "1"); // a reference to an annotation of the pod
    BOOST_TEST(environment.at("PET_NNODES") == "2");
    BOOST_TEST(environment.at("PET_NPROC_PER_NODE") == "4");
    BOOST_TEST(environment.at("PET_MASTER_ADDR") == "bert-node-0-0.bert");
    BOOST_TEST(environment.at("PET_MASTER_PORT") == "29500");
}

BOOST_AUTO_TEST_CASE(the_runtime_is_kept_in_copies_and_is_no_field) {
    any_job const without(job("bert", "{}", "torch-distributed"));
    any_job j = without;
    BOOST_TEST_REQUIRE(j.resolve_from({}).has_value());
    BOOST_TEST((j == without));
    BOOST_TEST(j.to_json() == without.to_json());
    any_job const copy = j.with_defaults();
    BOOST_TEST(copy.render().size() == 2U); // ConfigMap and JobSet
}

BOOST_AUTO_TEST_CASE(a_rendered_pod_is_found_by_its_role) {
    auto const j = prepared_job::admitted(resolved(job("bert", "{numNodes: 2}"), runtime("{torch: {}}")));
    auto const& layout = j.layout();
    auto const pod = j.pod_of(layout.members.at(1));
    BOOST_TEST(layout.of(pod.metadata) == &layout.members.at(1));
    BOOST_TEST(pod.spec.hostname == "bert-node-0-1");
    BOOST_TEST(pod.spec.subdomain == "bert");
    BOOST_TEST(pod.spec.restart_policy == "OnFailure");
}

BOOST_AUTO_TEST_CASE(a_runtime_that_cannot_be_applied_is_an_error) {
    auto const j = resolved(job("bert", "{numNodes: 2}"), runtime("{flux: {}}"));
    BOOST_TEST(ids_of(j.validate()) == "kftrain.train.runtime@spec.runtimeRef");
}

BOOST_AUTO_TEST_CASE(likely_mistakes_are_reported) {
    std::set<std::string> reported;
    auto const check = [&](any_job const& j, std::string const& expected) {
        BOOST_TEST(ids_of(j.lint()) == expected);
        for (auto const& i : j.lint()) reported.insert(i.rule);
    };
    auto none = job("bert", "{}");
    none.spec.trainer.reset();
    check(resolved(none, runtime("{torch: {}}")), "lint.train.no-trainer@spec.trainer");
    check(resolved(none, runtime("{numNodes: 1}")), "");
    check(resolved(job("bert", "{numNodes: -1}"), runtime("{torch: {}}")), "lint.train.nodes@spec.trainer.numNodes");
    auto const gpus = "resources: {limits: {nvidia.com/gpu: 2}}";
    check(resolved(job("bert", "{resourcesPerNode: {limits: {cpu: 8}}}"), runtime("{torch: {}}", gpus)),
          "lint.train.uncounted-gpus@spec.trainer.resourcesPerNode");
    check(resolved(job("bert", "{resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}"), runtime("{torch: {}}", gpus)), "");
    check(resolved(job("bert", "{env: [{name: A}, {name: JAX_PROCESS_ID, value: '0'}]}"), runtime("{jax: {}}")),
          "lint.train.jax-environment@spec.trainer.env[1]");
    check(resolved(job("bert", "{command: [python3]}"), runtime("{torch: {}}", "args: [train.py, -v]")),
          "lint.train.kept-args@spec.trainer.command");
    check(resolved(job("bert", "{}"), runtime("{torch: {}}", "ports: [{containerPort: 1}, {containerPort: 2}]")),
          "lint.train.ports@spec.runtimeRef");
    auto r = *runtime("{torch: {}}").get_if<trainer::cluster_training_runtime>();
    r.spec.template_.spec.network.emplace().subdomain = "own";
    check(resolved(job("bert", "{}"), any_object(r)), "lint.train.subdomain@spec.runtimeRef");
    check(resolved(job(std::string(49, 'a'), "{}"), runtime("{torch: {}}")), "lint.train.name@metadata.name");
    auto waiting = job("bert", "{}");
    waiting.spec.suspend = true;
    waiting.spec.managed_by = "kueue.x-k8s.io/multikueue";
    check(any_job(waiting), "lint.train.suspended@spec.suspend lint.train.managed-by@spec.managedBy");
    for (auto const& rule : job_rules_for<train_job>().lint_rules())
        BOOST_TEST(reported.contains(std::string(rule.id)), rule.id);
}

BOOST_AUTO_TEST_CASE(a_job_is_suspended_by_a_patch_and_not_scaled) {
    auto const j = resolved(job("bert", "{}"), runtime("{torch: {}}"));
    auto const patch = prepared_job::stored(j).suspended(true);
    BOOST_TEST_REQUIRE(patch.has_value());
    BOOST_TEST(std::get<rules::patch>(*patch).text == R"({"spec":{"suspend":true}})");
    BOOST_TEST(prepared_job::stored(j).scaled("node", 3).has_error());
    BOOST_TEST(!j.scaling().refused.empty());
}

BOOST_AUTO_TEST_CASE(the_kinds_that_are_installed_with_the_jobs_are_known) {
    std::set<std::string> kinds;
    for (auto const& c : job_rules_for<train_job>().form().companions) {
        kinds.insert(std::string(c.type->info->kind));
        BOOST_TEST(!c.schema().empty(), c.type->info->kind);
    }
    BOOST_TEST((kinds == std::set<std::string>{"ClusterTrainingRuntime", "JobSet", "TrainingRuntime"}));
    for (auto const& o : trainer::installed_runtimes())
        BOOST_TEST(trainer::validate(o.get_if<trainer::cluster_training_runtime>()->spec).empty(), o.metadata().name);
}

BOOST_AUTO_TEST_SUITE_END()
