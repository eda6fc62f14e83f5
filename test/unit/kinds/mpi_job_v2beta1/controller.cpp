#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_controller)

using namespace mpi_sample;

namespace {

/// `row: Kind how` of each; `how` names the objects where names lead to them.
lines rows(std::vector<rules::watched> const& watched, mpi_job const& j) {
    lines all;
    for (auto const& r : watched) {
        std::string how = "by controller of the launcher";
        if (std::holds_alternative<rules::by_labels>(r.by)) how = "by label";
        if (auto const* const named = std::get_if<rules::by_name_of_primary>(&r.by)) {
            how = named->names == nullptr ? " like the job" : "";
            if (named->names != nullptr)
                for (auto const& n : named->names(&j)) how += " " + n.name;
            how.erase(0, 1);
        }
        all.push_back(std::string(r.name) + ": " + r.type->kind() + " " + how);
    }
    return all;
}

mpi_operator_options gang() {
    mpi_operator_options options;
    options.gang_scheduling = "volcano";
    return options;
}

core::pod pod_called(std::string name) {
    core::pod p;
    p.metadata.name = std::move(name);
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(watched_objects_map_to_jobs) {
    mpi_job j = job("em", "n", 2);
    j.spec.mpi_replica_specs["Worker"].template_.spec.priority_class_name = "high";
    lines expected{"launcher: Job em-launcher",     "launcher pods: Pod by controller of the launcher",
                   "workers: Pod by label",         "workers: Pod em-worker-0 em-worker-1",
                   "service: Service like the job", "config map: ConfigMap em-config",
                   "secret: Secret em-ssh"};
    BOOST_TEST(rows(watched_rows({}), j) == expected, boost::test_tools::per_element());
    expected.push_back("pod group: PodGroup like the job");
    expected.push_back("priority classes: PriorityClass high");
    auto const with_gang = watched_rows(gang());
    BOOST_TEST(rows(with_gang, j) == expected, boost::test_tools::per_element());
    BOOST_TEST((with_gang.back().where == rules::reach::cluster));
}

// Servers store it, as there is no webhook, and its names are needed before it is validated.
BOOST_AUTO_TEST_CASE(an_oversized_job_watches_no_more_names_than_a_valid_one) {
    mpi_job const j = job("a", "n", 2'147'483'647);
    for (auto const& r : watched_rows({}))
        if (auto const* const named = std::get_if<rules::by_name_of_primary>(&r.by); named && named->names != nullptr)
            BOOST_TEST(named->names(&j).size() <= 100'000U);
}

BOOST_AUTO_TEST_CASE(secrets_are_kept_without_values) {
    auto const row = watched_rows({}).back();
    auto const seen = row.type->decode(
        R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"ssh-privatekey":"c2VjcmV0"}})");
    BOOST_TEST_REQUIRE(seen.has_value());
    auto const& s = *static_cast<core::secret const*>(seen->get());
    BOOST_TEST(s.data.contains("ssh-privatekey"));
    BOOST_TEST(s.data.at("ssh-privatekey").data == "");
}

BOOST_AUTO_TEST_CASE(objects_are_grouped_by_watch_row) {
    rules::world seen;
    batch::job launcher;
    launcher.metadata.name = "em-launcher";
    seen.add("launcher", {launcher});
    seen.add("launcher pods", {pod_called("em-launcher-x")});
    seen.add("workers", {pod_called("em-worker-0"), pod_called("em-worker-1")});
    seen.add("workers", {pod_called("em-worker-1"), pod_called("em-worker-2")}); // by their names
    seen.add("service", {core::service()});
    seen.add("config map", {core::config_map()});
    seen.add("secret", {core::secret()});
    seen.add("pod group", {render_pod_group(complete(job("em", "n", 2)), {}, gang())});
    scheduling::priority_class high;
    high.metadata.name = "high";
    high.value = 1000;
    seen.add("priority classes", {high});

    auto const world = gather(seen);
    BOOST_TEST(world.launcher->metadata.name == "em-launcher");
    BOOST_TEST(world.launcher_pods.size() == 1U);
    BOOST_TEST(world.workers.size() == 3U); // each once
    BOOST_TEST((world.service != nullptr && world.config_map != nullptr && world.secret != nullptr));
    BOOST_TEST(world.pod_group.metadata().name == "em");
    BOOST_TEST(world.priorities.at("high") == 1000);

    auto const nothing = gather({});
    BOOST_TEST((nothing.launcher == nullptr && nothing.service == nullptr && nothing.secret == nullptr));
    BOOST_TEST(nothing.pod_group.empty());
}

BOOST_AUTO_TEST_CASE(the_controller_rules_can_be_used_directly) {
    auto const& rules = job_rules_for<mpi_job>();
    BOOST_TEST(rules.name() == "mpi-job-controller");
    BOOST_TEST((&rules.primary() == &object_type_of<mpi_job>));
    BOOST_TEST((rules.status() == rules::status_form::subresource));
    auto const j = job("em", "n", 1);
    BOOST_TEST(!rules.make_plan(&j, {}, nullptr, at(0)).steps.empty());
}

BOOST_AUTO_TEST_SUITE_END()
