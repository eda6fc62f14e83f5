#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_conditions)

using namespace mpi_sample;

namespace {

/// `Type=Status/Reason updated,changed` of each, in seconds.
lines reported(kubeflow_v2beta1::job_status const& s) {
    lines all;
    auto const second = [](std::optional<time_point> t) { return std::to_string((*t - at(0)).count()); };
    for (auto const& c : s.conditions)
        all.push_back(c.type + "=" + c.status + "/" + c.reason + " " + second(c.last_update_time) + "," +
                      second(c.last_transition_time));
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(existing_conditions_are_kept) {
    kubeflow_v2beta1::job_status s;
    BOOST_TEST(set_condition(s, "Created", "True", "A", "first", at(0)));
    BOOST_TEST(!set_condition(s, "Created", "True", "A", "second", at(1)));
    BOOST_TEST(s.conditions.front().message == "first");
    BOOST_TEST(reported(s) == (lines{"Created=True/A 0,0"}));
    BOOST_TEST(set_condition(s, "Created", "True", "B", "third", at(2)));
    BOOST_TEST(reported(s) == (lines{"Created=True/B 2,0"}));
    BOOST_TEST(set_condition(s, "Created", "False", "B", "fourth", at(3)));
    BOOST_TEST(reported(s) == (lines{"Created=False/B 3,3"}));
}

BOOST_AUTO_TEST_CASE(the_latest_condition_moves_to_the_end) {
    kubeflow_v2beta1::job_status s;
    set_condition(s, "Suspended", "True", "S", "", at(0));
    set_condition(s, "Running", "False", "S", "", at(0));
    set_condition(s, "Suspended", "False", "R", "", at(1));
    BOOST_TEST(reported(s) == (lines{"Running=False/S 0,0", "Suspended=False/R 1,1"}));
}

BOOST_AUTO_TEST_CASE(a_finished_job_sets_running_and_failed_to_false) {
    kubeflow_v2beta1::job_status s;
    set_condition(s, "Running", "True", "R", "", at(0));
    set_condition(s, "Failed", "True", "MPIJobEvicted", "", at(1)); // worker-evicted
    BOOST_TEST(reported(s) == (lines{"Running=False/R 0,0", "Failed=True/MPIJobEvicted 1,1"}));
    set_condition(s, "Succeeded", "True", "S", "", at(2));
    BOOST_TEST(reported(s) == (lines{"Running=False/R 0,0", "Failed=False/MPIJobEvicted 1,1", "Succeeded=True/S 2,2"}));
    BOOST_TEST(is_finished(s));
}

BOOST_AUTO_TEST_CASE(running_replaces_restarting) {
    kubeflow_v2beta1::job_status s;
    set_condition(s, "Restarting", "True", "R", "", at(0));
    set_condition(s, "Running", "True", "R", "", at(1));
    BOOST_TEST(reported(s) == (lines{"Running=True/R 1,1"}));
}

BOOST_AUTO_TEST_CASE(the_phase_follows_the_conditions) {
    mpi_job j = job("a", "n", 1);
    BOOST_TEST(to_string(phase_of(j)) == "Created");
    for (auto [type, phase] : {std::pair("Running", "Running"),
                               {"Suspended", "Suspended"},
                               {"Failed", "Failed"},
                               {"Succeeded", "Succeeded"}}) {
        set_condition(j.status, type, "True", "x", "", at(0));
        BOOST_TEST(to_string(phase_of(j)) == phase);
    }
}

BOOST_AUTO_TEST_CASE(launchers_have_ended_by_their_conditions) {
    batch::job launcher;
    launcher.status.succeeded = 1;
    BOOST_TEST(end_of(launcher) == nullptr);
    launcher.status.conditions.resize(3);
    auto& c = launcher.status.conditions;
    c[0].type = "Suspended";
    c[0].status = "True";
    c[1].type = "Complete";
    c[1].status = "False";
    c[2].type = "Failed";
    c[2].status = "True";
    BOOST_TEST(end_of(launcher) == &c[2]);
    c[1].status = "True";
    BOOST_TEST(end_of(launcher) == &c[1]);
}

BOOST_AUTO_TEST_SUITE_END()
