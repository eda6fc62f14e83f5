#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

BOOST_AUTO_TEST_SUITE(job_job_phase)

using namespace sample;

namespace {

job_phase phase(std::initializer_list<std::pair<char const*, char const*>> list) {
    std::vector<meta::condition> conditions;
    for (auto const& [type, status] : list) {
        meta::condition c;
        c.type = type;
        c.status = status;
        conditions.push_back(std::move(c));
    }
    return phase_of(conditions);
}

} // namespace

BOOST_AUTO_TEST_CASE(the_phase_follows_from_the_true_conditions) {
    BOOST_TEST((phase({}) == job_phase::created));
    BOOST_TEST((phase({{"Created", "True"}}) == job_phase::created));
    BOOST_TEST((phase({{"Created", "True"}, {"Running", "True"}}) == job_phase::running));
    BOOST_TEST((phase({{"Running", "False"}, {"Succeeded", "True"}}) == job_phase::succeeded));
    BOOST_TEST((phase({{"Succeeded", "True"}, {"Failed", "True"}}) == job_phase::failed));
    BOOST_TEST((phase({{"Restarting", "True"}, {"Suspended", "True"}}) == job_phase::suspended));
    // A resumed job that does not run yet: the last condition is Suspended, but it is False.
    BOOST_TEST((phase({{"Created", "True"}, {"Running", "False"}, {"Suspended", "False"}}) == job_phase::created));
}

BOOST_AUTO_TEST_CASE(a_phase_is_spelled_as_its_condition) {
    BOOST_TEST(to_string(job_phase::created) == "Created");
    BOOST_TEST(to_string(job_phase::restarting) == "Restarting");
    std::ostringstream out;
    out << job_phase::succeeded;
    BOOST_TEST(out.str() == "Succeeded");
    BOOST_TEST(is_finished(job_phase::failed));
    BOOST_TEST(is_finished(job_phase::succeeded));
    BOOST_TEST(!is_finished(job_phase::suspended));
}

BOOST_AUTO_TEST_SUITE_END()
