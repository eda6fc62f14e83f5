#include "async/kube/calls/pod_requests.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/with_diagnostics.hpp>

BOOST_AUTO_TEST_SUITE(async_client_details)

using namespace kftrain;
using namespace kftrain::test;
using namespace pod_requests;
using namespace std::chrono_literals;
using kube::call_options;

namespace {

std::string const two_causes =
    R"(,"details":{"name":"a","kind":"Pod","causes":[)"
    R"({"reason":"FieldValueRequired","message":"Required value","field":"spec.containers[0].name"},)"
    R"({"reason":"FieldValueInvalid","message":"Invalid value: 7","field":"spec.priority"}]})";

/// Of a server that repeats the password it was sent wherever it can.
std::string const indiscreet =
    R"({"kind":"Status","apiVersion":"v1","metadata":{"continue":"c-hunter2"},"status":"Failure","message":"m",)"
    R"("reason":"Invalid","details":{"causes":[{"reason":"r-hunter2","message":"m-hunter2","field":"f-hunter2"}]},)"
    R"("code":422})";

} // namespace

// Details of a refusal that reach the caller.

BOOST_AUTO_TEST_CASE(each_cause_of_a_refusal_has_its_field) {
    scripted_client c;
    c.expect("POST", "/api/v1/namespaces/d/pods")
        .status(422)
        .field("audit-id", "3f2a")
        .piece(status_text("Invalid", 422, "Pod \\\"a\\\" is invalid", two_causes));
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(create(), call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST(is_invalid(p.ec()));
    BOOST_TEST(why.audit_id == "3f2a");
    BOOST_TEST_REQUIRE(why.causes.size() == 2U);
    BOOST_TEST(why.causes[0].reason == "FieldValueRequired");
    BOOST_TEST(why.causes[0].field == "spec.containers[0].name");
    BOOST_TEST(why.causes[1].field == "spec.priority");
    BOOST_TEST(why.causes[1].message == "Invalid value: 7");
    BOOST_TEST((why.retry_after == 0ms));
}

BOOST_AUTO_TEST_CASE(exceptions_include_the_causes) {
    scripted_client c;
    c.expect("POST", "/api/v1/namespaces/d/pods").status(422).piece(status_text("Invalid", 422, "no", two_causes));
    std::size_t causes = 0;
    c.client.async_call(create(), call_options(), kube::with_diagnostics([&](std::exception_ptr e, std::string const&) {
                            try {
                                if (e) std::rethrow_exception(e);
                            } catch (error const& refusal) {
                                causes = refusal.detail().causes.size();
                            }
                        }));
    c.run();
    BOOST_TEST(causes == 2U);
}

BOOST_AUTO_TEST_CASE(the_longer_of_two_requested_delays_is_reported) {
    scripted_client c;
    c.expect("GET", target)
        .status(429)
        .field("Retry-After", "3")
        .piece(status_text("TooManyRequests", 429, "later", R"(,"details":{"retryAfterSeconds":7})"));
    c.expect("GET", target).status(503).field("Retry-After", "2");
    for (auto const expected : {7000ms, 2000ms}) {
        answer_probe<std::string> p;
        diagnostics why;
        c.client.async_call(get(), call_options().with_detail(why).with_retry(false), p.handler());
        c.run();
        BOOST_TEST((why.retry_after == expected), why.retry_after.count());
    }
}

BOOST_AUTO_TEST_CASE(an_expired_list_contains_the_token_to_continue) {
    scripted_client c;
    c.expect("GET", "/api/v1/namespaces/d/pods?continue=old")
        .status(410)
        .piece(R"({"kind":"Status","apiVersion":"v1","metadata":{"continue":"newer"},"status":"Failure",)"
               R"("message":"too old","reason":"Expired","code":410})");
    answer_probe<object_list<pod>> p;
    diagnostics why;
    kube::api<pod>(c.client, "d").async_list(kube::list_options().with_continue("old").with_detail(why), p.handler());
    c.run();
    BOOST_TEST(is_gone(p.ec()));
    BOOST_TEST(why.continue_ == "newer");
}

BOOST_AUTO_TEST_CASE(credentials_are_hidden_in_every_part) {
    scripted_client c;
    c.expect("GET", target).status(422).field("Audit-Id", "a-hunter2").piece(indiscreet);
    auto request = get().value();
    request.fields.add("Authorization", "Bearer hunter2");
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(request, call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST(is_invalid(p.ec()));
    BOOST_TEST(why.audit_id == "a-[hidden]");
    BOOST_TEST(why.continue_ == "c-hunter2"); // goes back to the server as it came
    BOOST_TEST_REQUIRE(why.causes.size() == 1U);
    BOOST_TEST(why.causes[0].reason == "r-[hidden]");
    BOOST_TEST(why.causes[0].message == "m-[hidden]");
    BOOST_TEST(why.causes[0].field == "f-[hidden]");
}

BOOST_AUTO_TEST_SUITE_END()
