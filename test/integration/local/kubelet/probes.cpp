#include "integration/local/kubelet/kubelet_cluster.hpp"

#include <kftrain/apiserver/listener.hpp>

BOOST_AUTO_TEST_SUITE(integration_local_probes)

using namespace kubelet_tests;

// Probes of running containers. Expected: kubelet v1.31.

namespace {

core::probe command(std::string const& script) {
    core::probe p;
    p.exec.emplace().command = {"sh", "-c", script};
    p.period_seconds = 1;
    p.failure_threshold = 1;
    return p;
}

bool ready(kubelet_cluster& w, std::string const& name) {
    for (auto const& c : w.get(name).status.conditions)
        if (c.type == "Ready") return c.status == "True";
    return false;
}

bool began(kubelet_cluster& w, std::string const& name) {
    return w.until([&] { return w.phase(name) == "Running"; });
}

core::container_status status(kubelet_cluster& w, std::string const& name) {
    return w.get(name).status.container_statuses.at(0);
}

bool has_event(kubelet_cluster& w, std::string const& reason, std::string const& message) {
    return w.until([&] {
        for (auto const& e : w.events(reason))
            if (e.message == message && e.involved_object.field_path == "spec.containers{main}") return true;
        return false;
    });
}

} // namespace

BOOST_AUTO_TEST_CASE(a_pod_is_ready_while_its_command_succeeds) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", "exec sleep 600");
    p.spec.containers[0].env = {core::env_var("PLACE", f.path.string())};
    p.spec.containers[0].readiness_probe = command("test -e $PLACE/up || { echo not yet; false; }");
    w.create(p);
    BOOST_REQUIRE(began(w, "a"));
    BOOST_TEST(!ready(w, "a"));
    BOOST_TEST(status(w, "a").started.value_or(false));
    BOOST_REQUIRE(has_event(w, "Unhealthy", "Readiness probe failed: not yet"));
    f.set("up");
    BOOST_REQUIRE(w.until([&] { return ready(w, "a"); }));
    f.clear("up");
    BOOST_REQUIRE(w.until([&] { return !ready(w, "a"); }));
    BOOST_TEST(status(w, "a").restart_count == 0);
}

BOOST_AUTO_TEST_CASE(a_container_whose_liveness_probe_fails_is_restarted) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", "trap 'exit 7' TERM; while :; do sleep 0.1; done");
    p.spec.restart_policy = "Always";
    p.spec.containers[0].liveness_probe = command(f.test("alive"));
    f.set("alive");
    w.create(p);
    BOOST_REQUIRE(began(w, "a"));
    f.clear("alive");
    BOOST_REQUIRE(has_event(w, "Killing", "Container main failed liveness probe, will be restarted"));
    f.set("alive");
    BOOST_REQUIRE(w.until([&] { return status(w, "a").restart_count >= 1 && status(w, "a").ready; }));
    auto const last = status(w, "a").last_state.terminated;
    BOOST_REQUIRE(last.has_value());
    BOOST_TEST(last->exit_code == 7);
}

BOOST_AUTO_TEST_CASE(the_grace_period_of_a_probe_limits_a_container_that_ignores_sigterm) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto const ignoring = (f.path / "ignoring").string();
    auto p = shell_pod("a", "trap '' TERM; touch " + ignoring + "; while :; do sleep 0.1; done");
    p.spec.containers[0].liveness_probe = command("test ! -e " + ignoring);
    p.spec.containers[0].liveness_probe->termination_grace_period_seconds = 1;
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return w.phase("a") == "Failed"; }));
    BOOST_TEST(status(w, "a").state.terminated->exit_code == 137);
}

BOOST_AUTO_TEST_CASE(other_probes_wait_for_the_startup_probe) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", "exec sleep 600");
    auto& c = p.spec.containers[0];
    c.startup_probe = command(f.test("up"));
    c.startup_probe->failure_threshold = 100;
    c.readiness_probe = command("touch " + (f.path / "probed").string());
    w.create(p);
    BOOST_REQUIRE(began(w, "a"));
    BOOST_REQUIRE(w.until([&] { return w.events("Unhealthy").size() == 1 && w.events("Unhealthy")[0].count > 1; }));
    BOOST_TEST(!std::filesystem::exists(f.path / "probed"));
    BOOST_TEST(!status(w, "a").started.value_or(true));
    BOOST_TEST(!ready(w, "a"));
    f.set("up");
    BOOST_REQUIRE(w.until([&] { return ready(w, "a"); }));
    BOOST_TEST(status(w, "a").started.value_or(false));
    BOOST_TEST(std::filesystem::exists(f.path / "probed"));
}

BOOST_AUTO_TEST_CASE(tcp_and_http_probes_check_a_server) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", "cd " + f.path.string() + " && until " + f.test("go") +
                                "; do sleep 0.1; done; exec python3 -m http.server 8080");
    auto& c = p.spec.containers[0];
    auto& port = c.ports.emplace_back();
    port.name = "http";
    port.container_port_ = 8080;
    c.startup_probe.emplace().tcp_socket.emplace().port = int_or_string(8080);
    c.startup_probe->period_seconds = 1;
    c.startup_probe->failure_threshold = 100;
    auto& get = c.readiness_probe.emplace().http_get.emplace();
    get.port = int_or_string(std::string("http"));
    get.path = "/healthy";
    c.readiness_probe->period_seconds = 1;
    w.create(p);
    BOOST_REQUIRE(began(w, "a"));
    auto const address = w.get("a").status.pod_ip;
    BOOST_REQUIRE(
        has_event(w, "Unhealthy", "Startup probe failed: dial tcp " + address + ":8080: connect: connection refused"));
    f.set("go");
    BOOST_REQUIRE(has_event(w, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 404"));
    BOOST_TEST(!ready(w, "a"));
    f.set("healthy");
    BOOST_REQUIRE(w.until([&] { return ready(w, "a"); }));
}

BOOST_AUTO_TEST_CASE(a_probe_that_times_out_has_failed) {
    kubelet_cluster w;
    w.start();
    auto p =
        shell_pod("a", "exec python3 -c 'import socket,time; s=socket.create_server((\"\", 8080)); time.sleep(600)'");
    auto& c = p.spec.containers[0];
    c.readiness_probe = command("exec sleep 98774");
    c.startup_probe.emplace().http_get.emplace().port = int_or_string(8080);
    c.startup_probe->period_seconds = 1;
    c.startup_probe->failure_threshold = 100;
    auto other = p;
    other.metadata.name = "b";
    other.spec.containers[0].startup_probe.reset();
    w.create(p);
    w.create(other);
    BOOST_REQUIRE(has_event(w, "Unhealthy", "Readiness probe failed: command timed out after 1s"));
    BOOST_REQUIRE(w.until([&] { return !w.get("a").status.pod_ip.empty(); }));
    BOOST_REQUIRE(has_event(w, "Unhealthy",
                            "Startup probe failed: Get \"http://" + w.get("a").status.pod_ip +
                                ":8080/\": context deadline exceeded "
                                "(Client.Timeout exceeded while awaiting headers)"));
}

BOOST_AUTO_TEST_CASE(https_probes_follow_redirects_and_check_no_certificate) {
    kubelet_cluster w;
    shared_folder const f;
    auto const identity = apiserver::make_self_signed_identity({"elsewhere.example.com"}).value();
    f.write("pem", identity.certificate_pem + identity.key_pem);
    w.start();
    auto p = shell_pod("a", "exec python3 -c 'import http.server, os, ssl, sys\n"
                            "class H(http.server.BaseHTTPRequestHandler):\n"
                            "    def do_GET(self):\n"
                            "        to = {\"/local\": \"/ready\", \"/away\": \"http://example.com/\"}.get(self.path)\n"
                            "        good = to or os.path.exists(sys.argv[1] + self.path)\n"
                            "        self.send_response(302 if to else 200 if good else 404)\n"
                            "        if to: self.send_header(\"Location\", to)\n"
                            "        self.end_headers()\n"
                            "s = http.server.HTTPServer((\"\", 8443), H)\n"
                            "c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)\n"
                            "c.load_cert_chain(sys.argv[1] + \"/pem\")\n"
                            "s.socket = c.wrap_socket(s.socket, server_side=True)\n"
                            "s.serve_forever()' " +
                                f.path.string());
    auto& c = p.spec.containers[0];
    auto const get = [](core::probe& of, std::string const& path, std::string const& scheme) {
        of.http_get.emplace().port = int_or_string(8443);
        of.http_get->path = path;
        of.http_get->scheme = scheme;
        of.period_seconds = 1;
        of.failure_threshold = 100;
    };
    get(c.readiness_probe.emplace(), "/local", "HTTPS");
    get(c.liveness_probe.emplace(), "/away", "HTTPS");
    w.create(p);
    BOOST_REQUIRE(has_event(w, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 404"));
    BOOST_REQUIRE(has_event(w, "ProbeWarning", "Liveness probe warning: Probe terminated redirects, Response body: "));
    f.set("ready");
    BOOST_REQUIRE(w.until([&] { return ready(w, "a"); }));
}

// Expected: Go `net/http/transport.go` and `transfer.go`, which a kubelet uses.
BOOST_AUTO_TEST_CASE(http_probes_need_a_whole_answer) {
    kubelet_cluster w;
    w.start();
    auto p = shell_pod("a", "exec python3 -c 'import socket, sys\n"
                            "answers = {\n"
                            "    b\"/early\": b\"HTTP/1.1 103 Early Hints\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\n\\r\\n\",\n"
                            "    b\"/short\": b\"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nab\",\n"
                            "    b\"/endless\": b\"HTTP/1.1 200 OK\\r\\nA: \" + b\"a\" * 100000,\n"
                            "}\n"
                            "s = socket.create_server((\"\", 8080))\n"
                            "while True:\n"
                            "    c = s.accept()[0]\n"
                            "    try: c.sendall(answers[c.recv(4096).split()[1]])\n"
                            "    except OSError: pass\n"
                            "    c.close()'");
    auto& c = p.spec.containers[0];
    auto const get = [](core::probe& of, std::string const& path) {
        of.http_get.emplace().port = int_or_string(8080);
        of.http_get->path = path;
        of.period_seconds = 1;
        of.failure_threshold = 100;
    };
    get(c.readiness_probe.emplace(), "/early");
    get(c.liveness_probe.emplace(), "/short");
    w.create(p);
    auto const failed = [&](std::string const& name, std::string const& path, std::string const& why) {
        BOOST_REQUIRE(w.until([&] { return !w.get(name).status.pod_ip.empty(); }));
        auto const url = "http://" + w.get(name).status.pod_ip + ":8080" + path;
        BOOST_TEST(has_event(w, "Unhealthy", "Liveness probe failed: Get \"" + url + "\": " + why));
    };
    failed("a", "/short", "EOF");
    BOOST_REQUIRE(w.until([&] { return ready(w, "a"); }));
    p.metadata.name = "b";
    get(p.spec.containers[0].liveness_probe.emplace(), "/endless");
    w.create(p);
    failed("b", "/endless", "message too long");
}

BOOST_AUTO_TEST_CASE(pods_and_kubelets_can_be_removed_during_a_probe) {
    for (bool const whole : {false, true}) {
        kubelet_cluster w;
        shared_folder const f;
        w.start();
        auto p = shell_pod("a", "exec sleep 98775");
        p.spec.termination_grace_period_seconds = 1;
        auto& c = p.spec.containers[0];
        c.readiness_probe = command("touch " + (f.path / "probed").string() + "; exec sleep 98776");
        c.readiness_probe->timeout_seconds = 100;
        c.liveness_probe.emplace().tcp_socket.emplace().port = int_or_string(9);
        c.liveness_probe->failure_threshold = 100;
        w.create(p);
        BOOST_REQUIRE(w.until([&] { return std::filesystem::exists(f.path / "probed"); }));
        if (whole) {
            w.node.reset();
        } else {
            w.remove<pod>("a");
            BOOST_TEST(w.until([&] { return w.get("a").metadata.name.empty(); }));
        }
        for (auto const* number : {"98775", "98776"})
            BOOST_TEST(
                w.until([&] { return local_tests::processes_with(std::string("sleep\0", 6) + number).empty(); }));
    }
}

BOOST_AUTO_TEST_SUITE_END()
