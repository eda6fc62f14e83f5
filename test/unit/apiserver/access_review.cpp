#include "requests.hpp"

#include <boost/test/unit_test.hpp>

BOOST_FIXTURE_TEST_SUITE(apiserver_access_review, sample::served)

using namespace sample;

namespace {

std::string const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

std::string review(std::string const& spec) {
    return R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":)" + spec + "}";
}

} // namespace

BOOST_AUTO_TEST_CASE(everybody_may_do_everything_and_is_told_why) {
    auto const r = send("POST", reviews, review(R"({"resourceAttributes":{"verb":"create","resource":"pods"}})"));
    BOOST_TEST(r.status == 201U);
    BOOST_TEST(member(r, "status.allowed") == "true");
    BOOST_TEST(member(r, "status.reason") == "this server has no authorization: every request is allowed");
    BOOST_TEST(member(r, "spec.resourceAttributes.verb") == "create");
    BOOST_TEST(send("POST", reviews, review(R"({"nonResourceAttributes":{"path":"/metrics","verb":"get"}})")).status ==
               201U);
}

BOOST_AUTO_TEST_CASE(questions_that_are_none_are_refused) {
    auto const none = send("POST", reviews, review("{}"));
    BOOST_TEST(none.status == 422U);
    BOOST_TEST(
        member(none, "message").find("exactly one of nonResourceAttributes or resourceAttributes must be specified") !=
            std::string::npos,
        member(none, "message"));
    auto const both = review(R"({"resourceAttributes":{"verb":"get"},"nonResourceAttributes":{"verb":"get"}})");
    BOOST_TEST(send("POST", reviews, both).status == 422U);
    BOOST_TEST(send("POST", reviews, review("5")).status == 400U);
    BOOST_TEST(send("POST", reviews, R"({"apiVersion":"v1","kind":"Pod"})").status == 400U);
    BOOST_TEST(send("POST", reviews, "{").status == 400U);
}

BOOST_AUTO_TEST_CASE(nothing_is_stored) {
    BOOST_TEST(send("GET", reviews).status == 405U);
    BOOST_TEST(send("GET", reviews + "/x").status == 404U);
    auto const group = body_of(send("GET", "/apis/authorization.k8s.io/v1"));
    BOOST_TEST(json::serialize(group.at("resources")) ==
               R"([{"name":"selfsubjectaccessreviews","singularName":"selfsubjectaccessreview","namespaced":false,)"
               R"("kind":"SelfSubjectAccessReview","verbs":["create"]}])");
}

BOOST_AUTO_TEST_CASE(quotas_are_stored_and_bound_nothing) {
    auto const path = std::string("/api/v1/namespaces/default/resourcequotas");
    BOOST_TEST(send("POST", path, R"({"metadata":{"name":"q"},"spec":{"hard":{"pods":"0"}}})").status == 201U);
    BOOST_TEST(member(send("GET", path + "/q"), "spec.hard.pods") == "0");
    BOOST_TEST(member(send("GET", path + "/q"), "status.hard") == "");
}

BOOST_AUTO_TEST_SUITE_END()
