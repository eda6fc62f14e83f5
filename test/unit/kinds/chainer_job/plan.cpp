#include "unit/kinds/chainer_job/sample.hpp"

#include <kftrain/job/any_job.hpp>

BOOST_AUTO_TEST_SUITE(kinds_chainer_job_plan)

using namespace chainer_sample;

// Expected: requests, events and statuses recorded from chainer-operator, its last state, in the case that is named.
namespace {

std::string const synced = "Normal Synced: ChainerJob synced successfully";

std::string already_exists_event(std::string const& name) {
    return "Warning ErrResourceExists: Resource \"" + name + "\" already exists and is not managed by ChainerJob";
}

void add_condition(batch::job& j, std::string type) {
    auto& c = j.status.conditions.emplace_back();
    c.type = std::move(type);
    c.status = "True";
}

} // namespace

BOOST_AUTO_TEST_CASE(children_are_created_one_by_one) {
    cluster c(job("ch", {{"a", 1}, {"b", 2}}));
    BOOST_TEST(c.pass() == (lines{"create ServiceAccount ch-launcher", "create Role ch-launcher-role",
                                  "create RoleBinding ch-launcher-rolebinding", "create ConfigMap ch-assets",
                                  "create Job ch-master", "create StatefulSet ch-workerset-a",
                                  "create StatefulSet ch-workerset-b", "itself", synced}),
               boost::test_tools::per_element());
    BOOST_TEST(c.job.spec.backend == "mpi");
    BOOST_TEST(c.job.spec.master.template_.spec.restart_policy == "Never");
    BOOST_TEST(c.job.spec.worker_sets.at("b").mpi_config->slots.value() == 1);
    BOOST_TEST(c.pass() == lines{synced});
}

BOOST_AUTO_TEST_CASE(a_master_alone_needs_no_scripts) {
    cluster c(job("ch", {}));
    BOOST_TEST(c.pass() ==
                   (lines{"create ServiceAccount ch-launcher", "create Role ch-launcher-role",
                          "create RoleBinding ch-launcher-rolebinding", "create Job ch-master", "itself", synced}),
               boost::test_tools::per_element());
    BOOST_TEST(c.role->rules.empty());
    BOOST_TEST(c.job.spec.backend == "");
}

BOOST_AUTO_TEST_CASE(the_status_follows_the_batch_job_and_its_end_scales_sets_to_zero) {
    cluster c(job("ch", {{"a", 2}}));
    c.pass();
    c.master->status.active = 1;
    c.master->status.ready = 1;
    c.master->status.start_time = time_point();
    BOOST_TEST(c.pass() == (lines{"status", synced}));
    BOOST_TEST(c.job.status.active == 1);
    BOOST_TEST(!c.job.status.ready.has_value()); // upstream's type has no such field
    BOOST_TEST((any_job(c.job).phase() == job_phase::running));
    c.master->status.active = 0;
    c.master->status.succeeded = 1;
    add_condition(*c.master, "Complete");
    BOOST_TEST(c.pass() == (lines{"replace StatefulSet ch-workerset-a", "status", synced}));
    BOOST_TEST(c.sets.at("ch-workerset-a").spec.replicas.value() == 0);
    BOOST_TEST((any_job(c.job).phase() == job_phase::succeeded));
    BOOST_TEST(c.pass() == lines{synced});
}

BOOST_AUTO_TEST_CASE(the_end_is_reported_even_if_a_set_is_rejected) {
    cluster c(job("ch", {{"a", 2}}));
    c.refused = "ch-workerset-a";
    c.pass();
    c.master->status.active = 1;
    BOOST_TEST(c.pass() == lines()); // case worker-restart-never
    c.master->status.active = 0;
    c.master->status.failed = 1;
    add_condition(*c.master, "Failed");
    BOOST_TEST(c.pass() == lines{"status"});
    BOOST_TEST((any_job(c.job).phase() == job_phase::failed));
}

BOOST_AUTO_TEST_CASE(foreign_changes_are_reverted_and_lost_objects_are_created_again) {
    cluster c(job("ch", {{"a", 1}}));
    c.pass();
    c.role->rules.clear();
    c.role->metadata.labels["theirs"] = "stays";
    c.binding->subjects.clear();
    c.config_map->data["statefulsets_and_slots"] = "";
    c.sets.at("ch-workerset-a").spec.replicas = 7;
    BOOST_TEST(c.pass() == (lines{"replace Role ch-launcher-role", "replace RoleBinding ch-launcher-rolebinding",
                                  "replace ConfigMap ch-assets", "replace StatefulSet ch-workerset-a", synced}),
               boost::test_tools::per_element());
    BOOST_TEST(c.role->metadata.labels.at("theirs") == "stays");
    BOOST_TEST(c.role->rules.size() == 3U);
    c.account->metadata.labels.clear();
    c.master->spec.parallelism = 5; // the operator does not update a Job after its creation
    BOOST_TEST(c.pass() == lines{synced});
    c.role.reset();
    c.master.reset();
    BOOST_TEST(c.pass() == (lines{"create Role ch-launcher-role", "create Job ch-master", synced}));
}

BOOST_AUTO_TEST_CASE(defaults_of_a_server_are_no_difference) {
    chainer_job j = job("ch", {{"a", 1}});
    j.spec.worker_sets["a"].template_.spec.containers[0].ports.emplace_back().container_port_ = 22;
    cluster c(j);
    c.pass();
    auto& spec = c.sets.at("ch-workerset-a").spec;
    spec.update_strategy.type = "RollingUpdate";
    spec.revision_history_limit = 10;
    auto& pod = spec.template_.spec;
    pod.restart_policy = "Always";
    pod.dns_policy = "ClusterFirst";
    pod.scheduler_name = "default-scheduler";
    pod.containers[0].ports[0].protocol = "TCP";
    pod.containers[0].image_pull_policy = "IfNotPresent";
    pod.containers[0].termination_message_path = "/dev/termination-log";
    BOOST_TEST(c.pass() == lines{synced});
    pod.containers[0].image = "other";
    BOOST_TEST(c.pass() == (lines{"replace StatefulSet ch-workerset-a", synced}));
    BOOST_TEST(c.sets.at("ch-workerset-a").spec.template_.spec.containers[0].image == "img");
}

BOOST_AUTO_TEST_CASE(objects_of_other_owners_block_the_job) {
    cluster c(job("ch", {{"a", 1}}));
    c.role.emplace().metadata.name = "ch-launcher-role";
    BOOST_TEST(c.pass() == (lines{"create ServiceAccount ch-launcher", already_exists_event("ch-launcher-role")}));
    BOOST_TEST(c.job.spec.backend == ""); // the job is written after all of its children
    c.role.reset();
    c.sets["ch-workerset-a"].metadata.name = "ch-workerset-a";
    BOOST_TEST(c.pass().back() == already_exists_event("ch-workerset-a"));
}

BOOST_AUTO_TEST_CASE(other_backends_are_refused) {
    chainer_job j = job("ch", {{"a", 1}});
    j.spec.backend = "gloo";
    cluster c(j);
    BOOST_TEST(c.pass() == lines{"Warning FailedSynced: backend:\"gloo\" not supported"});
    c.job.spec.backend = "mpi";
    BOOST_TEST(c.pass().back() == synced);
    j = job("ch", {});
    j.spec.backend = "gloo"; // a master alone does not use the backend
    BOOST_TEST(cluster(j).pass().back() == synced);
}

BOOST_AUTO_TEST_CASE(a_job_is_reconciled_on_changes_only) {
    auto const plan = chainer::make_plan(prepared_job::stored(job("ch", {{"a", 1}})), chainer::chainer_world());
    BOOST_TEST(!plan.requeue_at.has_value());
}

BOOST_AUTO_TEST_CASE(a_deleted_chainer_job_is_not_reconciled) {
    chainer_job j = job("ch", {{"a", 1}});
    j.metadata.deletion_timestamp = time_point();
    BOOST_TEST(cluster(j).pass() == lines{});
}

BOOST_AUTO_TEST_SUITE_END()
