#include "kube/answers/answer_check.hpp"
#include "kube/answers/expected_place.hpp"
#include "kube/answers/page_guard.hpp"
#include "kube/credentials/oidc_token.hpp"
#include "kube/discovery/discovery_documents.hpp"
#include "kube/watch/watch_decoder.hpp"

#include <kftrain/kube/request.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

/// The messages about answers of servers that cannot be used, and about requests that cannot be made.
BOOST_AUTO_TEST_SUITE(kube_answer_messages)

using namespace kftrain;
namespace request = kube::request;
using kube::list_options;
using kube::log_options;
using namespace kube::detail;

namespace {

auto const& pods = pod::resource;

template <class T> std::string message(result<T> const& r) { return r ? "accepted" : r.error().to_string(); }

std::string of_answer(result<kube::http_request> const& sent, std::string_view answer) {
    return message(expected_answer(sent.value()).check(answer));
}

std::string of_event(std::string_view text, std::size_t limit = 100) {
    kube::watch_decoder d(limit);
    d.feed(text);
    return message(d.next());
}

list_options matching(std::string how) {
    list_options o;
    o.resource_version_match = std::move(how);
    return o;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_answer_must_match_the_request) {
    auto const named = [](std::string const& name, std::string const& ns) {
        return R"({"kind":"Pod","metadata":{"name":")" + name + R"(","namespace":")" + ns + "\"}}";
    };
    auto const list = request::list(pods, "d", {});
    auto const get = request::get(pods, "d", "a");
    auto const create = request::create(pods, "d", R"({"metadata":{"generateName":"job-"}})");
    struct {
        result<kube::http_request> const& sent;
        std::string answer;
        std::string expected;
    } const rows[] = {
        {list, R"({"kind":"Status"})", "kind: expected a list of pods, got a Status"},
        {list, "{}", "kind: expected a list of pods, got an object without kind and items"},
        {list, R"({"kind":"Pod"})", "items: expected a list of pods, got \"Pod\" without items"},
        {get, named("b", "d"), "metadata.name: expected \"a\", the name in the request, got \"b\""},
        {get, named("a", "e"), "metadata.namespace: expected \"d\", the namespace in the request, got \"e\""},
        {create, named("b", "d"), "metadata.name: expected a name that begins with \"job-\", got \"b\""},
    };
    for (auto const& row : rows) BOOST_TEST(of_answer(row.sent, row.answer) == row.expected);

    expected_place const place("d", "metadata.name=a");
    BOOST_TEST(message(place.check("d", "")) == "metadata.name: expected an object with a name, got none");
    BOOST_TEST(message(place.check("e", "a")) == "metadata.namespace: expected objects in \"d\", got \"a\" in \"e\"");
    BOOST_TEST(message(place.check_listed("d", "b")) ==
               "metadata.name: expected \"a\", which was requested, got \"b\"");
}

BOOST_AUTO_TEST_CASE(endless_pages_are_rejected) {
    std::string const at = "metadata.continue: expected ";
    page_guard few(2);
    BOOST_TEST(message(few.take("a", false)) == "accepted");
    BOOST_TEST(message(few.take("b", false)) == at + "at most 2 pages, got a token for another page");
    page_guard repeated;
    BOOST_TEST(message(repeated.take("a", false)) == "accepted");
    BOOST_TEST(message(repeated.take("a", false)) == at + "a new token, got the token of an earlier page, \"a\"");
    page_guard empty;
    for (int i = 1; i != 100; ++i) BOOST_TEST(message(empty.take(std::to_string(i), true)) == "accepted");
    BOOST_TEST(message(empty.take("last", true)) ==
               at + "objects or the end of the list, got 100 pages without objects in a row");
}

BOOST_AUTO_TEST_CASE(an_invalid_watch_event_is_rejected) {
    BOOST_TEST(of_event("}") == "expected a watch event, got }");
    BOOST_TEST(of_event("{}") == "expected a watch event with type and object, got {}");
    BOOST_TEST(of_event(R"({"type":"NEW","object":{}})") ==
               "expected a watch event of type ADDED, MODIFIED, DELETED, BOOKMARK or ERROR, got \"NEW\"");
    BOOST_TEST(of_event(R"({"type":"ADDED","object":{}})", 10) == "a watch event is larger than 10 bytes");
}

BOOST_AUTO_TEST_CASE(unusable_discovery_documents_are_reported) {
    BOOST_TEST(message(read_groups(R"({"kind":"PodList"})")) ==
               "kind: expected APIGroupDiscoveryList, APIGroupList or APIVersions, got \"PodList\"");
    auto const stale = read_groups(R"({"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"metrics.k8s.io"},)"
                                   R"("versions":[{"version":"v1","freshness":"Stale"}]}]})");
    BOOST_TEST(stale.value().failures.at(0).why ==
               "the server returned cached information: the service of this group does not answer");
    BOOST_TEST(message(read_discovery(R"({"token_endpoint":"http://i/token"})")) ==
               "has no https URL as token_endpoint in its description"); // after the name of the provider
}

BOOST_AUTO_TEST_CASE(contradictory_options_are_rejected) {
    struct {
        result<kube::http_request> request;
        std::string expected;
    } const rows[] = {
        {request::list(pods, "d", list_options().with_continue("t").with_resource_version("5")),
         "resource_version: resource_version \"5\" cannot be combined with continue_"},
        {request::list(pods, "d", matching("Exact")),
         "resource_version_match: resource_version_match \"Exact\" needs a resource_version"},
        {request::pod_log("d", "a", log_options().with_since_time("2026-01-01T00:00:00Z").with_since_seconds(5)),
         "since_time: since_time \"2026-01-01T00:00:00Z\" cannot be combined with since_seconds 5"},
        {request::pod_log("d", "a", log_options().with_channel(kube::log_channel::standard_output).with_tail_lines(3)),
         "channel: channel Stdout cannot be combined with tail_lines 3"},
    };
    for (auto const& row : rows) BOOST_TEST(message(row.request) == row.expected);
}

BOOST_AUTO_TEST_SUITE_END()
