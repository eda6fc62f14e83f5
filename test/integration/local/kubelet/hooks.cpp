#include "integration/local/kubelet/kubelet_cluster.hpp"

BOOST_AUTO_TEST_SUITE(integration_local_hooks)

using namespace kubelet_tests;

// Lifecycle hooks of containers. Expected: kubelet v1.31.

namespace {

core::lifecycle_handler command(std::string const& script) {
    core::lifecycle_handler h;
    h.exec.emplace().command = {"sh", "-c", script};
    return h;
}

core::lifecycle_handler request(int port) {
    core::lifecycle_handler h;
    h.http_get.emplace().port = port;
    h.http_get->path = "/missing";
    return h;
}

std::string touch(shared_folder const& f, std::string const& name) { return "touch " + (f.path / name).string(); }

void remove(kubelet_cluster& w, std::string const& name, std::optional<std::chrono::seconds> grace = std::nullopt) {
    kube::api<pod> pods(w.user, "default");
    kube::delete_options how;
    if (grace) how.grace_period_seconds = grace->count();
    pods.async_delete(name, how, [](error_code ec) { BOOST_TEST(!ec); });
}

bool gone(kubelet_cluster& w, std::string const& name) {
    return w.until([&] { return w.get(name).metadata.name.empty(); });
}

/// Serves HTTP on port 8080 until a request comes, and notes its first line and its user agent.
std::string serves_once(shared_folder const& f) {
    return "exec python3 -c 'import http.server, sys\n"
           "class H(http.server.BaseHTTPRequestHandler):\n"
           "    def do_GET(self):\n"
           "        sent = [self.path, self.headers[\"User-Agent\"], self.headers[\"Authorization\"] or \"\"]\n"
           "        open(sys.argv[1], \"w\").write(\" \".join(sent))\n"
           "        self.send_error(404)\n"
           "http.server.HTTPServer((\"\", 8080), H).serve_forever()' " +
           (f.path / "request").string();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_container_is_not_running_before_its_post_start_hook_has_ended) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", touch(f, "begun") + "; exec sleep 600");
    p.spec.containers[0].lifecycle.emplace().post_start =
        command(touch(f, "hooked") + "; until " + f.test("go") + "; do sleep 0.05; done");
    w.create(p);
    BOOST_REQUIRE(w.until(
        [&] { return std::filesystem::exists(f.path / "begun") && std::filesystem::exists(f.path / "hooked"); }));
    BOOST_TEST(w.phase("a") == "Pending");
    BOOST_TEST(w.waiting("a").reason == "ContainerCreating");
    f.set("go");
    BOOST_TEST(w.until([&] { return w.phase("a") == "Running"; }));
    BOOST_TEST(w.events("FailedPostStartHook").empty());
}

BOOST_AUTO_TEST_CASE(a_container_whose_post_start_hook_fails_is_stopped) {
    for (bool const connects : {false, true}) {
        kubelet_cluster w;
        w.start();
        auto p = shell_pod("a", "trap 'exit 7' TERM; while :; do sleep 0.05; done");
        auto& hook = p.spec.containers[0].lifecycle.emplace().post_start.emplace();
        if (connects)
            hook.tcp_socket.emplace().port = 22; // an API server accepts it
        else
            hook = command("echo a secret; exit 1");
        w.create(p);
        BOOST_REQUIRE(w.ended("a"));
        BOOST_TEST(w.phase("a") == "Failed");
        BOOST_REQUIRE(w.until([&] { return !w.events("FailedPostStartHook").empty(); }));
        auto const e = w.events("FailedPostStartHook").at(0);
        BOOST_TEST(e.message == "PostStartHook failed");
        BOOST_TEST(e.type == "Warning");
        BOOST_TEST(e.involved_object.field_path == "spec.containers{main}");
        BOOST_REQUIRE(w.until([&] { return !w.events("Killing").empty(); }));
        BOOST_TEST(w.events("Killing").at(0).message == "FailedPostStartHook");
    }
}

BOOST_AUTO_TEST_CASE(a_pre_stop_hook_runs_before_the_signal) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", "trap 'cp $PLACE/hooked $PLACE/seen; exit 0' TERM; touch $PLACE/up; "
                            "while :; do sleep 0.05; done");
    p.spec.containers[0].env = {core::env_var("PLACE", f.path.string())};
    p.spec.containers[0].lifecycle.emplace().pre_stop = command("echo $PLACE > $PLACE/hooked");
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return std::filesystem::exists(f.path / "up"); }));
    BOOST_REQUIRE(w.until([&] { return w.phase("a") == "Running"; }));
    remove(w, "a");
    BOOST_REQUIRE(gone(w, "a"));
    BOOST_TEST(f.text("seen") == f.path.string() + "\n");
}

BOOST_AUTO_TEST_CASE(a_pre_stop_hook_that_fails_is_reported_and_the_container_is_stopped) {
    kubelet_cluster w;
    w.start();
    auto p = shell_pod("a", "exec sleep 600");
    p.spec.containers[0].lifecycle.emplace().pre_stop = command("exit 1");
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return w.phase("a") == "Running"; }));
    remove(w, "a");
    BOOST_REQUIRE(gone(w, "a"));
    BOOST_REQUIRE(w.until([&] { return !w.events("FailedPreStopHook").empty(); }));
    BOOST_TEST(w.events("FailedPreStopHook").at(0).message == "PreStopHook failed");
}

BOOST_AUTO_TEST_CASE(the_time_of_a_pre_stop_hook_is_part_of_the_grace_period) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto sleeps = shell_pod("sleeps", "exec sleep 600");
    sleeps.spec.termination_grace_period_seconds = 600; // the longest hook that a server accepts
    sleeps.spec.containers[0].lifecycle.emplace().pre_stop.emplace().sleep.emplace().seconds = 500;
    auto runs = shell_pod("runs", "exec sleep 98773");
    runs.spec.containers[0].lifecycle.emplace().pre_stop = command(touch(f, "begun") + "; exec sleep 98774");
    for (auto const& p : {sleeps, runs}) w.create(p);
    BOOST_REQUIRE(w.until([&] { return w.phase("sleeps") == "Running" && w.phase("runs") == "Running"; }));
    remove(w, "sleeps", 1s);
    remove(w, "runs", 1s);
    BOOST_REQUIRE(gone(w, "sleeps"));
    BOOST_REQUIRE(gone(w, "runs"));
    BOOST_TEST(std::filesystem::exists(f.path / "begun"));
    for (auto const* left : {"98773", "98774"})
        BOOST_TEST(local_tests::processes_with(std::string("sleep\0", 6) + left).empty());
}

BOOST_AUTO_TEST_CASE(any_answer_to_the_request_of_a_hook_is_a_success) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", serves_once(f));
    auto& c = p.spec.containers[0];
    c.readiness_probe.emplace().tcp_socket.emplace().port = 8080;
    c.readiness_probe->period_seconds = 1;
    c.lifecycle.emplace().pre_stop = request(8080);
    auto& get = *c.lifecycle->pre_stop->http_get;
    get.scheme = "HTTPS"; // the server has no TLS: the request is repeated without
    auto& secret = get.http_headers.emplace_back();
    secret.name = "Authorization";
    secret.value = "Bearer x";
    w.create(p);
    BOOST_REQUIRE(w.until([&] {
        auto const status = w.get("a").status;
        return !status.container_statuses.empty() && status.container_statuses[0].ready;
    }));
    remove(w, "a");
    BOOST_REQUIRE(gone(w, "a"));
    BOOST_TEST(f.text("request") == "/missing kube-lifecycle/1.31 ");
    BOOST_TEST(w.events("FailedPreStopHook").empty());
}

BOOST_AUTO_TEST_CASE(a_hook_ends_with_its_container_and_with_the_kubelet) {
    {
        kubelet_cluster w;
        w.start();
        auto p = shell_pod("a", "sleep 0.2; exit 3");
        p.spec.containers[0].lifecycle.emplace().post_start = command("exec sleep 98775");
        w.create(p);
        BOOST_REQUIRE(w.ended("a"));
        BOOST_TEST(w.exit_code("a") == 3);
        p.metadata.name = "b";
        p.spec.containers[0].command = {"sleep", "98776"};
        w.create(p);
        BOOST_REQUIRE(
            w.until([&] { return !local_tests::processes_with(std::string("sleep\0", 6) + "98775").empty(); }));
    }
    for (auto const* left : {"98775", "98776"})
        BOOST_TEST(local_tests::processes_with(std::string("sleep\0", 6) + left).empty());
}

BOOST_AUTO_TEST_CASE(a_sidecar_whose_post_start_hook_fails_holds_the_pod_back) {
    kubelet_cluster w;
    w.start();
    auto p = shell_pod("a", "exec sleep 600");
    auto& c = p.spec.init_containers.emplace_back(p.spec.containers[0]);
    c.name = "proxy";
    c.restart_policy.emplace() = "Always";
    c.lifecycle.emplace().post_start = command("exit 1");
    w.create(p);
    BOOST_REQUIRE(w.until([&] {
        auto const status = w.get("a").status;
        return !status.init_container_statuses.empty() && status.init_container_statuses[0].restart_count == 1;
    }));
    BOOST_TEST(w.phase("a") == "Pending");
    BOOST_TEST(w.events("FailedPostStartHook").at(0).involved_object.field_path == "spec.initContainers{proxy}");
}

BOOST_AUTO_TEST_SUITE_END()
