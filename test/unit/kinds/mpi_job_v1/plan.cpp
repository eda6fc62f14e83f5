#include "unit/kinds/mpi_job_v1/sample.hpp"

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v1_plan)

using namespace mpi_v1_sample;

namespace {

/// The texts of the plan that begin so.
lines those(lines const& all, std::string_view start) {
    lines some;
    for (auto const& text : all)
        if (text.starts_with(start)) some.push_back(text);
    return some;
}

/// An object of this name with another owner.
template <class K> any_object foreign(std::string name) {
    K object;
    object.metadata.name = std::move(name);
    object.metadata.namespace_ = "team";
    return any_object(std::move(object));
}

/// The plan of a job without children, if this object of another owner exists.
lines beside(v1_mpi_job const& j, any_object in_the_way) {
    rules::world world;
    world.add("of its name", {std::move(in_the_way)});
    any_job const job(j);
    lines all;
    for (auto const& step : job.rules().make_plan(job.get(), world, nullptr, time_point()).steps)
        for (auto const& action : step.actions) all.push_back(std::visit(teller(), action));
    return all;
}

std::string taken(std::string const& name, std::string const& kind) {
    return "Warning ErrResourceExists: Resource \"" + name + "\" of MPIJobKind \"" + kind +
           "\" already exists and is not managed by MPIJob";
}

} // namespace

BOOST_AUTO_TEST_CASE(the_discovery_script_lists_running_workers_sorted_by_name) {
    auto const j = job(11);
    auto const seen = world_of(j, {{"hvd-worker-3", "Pending"}});
    for (auto const& step : plan_of(any_job(j), seen, time_point()).steps)
        for (auto const& action : step.actions)
            if (auto const* r = std::get_if<rules::replace>(&action)) {
                auto const text = r->object.get_if<core::config_map>()->data.at("discover_hosts.sh");
                BOOST_TEST(text ==
                           "#!/bin/sh\necho hvd-worker-0:1\necho hvd-worker-1:1\necho hvd-worker-10:1\necho "
                           "hvd-worker-2:1\necho hvd-worker-4:1\necho hvd-worker-5:1\necho hvd-worker-6:1\necho "
                           "hvd-worker-7:1\necho hvd-worker-8:1\necho hvd-worker-9:1");
                return;
            }
    BOOST_ERROR("the config map is not replaced");
}

BOOST_AUTO_TEST_CASE(scaling_up_adds_names_to_the_role) {
    auto const reported = plan(job(3), world_of(job(2)));
    BOOST_TEST(those(reported, "create") == lines{"create pods hvd-worker-2"});
    BOOST_TEST(those(reported, "replace") == (lines{"replace configmaps hvd-config", "replace roles hvd-launcher"}));
}

BOOST_AUTO_TEST_CASE(scaling_down_deletes_the_highest_indexes_only) {
    BOOST_TEST(those(plan(job(1), world_of(job(3))), "delete") ==
               (lines{"delete hvd-worker-1", "delete hvd-worker-2"}));
    auto seen = world_of(job(3));
    std::erase_if(seen.pods, [](auto const& p) { return p->metadata.name == "hvd-worker-0"; });
    auto const reported = plan(job(2), seen);
    BOOST_TEST(those(reported, "delete").empty());
    BOOST_TEST(those(reported, "create") == lines{"create pods hvd-worker-0"});
}

BOOST_AUTO_TEST_CASE(nothing_is_created_after_the_launcher_has_ended) {
    auto const reported = plan(job(2), world_of(job(1), {{"hvd-launcher", "Failed"}}));
    BOOST_TEST(reported == (lines{"Warning MPIJobFailed: MPIJob team/hvd has failed",
                                  "Normal MPIJobFailed: MPIJob hvd is failed because 1 Launcher replica(s) failed.",
                                  "status Created=True/MPIJobCreated Failed=True/MPIJobMPIJobFailed"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(evicted_workers_are_counted_in_an_event) {
    auto seen = world_of(job(2), {{"hvd-worker-1", "Failed"}});
    for (auto& p : seen.pods)
        if (p->metadata.name == "hvd-worker-1") {
            pod evicted = *p;
            evicted.status.reason = "Evicted";
            p = std::make_shared<pod const>(std::move(evicted));
        }
    BOOST_TEST(those(plan(job(2), seen), "Warning") == lines{"Warning MPIJobEvicted: 1/2 workers are evicted"});
}

BOOST_AUTO_TEST_CASE(objects_of_other_owners_stop_the_reconcile_without_a_status) {
    BOOST_TEST(beside(job(1), foreign<core::config_map>("hvd-config")) ==
               (lines{"create serviceaccounts hvd-launcher", taken("hvd-config", "ConfigMap")}));
    BOOST_TEST(beside(job(1), foreign<rbac::role>("hvd-launcher")).back() == taken("hvd-launcher", "Role"));
    BOOST_TEST(beside(job(1), foreign<rbac::role_binding>("hvd-launcher")).back() ==
               taken("hvd-launcher", "RoleBinding"));
    BOOST_TEST(beside(job(1), foreign<pod>("hvd-launcher")) == lines{taken("hvd-launcher", "Pod")});
    auto const reported = beside(job(2), foreign<pod>("hvd-worker-1"));
    BOOST_TEST(those(reported, "create pods") == lines{"create pods hvd-worker-0"});
    BOOST_TEST(reported.back() == taken("hvd-worker-1", "Pod"));
}

BOOST_AUTO_TEST_CASE(a_service_account_of_another_owner_is_used) {
    auto const reported = beside(job(0), foreign<core::service_account>("hvd-launcher"));
    BOOST_TEST(reported.front() == "Normal ServiceAccount is exist: ServiceAccount: hvd-launcher");
    BOOST_TEST(those(reported, "create pods") == lines{"create pods hvd-launcher"});
}

BOOST_AUTO_TEST_CASE(the_first_fault_is_reported_except_for_jobs_of_other_managers) {
    v1_mpi_job j = job(1);
    j.spec.mpi_replica_specs.at("Launcher").replicas = 2;
    j.spec.mpi_replica_specs.at("Worker").template_.spec.containers.clear();
    BOOST_TEST(plan(j, {}) ==
               lines{"Warning MPIJobFailedValidation: MPIJob failed validation because MPIReplicaSpec is "
                     "not valid: There must be only 1 launcher replica"});
    j.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue";
    BOOST_TEST(plan(j, {}).empty());
}

BOOST_AUTO_TEST_CASE(a_gang_causes_a_warning_unless_a_template_sets_the_scheduler) {
    training_operator_options gang;
    gang.gang_scheduler_name = "packer";
    auto const reported = operator_options().set(gang);
    std::string const warning = "Warning SettedPodTemplateSchedulerName";
    v1_mpi_job j = job(0);
    BOOST_TEST(those(plan(j, {}, reported), warning).size() == 1U);
    j.spec.mpi_replica_specs.at("Worker").template_.spec.scheduler_name = "packer";
    BOOST_TEST(those(plan(j, {}, reported), warning).empty());
    BOOST_TEST(those(plan(j, {}), warning).empty());
}

BOOST_AUTO_TEST_CASE(workers_are_scaled_while_the_job_runs) {
    auto const j = prepared_job::stored(job(2));
    auto const s = j.scaling();
    BOOST_TEST_REQUIRE(s.places.size() == 1U);
    BOOST_TEST(s.places[0].least.value() == 1);
    BOOST_TEST(std::get<rules::patch>(j.scaled("Worker", 4).value()).text ==
               R"({"spec":{"mpiReplicaSpecs":{"Worker":{"replicas":4}}}})");
    BOOST_TEST(j.scaled("Worker", 0).error().to_string() ==
               "spec.mpiReplicaSpecs[Worker].replicas: 0, expected 1 to 100000");
    BOOST_TEST(any_job(job(-1)).scaling().refused == "the job has no replicas of type Worker");
}

BOOST_AUTO_TEST_SUITE_END()
