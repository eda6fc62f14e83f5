#include "unit/kinds/chainer_job/sample.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/job/training_job.hpp>
#include <kftrain/kinds/chainer_job_builder.hpp>
#include <kftrain/model/codec.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(kinds_chainer_job)

using namespace chainer_sample;

namespace {

/// `rule | message` of each finding.
lines linted(chainer_job const& j) {
    issues found;
    v1alpha1::lint(j, complete(j), found);
    lines all;
    for (auto const& i : found) all.push_back(i.rule.substr(std::string("lint.chainer.").size()) + " | " + i.message);
    return all;
}

std::string why(result<chainer_job> const& r) { return r ? "built" : r.error().to_string(); }

} // namespace

// Expected: objects recorded from chainer-operator, its last state, in the case two-sets and its like.
BOOST_AUTO_TEST_CASE(the_master_has_permission_to_exec_into_workers) {
    auto const j = complete(job("ch", {{"a", 1}, {"b", 2}}));
    auto const role = chainer::render_role(j);
    BOOST_TEST_REQUIRE(role.rules.size() == 3U);
    BOOST_TEST(role.rules[0].resource_names == (lines{"ch-workerset-a", "ch-workerset-b"}));
    BOOST_TEST(role.rules[2].resources == lines{"pods/exec"});
    BOOST_TEST(role.rules[2].verbs == lines{"create"});
    BOOST_TEST(role.rules[2].resource_names == (lines{"ch-workerset-a-0", "ch-workerset-b-0", "ch-workerset-b-1"}));
    auto const binding = chainer::render_binding(j);
    BOOST_TEST(binding.role_ref.name == "ch-launcher-role");
    BOOST_TEST(binding.subjects.at(0).name == "ch-launcher");
    auto const map = chainer::render_config_map(j);
    BOOST_TEST(map.data.at("statefulsets_and_slots") == "ch-workerset-a slots=1\nch-workerset-b slots=1\n");
    for (auto const* script : {"download_kubectl.sh", "kubexeb.sh", "gen_hostfile.sh"})
        BOOST_TEST(map.data.at(script).starts_with("#!/bin/sh\n"), script);
}

BOOST_AUTO_TEST_CASE(pods_mount_scripts_and_kubectl) {
    auto const j = complete(job("ch", {{"a", 2}}));
    auto const master = chainer::render_master_pod(j);
    BOOST_TEST(master.spec.service_account_name == "ch-launcher");
    BOOST_TEST(master.spec.init_containers.size() == 2U);
    BOOST_TEST(master.spec.init_containers.at(1).args.at(2) == "slots=1");
    BOOST_TEST(master.spec.volumes.size() == 3U);
    BOOST_TEST(master.spec.containers.at(0).volume_mounts.size() == 3U);
    auto const& env = master.spec.containers.at(0).env;
    BOOST_TEST_REQUIRE(env.size() == 5U);
    BOOST_TEST(env[1].name == "OMPI_MCA_plm_rsh_agent");
    BOOST_TEST(env[1].value == "/kubeflow/chainer-operator/assets/kubexeb.sh");
    auto const set = chainer::render_set(j, "a", false);
    BOOST_TEST(set.spec.replicas.value() == 2);
    BOOST_TEST(set.spec.service_name == "ch-workerset-a");
    BOOST_TEST(set.spec.pod_management_policy == "Parallel");
    BOOST_TEST((set.spec.selector->match_labels == set.spec.template_.metadata.labels));
    BOOST_TEST(set.spec.template_.spec.init_containers.size() == 1U);
    BOOST_TEST(chainer::render_set(j, "a", true).spec.replicas.value() == 0);
    auto const alone = chainer::render_master_pod(complete(job("ch", {})));
    BOOST_TEST(alone.spec.volumes.empty());
    BOOST_TEST(alone.spec.containers.at(0).env.empty());
}

// defaults-gpu, defaults-gpu-other-container, defaults-unnamed, defaults-two-unnamed
BOOST_AUTO_TEST_CASE(slots_are_the_gpus_of_the_named_container) {
    chainer_job j = job("ch", {{"a", 1}});
    j.spec.master.template_ = pod_template("");
    j.spec.master.template_.spec.containers[0].resources.limits["nvidia.com/gpu"] = quantity("2");
    auto& other = j.spec.worker_sets["other"].template_;
    other = pod_template("trainer");
    other.spec.containers[0].resources.limits["nvidia.com/gpu"] = quantity("3");
    j.spec.worker_sets["a"].template_.spec.containers[0].resources.requests["nvidia.com/gpu"] = quantity("4");
    v1alpha1::set_defaults(j);
    BOOST_TEST(j.spec.master.template_.spec.containers[0].name == "chainer");
    BOOST_TEST(j.spec.master.mpi_config->slots.value() == 2);
    BOOST_TEST(j.spec.worker_sets.at("other").mpi_config->slots.value() == 1);
    BOOST_TEST(j.spec.worker_sets.at("other").replicas.value() == 1);
    BOOST_TEST(j.spec.worker_sets.at("a").mpi_config->slots.value() == 1);
    j.spec.master.template_.spec.containers.clear();
    j.spec.master.template_.spec.containers.resize(2);
    v1alpha1::set_defaults(j);
    BOOST_TEST(j.spec.master.template_.spec.containers[0].name == "");
}

BOOST_AUTO_TEST_CASE(members_equal_the_lines_of_the_hostfile) {
    chainer_job j = job("ch", {{"a", 1}, {"b", 2}});
    auto layout = any_job(j).members();
    BOOST_TEST_REQUIRE(layout.members.size() == 4U);
    BOOST_TEST(layout.world_size.value() == 4);
    BOOST_TEST(layout.processes_per_member.value() == 1);
    BOOST_TEST(layout.members[0].rank.value() == 0); // Open MPI 4.1.4 begins with the machine of mpiexec
    BOOST_TEST(layout.find("ch-workerset-b-1")->rank.value() == 3);
    j.spec.worker_sets["b"].mpi_config.emplace().slots = 2;
    BOOST_TEST(!any_job(j).members().processes_per_member.has_value());
    layout = any_job(job("ch", {})).members();
    BOOST_TEST(layout.members.size() == 1U);
    BOOST_TEST(layout.rank_note == "");
}

BOOST_AUTO_TEST_CASE(each_worker_set_is_scaled_separately) {
    chainer_job j = job("ch", {{"a", 1}, {"b", 2}});
    auto const places = any_job(j).scaling().places;
    BOOST_TEST_REQUIRE(places.size() == 2U);
    BOOST_TEST(places[1].role == "b");
    BOOST_TEST(places[1].now == 2);
    auto const scaled = prepared_job::stored(j).scaled("b", 5);
    BOOST_TEST_REQUIRE(scaled.has_value());
    BOOST_TEST(std::get<rules::patch>(*scaled).text == R"({"spec":{"workerSets":{"b":{"replicas":5}}}})");
    BOOST_TEST(prepared_job::stored(j).scaled("c", 5).has_error());
    auto& c = j.status.conditions.emplace_back();
    c.type = "Failed";
    c.status = "True";
    BOOST_TEST(any_job(j).scaling().refused == "the job is finished");
    BOOST_TEST(any_job(job("ch", {})).scaling().refused == "the job has no workers");
    BOOST_TEST(!any_job(j).suspending().refused.empty());
}

BOOST_AUTO_TEST_CASE(lint_reports_likely_mistakes) {
    BOOST_TEST(linted(job("ch", {{"a", 2}})) == lines{});
    BOOST_TEST(linted(job("ch", {})) == lines{});
    chainer_job j = job("ch", {{"a", 0}});
    j.spec.master.template_.spec.restart_policy = "Always";
    j.spec.worker_sets["b"].template_ = pod_template("trainer");
    j.spec.worker_sets["b"].template_.spec.restart_policy = "Never";
    j.spec.worker_sets["b"].template_.metadata.labels["chainerjob.kubeflow.org/role"] = "x";
    j.spec.worker_sets["a"].template_.spec.service_account_name = "mine";
    j.spec.worker_sets["a"].template_.spec.containers[0].command.clear();
    j.spec.worker_sets["a"].template_.spec.containers[0].env.emplace_back("KUBECTL_DIR", "x");
    j.spec.worker_sets["a"].mpi_config.emplace().slots = 0;
    std::set<std::string> rules;
    for (auto const& line : linted(j)) rules.insert(line.substr(0, line.find(' ')));
    for (auto const* id : {"slots", "master-restart-policy", "worker-restart-policy", "main-container",
                           "reserved-label", "service-account", "worker-command", "reserved-environment"})
        BOOST_TEST(rules.contains(id), id);
    BOOST_TEST(linted(job("ch", {{"a", 0}})) ==
               lines{"no-workers | spec.workerSets: has no replicas, expected at least one"});
    BOOST_TEST(linted(job(std::string(52, 'a'), {{"a", 1}})).size() == 1U);
    std::set<std::string_view> ids;
    for (auto const& r : v1alpha1::chainer_lint_rules()) {
        BOOST_TEST(ids.insert(r.id).second, r.id);
        BOOST_TEST(r.reason.ends_with('.'), r.id);
    }
}

BOOST_AUTO_TEST_CASE(too_large_replica_numbers_are_rejected) {
    auto const fault = [](std::int32_t n) {
        auto const found = v1alpha1::validate(job("ch", {{"a", n}}));
        return found.empty() ? "" : found.back().message;
    };
    chainer_job j = complete(job("ch", {{"a", 100'001}}));
    BOOST_TEST(v1alpha1::validate(j).size() == 1U);
    BOOST_TEST(fault(-1) == "spec.workerSets[a].replicas: -1 replicas, expected 0 or more");
    BOOST_TEST(v1alpha1::validate(complete(job("ch", {{"a", 60'000}, {"b", 40'000}}))).empty());
    auto const all = v1alpha1::validate(complete(job("ch", {{"a", 60'000}, {"b", 40'001}})));
    BOOST_TEST_REQUIRE(all.size() == 1U);
    BOOST_TEST(all[0].message == "spec.workerSets: 100001 replicas exceed the limit of kftrain, 100000");
    BOOST_TEST(any_job(job("ch", {{"a", 60'000}, {"b", 1}})).scaling().places[1].most.value() == 40'000);
}

BOOST_AUTO_TEST_CASE(the_builder_makes_a_job) {
    auto const built = chainer_job_builder("mnist")
                           .in("team-a")
                           .label("team", "a")
                           .annotation("note", "x")
                           .image("registry/chainermn:1")
                           .command({"mpiexec", "-n", "3", "/train"})
                           .workers("a", 2)
                           .slots(1)
                           .backoff_limit(2)
                           .deadline(std::chrono::hours(1))
                           .build();
    BOOST_TEST_REQUIRE(built.has_value(), why(built));
    BOOST_TEST(to_yaml(*built) == to_yaml(from_yaml<chainer_job>(R"(
apiVersion: kubeflow.org/v1alpha1
kind: ChainerJob
metadata: {name: mnist, namespace: team-a, labels: {team: a}, annotations: {note: x}}
spec:
  master:
    activeDeadlineSeconds: 3600
    backoffLimit: 2
    mpiConfig: {slots: 1}
    template: {spec: {containers: [{name: chainer, image: "registry/chainermn:1",
                                    command: [mpiexec, "-n", "3", /train]}]}}
  workerSets:
    a:
      replicas: 2
      mpiConfig: {slots: 1}
      template: {spec: {containers: [{name: chainer, image: "registry/chainermn:1",
                                      command: [/bin/sh, -c, "while true; do sleep 60 & wait; done"]}]}}
)")
                                              .value()));
    BOOST_TEST(why(chainer_job_builder("mnist").image("i").workers("A_", 1).build()).find("spec.workerSets[A_]") !=
               std::string::npos);
    BOOST_TEST(why(chainer_job_builder("mnist").image("i").workers("a", 5'000'000'000).build())
                   .starts_with("spec.workerSets[a].replicas: 5000000000, expected a 32-bit integer"));
}

BOOST_AUTO_TEST_SUITE_END()
