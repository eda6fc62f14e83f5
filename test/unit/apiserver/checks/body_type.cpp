#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

using namespace sample;

BOOST_FIXTURE_TEST_SUITE(apiserver_body_type, served)

// apimachinery v0.31 `pkg/api/resource/quantity.go`, `pkg/apis/meta/v1/micro_time.go`.
BOOST_AUTO_TEST_CASE(values_of_built_in_kinds_are_written_in_canonical_form) {
    auto const made = send("POST", pods_path,
                           R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i",)"
                           R"("resources":{"limits":{"cpu":"1000m","memory":"1024Mi","x.y/z":2}}}]}})");
    BOOST_TEST_REQUIRE(made.status == 201u, made.body);
    BOOST_TEST(member(made, "spec.containers").find(R"("limits":{"cpu":"1","memory":"1Gi","x.y/z":"2"})") !=
                   std::string::npos,
               made.body);
    std::string const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    int count = 0;
    auto const lease = [&](std::string const& renewed) {
        return send("POST", leases,
                    R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"l)" +
                        std::to_string(++count) + R"("},"spec":{"renewTime":")" + renewed + R"("}})");
    };
    BOOST_TEST(member(lease("2026-03-01T10:11:12.000001Z"), "spec.renewTime") == "2026-03-01T10:11:12.000001Z");
    BOOST_TEST(member(lease("2026-03-01T10:11:12.500000+01:00"), "spec.renewTime") == "2026-03-01T09:11:12.500000Z");
    for (auto const& [bad, rest] : {std::pair("2026-03-01T10:11:12Z", R"("Z" as ".000000")"),
                                    std::pair("2026-03-01T10:11:12.5Z", R"(".5Z" as ".000000")"),
                                    std::pair("2026-03-01T10:11:12.1234567Z", R"("7Z" as "Z07:00")")}) {
        auto const refused = lease(bad);
        BOOST_TEST(refused.status == 400u, refused.body);
        BOOST_TEST(member(refused, "message") ==
                   std::string(R"(Lease in version "v1" cannot be handled as a Lease: parsing time ")") + bad +
                       R"(" as "2006-01-02T15:04:05.000000Z07:00": cannot parse )" + rest);
    }
    for (std::string const bad : {"yesterday", "", "2026-03-01", "2026-13-01T10:11:12.000000Z"})
        BOOST_TEST(lease(bad).status == 400u, bad);
}

// Texts: apiserver v0.31.3 `pkg/endpoints/handlers/create.go`, sigs.k8s.io/json `kubernetes_patch.go`.
BOOST_AUTO_TEST_CASE(unknown_and_repeated_fields_of_built_in_kinds_are_refused_in_strict_mode) {
    std::string const slips =
        R"({"metadata":{"name":"p","labels":{"a/b":"1","a/b":"2"}},"spec":{"containers":[{"name":"c","image":"i",)"
        R"("imagePullPolice":"Never","image":"j"}]},"bogus":1})";
    auto const strict = send("POST", pods_path + "?fieldValidation=Strict", slips);
    BOOST_TEST(strict.status == 400u);
    BOOST_TEST(member(strict, "reason") == "BadRequest");
    BOOST_TEST(member(strict, "message") ==
               R"(Pod in version "v1" cannot be handled as a Pod: strict decoding error: )"
               R"(duplicate field "metadata.labels.a/b", unknown field "spec.containers[0].imagePullPolice", )"
               R"(duplicate field "spec.containers[0].image", unknown field "bogus")");
    BOOST_TEST(!find(pods, "p"));
    auto const warned = send("POST", pods_path + "?fieldValidation=Warn", slips);
    BOOST_TEST_REQUIRE(warned.status == 201u);
    BOOST_TEST(warned.fields.get("Warning") == R"(299 - "duplicate field \"metadata.labels.a/b\"")");
    BOOST_TEST(member(warned, "spec.containers").find(R"("image":"j")") != std::string::npos);
    // A fault that existed before is not a fault of the patch.
    auto const patch = [&](std::string const& text) {
        return send("PATCH", pods_path + "/p?fieldValidation=Strict", text, "application/merge-patch+json").status;
    };
    BOOST_TEST(patch(R"({"metadata":{"labels":{"x":"y"}}})") == 200u);
    BOOST_TEST(patch(R"({"spec":{"bogus":"y"}})") == 400u);
    auto const good = R"({"metadata":{"name":"q"},"spec":{"containers":[{"name":"c","image":"i"}]}})";
    BOOST_TEST(send("POST", pods_path + "?fieldValidation=Strict", good).status == 201u);
    // A value that does not fit the type is reported first.
    auto const mismatch = send("POST", pods_path + "?fieldValidation=Strict", R"({"metadata":{"name":5},"bogus":1})");
    BOOST_TEST(mismatch.status == 400u);
    BOOST_TEST(member(mismatch, "message").find("strict") == std::string::npos, mismatch.body);
}

// sigs.k8s.io/json `internal/golang/encoding/json/kubernetes_patch.go`: the first hundred, each once.
BOOST_AUTO_TEST_CASE(at_most_a_hundred_faults_are_reported) {
    std::string labels;
    for (int i = 0; i < 3 * 150; ++i) labels += (i == 0 ? "\"l" : ",\"l") + std::to_string(i % 150) + R"(":"v")";
    for (auto const& [path, kind] : {std::pair(pods_path, R"("kind":"Pod")"),
                                     {jobs_path, R"("apiVersion":"kubeflow.org/v1","kind":"PyTorchJob")"}}) {
        auto const refused = send("POST", path + "?fieldValidation=Strict",
                                  std::string("{") + kind + R"(,"metadata":{"name":"p","labels":{)" + labels + "}}}");
        BOOST_TEST(refused.status == 400u);
        auto const text = member(refused, "message");
        std::size_t count = 0;
        for (auto at = text.find("duplicate field"); at != text.npos; at = text.find("duplicate field", at + 1))
            ++count;
        BOOST_TEST(count == 100u);
        BOOST_TEST(text.ends_with("\"metadata.labels.l99\""), text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
