#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

using namespace sample;

// Expected: apiserver v0.31 `pkg/registry/generic/registry/dryrun.go`.
BOOST_FIXTURE_TEST_SUITE(apiserver_dry_run, served)

namespace {

std::string const new_pod = R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})";

} // namespace

BOOST_AUTO_TEST_CASE(a_creation_is_checked_and_not_stored) {
    auto const made = send("POST", pods_path + "?dryRun=All", new_pod);
    BOOST_TEST(made.status == 201u);
    BOOST_TEST(member(made, "spec.containers").find("terminationMessagePath") != std::string::npos);
    BOOST_TEST(!find(pods, "p"));
    auto const invalid = send("POST", pods_path + "?dryRun=All", R"({"metadata":{"name":"p"}})");
    BOOST_TEST(invalid.status == 422u);
    make_pod("p");
    BOOST_TEST(send("POST", pods_path + "?dryRun=All", new_pod).status == 409u);
}

BOOST_AUTO_TEST_CASE(dry_run_changes_are_returned_and_not_stored) {
    make_pod("p");
    make_job("j");
    auto const version = store.version();
    auto const patched = send("PATCH", pods_path + "/p?dryRun=All", R"({"metadata":{"labels":{"a":"b"}}})",
                              "application/merge-patch+json");
    BOOST_TEST(patched.status == 200u);
    BOOST_TEST(member(patched, "metadata.labels") == R"({"a":"b"})");
    auto job = body_of(send("GET", jobs_path + "/j"));
    job["spec"].as_object()["a"] = 2;
    auto const replaced = send("PUT", jobs_path + "/j?dryRun=All", json::serialize(job));
    BOOST_TEST(replaced.status == 200u);
    BOOST_TEST(member(replaced, "metadata.generation") == "2");
    BOOST_TEST(store.version() == version);
}

BOOST_AUTO_TEST_CASE(a_deletion_is_checked_and_deletes_nothing) {
    make_job("j");
    auto const gone = send("DELETE", jobs_path + "/j?dryRun=All");
    BOOST_TEST(gone.status == 200u);
    BOOST_TEST(member(gone, "status") == "Success");
    BOOST_TEST(send("DELETE", jobs_path + "/j", R"({"dryRun":["All"]})").status == 200u);
    BOOST_TEST(send("DELETE", jobs_path + "?dryRun=All").status == 200u);
    BOOST_TEST(send("DELETE", jobs_path + "/none?dryRun=All").status == 404u);
    BOOST_TEST(find(jobs, "j"));
}

BOOST_AUTO_TEST_CASE(unknown_dry_run_values_are_rejected) {
    auto const refused = send("POST", pods_path + "?dryRun=Some", new_pod);
    BOOST_TEST(refused.status == 422u);
    BOOST_TEST(member(refused, "message") == "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: "
                                             "[]string{\"Some\"}: supported values: \"All\"");
}

BOOST_AUTO_TEST_SUITE_END()
