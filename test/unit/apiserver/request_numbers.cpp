#include "requests.hpp"

#include <boost/test/unit_test.hpp>

using namespace kftrain;
using namespace kftrain::apiserver;
using namespace sample;

/// Numbers that no integer holds are refused, those at the ends of the range do no harm.
BOOST_FIXTURE_TEST_SUITE(apiserver_request_numbers, served)

BOOST_AUTO_TEST_CASE(numbers_that_fit_nowhere_are_refused_and_not_taken_for_others) {
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

BOOST_AUTO_TEST_CASE(the_largest_numbers_are_served) {
    std::string const largest = "9223372036854775807";
    BOOST_TEST(send("GET", pods_path + "?limit=" + largest).status == 200u);
    auto const w = send("GET", pods_path + "?watch=1&timeoutSeconds=" + largest);
    BOOST_REQUIRE(w.watch.has_value());
    BOOST_TEST(w.watch->timeout->count() == 24 * 3600);
    BOOST_TEST(send("GET", pods_path + "?resourceVersion=" + largest).status == 504u);
}

// apiserver v0.31.3, pkg/registry/rest/delete.go: negative values count as 1, also when the deletion is under way.
BOOST_AUTO_TEST_CASE(a_negative_grace_period_counts_as_a_second) {
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
