#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

// Codes, reasons and messages: apiserver v0.31.3 `pkg/endpoints/handlers/patch.go`, apimachinery
// `pkg/api/errors/errors.go`.

using namespace sample;

namespace {

struct patched : served {
    reply json_patch(std::string const& operations, std::string const& path = pods_path + "/p") {
        return send("PATCH", path, operations, "application/json-patch+json");
    }
    reply strategic(std::string const& patch, std::string const& path = pods_path + "/p") {
        return send("PATCH", path, patch, "application/strategic-merge-patch+json");
    }
};

std::string repeated(std::string const& one, std::size_t count) {
    std::string all = "[";
    for (std::size_t i = 0; i < count; ++i) all += (i == 0 ? "" : ",") + one;
    return all + "]";
}

/// Code and message, and the message of the first cause.
std::string code_and_message(reply const& r) {
    auto const body = body_of(r);
    auto text = std::to_string(r.status) + " " + std::string(text_in(body, "message"));
    auto const* details = object_in(body, "details");
    auto const* causes = details != nullptr ? array_in(*details, "causes") : nullptr;
    if (causes != nullptr)
        text.append(" | ")
            .append(text_in(causes->at(0).as_object(), "field"))
            .append(": ")
            .append(text_in(causes->at(0).as_object(), "message"));
    return text;
}

/// `c=i:1 d=j:1 `
std::string images(reply const& pod) {
    std::string out;
    auto const body = body_of(pod);
    for (auto const& c : body.at("spec").at("containers").as_array())
        out.append(text_in(c.as_object(), "name")).append("=").append(text_in(c.as_object(), "image")).append(" ");
    return out;
}

std::string const rejected = "422 the server rejected our request due to an error in our request | patch: operation ";

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_patch, patched)

BOOST_AUTO_TEST_CASE(json_patches_apply_in_order) {
    make_pod("p", R"(,"hostname":"h","tolerations":[])");
    auto const r = json_patch(R"([{"op":"test","path":"/spec/hostname","value":"h"},
                                  {"op":"add","path":"/metadata/labels","value":{"a":"b"}},
                                  {"op":"copy","from":"/metadata/labels/a","path":"/metadata/labels/c~1d"},
                                  {"op":"add","path":"/metadata/annotations","value":{"x":"y"}},
                                  {"op":"move","from":"/metadata/annotations/x","path":"/metadata/annotations/z"},
                                  {"op":"replace","path":"/spec/containers/0/image","value":"j"},
                                  {"op":"add","path":"/spec/tolerations/-","value":{"operator":"Exists"}}])");
    BOOST_TEST(r.status == 200u, r.body);
    BOOST_TEST(member(r, "metadata.labels") == R"({"a":"b","c/d":"b"})");
    BOOST_TEST(images(r) == "c=j ");
    BOOST_TEST(member(r, "spec.tolerations") == R"([{"operator":"Exists"}])");
    BOOST_TEST(member(r, "metadata.annotations") == R"({"z":"y"})");
    make_job("j");
    auto const job = json_patch(R"([{"op":"replace","path":"/spec/a","value":2}])", jobs_path + "/j");
    BOOST_TEST(member(job, "spec.a") == "2");
    BOOST_TEST(member(job, "metadata.generation") == "2");
}

BOOST_AUTO_TEST_CASE(a_failing_json_patch_changes_nothing_and_names_the_operation) {
    make_pod("p");
    auto const before = send("GET", pods_path + "/p").body;
    auto const failed = json_patch(R"([{"op":"add","path":"/metadata/labels","value":{}},
                                       {"op":"test","path":"/metadata/name","value":"q"}])");
    BOOST_TEST(code_and_message(failed) ==
               rejected + R"(1: the test of "/metadata/name" failed: expected "\"q\"", got "\"p\"")");
    BOOST_TEST(member(failed, "reason") == "Invalid");
    BOOST_TEST(code_and_message(json_patch(R"([{"op":"remove","path":"/spec/nothing"}])")) ==
               rejected + R"(0: nothing exists at "/spec/nothing")");
    BOOST_TEST(code_and_message(json_patch(R"([{"op":"grow","path":"/spec"}])")) ==
               rejected + R"(0: expected add, remove, replace, move, copy or test as op, got "grow")");
    BOOST_TEST(code_and_message(json_patch(R"([{"path":"/spec"}])")) == rejected + "0: expected a string as op");
    BOOST_TEST(code_and_message(json_patch(R"([{"op":"add","path":"spec"}])")).starts_with(rejected));
    BOOST_TEST(send("GET", pods_path + "/p").body == before);
    // A server takes what is not there for null in tests; RFC 6902 does not.
    BOOST_TEST(json_patch(R"([{"op":"test","path":"/spec/nothing","value":null}])").status == 200u);
    BOOST_TEST(json_patch(R"([{"op":"test","path":"/spec/nothing","value":0}])").status == 422u);
    BOOST_TEST(json_patch(R"([{"op":"test","path":"/nothing/within","value":null}])").status == 422u);
}

// gopkg.in/evanphx/json-patch.v4 v4.12.0 `patch.go`, which Kubernetes 1.31 uses, differs from RFC 6902 in these.
BOOST_AUTO_TEST_CASE(json_patches_apply_as_in_api_servers) {
    make_pod("p");
    auto const labels = [&](std::string const& operations) {
        (void)json_patch(R"([{"op":"add","path":"/metadata/labels","value":{"a":"1"}}])");
        auto const r = json_patch("[" + operations + "]");
        return r.status == 200u ? member(r, "metadata.labels") : std::to_string(r.status);
    };
    BOOST_TEST(labels(R"({"op":"replace","path":"/metadata/labels/z","value":"2"})") == R"({"a":"1","z":"2"})");
    BOOST_TEST(labels(R"({"op":"replace","path":"/metadata/nothing/z","value":"2"})") == "422");
    BOOST_TEST(labels(R"({"op":"remove","path":"/metadata/labels/z"})") == "422");
    BOOST_TEST(labels(R"({"op":"move","from":"/metadata/labels/z","path":"/metadata/labels/b"})") == "422");
    BOOST_TEST(labels(R"({"op":"add","path":"/metadata/labels/~x","value":"2"})") == "422"); // no label has a ~ in it
    // Text before the first slash is ignored, so this is the path /labels/x.
    BOOST_TEST(labels(R"({"op":"add","path":"metadata/labels/x","value":"2"})") == "422");
    BOOST_TEST(labels(R"({"op":"add","path":"x/metadata/labels/b","value":"2"})") == R"({"a":"1","b":"2"})");
    // Only `replace` and `test` reach the whole document.
    for (std::string const bad :
         {R"({"op":"add","path":"","value":{}})", R"({"op":"remove","path":""})",
          R"({"op":"copy","from":"","path":"/metadata/labels/b"})", R"({"op":"replace","path":"","value":5})"})
        BOOST_TEST(labels(bad) == "422", bad);

    auto const finalizers = [&](std::string const& operations) {
        (void)json_patch(R"([{"op":"add","path":"/metadata/finalizers","value":["k.io/a","k.io/b"]}])");
        auto const r = json_patch("[" + operations + "]");
        return r.status == 200u ? member(r, "metadata.finalizers") : std::to_string(r.status);
    };
    auto const replaced = [&](std::string const& index) {
        return finalizers(R"({"op":"replace","path":"/metadata/finalizers/)" + index + R"(","value":"k.io/c"})");
    };
    BOOST_TEST(replaced("00") == R"(["k.io/c","k.io/b"])");
    BOOST_TEST(replaced("+1") == R"(["k.io/a","k.io/c"])");
    BOOST_TEST(replaced("-1") == R"(["k.io/a","k.io/c"])");
    BOOST_TEST(replaced("-0") == R"(["k.io/c","k.io/b"])");
    for (std::string const bad : {"2", "-3", "-", "", "0x0", "+-1", "1_0"}) BOOST_TEST(replaced(bad) == "422", bad);
    BOOST_TEST(finalizers(R"({"op":"add","path":"/metadata/finalizers/-1","value":"k.io/c"})") ==
               R"(["k.io/a","k.io/b","k.io/c"])");
    BOOST_TEST(finalizers(R"({"op":"add","path":"/metadata/finalizers/-3","value":"k.io/c"})") ==
               R"(["k.io/c","k.io/a","k.io/b"])");
    BOOST_TEST(finalizers(R"({"op":"remove","path":"/metadata/finalizers/-2"})") == R"(["k.io/b"])");
    BOOST_TEST(finalizers(R"({"op":"remove","path":"/metadata/finalizers/-"})") == "422");

    make_job("j");
    auto const job = [&](std::string const& operations) {
        auto const r = json_patch("[" + operations + "]", jobs_path + "/j");
        return r.status == 200u ? member(r, "spec") : std::to_string(r.status);
    };
    BOOST_TEST(job(R"({"op":"add","path":"/spec","value":{"a":1}})") == R"({"a":1})");
    // A value that is missing is null.
    BOOST_TEST(job(R"({"op":"add","path":"/spec/b"})") == R"({"a":1,"b":null})");
    BOOST_TEST(job(R"({"op":"copy","from":"/spec/nothing","path":"/spec/b"})") == R"({"a":1,"b":null})");
    BOOST_TEST(job(R"({"op":"test","path":"/spec/b"},{"op":"test","path":"/spec/nothing"})") == R"({"a":1,"b":null})");
    BOOST_TEST(job(R"({"op":"test","path":"/spec/a"})") == "422");
    BOOST_TEST(job(R"({"op":"replace","path":"/spec/a"})") == R"({"a":null,"b":null})");
    // Numbers are equal as they are written.
    BOOST_TEST(job(R"({"op":"add","path":"/spec","value":{"a":1}},{"op":"test","path":"/spec/a","value":1})") ==
               R"({"a":1})");
    BOOST_TEST(job(R"({"op":"test","path":"/spec/a","value":1.0})") == "422");
    // Null is a list of no operations, and an operation of no kind.
    BOOST_TEST(json_patch("null", jobs_path + "/j").status == 200u);
    BOOST_TEST(json_patch("[null]", jobs_path + "/j").status == 422u);
}

BOOST_AUTO_TEST_CASE(invalid_json_patches_are_bad_requests) {
    make_pod("p");
    for (std::string const bad : {"{}", "5", "[5]", "[[]]", R"([{"op":5}])", R"([{"op":"add","path":["spec"]}])",
                                  R"([{"op":"copy","from":{},"path":"/a"}])"}) {
        auto const r = json_patch(bad);
        BOOST_TEST(r.status == 400u, bad);
        BOOST_TEST(member(r, "reason") == "BadRequest", bad);
        BOOST_TEST(member(r, "message").starts_with("error decoding patch: "), r.body);
    }
    for (std::string const torn : {"[", R"([{"op":"add")", "[{}]]", "\xff", "[nul]"}) {
        BOOST_TEST(json_patch(torn).status == 400u, torn);
        BOOST_TEST(strategic(torn).status == 400u, torn);
    }
    for (std::string const other : {"[]", "5", "null", "\"x\""}) BOOST_TEST(strategic(other).status == 400u, other);
}

BOOST_AUTO_TEST_CASE(json_patches_are_bounded) {
    make_pod("p");
    std::string const test = R"({"op":"test","path":"/kind","value":"Pod"})";
    BOOST_TEST(json_patch(repeated(test, 10000)).status == 200u);
    auto const many = json_patch(repeated(test, 10001));
    BOOST_TEST(code_and_message(many) ==
               "413 Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001");
    BOOST_TEST(member(many, "reason") == "RequestEntityTooLarge");
    // Each copy doubles the list.
    auto const doubling = json_patch(R"([{"op":"add","path":"/spec/x","value":["0123456789"]},)" +
                                     repeated(R"({"op":"copy","from":"/spec/x","path":"/spec/x/0"})", 40).substr(1));
    BOOST_TEST(doubling.status == 422u);
    BOOST_TEST(code_and_message(doubling).ends_with("copies exceed 3145728 bytes"), code_and_message(doubling));
}

BOOST_AUTO_TEST_CASE(strategic_patches_merge_lists_of_built_in_kinds_by_their_keys) {
    make(pods, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"log"},{"name":"c"}]}})");
    auto const r = strategic(R"({"spec":{"containers":[{"name":"c","image":"i:2"}]}})");
    BOOST_TEST(r.status == 200u, r.body);
    BOOST_TEST(images(r) == "log=i c=i:2 ");
    auto const at_status = [&](std::string const& conditions) {
        auto const done =
            strategic(R"({"status":{"conditions":)" + conditions + R"(},"spec":{"x":1}})", pods_path + "/p/status");
        BOOST_TEST(member(done, "spec.x") == "");
        return member(done, "status.conditions");
    };
    BOOST_TEST(at_status(R"([{"type":"Ready","status":"True"}])") == R"([{"type":"Ready","status":"True"}])");
    BOOST_TEST(
        at_status(R"([{"type":"A","status":"True"}],"$setElementOrder/conditions":[{"type":"A"},{"type":"Ready"}])") ==
        R"([{"type":"A","status":"True"},{"type":"Ready","status":"True"}])");
    BOOST_TEST(at_status(R"([{"type":"A","$patch":"delete"}])") == R"([{"type":"Ready","status":"True"}])");
    auto const wrong = strategic(R"({"spec":{"containers":[{"image":"i"}]}})");
    BOOST_TEST(code_and_message(wrong) ==
               "400 the patch cannot be applied: spec.containers: expected an object with the merge key "
               "\"name\", got \"{\\\"image\\\":\\\"i\\\"}\"");
}

BOOST_AUTO_TEST_CASE(custom_resources_reject_strategic_patches) {
    make_job("j");
    make_pod("p");
    std::string const known = "application/json-patch+json, application/merge-patch+json";
    std::string const format = "the body of the request was in an unknown format - accepted media types include: ";
    for (std::string const part : {"", "/status"}) {
        auto const r = strategic("{}", jobs_path + "/j" + part);
        BOOST_TEST(code_and_message(r) == "415 " + format + known + ", application/apply-patch+yaml");
        BOOST_TEST(member(r, "reason") == "UnsupportedMediaType");
    }
    BOOST_TEST(code_and_message(send("PATCH", pods_path + "/p", "{}", "application/json")) ==
               "415 " + format + known + ", application/strategic-merge-patch+json, application/apply-patch+yaml");
    BOOST_TEST(json_patch("[]", pods_path + "/p").status == 200u);
}

BOOST_AUTO_TEST_CASE(server_owned_fields_cannot_be_patched) {
    auto const made = make_pod("p");
    auto const stale = R"([{"op":"replace","path":"/metadata/resourceVersion","value":"1"}])";
    auto const conflict = json_patch(stale);
    BOOST_TEST(conflict.status == 409u);
    BOOST_TEST(member(conflict, "reason") == "Conflict");
    BOOST_TEST(strategic(R"({"metadata":{"resourceVersion":"1"}})").status == 409u);
    auto const current = std::to_string(made->version());
    BOOST_TEST(strategic(R"({"metadata":{"resourceVersion":")" + current + R"(","labels":{"a":"b"}}})").status == 200u);
    BOOST_TEST(code_and_message(json_patch(R"([{"op":"replace","path":"/metadata/uid","value":"x"}])")) ==
               "422 Pod \"p\" is invalid: metadata.uid: Invalid value: \"x\": field is immutable | metadata.uid: "
               "Invalid value: \"x\": field is immutable");
    BOOST_TEST(json_patch(R"([{"op":"replace","path":"/metadata/name","value":"q"}])").status == 400u);
    auto const kept = json_patch(R"([{"op":"remove","path":"/metadata/creationTimestamp"},
                                     {"op":"add","path":"/metadata/annotations","value":{"k":"v"}}])");
    BOOST_TEST(kept.status == 200u);
    BOOST_TEST(member(kept, "metadata.creationTimestamp") == at_path_text(made, "metadata.creationTimestamp"));
    // The specification is not patched through the status, nor the status beside it.
    auto const status = json_patch(R"([{"op":"add","path":"/status","value":{"phase":"Running"}},
                                       {"op":"add","path":"/spec/hostname","value":"h"}])",
                                   pods_path + "/p/status");
    BOOST_TEST(member(status, "status.phase") == "Running");
    BOOST_TEST(member(status, "spec.hostname") == "");
    auto const object = json_patch(R"([{"op":"replace","path":"/status/phase","value":"Failed"}])");
    BOOST_TEST(member(object, "status.phase") == "Running");
}

BOOST_AUTO_TEST_CASE(a_patch_result_that_does_not_fit_the_type_is_invalid) {
    make_pod("p");
    for (auto const& r : {json_patch(R"([{"op":"replace","path":"","value":[]}])"),
                          json_patch(R"([{"op":"replace","path":"/spec","value":"x"}])"),
                          strategic(R"({"spec":{"containers":[{"name":"c","image":5}]}})")}) {
        BOOST_TEST(r.status == 422u, r.body);
        BOOST_TEST(member(r, "message").starts_with(" \"\" is invalid: patch: Invalid value: "), r.body);
    }
    BOOST_TEST(code_and_message(strategic(R"({"spec":{"containers":[{"name":"c","image":5}]}})"))
                   .ends_with("spec.containers[0].image: expected string, got 5"));
    BOOST_TEST(images(send("GET", pods_path + "/p")) == "c=i ");
}

BOOST_AUTO_TEST_CASE(a_patch_does_not_create_an_object) {
    for (auto const& r : {json_patch("[]", pods_path + "/none"), strategic("{}", pods_path + "/none"),
                          json_patch("[", pods_path + "/none"), json_patch("[]", pods_path + "/none/status")}) {
        BOOST_TEST(r.status == 404u);
        BOOST_TEST(member(r, "message") == "pods \"none\" not found");
    }
}

BOOST_AUTO_TEST_CASE(admission_receives_the_patched_object) {
    auto d = job_definition();
    d.admission_name = "judge.example.com";
    d.admission = [](admission_request const& r) {
        admission_verdict v;
        if (r.text().find("\"bad\"") != std::string_view::npos) v.denied = admission_denial("no bad ones");
        return v;
    };
    store.add(d);
    make_job("j");
    auto const r = json_patch(R"([{"op":"add","path":"/spec/b","value":"bad"}])", jobs_path + "/j");
    BOOST_TEST(code_and_message(r) == "403 admission webhook \"judge.example.com\" denied the request: no bad ones");
    BOOST_TEST(json_patch(R"([{"op":"add","path":"/spec/b","value":"good"}])", jobs_path + "/j").status == 200u);
}

BOOST_AUTO_TEST_SUITE_END()
