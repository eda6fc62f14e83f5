#include "integration/local/kubelet/kubelet_cluster.hpp"

BOOST_AUTO_TEST_SUITE(integration_local_sidecars)

using namespace kubelet_tests;

// Init containers with `restartPolicy: Always`. Expected: kubelet v1.31.

namespace {

core::container sidecar(std::string const& name, std::string const& script) {
    core::container c;
    c.name = name;
    c.image = "none";
    c.command = {"sh", "-c", script};
    c.restart_policy.emplace() = "Always";
    return c;
}

core::container init(std::string const& name, std::string const& script) {
    auto c = sidecar(name, script);
    c.restart_policy.reset();
    return c;
}

/// Appends a line to the file `log` of the folder.
std::string note(shared_folder const& f, std::string const& line) {
    return "echo " + line + " >> " + (f.path / "log").string();
}

/// Runs until SIGTERM, and notes its start and its end.
std::string notes_its_life(shared_folder const& f, std::string const& name) {
    return "trap '" + note(f, "end-" + name) + "; exit 0' TERM; " + note(f, "start-" + name) +
           "; while :; do sleep 0.05; done";
}

core::container_status status(kubelet_cluster& w, std::size_t i) {
    return w.get("a").status.init_container_statuses.at(i);
}

} // namespace

BOOST_AUTO_TEST_CASE(sidecars_start_in_order_and_end_in_reverse_order_after_the_containers) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", note(f, "main") + "; until " + f.test("go") + "; do sleep 0.05; done; " + note(f, "done"));
    p.spec.init_containers = {sidecar("one", notes_its_life(f, "one")), init("two", note(f, "two")),
                              sidecar("three", notes_its_life(f, "three"))};
    // A sidecar is started when its process is; what it does then takes its own time.
    for (auto& c : p.spec.init_containers)
        if (c.restart_policy) {
            auto& probe = c.startup_probe.emplace();
            probe.exec.emplace().command = {"grep", "-q", "start-" + c.name, (f.path / "log").string()};
            probe.period_seconds = 1;
            probe.failure_threshold = 100;
        }
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return w.phase("a") == "Running"; }));
    BOOST_TEST(f.text("log") == "start-one\ntwo\nstart-three\nmain\n");
    BOOST_TEST(status(w, 0).ready);
    BOOST_TEST(status(w, 0).started.value_or(false));
    f.set("go");
    BOOST_REQUIRE(w.ended("a"));
    BOOST_TEST(w.phase("a") == "Succeeded");
    BOOST_TEST(f.text("log") == "start-one\ntwo\nstart-three\nmain\ndone\nend-three\nend-one\n");
    BOOST_REQUIRE(status(w, 0).state.terminated.has_value());
    BOOST_TEST(status(w, 0).state.terminated->exit_code == 0);
}

BOOST_AUTO_TEST_CASE(the_containers_wait_for_the_startup_probe_of_a_sidecar) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", "exec sleep 600");
    p.spec.init_containers = {sidecar("proxy", "exec sleep 600")};
    auto& probe = p.spec.init_containers[0].startup_probe.emplace();
    probe.exec.emplace().command = {"sh", "-c", f.test("up") + " || { echo not yet; false; }"};
    probe.period_seconds = 1;
    probe.failure_threshold = 100;
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return !w.events("Unhealthy").empty(); }));
    BOOST_TEST(w.events("Unhealthy")[0].involved_object.field_path == "spec.initContainers{proxy}");
    BOOST_TEST(w.phase("a") == "Pending");
    BOOST_TEST(w.waiting("a").reason == "PodInitializing");
    f.set("up");
    BOOST_TEST(w.until([&] { return w.phase("a") == "Running"; }));
}

BOOST_AUTO_TEST_CASE(a_sidecar_is_restarted_under_any_policy_and_does_not_fail_the_pod) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", "until " + f.test("go") + "; do sleep 0.05; done");
    p.spec.init_containers = {
        sidecar("proxy", f.test("once") + " && exec sleep 600; touch " + (f.path / "once").string() + "; exit 3")};
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return w.phase("a") == "Running" && status(w, 0).restart_count == 1; }));
    BOOST_TEST(status(w, 0).last_state.terminated->exit_code == 3);
    f.set("go");
    BOOST_REQUIRE(w.ended("a"));
    BOOST_TEST(w.phase("a") == "Succeeded");
    BOOST_TEST(status(w, 0).state.terminated->exit_code == 143);
}

BOOST_AUTO_TEST_CASE(a_sidecar_that_ignores_the_signal_is_killed_after_the_grace_period) {
    kubelet_cluster w;
    w.start();
    auto p = shell_pod("a", "exit 4");
    p.spec.termination_grace_period_seconds = 1;
    p.spec.init_containers = {sidecar("proxy", "trap '' TERM; while :; do sleep 0.1; done")};
    w.create(p);
    BOOST_REQUIRE(w.ended("a"));
    BOOST_TEST(w.phase("a") == "Failed");
    BOOST_TEST(w.exit_code("a") == 4);
    BOOST_TEST(status(w, 0).state.terminated->exit_code == 137);
}

BOOST_AUTO_TEST_CASE(sidecars_end_when_the_initialization_fails) {
    kubelet_cluster w;
    w.start();
    auto p = shell_pod("a", "true");
    p.spec.init_containers = {sidecar("proxy", "exec sleep 98772"), init("fails", "exit 5")};
    w.create(p);
    BOOST_REQUIRE(w.until([&] {
        auto const s = w.get("a").status;
        return s.phase == "Failed" && s.init_container_statuses.at(0).state.terminated;
    }));
    BOOST_TEST(status(w, 1).state.terminated->exit_code == 5);
    BOOST_TEST(local_tests::processes_with(std::string("sleep\0", 6) + "98772").empty());
}

BOOST_AUTO_TEST_CASE(a_deleted_pod_ends_its_sidecars_after_its_containers) {
    kubelet_cluster w;
    shared_folder const f;
    w.start();
    auto p = shell_pod("a", notes_its_life(f, "main"));
    p.spec.init_containers = {sidecar("proxy", notes_its_life(f, "proxy"))};
    w.create(p);
    BOOST_REQUIRE(w.until([&] {
        return f.text("log").find("start-main") != std::string::npos &&
               f.text("log").find("start-proxy") != std::string::npos;
    }));
    f.clear("log");
    kube::api<pod> pods(w.user, "default");
    pods.async_delete("a", kube::delete_options(), [](error_code ec) { BOOST_TEST(!ec); });
    BOOST_REQUIRE(w.until([&] { return w.get("a").metadata.name.empty(); }));
    BOOST_TEST(f.text("log") == "end-main\nend-proxy\n");
}

BOOST_AUTO_TEST_SUITE_END()
