#include "unit/facade/preflight/sample.hpp"

#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/objects/rbac/role.hpp>

BOOST_AUTO_TEST_SUITE(facade_preflight_access)

using namespace preflight_sample;

namespace {

std::vector<std::string> needs(any_job const& of, preflight_options const& options) {
    std::vector<std::string> all;
    for (auto const& n : preflight::access_needs(prepared_job::admitted(of), options))
        all.push_back(n.check + " " + n.verb + " " + n.place() + (n.group.empty() ? "" : "." + n.group));
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(submission_needs_fewer_permissions) {
    preflight_options alone;
    alone.follow = alone.change = false;
    auto const few = needs(any_job(job()), alone);
    std::vector<std::string> const wanted{"may-create create pytorchjobs.kubeflow.org",
                                          "may-read get pytorchjobs.kubeflow.org"};
    BOOST_TEST(few == wanted, boost::test_tools::per_element());
    auto const all = needs(any_job(job()), preflight_options());
    for (auto const* n : {"may-watch watch pytorchjobs.kubeflow.org", "may-watch list pods", "may-read-logs get pods",
                          "may-read-logs get pods/log", "may-read-events list events",
                          "may-change patch pytorchjobs.kubeflow.org", "may-delete delete pytorchjobs.kubeflow.org"})
        BOOST_TEST((std::ranges::find(all, n) != all.end()), n);
}

BOOST_AUTO_TEST_CASE(jobs_that_are_suspended_by_another_object_need_the_right_to_create_it) {
    volcano::job j;
    j.metadata.name = "v";
    j.metadata.namespace_ = "team";
    auto const all = needs(any_job(j), preflight_options());
    BOOST_TEST((std::ranges::find(all, "may-change create commands.bus.volcano.sh") != all.end()));
}

BOOST_AUTO_TEST_CASE(preflight_passes_if_everything_is_allowed) {
    expect_faults(evidence(), {});
    auto const r = preflight::report_of(evidence());
    BOOST_TEST(r.passed);
    BOOST_TEST(r.missing_rules == "");
    BOOST_TEST(r.served_versions == std::vector<std::string>{"kubeflow.org/v1"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(missing_rights_are_reported_as_a_role) {
    auto e = evidence();
    for (auto& a : e.access)
        if (a.need.check == "may-watch" || a.need.check == "may-read-logs") {
            a.allowed = false;
            a.message = "no rule";
        }
    auto const r = preflight::report_of(e);
    BOOST_TEST(!r.passed);
    expect_faults(
        e,
        {"failed may-watch: the caller may not list pytorchjobs.kubeflow.org, watch pytorchjobs.kubeflow.org, "
         "list pods, watch pods in namespace team: no rule; a Role with the missing rules would allow it",
         "failed may-read-logs: the caller may not get pods, get pods/log in namespace team: no rule; a Role with the "
         "missing rules would allow it"});
    auto const role = from_yaml<rbac::role>(r.missing_rules);
    BOOST_TEST_REQUIRE(role.has_value(), r.missing_rules);
    BOOST_TEST(role->metadata.namespace_ == "team");
    BOOST_TEST_REQUIRE(role->rules.size() == 3U);
    BOOST_TEST(role->rules[0].api_groups[0] == "kubeflow.org");
    BOOST_TEST(role->rules[0].verbs.size() == 2U);
    BOOST_TEST(role->rules[1].resources[0] == "pods");
    BOOST_TEST(role->rules[1].api_groups[0] == "");
    BOOST_TEST(role->rules[2].resources[0] == "pods/log");
    BOOST_TEST(r.missing_rules.find("kind: Role") != std::string::npos, r.missing_rules);
}

BOOST_AUTO_TEST_CASE(checks_without_an_answer_are_unknown_and_not_failed) {
    auto e = evidence();
    e.access.back().allowed.reset();
    e.access.back().message = "not served";
    expect_faults(e, {"unknown may-delete: the server did not answer which permissions the caller has: not served"});
    BOOST_TEST(preflight::report_of(e).passed);
    BOOST_TEST(preflight::report_of(e).missing_rules == "");
}

BOOST_AUTO_TEST_CASE(the_report_is_a_table) {
    auto const text = preflight::report_of(evidence()).to_string();
    BOOST_TEST(text.starts_with("passed   rules            the job is valid\n"), text);
    BOOST_TEST(text.find("\npassed   may-read-events  the caller may read-events in namespace team\n") !=
                   std::string::npos,
               text);
}

BOOST_AUTO_TEST_SUITE_END()
