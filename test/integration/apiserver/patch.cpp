#include "async/probe.hpp"

#include <kftrain/apiserver/listener.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/model/patch.hpp>

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;

// The client patches what the server of this library holds, over a socket; and bodies that no client of ours sends.
namespace {

std::string const pods_path = "/api/v1/namespaces/default/pods";

pod sample_pod() {
    return from_json<pod>(R"({"metadata":{"name":"p","labels":{"a":"1"}},
                              "spec":{"containers":[{"name":"c","image":"i:1"},{"name":"d","image":"j:1"}]}})")
        .value();
}

struct patched_server {
    patched_server() {
        resource_definition_of_jobs();
        auto opened = apiserver::listener::open(server, {});
        BOOST_TEST_REQUIRE(opened.has_value());
        front.emplace(std::move(*opened));
        front->async_run([](error_code) {});
        kube::config c;
        c.server = front->url();
        link = kube::make_https_transport(context.get_executor(), c, {}).value();
        pods.emplace(kube::client(link), "default");
        jobs.emplace(kube::client(link), "default");
        answer_probe<pod> made;
        pods->async_create(sample_pod(), made.handler());
        until(made);
        BOOST_TEST_REQUIRE(made.ec() == error_code());
    }
    void resource_definition_of_jobs() {
        apiserver::resource_definition d(pytorch_job::resource);
        d.schema = job_rules_for<pytorch_job>().schema();
        d.scale = d.schema.scale();
        BOOST_TEST_REQUIRE(server.register_resource(d).has_value());
    }
    template <class T> void until(answer_probe<T> const& p) {
        context.restart();
        auto const limit = std::chrono::steady_clock::now() + 20s;
        while (!p.called() && std::chrono::steady_clock::now() < limit) context.run_one_for(1s);
        BOOST_TEST_REQUIRE(p.called());
    }
    /// `c=i:1 d=j:1 `
    static std::string images_of(pod const& p) {
        std::string out;
        for (auto const& c : p.spec.containers) out.append(c.name).append("=").append(c.image).append(" ");
        return out;
    }
    /// The images of the patched pod, or the message of the error.
    std::string patch(patch_type type, std::string text, bool status = false) {
        answer_probe<pod> p;
        kube::patch_body body(type, std::move(text));
        if (status)
            pods->async_patch_status("p", body, kube::call_options().with_detail(why), p.handler());
        else
            pods->async_patch("p", body, kube::call_options().with_detail(why), p.handler());
        until(p);
        last = p.ec();
        if (p.ec()) return why.message;
        stored = p.value();
        return images_of(stored);
    }
    /// The HTTP status of the response to a body.
    unsigned raw(std::string type, std::string body, std::string target = pods_path + "/p") {
        kube::http_request r;
        r.method = "PATCH";
        r.target = std::move(target);
        r.fields.add("Content-Type", std::move(type));
        r.body = std::move(body);
        answer_probe<std::string> p;
        kube::client(link).async_call(r, kube::call_options().with_retry(false).with_detail(why), p.handler());
        until(p);
        return p.ec() ? why.http_status : 200;
    }

    asio::io_context context{1};
    apiserver::api_server server{context.get_executor()};
    std::optional<apiserver::listener> front;
    std::shared_ptr<kube::transport> link;
    std::optional<kube::api<pod>> pods;
    std::optional<kube::api<pytorch_job>> jobs;
    diagnostics why;
    error_code last;
    pod stored;
};

std::string operations(std::size_t count) {
    std::string all = "[";
    for (std::size_t i = 0; i < count; ++i)
        all += std::string(i == 0 ? "" : ",") + R"({"op":"test","path":"/kind","value":"Pod"})";
    return all + "]";
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(integration_apiserver_patch, patched_server)

BOOST_AUTO_TEST_CASE(a_generated_patch_turns_one_object_into_the_other_on_the_server) {
    pod const before = sample_pod();
    pod after = before;
    after.spec.containers[1].image = "j:2";
    after.metadata.labels.clear();
    after.metadata.finalizers = {"example.com/hold"};
    auto const change = strategic_patch(before, after).value();
    BOOST_TEST(patch(patch_type::strategic, change) == images_of(after));
    BOOST_TEST(stored.metadata.labels.empty());
    BOOST_TEST(stored.metadata.finalizers.size() == 1U);
    BOOST_TEST(patch(patch_type::merge, merge_patch(after, before).value()) == images_of(before));
    BOOST_TEST(stored.metadata.finalizers.empty());
}

BOOST_AUTO_TEST_CASE(each_patch_type_has_its_own_semantics) {
    std::string const one = R"({"spec":{"containers":[{"name":"d","image":"j:2"}]}})";
    BOOST_TEST(patch(patch_type::strategic, one) == "c=i:1 d=j:2 ");
    BOOST_TEST(patch(patch_type::merge, one) ==
               "Pod \"p\" is invalid: spec.containers: Forbidden: pod updates may not add or remove containers");
    BOOST_TEST(patch(patch_type::json, R"([{"op":"replace","path":"/spec/containers/0/image","value":"j:3"}])") ==
               "c=j:3 d=j:2 ");
    patch(patch_type::json, R"([{"op":"add","path":"/status","value":{"phase":"Running"}},
                                {"op":"remove","path":"/spec"}])",
          true);
    BOOST_TEST(last == error_code());
    BOOST_TEST(stored.status.phase == "Running");
    BOOST_TEST(stored.spec.containers.size() == 2U);
}

BOOST_AUTO_TEST_CASE(rejected_patches_fail_with_a_reason) {
    patch(patch_type::json, R"([{"op":"test","path":"/metadata/labels/a","value":"2"}])");
    BOOST_TEST(last == make_error_code(reason::invalid));
    patch(patch_type::strategic, R"({"metadata":{"resourceVersion":"1"}})");
    BOOST_TEST(is_conflict(last));
    patch(patch_type::json, "{}");
    BOOST_TEST(last == make_error_code(reason::bad_request));
    patch(patch_type::json, operations(10001));
    BOOST_TEST(last == make_error_code(reason::request_entity_too_large));
    answer_probe<pod> none;
    pods->async_patch("none", {patch_type::merge, "{}"}, none.handler());
    until(none);
    BOOST_TEST(none.ec() == make_error_code(reason::not_found));
}

BOOST_AUTO_TEST_CASE(patched_jobs_are_checked_by_their_schema) {
    auto const job = from_json<pytorch_job>(R"({"metadata":{"name":"j"},"spec":{"pytorchReplicaSpecs":{"Worker":{
        "replicas":2,"template":{"spec":{"containers":[{"name":"pytorch","image":"i"}]}}}}}})");
    answer_probe<pytorch_job> made, scaled, wrong, strategic;
    jobs->async_create(*job, made.handler());
    until(made);
    BOOST_TEST_REQUIRE(made.ec() == error_code());
    std::string const path = "/spec/pytorchReplicaSpecs/Worker/replicas";
    auto const set = [&](std::string const& to) {
        return kube::patch_body(patch_type::json, R"([{"op":"replace","path":")" + path + R"(","value":)" + to + "}]");
    };
    jobs->async_patch("j", set("3"), scaled.handler());
    until(scaled);
    BOOST_TEST(scaled.value().spec.pytorch_replica_specs.at("Worker").replicas.value() == 3);
    jobs->async_patch("j", set("\"many\""), kube::call_options().with_detail(why), wrong.handler());
    until(wrong);
    BOOST_TEST(wrong.ec() == make_error_code(reason::invalid));
    BOOST_TEST(why.message.find("pytorchReplicaSpecs.Worker.replicas") != std::string::npos, why.message);
    jobs->async_patch("j", {patch_type::strategic, "{}"}, strategic.handler());
    until(strategic);
    BOOST_TEST(strategic.ec() == make_error_code(reason::unsupported_media_type));
    std::string const scale = "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs/j/scale";
    BOOST_TEST(raw("application/json-patch+json", R"([{"op":"replace","path":"/spec/replicas","value":4}])", scale) ==
               200U);
    BOOST_TEST(raw("application/strategic-merge-patch+json", "{}", scale) == 415U);
    BOOST_TEST(raw("application/json-patch+json", "[{}]", scale) == 422U);
}

BOOST_AUTO_TEST_CASE(invalid_patch_bodies_are_rejected_and_change_nothing) {
    std::string const json = "application/json-patch+json";
    std::string const strategic = "application/strategic-merge-patch+json";
    auto const before = patch(patch_type::merge, "{}");
    BOOST_TEST(raw(json, R"([{"op":"add","path":"/spec/hostname","value")") == 400U); // torn
    BOOST_TEST(raw(strategic, R"({"spec":{"containers":[)") == 400U);
    BOOST_TEST(raw(json, "") == 400U);
    BOOST_TEST(raw(strategic, "") == 400U);
    BOOST_TEST(raw(json, std::string(5000, '[')) == 400U);
    BOOST_TEST(raw(strategic, "[]") == 400U);
    BOOST_TEST(raw(json, R"({"spec":{}})") == 400U);
    BOOST_TEST(raw(json, operations(10001)) == 413U);
    BOOST_TEST(raw(json, std::string((std::size_t{3} << 20U) + 1, ' ')) == 413U);
    BOOST_TEST(raw("application/apply-patch+yaml", "{}") == 422U); // without a manager
    for (auto const* type : {"application/json", "text/plain", "", "json-patch+json", "application/json-patch+yaml"})
        BOOST_TEST(raw(type, "{}") == 415U, type);
    BOOST_TEST(raw("application/json-patch+json; charset=utf-8", "[]") == 200U);
    BOOST_TEST(patch(patch_type::merge, "{}") == before);
}

BOOST_AUTO_TEST_SUITE_END()
