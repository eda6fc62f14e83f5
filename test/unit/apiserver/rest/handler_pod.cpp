#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

using namespace sample;

namespace {

struct recording_source final : pod_log_source {
    answer<std::unique_ptr<kube::body_stream>> open_log(log_request const& r) override {
        requests.push_back(r);
        if (r.timestamps) return refusal(400, reason::bad_request, "timestamps are not kept");
        if (none) return refusal(400, reason::bad_request, "nothing is kept");
        return std::unique_ptr<kube::body_stream>();
    }
    std::vector<log_request> requests;
    bool none = false;
};

struct with_logs : served {
    with_logs() { requests.set_log_source(source); }
    std::shared_ptr<recording_source> source = std::make_shared<recording_source>();
};

} // namespace

// Expected: kubernetes pkg/registry/core/pod/{rest/log.go,strategy.go}, v1.31.
BOOST_FIXTURE_TEST_SUITE(apiserver_handler_pod, with_logs)

BOOST_AUTO_TEST_CASE(the_log_of_the_only_container_is_opened) {
    make_pod("p", R"(,"nodeName":"n")");
    auto const r = send("GET", pods_path + "/p/log?follow=true&tailLines=5&limitBytes=100&sinceSeconds=3");
    BOOST_TEST(r.status == 200u);
    BOOST_TEST(r.fields.get("Content-Type") == "text/plain");
    BOOST_REQUIRE(source->requests.size() == 1u);
    auto const& request = source->requests[0];
    BOOST_TEST(request.namespace_ == "default");
    BOOST_TEST(request.container == "c");
    BOOST_TEST(request.pod_uid == "uid-1");
    BOOST_TEST(request.follow);
    BOOST_TEST(request.tail_lines.value() == 5);
    BOOST_TEST(request.limit_bytes.value() == 100);
    BOOST_TEST(request.since_seconds.value() == 3);
}

BOOST_AUTO_TEST_CASE(one_of_several_containers_must_be_named) {
    make(pods, R"({"metadata":{"name":"p"},"spec":{"nodeName":"n","containers":[{"name":"a"},{"name":"b"}]}})");
    auto const r = send("GET", pods_path + "/p/log");
    BOOST_TEST(r.status == 400u);
    BOOST_TEST(member(r, "message") == "a container name must be specified for pod p, choose one of: [a b]");
    BOOST_TEST(member(send("GET", pods_path + "/p/log?container=z"), "message") ==
               "container z is not valid for pod p");
    BOOST_TEST(send("GET", pods_path + "/p/log?container=b").status == 200u);
}

BOOST_AUTO_TEST_CASE(a_container_that_waits_has_no_log) {
    make_pod("p", R"(,"nodeName":"n")");
    (void)store.patch_status(pods, "default", "p", patch_type::merge, R"({"status":{"containerStatuses":[{"name":"c",
        "state":{"waiting":{"reason":"ContainerCreating"}}}]}})",
                             at(0));
    auto const r = send("GET", pods_path + "/p/log");
    BOOST_TEST(r.status == 400u);
    BOOST_TEST(member(r, "message") == "container \"c\" in pod \"p\" is waiting to start: ContainerCreating");
}

BOOST_AUTO_TEST_CASE(a_rejected_pod_has_a_message_instead_of_a_log) {
    make_pod("p", R"(,"nodeName":"n")");
    source->none = true;
    auto const text = [&] { return member(send("GET", pods_path + "/p/log"), "message"); };
    BOOST_TEST(text() == "nothing is kept");
    (void)store.patch_status(
        pods, "default", "p", patch_type::merge,
        R"({"status":{"phase":"Failed","reason":"NotSupported","message":"spec.hostNetwork: not here"}})", at(0));
    BOOST_TEST(text() == "container \"c\" in pod \"p\" is not available: NotSupported: spec.hostNetwork: not here");
    source->none = false; // as of a pod that broke down later
    BOOST_TEST(send("GET", pods_path + "/p/log").status == 200u);
}

BOOST_AUTO_TEST_CASE(the_restart_count_selects_the_run_of_a_log) {
    make_pod("p", R"(,"nodeName":"n")");
    auto const run_of = [&](std::string const& status, std::string const& query) -> std::string {
        (void)store.patch_status(pods, "default", "p", patch_type::merge,
                                 R"({"status":{"containerStatuses":[{"name":"c",)" + status + "}]}}", at(0));
        auto const before = source->requests.size();
        auto const r = send("GET", pods_path + "/p/log" + query);
        if (r.status != 200) return member(r, "message");
        BOOST_REQUIRE(source->requests.size() == before + 1);
        return std::to_string(source->requests.back().run.value_or(-1)) +
               (source->requests.back().previous ? " before" : "");
    };
    std::string const none = "previous terminated container \"c\" in pod \"p\" not found";
    std::string const running = R"("restartCount":0,"state":{"running":{}})";
    BOOST_TEST(run_of(running, "") == "0");
    BOOST_TEST(run_of(running, "?previous=true") == none);
    std::string const again = R"("restartCount":2,"state":{"running":{}},"lastState":{"terminated":{"exitCode":1}})";
    BOOST_TEST(run_of(again, "") == "2");
    BOOST_TEST(run_of(again, "?previous=true") == "1 before");
    // Between two runs both mean the one that has ended.
    std::string const waiting = R"("restartCount":2,"state":{"waiting":{"reason":"CrashLoopBackOff"}},)"
                                R"("lastState":{"terminated":{"exitCode":1}})";
    BOOST_TEST(run_of(waiting, "") == "2");
    BOOST_TEST(run_of(waiting, "?previous=true") == "2 before");
}

BOOST_AUTO_TEST_CASE(a_pod_without_a_node_has_an_empty_log) {
    make_pod("p");
    auto const r = send("GET", pods_path + "/p/log");
    BOOST_TEST(r.status == 200u);
    BOOST_TEST(r.body.empty());
    BOOST_TEST(source->requests.empty());
}

BOOST_AUTO_TEST_CASE(bad_options_and_refusals_of_the_source_are_passed_on) {
    make_pod("p", R"(,"nodeName":"n")");
    BOOST_TEST(member(send("GET", pods_path + "/p/log?previous=true"), "message") ==
               "previous terminated container \"c\" in pod \"p\" not found");
    BOOST_TEST(send("GET", pods_path + "/p/log?tailLines=-1").status == 400u);
    BOOST_TEST(send("GET", pods_path + "/p/log?limitBytes=0").status == 400u);
    BOOST_TEST(send("GET", pods_path + "/p/log?sinceTime=yesterday").status == 400u);
    BOOST_TEST(send("GET", pods_path + "/p/log?stream=Stderr").status == 400u);
    BOOST_TEST(member(send("GET", pods_path + "/p/log?timestamps=1"), "message") == "timestamps are not kept");
    BOOST_TEST(send("GET", pods_path + "/q/log").status == 404u);
    BOOST_TEST(send("POST", pods_path + "/p/log").status == 405u);
    requests.set_log_source(nullptr);
    BOOST_TEST(send("GET", pods_path + "/p/log").status == 503u);
}

BOOST_AUTO_TEST_CASE(a_binding_assigns_the_pod_to_its_node) {
    make_pod("p");
    auto const body =
        R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"p"},"target":{"kind":"Node","name":"node-1"}})";
    auto const r = send("POST", pods_path + "/p/binding", body);
    BOOST_TEST(r.status == 201u);
    BOOST_TEST(member(r, "status") == "Success");
    BOOST_TEST(at_path_text(find(pods, "p"), "spec.nodeName") == "node-1");
    BOOST_TEST(send("POST", pods_path + "/p/binding", body).status == 409u);
    auto const other = R"({"metadata":{"name":"q"},"target":{"name":"n"}})";
    BOOST_TEST(send("POST", pods_path + "/q/binding", other).status == 404u);
}

// Expected: kubernetes v1.31 `pkg/registry/core/pod/storage/eviction.go`, for pods without a budget.
BOOST_AUTO_TEST_CASE(an_eviction_deletes_the_pod) {
    make_pod("p");
    auto const evict = [&](std::string const& more, std::string const& query = "") {
        return send("POST", pods_path + "/p/eviction" + query,
                    R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"})" + more + "}");
    };
    BOOST_TEST(evict("", "?dryRun=All").status == 201u);
    BOOST_TEST(evict(R"(,"deleteOptions":{"preconditions":{"uid":"other"}})").status == 409u);
    BOOST_TEST(find(pods, "p"));
    auto const r = evict("");
    BOOST_TEST(r.status == 201u);
    BOOST_TEST(member(r, "status") == "Success");
    BOOST_TEST(!find(pods, "p"));
    BOOST_TEST(evict("").status == 404u);
    BOOST_TEST(send("POST", pods_path + "/p/eviction", R"({"kind":"Pod"})").status == 400u);
}

// Expected: answers of kube-apiserver v1.31.3.
BOOST_AUTO_TEST_CASE(a_binding_that_is_refused_changes_nothing) {
    make_pod("bound", R"(,"nodeName":"n")");
    make_pod("gated", R"(,"schedulingGates":[{"name":"a"}])");
    make_pod("p");
    auto const bind = [&](std::string const& pod, std::string const& body) {
        auto const r = send("POST", pods_path + "/" + pod + "/binding", body);
        return std::to_string(r.status) + " " + member(r, "reason") + " " + member(r, "message");
    };
    auto const to = [](std::string const& pod, std::string const& target) {
        return R"({"metadata":{"name":")" + pod + R"("},"target":)" + target + "}";
    };
    BOOST_TEST(bind("bound", to("bound", R"({"kind":"Node","name":"m"})")) ==
               "409 Conflict Operation cannot be fulfilled on pods/binding \"bound\": pod bound is already assigned to "
               "node \"n\"");
    BOOST_TEST(bind("gated", to("gated", R"({"name":"m"})")) ==
               "409 Conflict Operation cannot be fulfilled on pods/binding \"gated\": pod gated has non-empty "
               ".spec.schedulingGates");
    BOOST_TEST(bind("p", R"({"target":{"name":"m"}})") ==
               "400 BadRequest name in URL does not match name in Binding object");
    BOOST_TEST(bind("p", to("p", "{}")) == "500  target.name: Required value");
    BOOST_TEST(bind("p", to("p", R"({"kind":"Pod","name":"m"})")) ==
               "500  target.kind: Unsupported value: \"Pod\": supported values: \"Node\", \"<empty>\"");
    BOOST_TEST(at_path_text(find(pods, "bound"), "spec.nodeName") == "n");
    BOOST_TEST(at_path_text(find(pods, "p"), "spec.nodeName") == "");
}

BOOST_AUTO_TEST_SUITE_END()
