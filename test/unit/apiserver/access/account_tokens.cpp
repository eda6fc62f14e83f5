#include "unit/apiserver/requests.hpp"

#include "apiserver/access/policy_rules.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace sample;

struct with_roles : served {
    with_roles() { add_default_roles(store, at(0)); }

    user_info jane{"jane", {"team-a", "system:authenticated"}};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_account_tokens, with_roles)

BOOST_AUTO_TEST_CASE(tokens_belong_to_their_service_account) {
    auto const& tokens = requests.tokens();
    auto const token = tokens.issue("default", "trainer", "", {}, at(0));
    auto const read = tokens.read(token, store, at(1'000'000));
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST(read->user.name == "system:serviceaccount:default:trainer");
    BOOST_TEST(read->user.groups == user_info::service_account("default", "trainer").groups,
               boost::test_tools::per_element());
    BOOST_TEST(!handler(store, 1).tokens().read(token, store, at(0))); // of another server
    for (std::size_t i = 0; i < token.size(); ++i) {
        auto other = token;
        other[i] = other[i] == 'A' ? 'B' : 'A';
        auto const forged = tokens.read(other, store, at(0));
        BOOST_TEST(!forged.has_value(), i);
        BOOST_TEST(!tokens.read(token.substr(0, i), store, at(0)));
    }
    auto const pod = make_pod("p");
    object_meta meta;
    meta.name = "p";
    meta.uid = pod->uid();
    auto const bound = tokens.issue("default", "trainer", "", {"pod", meta.name, meta.uid}, at(0));
    BOOST_TEST(tokens.read(bound, store, at(0)).has_value());
    BOOST_TEST(send("DELETE", pods_path + "/p").status == 200U);
    BOOST_TEST(!tokens.read(bound, store, at(0)));
    make_pod("p");
    BOOST_TEST(!tokens.read(bound, store, at(0)));
}

BOOST_AUTO_TEST_CASE(a_token_request_returns_a_token_that_expires) {
    auto const accounts = std::string("/api/v1/namespaces/default/serviceaccounts");
    BOOST_TEST(send("POST", accounts + "/trainer/token", "{}").status == 404U);
    BOOST_TEST(send("POST", accounts, R"({"metadata":{"name":"trainer"}})").status == 201U);
    auto const made = send("POST", accounts + "/trainer/token", R"({"spec":{"expirationSeconds":600}})");
    BOOST_TEST(made.status == 201U);
    BOOST_TEST(member(made, "status.expirationTimestamp") == "2026-03-01T10:10:00Z");
    auto const token = member(made, "status.token");
    BOOST_TEST(requests.tokens().read(token, store, at(599)).has_value());
    BOOST_TEST(!requests.tokens().read(token, store, at(600)));
    auto const brief = send("POST", accounts + "/trainer/token", R"({"spec":{"expirationSeconds":60}})");
    BOOST_TEST(brief.status == 422U);
    BOOST_TEST(
        member(brief, "message") ==
        R"(TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not )"
        R"(specify a duration less than 10 minutes)");
}

// Expected: kubernetes v1.31 `pkg/registry/authentication/tokenreview/storage.go`, `pkg/serviceaccount/jwt.go`.
BOOST_AUTO_TEST_CASE(each_namespace_has_a_default_account) {
    auto const path = std::string("/api/v1/namespaces/team/serviceaccounts/default/token");
    BOOST_TEST(send("POST", path, "{}").status == 404U);
    BOOST_TEST(send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})").status == 201U);
    auto const read = requests.tokens().read(member(send("POST", path, "{}"), "status.token"), store, at(0));
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST(read->user.name == "system:serviceaccount:team:default");
}

BOOST_AUTO_TEST_CASE(a_token_review_returns_the_user_of_a_token) {
    auto const review = [&](std::string const& token, std::string const& more = "", int when = 0) {
        auto const r = requests.handle(request("POST", "/apis/authentication.k8s.io/v1/tokenreviews",
                                               R"({"spec":{"token":")" + token + "\"" + more + "}}"),
                                       at(when));
        return r.status == 201 ? member(r, "status") : member(r, "message");
    };
    auto const accounts = std::string("/api/v1/namespaces/default/serviceaccounts");
    BOOST_TEST(send("POST", accounts, R"({"metadata":{"name":"trainer","uid":"u"}})").status == 201U);
    auto const issue = [&](std::string const& spec) {
        return send("POST", accounts + "/trainer/token", R"({"spec":)" + spec + "}");
    };
    auto const made = issue("{}");
    BOOST_TEST(member(made, "spec") ==
               R"({"audiences":["https://kubernetes.default.svc.cluster.local"],"expirationSeconds":3600})");
    auto const token = member(made, "status.token");
    auto const uid =
        at_path_text(store.get(*store.find("", "v1", "serviceaccounts"), "default", "trainer").value(), "metadata.uid");
    auto const user = R"("user":{"username":"system:serviceaccount:default:trainer","uid":")" + uid +
                      R"(","groups":["system:serviceaccounts","system:serviceaccounts:default",)"
                      R"("system:authenticated"]})";
    auto const accepted = [&](std::string const& audiences) {
        return R"({"authenticated":true,)" + user + R"(,"audiences":[)" + audiences + "]}";
    };
    auto const rejected = [](std::string const& why) { return R"({"user":{},"error":)" + why + "}"; };
    BOOST_TEST(review(token) == accepted(R"("https://kubernetes.default.svc.cluster.local")"));
    auto const other = member(issue(R"({"audiences":["vault","registry"]})"), "status.token");
    BOOST_TEST(review(other) ==
               rejected(R"("[invalid bearer token, token audiences [\"vault\" \"registry\"] is invalid for the target )"
                        R"(audiences [\"https://kubernetes.default.svc.cluster.local\"]]")"));
    BOOST_TEST(review(other, R"(,"audiences":["x","registry"])") == accepted(R"("registry")"));
    BOOST_TEST(!requests.tokens().read(other, store, at(0))); // not for requests to the server
    BOOST_TEST(review(token, "", 3600) == rejected(R"("[invalid bearer token, service account token has expired]")"));
    BOOST_TEST(review("nonsense") == rejected(R"("invalid bearer token")"));
    BOOST_TEST(review("") == "token is required for TokenReview in authentication");
    BOOST_TEST(review(token, R"(,"audiences":[5])").find("spec.audiences: expected a list of strings") !=
               std::string::npos);
    BOOST_TEST(send("DELETE", accounts + "/trainer").status == 200U);
    BOOST_TEST(review(token) == rejected(R"("[invalid bearer token, serviceaccounts \"trainer\" not found]")"));
    // Users of a listener, while it exists.
    auto owner = std::make_shared<int>();
    requests.tokens().add_users(
        owner, [&](std::string_view t) { return t == "of-jane" ? std::make_shared<user_info const>(jane) : nullptr; });
    BOOST_TEST(review("of-jane") == R"({"authenticated":true,"user":{"username":"jane","groups":["team-a",)"
                                    R"("system:authenticated"]},"audiences":[)"
                                    R"("https://kubernetes.default.svc.cluster.local"]})");
    BOOST_TEST(review("of-jane", R"(,"audiences":["vault"])") == rejected(R"("invalid bearer token")"));
    owner.reset();
    BOOST_TEST(review("of-jane") == rejected(R"("invalid bearer token")"));
    auto const as_jane = [&] {
        return requests.handle(request("POST", "/apis/authentication.k8s.io/v1/tokenreviews", "{}"), at(0), &jane)
            .status;
    };
    BOOST_TEST(as_jane() == 403U);
    auto const bound = send("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
                            R"({"metadata":{"name":"b"},"subjects":[{"kind":"User","name":"jane"}],"roleRef":{)"
                            R"("apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":)"
                            R"("system:auth-delegator"}})");
    BOOST_TEST(bound.status == 201U);
    BOOST_TEST(as_jane() == 400U);
}

BOOST_AUTO_TEST_CASE(a_token_that_would_be_rejected_for_its_length_is_not_issued) {
    auto const accounts = std::string("/api/v1/namespaces/default/serviceaccounts");
    BOOST_TEST(send("POST", accounts, R"({"metadata":{"name":"trainer"}})").status == 201U);
    auto const made = [&](std::size_t size) {
        return send("POST", accounts + "/trainer/token",
                    R"({"spec":{"audiences":["https://kubernetes.default.svc.cluster.local",")" +
                        std::string(size, 'a') + "\"]}}");
    };
    std::size_t longest = 0; // that is issued
    for (std::size_t step = 4096; step != 0; step /= 2)
        if (made(longest + step).status == 201) longest += step;
    BOOST_TEST(longest > 2'000U);
    BOOST_TEST(requests.tokens().read(member(made(longest), "status.token"), store, at(0)).has_value());
    auto const refused = made(longest + 1);
    BOOST_TEST(refused.status == 422U);
    BOOST_TEST(member(refused, "reason") == "Invalid");
    BOOST_TEST(member(refused, "message") == R"(TokenRequest.authentication.k8s.io "" is invalid: spec.audiences: )"
                                             R"(Too long: the token must have at most 4096 bytes)");
}

// Expected: a server of kubernetes v1.31 decodes the request before anything else, as other objects.
BOOST_AUTO_TEST_CASE(a_token_request_of_another_shape_is_refused) {
    auto const accounts = std::string("/api/v1/namespaces/default/serviceaccounts");
    BOOST_TEST(send("POST", accounts, R"({"metadata":{"name":"trainer"}})").status == 201U);
    auto const check = [&](std::string const& spec, std::string const& message) {
        auto const r = send("POST", accounts + "/trainer/token", R"({"spec":)" + spec + "}");
        BOOST_TEST(r.status == (message.empty() ? 201U : 400U), spec);
        if (!message.empty())
            BOOST_TEST(member(r, "message") ==
                       "TokenRequest in version \"v1\" cannot be handled as a TokenRequest: " + message);
    };
    check(R"({"expirationSeconds":"600"})", "spec.expirationSeconds: expected int64");
    check(R"({"expirationSeconds":600.5})", "spec.expirationSeconds: expected int64");
    check(R"({"expirationSeconds":18446744073709551615})", "spec.expirationSeconds: expected int64");
    check(R"("600")", "spec: expected an object");
    check("[]", "spec: expected an object");
    check(R"({"audiences":"vault"})", "spec.audiences: expected a list of strings");
    check(R"({"boundObjectRef":"p"})", "spec.boundObjectRef: expected an object");
    check("null", "");
    check(R"({"expirationSeconds":null,"audiences":null,"boundObjectRef":null})", "");
}

BOOST_AUTO_TEST_CASE(a_token_for_another_audience_is_not_accepted) {
    auto const accounts = std::string("/api/v1/namespaces/default/serviceaccounts");
    BOOST_TEST(send("POST", accounts, R"({"metadata":{"name":"trainer"}})").status == 201U);
    auto const other = send("POST", accounts + "/trainer/token", R"({"spec":{"audiences":["vault"]}})");
    BOOST_TEST(member(other, "spec.expirationSeconds") == "3600");
    BOOST_TEST(!requests.tokens().read(member(other, "status.token"), store, at(0)));
    auto const both = send("POST", accounts + "/trainer/token",
                           R"({"spec":{"audiences":["vault","https://kubernetes.default.svc.cluster.local"]}})");
    BOOST_TEST(requests.tokens().read(member(both, "status.token"), store, at(0)).has_value());
}

BOOST_AUTO_TEST_CASE(a_token_request_may_be_bound_to_a_pod_of_the_account) {
    auto const token = std::string("/api/v1/namespaces/default/serviceaccounts/trainer/token");
    BOOST_TEST(send("POST", pods_path, R"({"metadata":{"name":"p"},"spec":{"serviceAccountName":"trainer",
        "containers":[{"name":"c","image":"i"}]}})")
                   .status == 201U);
    auto const reference = [](std::string const& text) { return R"({"spec":{"boundObjectRef":)" + text + "}}"; };
    auto const made = send("POST", token, reference(R"({"apiVersion":"v1","kind":"Pod","name":"p"})"));
    BOOST_TEST(made.status == 201U);
    auto const text = member(made, "status.token");
    auto const read = requests.tokens().read(text, store, at(0));
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST(read->user.name == "system:serviceaccount:default:trainer");
    auto const message = [&](std::string const& bound) {
        return member(send("POST", token, reference(bound)), "message");
    };
    BOOST_TEST(message(R"({"apiVersion":"v1","kind":"Pod","name":"q"})") == "pods \"q\" not found");
    BOOST_TEST(
        message(R"({"apiVersion":"v1","kind":"Pod","name":"p","uid":"x"})")
            .starts_with("Operation cannot be fulfilled on Pod \"p\": the UID in the bound object reference (x) "));
    BOOST_TEST(message(R"({"apiVersion":"v1","kind":"ConfigMap","name":"p"})") ==
               "cannot bind token to object of type /v1, Kind=ConfigMap");
    BOOST_TEST(message(R"({"apiVersion":"apps/v1","kind":"Pod","name":"p"})") ==
               "cannot bind token to object of type apps/v1, Kind=Pod");
    make_pod("other");
    BOOST_TEST(message(R"({"apiVersion":"v1","kind":"Pod","name":"other"})") ==
               "cannot bind token for serviceaccount \"trainer\" to pod running with serviceaccount \"\"");
    BOOST_TEST(send("DELETE", pods_path + "/p").status == 200U);
    BOOST_TEST(!requests.tokens().read(text, store, at(0)));
}

BOOST_AUTO_TEST_CASE(a_token_request_may_be_bound_to_a_secret) {
    auto const secrets_path = std::string("/api/v1/namespaces/default/secrets");
    auto const request = [&](std::string const& account, std::string const& more) {
        return send("POST", "/api/v1/namespaces/default/serviceaccounts/" + account + "/token",
                    R"({"spec":{"boundObjectRef":{"apiVersion":"v1","kind":"Secret","name":"s")" + more + "}}}");
    };
    BOOST_TEST(
        send("POST", "/api/v1/namespaces/default/serviceaccounts", R"({"metadata":{"name":"trainer"}})").status ==
        201U);
    BOOST_TEST(member(request("trainer", ""), "message") == "secrets \"s\" not found");
    BOOST_TEST(send("POST", secrets_path, R"({"metadata":{"name":"s"}})").status == 201U);
    BOOST_TEST(member(request("nobody", ""), "message") == "serviceaccounts \"nobody\" not found");
    BOOST_TEST(send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"default"}})").status == 201U);
    BOOST_TEST(request("default", "").status == 201U); // there without being stored
    BOOST_TEST(member(request("trainer", R"(,"uid":"x")"), "message")
                   .starts_with("Operation cannot be fulfilled on Secret \"s\": the UID in the bound object "
                                "reference (x) does not match"));
    auto const text = member(request("trainer", ""), "status.token");
    auto const read = requests.tokens().read(text, store, at(0));
    BOOST_TEST_REQUIRE(read.has_value());
    BOOST_TEST(read->user.name == "system:serviceaccount:default:trainer");
    BOOST_TEST(read->user.extra.empty());
    BOOST_TEST(send("DELETE", secrets_path + "/s").status == 200U);
    BOOST_TEST(send("POST", secrets_path, R"({"metadata":{"name":"s"}})").status == 201U);
    auto const gone = requests.tokens().read(text, store, at(0)); // another secret of this name
    BOOST_TEST_REQUIRE(!gone);
    BOOST_TEST(gone.error() == "[invalid bearer token, service account token has been invalidated]");
}

BOOST_AUTO_TEST_SUITE_END()
