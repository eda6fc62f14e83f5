#include "kinds/pytorch_job_v1alpha1/kind.hpp"
#include "unit/kinds/pytorch_job_v1alpha1/sample.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/pytorch_job_v1alpha1_builder.hpp>
#include <kftrain/model/codec.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_v1alpha1)

using namespace pytorch_v1alpha1;

namespace {

std::string env_of(core::pod const& p, std::string_view name) {
    std::string value = "none";
    for (auto const& e : p.spec.containers.front().env)
        if (e.name == name) value = e.value;
    return value;
}

first_job complete(first_job j) {
    v1alpha1::set_defaults(j);
    return j;
}

/// The texts of the faults of a job with defaults.
lines faults(first_job const& j) {
    lines all;
    for (auto const& i : v1alpha1::validate(complete(j))) all.push_back(i.message);
    return all;
}

/// `rule | message` of each finding.
lines linted(first_job const& j) {
    issues found;
    v1alpha1::lint(j, complete(j), found);
    lines all;
    for (auto const& i : found)
        all.push_back(i.rule.substr(std::string("lint.pytorch-v1alpha1.").size()) + " | " + i.message);
    return all;
}

std::string why(result<first_job> const& r) { return r ? "built" : r.error().to_string(); }

} // namespace

// Expected: pods and services recorded from pytorch-operator v0.3.0, in the case render-basic and its like.
BOOST_AUTO_TEST_CASE(pods_get_the_addresses_of_the_others) {
    first_job j = complete(job("pt", 2));
    j.spec.runtime_id = "ab12";
    j.spec.scheduler_name = "mine";
    auto const all = v1alpha1::pytorch::render(j);
    BOOST_TEST_REQUIRE(all.size() == 6U);
    BOOST_TEST(all[0].metadata().name == "pt-master-ab12-0");
    BOOST_TEST(all[2].metadata().name == "pt-worker-ab12-0");
    auto const& service = *all[3].get_if<core::service>();
    BOOST_TEST(service.metadata.name == "pt-worker-ab12-1");
    BOOST_TEST(service.spec.ports.at(0).name == "tf-port");
    BOOST_TEST(service.spec.ports.at(0).port == 23456);
    BOOST_TEST((service.spec.selector == service.metadata.labels));
    auto const& master = *all[1].get_if<core::pod>();
    auto const& last = *all[5].get_if<core::pod>();
    BOOST_TEST(master.metadata.name == "pt-master-ab12-0-00000");
    BOOST_TEST(last.metadata.name == "pt-worker-ab12-2-00000");
    BOOST_TEST(last.spec.scheduler_name == "mine");
    BOOST_TEST(env_of(master, "MASTER_ADDR") == "localhost");
    BOOST_TEST(env_of(last, "MASTER_ADDR") == "pt-master-ab12-0");
    BOOST_TEST(env_of(last, "MASTER_PORT") == "23456");
    BOOST_TEST(env_of(last, "WORLD_SIZE") == "3");
    BOOST_TEST(env_of(last, "RANK") == "2");
    BOOST_TEST(env_of(last, "PYTHONUNBUFFERED") == "0");
    BOOST_TEST(env_of(last, "TF_CONFIG") ==
               R"({"cluster":{"master":["pt-master-ab12-0:23456"],"worker":["pt-worker-ab12-0:23456",)"
               R"("pt-worker-ab12-1:23456"]},"task":{"type":"worker","index":2},"environment":"cloud"})");
}

BOOST_AUTO_TEST_CASE(names_are_truncated_and_runtime_ids_are_unique) {
    first_job j = job(std::string(50, 'a'), 0);
    j.spec.runtime_id = "x";
    BOOST_TEST(v1alpha1::pytorch::child_name(j, "MASTER", 0) == std::string(40, 'a') + "-master-x-0");
    j.spec.runtime_id = "";
    auto const id = v1alpha1::pytorch::runtime_id_of(j);
    BOOST_TEST(id.size() == 4U);
    BOOST_TEST(v1alpha1::pytorch::runtime_id_of(j) == id);
    j.metadata.uid = "another";
    BOOST_TEST(v1alpha1::pytorch::runtime_id_of(j) != id);
}

// Expected: the messages of upstream's pkg/apis/pytorch/validation/validation.go, as recorded.
BOOST_AUTO_TEST_CASE(validation_messages_equal_upstream) {
    BOOST_TEST(faults(job("pt", 2)) == lines{});
    first_job j = job("pt", 0);
    j.spec.termination_policy.emplace().master.emplace().replica_name = "WORKER";
    BOOST_TEST(faults(j) == lines{"Missing ReplicaSpec for master: WORKER"});
    j = job("pt", 0);
    j.spec.replica_specs[0].replica_type = "PS";
    BOOST_TEST(faults(j) == (lines{"tfReplicaSpec.PyTorchReplicaType is PS but must be one of [MASTER WORKER]",
                                   "Missing ReplicaSpec for master: MASTER"}));
    j = job("pt", 0);
    j.spec.replica_specs[0].replicas = 2;
    BOOST_TEST(faults(j) == lines{"The MASTER must have Replicas = 1"});
    j = job("pt", 0);
    j.spec.replica_specs[0].template_ = {};
    BOOST_TEST(faults(j) == lines{"Replica is missing Template; {\n  \"replicas\": 1,\n  \"masterPort\": 23456,\n  "
                                  "\"replicaType\": \"MASTER\"\n}"});
    j = job("pt", 10'001);
    BOOST_TEST(faults(j) == lines{"spec.replicaSpecs[1].replicas: 10001 replicas exceed the limit of kftrain, 10000"});
    BOOST_TEST(faults(job("pt", 5'000)) == lines{});
    BOOST_TEST(faults(job("pt", 6'000)) == lines{"spec.replicaSpecs: 6001 replicas, whose environments list the names "
                                                 "of all replicas, take more than 2048 MiB of environment"});
}

// The operator asks for these of each stored job, before anybody has looked whether it is valid.
BOOST_AUTO_TEST_CASE(sets_of_unknown_types_have_no_replicas) {
    std::vector<v1alpha1::pytorch_replica_spec> sets{replicas("MASTER", 1)};
    for (int i = 0; i < 100; ++i) sets.push_back(replicas("T" + std::to_string(i), 10'000));
    BOOST_TEST(v1alpha1::pytorch::replicas_of(sets).size() == 1U);
}

// The operator draws the id, which is part of names.
BOOST_AUTO_TEST_CASE(findings_do_not_depend_on_the_runtime_id) {
    auto const found = [](std::string const& uid) {
        first_job j = job("pt", 1);
        j.spec.runtime_id = "";
        j.metadata.uid = uid;
        j.spec.replica_specs[1].template_->spec.containers[0].env.emplace_back("MASTER_ADDR", "a");
        std::string text;
        for (auto const& i : any_job(j).lint()) text += i.message + "\n";
        return text;
    };
    BOOST_TEST(found("u1").find("\"pt-master-xxxx-0\"") != std::string::npos, found("u1"));
    BOOST_TEST(found("u1") == found("u2"));
}

BOOST_AUTO_TEST_CASE(the_type_may_be_spelled_as_in_the_proposal) {
    first_job j = job("pt", 1);
    j.spec.replica_specs[1].replica_type = "";
    j.spec.replica_specs[1].pytorch_replica_type = "WORKER";
    v1alpha1::set_defaults(j);
    BOOST_TEST(j.spec.replica_specs[1].replica_type == "WORKER");
}

// Expected: the pods that the proposal of pytorch-operator shows for a manifest like this; names as v0.3.0 makes them.
BOOST_AUTO_TEST_CASE(a_manifest_of_the_proposal_becomes_the_pods_that_it_shows) {
    auto read = from_yaml<first_job>(R"(
apiVersion: kubeflow.org/v1alpha1
kind: PyTorchJob
metadata: {name: example-job}
spec:
  RuntimeId: ab12
  backend: gloo
  masterPort: "23456"
  replicaSpecs:
  - replicas: 1
    pytorchReplicaType: MASTER
    template: {spec: {restartPolicy: OnFailure, containers: [{name: pytorch, image: i}]}}
  - replicas: 2
    pytorchReplicaType: WORKER
    template: {spec: {restartPolicy: OnFailure, containers: [{name: pytorch, image: i}]}}
)");
    BOOST_TEST_REQUIRE(read.has_value());
    first_job j = complete(*read);
    BOOST_TEST(faults(j) == lines{});
    int rank = 0;
    for (auto const& child : any_job(j).render()) {
        auto const* p = child.get_if<core::pod>();
        if (p == nullptr) continue;
        BOOST_TEST(env_of(*p, "MASTER_PORT") == "23456", rank);
        BOOST_TEST(env_of(*p, "MASTER_ADDR") == (rank == 0 ? "localhost" : "example-job-master-ab12-0"), rank);
        BOOST_TEST(env_of(*p, "WORLD_SIZE") == "3", rank);
        BOOST_TEST(env_of(*p, "RANK") == std::to_string(rank), rank);
        ++rank;
    }
    BOOST_TEST(rank == 3);
    j.spec.replica_specs[1].template_->spec.containers[0].name = "worker"; // as it is called there
    BOOST_TEST(faults(j) == lines{"Replica type WORKER is missing a container named pytorch"});
}

// Expected: accelerators/accelerator-limit.
BOOST_AUTO_TEST_CASE(devices_add_volumes_and_variables) {
    auto const options = v1alpha1::read_controller_config(R"(
accelerators:
  nvidia.com/gpu:
    volumes: [{name: lib, hostPath: /usr/lib/nvidia, mountPath: /usr/local/nvidia}]
    envVars: [{name: LD_LIBRARY_PATH, value: /usr/local/nvidia}]
)");
    BOOST_TEST_REQUIRE(options.has_value());
    first_job j = job("pt", 1);
    j.spec.replica_specs[0].template_->spec.containers[0].resources.limits["nvidia.com/gpu"] = quantity("1");
    v1alpha1::pytorch::add_accelerators(j.spec, *options);
    auto const& pod = j.spec.replica_specs[0].template_->spec;
    BOOST_TEST(pod.volumes.at(0).host_path->path == "/usr/lib/nvidia");
    BOOST_TEST(pod.containers.at(0).volume_mounts.at(0).mount_path == "/usr/local/nvidia");
    BOOST_TEST(pod.containers.at(0).env.at(0).name == "LD_LIBRARY_PATH");
    BOOST_TEST(j.spec.replica_specs[1].template_->spec.volumes.empty());
    BOOST_TEST(v1alpha1::read_controller_config("accelerators: 1").has_error());
}

BOOST_AUTO_TEST_CASE(lint_reports_likely_mistakes) {
    BOOST_TEST(linted(job("pt", 2)) == lines{});
    first_job j = job("pt", 2);
    auto& policy = j.spec.termination_policy.emplace().master.emplace();
    policy.replica_name = "WORKER";
    BOOST_TEST(linted(j) == lines{"first-worker | spec.terminationPolicy.master.replicaRank: 0 is the rank of the "
                                  "MASTER, expected 1"});
    policy.replica_rank = 3;
    BOOST_TEST(linted(j) == lines{"termination | spec.terminationPolicy.master.replicaRank: 3, expected the rank of "
                                  "one of the 2 replicas of type WORKER"});
    j = job("pt", 2);
    j.spec.backend = "gloo";
    j.spec.replica_specs[1].master_port = 1;
    j.spec.replica_specs[0].template_->spec.scheduler_name = "mine";
    j.spec.replica_specs[0].template_->spec.containers[0].env.emplace_back("RANK", "7");
    j.spec.replica_specs.push_back(replicas("WORKER", 1));
    lines rules;
    for (auto const& line : linted(j)) rules.push_back(line.substr(0, line.find(' ')));
    BOOST_TEST(rules == (lines{"ignored-field", "port", "same-type", "template-scheduler", "reserved-environment"}),
               boost::test_tools::per_element());
    BOOST_TEST(linted(job("4pt", 0)).front().starts_with("child-name | metadata.name: creates the service name"));
    std::set<std::string_view> ids;
    for (auto const& r : v1alpha1::pytorch_lint_rules()) {
        BOOST_TEST(ids.insert(r.id).second, r.id);
        BOOST_TEST(r.reason.ends_with('.'), r.id);
    }
}

BOOST_AUTO_TEST_CASE(members_are_matched_by_labels) {
    any_job const any(job("pt", 2));
    auto const layout = any.members();
    BOOST_TEST_REQUIRE(layout.members.size() == 3U);
    BOOST_TEST(layout.world_size.value() == 3);
    for (auto const& child : any.render())
        if (auto const* p = child.get_if<core::pod>()) {
            auto const* m = layout.of(p->metadata);
            BOOST_TEST_REQUIRE((m != nullptr));
            BOOST_TEST(env_of(*p, "RANK") == std::to_string(m->rank.value()));
        }
    BOOST_TEST(!any.scaling().refused.empty());
    BOOST_TEST(!any.suspending().refused.empty());
}

BOOST_AUTO_TEST_CASE(members_of_a_job_with_dots_in_its_name_are_found_by_host) {
    first_job j = job("a.b", 2);
    j.spec.runtime_id = "x";
    member_lookup const of{any_job(j)};
    for (auto const& m : of.layout().members)
        for (auto const& host : {m.host_name(), of.address_of(m), of.address_of(m) + ".cluster.local"})
            BOOST_TEST((of.of_host(host) && *of.of_host(host) == m), host);
    BOOST_TEST(of.of_host("a.b").has_error());
    BOOST_TEST(of.of_host(".").has_error());
    BOOST_TEST(of.of_host(of.address_of(of.layout().members[0]) + std::string(300, '.')).has_error());
}

BOOST_AUTO_TEST_CASE(the_builder_makes_a_job) {
    auto const built = v1alpha1::pytorch_job_builder("mnist")
                           .in("team-a")
                           .label("team", "a")
                           .annotation("note", "x")
                           .image("registry/mnist:1")
                           .workers(3, [](pod_settings& pod) { pod.cpu("1"); })
                           .runtime_id("ab12")
                           .master_port(29500)
                           .scheduler("mine")
                           .build();
    BOOST_TEST_REQUIRE(built.has_value(), why(built));
    BOOST_TEST(to_yaml(*built) == to_yaml(from_yaml<first_job>(R"(
apiVersion: kubeflow.org/v1alpha1
kind: PyTorchJob
metadata: {name: mnist, namespace: team-a, labels: {team: a}, annotations: {note: x}}
spec:
  RuntimeId: ab12
  schedulerName: mine
  replicaSpecs:
  - replicaType: MASTER
    replicas: 1
    masterPort: 29500
    template: {spec: {containers: [{name: pytorch, image: "registry/mnist:1"}]}}
  - replicaType: WORKER
    replicas: 3
    masterPort: 29500
    template:
      spec:
        containers:
        - name: pytorch
          image: registry/mnist:1
          resources: {limits: {cpu: "1"}, requests: {cpu: "1"}}
)")
                                              .value()));
    auto const exit_code = v1alpha1::pytorch_job_builder("mnist").image("i").restart_policy(restart::exit_code).build();
    BOOST_TEST(why(exit_code).find("\"ExitCode\", expected Always, OnFailure or Never") != std::string::npos);
    BOOST_TEST(why(v1alpha1::pytorch_job_builder("4").image("i").build()).find("creates the service name") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
