#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

BOOST_FIXTURE_TEST_SUITE(apiserver_access_review, sample::served)

using namespace sample;

namespace {

std::string const reviews = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

std::string review(std::string const& spec) {
    return R"({"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":)" + spec + "}";
}

} // namespace

BOOST_AUTO_TEST_CASE(the_owner_of_the_server_may_do_everything) {
    auto const r = send("POST", reviews, review(R"({"resourceAttributes":{"verb":"create","resource":"pods"}})"));
    BOOST_TEST(r.status == 201U);
    BOOST_TEST(member(r, "status.allowed") == "true");
    BOOST_TEST(member(r, "status.reason") == "");
    BOOST_TEST(member(r, "spec.resourceAttributes.verb") == "create");
    BOOST_TEST(send("POST", reviews, review(R"({"nonResourceAttributes":{"path":"/metrics","verb":"get"}})")).status ==
               201U);
}

// Expected: bytes of `protobuf.NewSerializer` in apimachinery v0.31.3.
BOOST_AUTO_TEST_CASE(a_review_can_be_sent_as_protobuf) {
    constexpr std::string_view hex =
        "6b3873000a320a17617574686f72697a6174696f6e2e6b38732e696f2f7631121753656c665375626a656374416363657373"
        "52657669657712520a100a0012001a0022002a0032003800420012340a320a0764656661756c7412066372656174651a0c6b"
        "756265666c6f772e6f726722002a0b7079746f7263686a6f627332003a001a08080012001a0020001a002200";
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    auto const r = send("POST", reviews, bytes, "application/vnd.kubernetes.protobuf");
    BOOST_TEST(r.status == 201U);
    BOOST_TEST(member(r, "spec.resourceAttributes") ==
               R"({"namespace":"default","verb":"create","group":"kubeflow.org","resource":"pytorchjobs"})");
    for (std::size_t length = 0; length + 13 < bytes.size(); ++length) // the status and the end may be missing
        BOOST_TEST(send("POST", reviews, bytes.substr(0, length) + " ", "application/vnd.kubernetes.protobuf").status ==
                   415U);
}

BOOST_AUTO_TEST_CASE(invalid_reviews_are_rejected) {
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

BOOST_AUTO_TEST_CASE(reviews_are_not_stored) {
    BOOST_TEST(send("GET", reviews).status == 405U);
    BOOST_TEST(send("GET", reviews + "/x").status == 404U);
    auto const group = body_of(send("GET", "/apis/authorization.k8s.io/v1"));
    BOOST_TEST(json::serialize(group.at("resources").as_array().at(0)) ==
               R"({"name":"selfsubjectaccessreviews","singularName":"selfsubjectaccessreview","namespaced":false,)"
               R"("kind":"SelfSubjectAccessReview","verbs":["create"]})");
}

BOOST_AUTO_TEST_SUITE_END()
