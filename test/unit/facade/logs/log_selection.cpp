#include "facade/logs/log_selection.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(unit_facade_log_selection)

using namespace kftrain;

namespace {

membership of_three() {
    membership all;
    std::int32_t rank = 0;
    for (auto const* name : {"Master", "Worker", "Worker"}) {
        if (all.roles.empty() || all.roles.back().name != name) all.roles.emplace_back().name = name;
        auto& m = all.members.emplace_back();
        m.role = name;
        m.rank = rank++;
    }
    return all;
}

void check_refused(result<void> const& r, std::string const& words) {
    BOOST_REQUIRE(r.has_error());
    BOOST_TEST(r.error().code == make_error_code(errc::invalid_argument));
    BOOST_TEST(r.error().to_string() == words);
}

} // namespace

BOOST_AUTO_TEST_CASE(invalid_log_options_are_rejected) {
    BOOST_TEST(check_log_options(job_log_options()).has_value());
    log_position resume_after;
    resume_after.entries["u/c"].delivered = 1;
    check_refused(check_log_options(job_log_options().with_tail(-1)), "tail: -1, expected at least 0");
    check_refused(check_log_options(job_log_options().with_since(std::chrono::seconds(0))),
                  "since: 0, expected at least 1");
    check_refused(check_log_options(job_log_options().with_buffer(0, 9)), "buffered_lines: 0, expected at least 1");
    check_refused(check_log_options(job_log_options().with_tail(3).with_resume_after(resume_after)),
                  "tail: 3 cannot be combined with resume_after");
    check_refused(
        check_log_options(job_log_options().with_since(std::chrono::seconds(3)).with_resume_after(resume_after)),
        "since: 3 s cannot be combined with resume_after");
    check_refused(check_log_options(job_log_options().with_previous().with_resume_after(resume_after)),
                  "previous: true cannot be combined with resume_after");
    BOOST_TEST(check_log_options(job_log_options().with_tail(0).with_resume_after(log_position())).has_value());
}

BOOST_AUTO_TEST_CASE(roles_and_ranks_must_exist_in_the_job) {
    auto const all = of_three();
    BOOST_TEST(check_log_members(job_log_options().with_role("Worker").with_rank(2), all).has_value());
    check_refused(check_log_members(job_log_options().with_role("worker"), all),
                  "roles: \"worker\", expected one of \"Master\", \"Worker\"; did you mean \"Worker\"?");
    check_refused(check_log_members(job_log_options().with_rank(3), all), "ranks: 3, expected 0 to 2");
    check_refused(check_log_members(job_log_options().with_rank(-1), all), "ranks: -1, expected 0 to 2");
    check_refused(check_log_members(job_log_options().with_role("Worker").with_rank(0), all),
                  "ranks: 0, expected a rank of the selected roles");
    auto unranked = all;
    for (auto& m : unranked.members) m.rank.reset();
    unranked.rank_note = "they are given out at run time";
    check_refused(check_log_members(job_log_options().with_rank(0), unranked),
                  "ranks: 0, expected no ranks: the replicas of this job have none, they are given out at run time");
    auto const second = job_log_options().with_rank(1);
    BOOST_TEST(!wants_member(second, all.members[0]));
    BOOST_TEST(wants_member(second, all.members[1]));
    BOOST_TEST(!wants_member(job_log_options(second).with_role("Master"), all.members[1]));
}

BOOST_AUTO_TEST_CASE(init_containers_are_read_only_by_name) {
    pod p;
    p.status.init_container_statuses.emplace_back().name = "wait";
    p.status.container_statuses.emplace_back().name = "pytorch";
    p.status.container_statuses.emplace_back().name = "proxy";
    using list = std::vector<std::string>;
    BOOST_TEST(wanted_containers(job_log_options(), p) == (list{"pytorch", "proxy"}), boost::test_tools::per_element());
    auto const named = job_log_options().with_container("proxy").with_container("wait");
    BOOST_TEST(wanted_containers(named, p) == (list{"wait", "proxy"}), boost::test_tools::per_element());
    known_containers known;
    auto const wrong = job_log_options(named).with_container("torch");
    BOOST_TEST(known.check(wrong).has_value()); // the pods are not known yet
    core::pod_spec made_of;
    made_of.init_containers.emplace_back().name = "wait";
    made_of.containers.emplace_back().name = "pytorch";
    known.add(made_of);
    check_refused(known.check(wrong), "containers: \"proxy\", expected one of \"pytorch\", \"wait\"");
    known.add(p);
    BOOST_TEST(known.check(named).has_value());
    check_refused(known.check(wrong), "containers: \"torch\", expected one of \"proxy\", \"pytorch\", \"wait\"");
}

BOOST_AUTO_TEST_SUITE_END()
