#include "unit/kinds/mpi_job_v2beta1/cluster.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_plan)

using namespace mpi_sample;

// Expected: requests, events and statuses recorded from mpi-operator v0.8.0 in the case that is named.
namespace {

std::string created(std::string const& name) { return "Normal MPIJobCreated: MPIJob corpus/" + name + " is created."; }
std::string already_exists_event(std::string const& name, std::string const& kind = "") {
    return "Warning ErrResourceExists: Resource \"" + name + "\" of Kind \"" + kind +
           "\" already exists and is not managed by MPIJob";
}

} // namespace

BOOST_AUTO_TEST_CASE(everything_is_created_in_one_pass) {
    cluster c(job("em", "corpus", 2));
    BOOST_TEST(c.pass(0) ==
                   (lines{created("em"), "create Service em", "create ConfigMap em-config", "create Secret em-ssh",
                          "create Pod em-worker-0", "create Pod em-worker-1", "create Job em-launcher", "status"}),
               boost::test_tools::per_element());
    BOOST_TEST(c.conditions() == lines{"Created=True/MPIJobCreated"});
    BOOST_TEST(c.counts() == "Launcher{}Worker{}");
    BOOST_TEST((c.job.status.start_time == at(0)));
    BOOST_TEST(c.pass(1) == lines{});
}

BOOST_AUTO_TEST_CASE(pods_of_one_type_are_created_concurrently) {
    auto const p = make_plan(prepared_job::stored(job("em", "corpus", 3)), {}, at(0), {});
    std::size_t together = 0;
    for (auto const& s : p.steps)
        if (s.side_by_side && s.actions.size() == 3) ++together;
    BOOST_TEST(together == 1U);
    BOOST_TEST(!p.requeue_at.has_value()); // deadline and time to live are the Job controller's
}

BOOST_AUTO_TEST_CASE(the_secret_has_a_recipe_for_its_keys) {
    auto const p = make_plan(prepared_job::stored(job("em", "corpus", 1)), {}, at(0), {});
    std::vector<rules::recipe> made;
    for (auto const& s : p.steps)
        for (auto const& a : s.actions)
            if (auto const* c = std::get_if<rules::create>(&a); c != nullptr && c->object.is<core::secret>()) {
                made = c->made;
                BOOST_TEST(c->object.get_if<core::secret>()->data.empty());
            }
    BOOST_TEST_REQUIRE(made.size() == 1U);
    BOOST_TEST((std::get<rules::ssh_key>(made[0].what).kind == rules::ssh_key::algorithm::ecdsa_p521));
    rules::key_texts keys;
    keys.private_pem = "private";
    keys.public_line = "public\n";
    auto const filled = made[0].filled(render_secret(job("em", "corpus", 1)), keys, 0);
    auto const& data = filled.get_if<core::secret>()->data;
    BOOST_TEST(data.at("ssh-privatekey").data == "private");
    BOOST_TEST(data.at("ssh-publickey").data == "public\n");
    BOOST_TEST(data.size() == 2U);
}

BOOST_AUTO_TEST_CASE(jobs_of_other_managers_and_deleted_jobs_are_not_reconciled) {
    mpi_job j = job("em", "corpus", 1); // managed-externally, refused-bad-managed-by
    for (auto manager : {"kueue.x-k8s.io/multikueue", "someone"}) {
        j.spec.run_policy.managed_by = manager;
        BOOST_TEST(cluster(j).pass(0) == lines{});
    }
    j.spec.run_policy.managed_by = "kubeflow.org/mpi-operator"; // managed-by-self
    BOOST_TEST(cluster(j).pass(0).size() == 7U);
    j.metadata.deletion_timestamp = at(0);
    BOOST_TEST(cluster(j).pass(0) == lines{});
}

BOOST_AUTO_TEST_CASE(invalid_jobs_get_an_event_and_are_not_reconciled) {
    cluster c(job("sz", "corpus", 2)); // scale-to-zero
    c.pass(0);
    c.run_worker("sz-worker-0");
    c.pass(1);
    c.job.spec.mpi_replica_specs["Worker"].replicas = 0;
    BOOST_TEST(c.pass(2) ==
               lines{"Warning ValidationError: Found validation errors: spec.mpiReplicaSpecs[Worker].replicas: "
                     "Invalid value: 0: must be greater than or equal to 1"});
    c.job.spec.mpi_replica_specs["Worker"].replicas = 1;
    BOOST_TEST(c.pass(3) == (lines{"replace ConfigMap sz-config", "remove Pod sz-worker-1"}));

    mpi_job j = job("a", "corpus", 0); // a stored map is there, be it empty
    j.spec.mpi_replica_specs.clear();
    BOOST_TEST(cluster(j).pass(0).front().ends_with(
        "spec.mpiReplicaSpecs[Launcher]: Required value: must have Launcher replica spec"));
}

BOOST_AUTO_TEST_CASE(objects_of_other_owners_block_the_job) {
    cluster c(job("fw", "corpus", 3)); // foreign-worker, there of the first worker
    core::pod foreign;
    foreign.metadata.name = "fw-worker-1";
    foreign.metadata.uid = "u";
    c.world.workers.push_back(std::make_shared<core::pod const>(foreign));
    BOOST_TEST(c.pass(0) ==
               (lines{created("fw"), "create Service fw", "create ConfigMap fw-config", "create Secret fw-ssh",
                      "create Pod fw-worker-0", already_exists_event("fw-worker-1")}));
    BOOST_TEST(c.job.status.conditions.empty());

    auto const foreign_in = [](auto put, mpi_operator_options const& options = {}) {
        cluster other(job("fw", "corpus", 1), options);
        put(other.world);
        return other.pass(0).back();
    };
    BOOST_TEST(foreign_in([](mpi_world& w) {
                   batch::job x;
                   x.metadata.name = "fw-launcher";
                   w.launcher = std::make_shared<batch::job const>(x);
               }) == already_exists_event("fw-launcher"));
    BOOST_TEST(foreign_in([](mpi_world& w) {
                   core::service x;
                   x.metadata.name = "fw";
                   w.service = std::make_shared<core::service const>(x);
               }) == already_exists_event("fw"));
    BOOST_TEST(foreign_in([](mpi_world& w) {
                   core::config_map x;
                   x.metadata.name = "fw-config";
                   w.config_map = std::make_shared<core::config_map const>(x);
               }) == already_exists_event("fw-config"));
    BOOST_TEST(foreign_in([](mpi_world& w) {
                   core::secret x;
                   x.metadata.name = "fw-ssh";
                   w.secret = std::make_shared<core::secret const>(x);
               }) == already_exists_event("fw-ssh"));
    mpi_operator_options gang;
    gang.gang_scheduling = "volcano";
    BOOST_TEST(foreign_in(
                   [&](mpi_world& w) {
                       mpi_job j = complete(job("fw", "corpus", 1));
                       j.metadata.uid = "of another";
                       w.pod_group = render_pod_group(j, {}, gang);
                   },
                   gang) == already_exists_event("fw", "PodGroup"));
}

BOOST_AUTO_TEST_CASE(changed_children_are_restored) {
    cluster c(job("drift", "corpus", 2)); // drift
    c.pass(0);
    c.run_worker("drift-worker-0");
    BOOST_TEST(c.pass(1) == (lines{"replace ConfigMap drift-config", "status"}));
    BOOST_TEST(c.world.config_map->data.at("discover_hosts.sh") == "#!/bin/sh\necho drift-worker-0.drift.corpus.svc\n");

    core::config_map edited = *c.world.config_map;
    edited.data["hostfile"] = "x";
    edited.data["extra"] = "y";
    edited.metadata.labels["theirs"] = "stays";
    c.world.config_map = std::make_shared<core::config_map const>(edited);
    BOOST_TEST(c.pass(2) == lines{"replace ConfigMap drift-config"});
    BOOST_TEST(c.world.config_map->data.size() == 2U);
    BOOST_TEST(c.world.config_map->metadata.labels.contains("theirs"));

    core::service moved = *c.world.service;
    moved.spec.selector = {};
    moved.spec.type = "ClusterIP";
    c.world.service = std::make_shared<core::service const>(moved);
    BOOST_TEST(c.pass(3) == lines{"replace Service drift"});
    BOOST_TEST(c.world.service->spec.selector.size() == 2U);
    BOOST_TEST(c.world.service->spec.type == "ClusterIP");

    core::secret broken = *c.world.secret;
    broken.data.erase("ssh-publickey");
    broken.data["other"] = bytes("x");
    broken.metadata.labels["theirs"] = "stays";
    c.world.secret = std::make_shared<core::secret const>(broken);
    BOOST_TEST(c.pass(4) == lines{"replace Secret drift-ssh"});
    BOOST_TEST(c.world.secret->metadata.uid == broken.metadata.uid);
    BOOST_TEST(c.world.secret->metadata.labels.contains("theirs"));
    BOOST_TEST(c.world.secret->type == "kubernetes.io/ssh-auth");
    BOOST_TEST(!c.world.secret->data.contains("other"));
    BOOST_TEST(c.pass(5) == lines{});
    broken = *c.world.secret;
    broken.data["other"] = bytes("x");
    c.world.secret = std::make_shared<core::secret const>(broken);
    BOOST_TEST(c.pass(5) == lines{"replace Secret drift-ssh"});

    c.world.config_map = nullptr;
    BOOST_TEST(c.pass(6) == lines{"create ConfigMap drift-config"});
    c.job.spec.mpi_replica_specs["Worker"].template_.metadata.labels["new"] = "1"; // pods stay as they are
    BOOST_TEST(c.pass(7) == lines{});
}

BOOST_AUTO_TEST_CASE(addresses_that_are_not_ready_are_published_since_0_7) {
    mpi_job j = job("r", "corpus", 1);
    j.spec.run_launcher_as_worker = true;
    cluster c(j, release(mpi_operator_release::v0_6_0));
    c.pass(0);
    BOOST_TEST(!c.world.service->spec.publish_not_ready_addresses);
    BOOST_TEST(c.pass(1) == lines{});
    c.options = release(mpi_operator_release::v0_7_0);
    BOOST_TEST(c.pass(2) == (lines{"replace Service r"}));
    BOOST_TEST(c.world.service->spec.publish_not_ready_addresses);
    c.options = release(mpi_operator_release::v0_6_0); // does not look at it
    BOOST_TEST(c.pass(3) == lines{});
}

BOOST_AUTO_TEST_CASE(launchers_wait_for_workers_if_the_policy_requires_it) {
    mpi_job j = job("wait", "corpus", 2); // wait-for-workers
    j.spec.launcher_creation_policy = "WaitForWorkersReady";
    cluster c(j);
    c.pass(0);
    BOOST_TEST(c.counts() == "Worker{}");
    c.run_worker("wait-worker-1");
    c.change_worker("wait-worker-0", [](core::pod& p) { p.status.phase = "Running"; });
    c.pass(1);
    BOOST_TEST(c.world.launcher == nullptr);
    BOOST_TEST(c.counts() == R"(Worker{"active":2})");
    c.run_worker("wait-worker-0");
    BOOST_TEST(c.pass(2) == (lines{"create Job wait-launcher", "status"}));
    BOOST_TEST(c.counts() == R"(Launcher{}Worker{"active":2})");
}

BOOST_AUTO_TEST_CASE(overridden_restart_policies_cause_an_event) {
    mpi_job j = job("rich", "corpus", 1); // rich-templates
    for (auto& [type, spec] : j.spec.mpi_replica_specs) spec.template_.spec.restart_policy = "Always";
    auto const reported = cluster(j).pass(0);
    BOOST_TEST(std::ranges::count(reported,
                                  "Warning SetPodTemplateRestartPolicy: Restart policy in pod template overridden by "
                                  "restart policy in replica spec") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
