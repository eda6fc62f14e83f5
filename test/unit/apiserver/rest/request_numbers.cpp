#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

using namespace kftrain;
using namespace kftrain::apiserver;
using namespace sample;

/// Numbers that no integer holds are refused, those at the ends of the range do no harm.
BOOST_FIXTURE_TEST_SUITE(apiserver_request_numbers, served)

BOOST_AUTO_TEST_CASE(numbers_out_of_range_are_rejected) {
    std::string const nowhere = "18446744073709551617";
    for (std::string const target :
         {"?limit=", "?watch=1&timeoutSeconds=", "?watch=1&resourceVersion=", "?resourceVersion="})
        BOOST_TEST(send("GET", pods_path + target + nowhere).status == 400u, target);
    send("POST", pods_path, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    for (std::string const option : {"tailLines", "limitBytes", "sinceSeconds"})
        BOOST_TEST(send("GET", pods_path + "/p/log?" + option + "=" + nowhere).status == 400u, option);
    BOOST_TEST(send("GET", pods_path + "/p?resourceVersion=" + nowhere).status == 400u);
    BOOST_TEST(send("DELETE", pods_path + "/p?gracePeriodSeconds=" + nowhere).status == 400u);
    BOOST_TEST(send("DELETE", pods_path + "/p", R"({"gracePeriodSeconds":)" + nowhere + "}").status == 400u);
    BOOST_TEST(send("GET", pods_path + "/p").status == 200u);
}

// strconv.ParseFloat, by which upstream reads numbers, refuses what is out of range.
BOOST_AUTO_TEST_CASE(a_number_beyond_double_range_is_rejected_everywhere) {
    std::string const path = "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs";
    auto const job = [](std::string const& n) {
        return R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"j"},"spec":{"n":)" + n + "}}";
    };
    for (auto const* n : {"1e400", "-1e400", "1.7976931348623159e308"}) {
        BOOST_TEST(send("POST", path, job(n)).status == 400u, n);
        BOOST_TEST(send("GET", path + "/j").status == 404u);
    }
    BOOST_TEST(send("POST", path, job("1e-400")).status == 201u);
    for (auto const* type : {"application/merge-patch+json", "application/json-patch+json"}) {
        std::string const patch =
            type[12] == 'm' ? R"({"spec":{"n":1e400}})" : R"([{"op":"add","path":"/spec/n","value":1e400}])";
        BOOST_TEST(send("PATCH", path + "/j", patch, type).status == 400u, type);
    }
    BOOST_TEST(member(send("GET", path + "/j"), "spec.n") == "0E0");
    BOOST_TEST(send("DELETE", path + "/j").status == 200u);
}

BOOST_AUTO_TEST_CASE(the_largest_numbers_are_served) {
    std::string const largest = "9223372036854775807";
    BOOST_TEST(send("GET", pods_path + "?limit=" + largest).status == 200u);
    auto const w = send("GET", pods_path + "?watch=1&timeoutSeconds=" + largest);
    BOOST_REQUIRE(w.watch.has_value());
    BOOST_TEST(w.watch->timeout->count() == 24 * 3600);
    BOOST_TEST(send("GET", pods_path + "?resourceVersion=" + largest).status == 504u);
}

// apiserver v0.31.3, pkg/registry/rest/delete.go: negative values count as 1, also when the deletion is under way.
BOOST_AUTO_TEST_CASE(a_negative_grace_period_means_one_second) {
    for (std::string const first : {"-1", "-9223372036854775808", "30"}) {
        send("POST", pods_path,
             R"({"metadata":{"name":"p"},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}})");
        auto const begun = send("DELETE", pods_path + "/p?gracePeriodSeconds=" + first);
        BOOST_TEST(member(begun, "metadata.deletionGracePeriodSeconds") == (first == "30" ? "30" : "1"));
        auto const shorter = send("DELETE", pods_path + "/p?gracePeriodSeconds=-9223372036854775808");
        BOOST_TEST(member(shorter, "metadata.deletionGracePeriodSeconds") == "1", first);
        send("DELETE", pods_path + "/p?gracePeriodSeconds=0");
    }
}

BOOST_AUTO_TEST_SUITE_END()
