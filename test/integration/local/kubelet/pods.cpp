#include "integration/local/kubelet/kubelet_cluster.hpp"

#include <kftrain/model/ownership.hpp>

#include <filesystem>
#include <set>

BOOST_AUTO_TEST_SUITE(integration_local_pods)

using namespace kubelet_tests;

// Pods that cannot run, or not yet: their state and their events.

namespace {

/// A pod with this controller, which is there.
pod controlled(kubelet_cluster& w, pod p) {
    core::config_map owner;
    owner.metadata.name = "owner";
    auto const stored = w.create(owner);
    p.metadata.owner_references.push_back(controller_reference(stored));
    return p;
}

void put_file(std::filesystem::path const& where) { std::ofstream(where) << "in the way"; }

} // namespace

BOOST_AUTO_TEST_CASE(an_unsupported_pod_fails_with_a_reason_and_an_event) {
    kubelet_cluster w;
    w.start();
    auto p = shell_pod("a", "true");
    p.spec.containers[0].command.clear();
    auto const expected = local::unsupported_parts(p);
    BOOST_REQUIRE(expected.size() == 1);
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return w.phase("a") == "Failed"; }));
    BOOST_TEST(w.get("a").status.reason == "NotSupported");
    BOOST_TEST(w.get("a").status.message == expected[0].message);
    BOOST_REQUIRE(w.until([&] { return !w.events("NotSupported").empty(); }));
    auto const e = w.events("NotSupported").at(0);
    BOOST_TEST(e.type == "Warning");
    BOOST_TEST(e.message == expected[0].message);
    BOOST_TEST(e.involved_object.name == "a");
    BOOST_TEST(e.involved_object.uid == w.get("a").metadata.uid);
}

// A controller replaces a pod that failed at once.
BOOST_AUTO_TEST_CASE(an_unsupported_pod_stays_pending_if_a_controller_would_replace_it) {
    kubelet_cluster w;
    w.start();
    auto p = shell_pod("a", "true");
    p.spec.containers[0].command.clear();
    w.create(controlled(w, p));
    BOOST_REQUIRE(w.until([&] { return w.waiting("a").reason == "CreateContainerConfigError"; }));
    BOOST_TEST(w.phase("a") == "Pending");
    BOOST_TEST(w.waiting("a").message.starts_with("spec.containers[0].command: "), w.waiting("a").message);
    BOOST_REQUIRE(w.until([&] { return w.events("NotSupported").size() == 1; }));
}

BOOST_AUTO_TEST_CASE(a_failed_sandbox_creation_is_retried) {
    kubelet_cluster w;
    w.start();
    put_file(w.directory / "pods");
    w.create(shell_pod("a", "true"));
    BOOST_REQUIRE(w.until([&] { return !w.events("FailedCreatePodSandBox").empty(); }));
    BOOST_TEST(w.events("FailedCreatePodSandBox")[0].message.starts_with("Failed to create pod sandbox: "),
               w.events("FailedCreatePodSandBox")[0].message);
    BOOST_REQUIRE(w.until([&] { return !w.waiting("a").message.empty(); }));
    BOOST_TEST(w.phase("a") == "Pending");
    BOOST_TEST(w.waiting("a").reason == "ContainerCreating");
    BOOST_TEST(w.waiting("a").message == w.events("FailedCreatePodSandBox")[0].message);
    BOOST_TEST(w.get("a").status.pod_ip.empty());
    std::filesystem::remove(w.directory / "pods");
    BOOST_TEST(w.until([&] { return w.phase("a") == "Succeeded"; }));
}

BOOST_AUTO_TEST_CASE(a_failed_container_creation_is_retried_under_any_policy) {
    kubelet_cluster w;
    w.start();
    put_file(w.directory / "logs");
    w.create(shell_pod("a", "true"));
    BOOST_REQUIRE(w.until([&] { return w.waiting("a").reason == "CreateContainerError"; }));
    BOOST_TEST(w.phase("a") == "Pending");
    BOOST_TEST(w.waiting("a").message.starts_with("cannot open the directory of the log "), w.waiting("a").message);
    BOOST_REQUIRE(w.until([&] { return !w.events("Failed").empty(); }));
    BOOST_TEST(w.events("Failed")[0].message.starts_with("Error: "), w.events("Failed")[0].message);
    BOOST_TEST(w.events("Failed")[0].involved_object.field_path == "spec.containers{main}");
    std::filesystem::remove(w.directory / "logs");
    BOOST_TEST(w.until([&] { return w.phase("a") == "Succeeded"; }));
    BOOST_TEST(w.get("a").status.container_statuses.at(0).restart_count == 0);
}

BOOST_AUTO_TEST_CASE(a_pod_that_waits_for_its_sandbox_can_be_deleted) {
    kubelet_cluster w;
    w.start();
    put_file(w.directory / "pods");
    w.create(shell_pod("a", "true"));
    BOOST_REQUIRE(w.until([&] { return !w.waiting("a").message.empty(); }));
    kube::api<pod> pods(w.user, "default");
    pods.async_delete("a", kube::delete_options(), [](error_code ec) { BOOST_TEST(!ec); });
    BOOST_TEST(w.until([&] { return w.get("a").metadata.name.empty(); }, 5s), "it waited for its next attempt");
}

BOOST_AUTO_TEST_CASE(a_hundred_pods_start_at_once) {
    kubelet_cluster w;
    w.start();
    auto const name = [](int i) { return "p" + std::to_string(i); };
    for (int i = 0; i < 100; ++i) w.create(shell_pod(name(i), "exec sleep 98778"));
    std::set<std::string> addresses;
    for (int i = 0; i < 100; ++i) {
        BOOST_REQUIRE(w.until([&] { return w.phase(name(i)) == "Running"; }));
        addresses.insert(w.get(name(i)).status.pod_ip);
    }
    BOOST_TEST(addresses.size() == 100U);
    BOOST_TEST(local_tests::processes_with(std::string("sleep\0", 6) + "98778").size() == 100U);
    BOOST_TEST(w.events("FailedCreatePodSandBox").empty());
    BOOST_TEST(w.events("Failed").empty());
}

BOOST_AUTO_TEST_CASE(a_container_in_back_off_has_an_event) {
    kubelet_cluster w;
    w.start();
    auto p = shell_pod("a", "exit 3");
    p.spec.restart_policy = "OnFailure";
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return !w.events("BackOff").empty(); }));
    auto const uid = w.get("a").metadata.uid;
    BOOST_TEST(w.events("BackOff")[0].message ==
               "Back-off restarting failed container main in pod a_default(" + uid + ")");
    BOOST_REQUIRE(w.until([&] { return w.waiting("a").reason == "CrashLoopBackOff"; }));
    BOOST_TEST(w.waiting("a").message == "back-off 10s restarting failed container=main pod=a_default(" + uid + ")");
}

BOOST_AUTO_TEST_CASE(an_internal_error_of_the_kubelet_fails_the_pod_with_a_message) {
    kubelet_cluster w;
    bool failing = true;
    w.link->before = [&](kube::http_request& r) {
        // No list can be replaced.
        if (failing && r.method == "PUT" && r.target.ends_with("/pods/a/status")) r.target = "/api/v1/namespaces";
    };
    std::vector<std::string> logged;
    w.on_log = [&](std::string_view message) {
        logged.emplace_back(message);
        if (message == "pod status could not be written" && std::exchange(failing, false))
            throw std::runtime_error("the disk of the log is full");
    };
    w.start();
    w.create(shell_pod("a", "exec sleep 98771"));
    BOOST_REQUIRE(w.until([&] { return w.phase("a") == "Failed"; }));
    BOOST_TEST(w.get("a").status.reason == "InternalError");
    BOOST_TEST(w.get("a").status.message == "the kubelet failed: the disk of the log is full");
    BOOST_TEST(local_tests::processes_with(std::string("sleep\0", 6) + "98771").empty());
    BOOST_TEST((std::find(logged.begin(), logged.end(), "pod abandoned") != logged.end()));
}

BOOST_AUTO_TEST_CASE(an_internal_error_while_a_container_runs_is_reported_and_kills_it) {
    kubelet_cluster w;
    bool failing = false;
    w.link->before = [&](kube::http_request& r) {
        if (r.method != "PUT" || !r.target.ends_with("/pods/a/status")) return;
        if (r.body.find("\"running\":{") != std::string::npos && r.body.find("98772") != std::string::npos)
            failing = true;
        if (failing) r.target = "/api/v1/namespaces";
    };
    w.on_log = [&](std::string_view message) {
        if (message == "pod status could not be written" && std::exchange(failing, false)) {
            w.link->before = nullptr;
            throw std::runtime_error("the disk of the log is full");
        }
    };
    w.start();
    w.create(shell_pod("a", "exec sleep 98772"));
    BOOST_REQUIRE(w.until([&] { return w.phase("a") == "Failed"; }));
    auto const ended = w.get("a").status.container_statuses.at(0).state.terminated;
    BOOST_REQUIRE(ended.has_value());
    BOOST_TEST(ended->reason == "ContainerStatusUnknown");
    BOOST_TEST(ended->exit_code == 137);
    BOOST_TEST(ended->message == "the kubelet failed: the disk of the log is full");
    BOOST_TEST(w.until([] { return local_tests::processes_with(std::string("sleep\0", 6) + "98772").empty(); }));
}

// The server refuses such pods; this one shows others than it stores.
BOOST_AUTO_TEST_CASE(the_kubelet_rejects_a_name_that_leaves_its_directory) {
    kubelet_cluster w;
    auto const outside = std::filesystem::path(w.directory.string() + "-outside");
    std::string const bad = "../../../" + outside.filename().string();
    w.link->on_answer = [&](std::string& piece) {
        for (auto at = piece.find("\"innocent\""); at != std::string::npos; at = piece.find("\"innocent\""))
            piece.replace(at, 10, "\"" + bad + "\"");
    };
    w.link->before = [&](kube::http_request& r) {
        for (auto at = r.body.find(bad); at != std::string::npos; at = r.body.find(bad))
            r.body.replace(at, bad.size(), "innocent");
    };
    w.start();
    auto p = shell_pod("a", "echo here");
    p.spec.containers[0].name = "innocent";
    w.create(p);
    BOOST_REQUIRE(w.until([&] { return w.phase("a") == "Failed" || w.phase("a") == "Succeeded"; }));
    BOOST_TEST(w.get("a").status.reason == "Invalid");
    BOOST_TEST(w.get("a").status.message.starts_with("spec.containers[0].name: Invalid value: "),
               w.get("a").status.message);
    BOOST_TEST(!std::filesystem::exists(outside));
    std::filesystem::remove_all(outside);
}

// Expected: kubelet v1.31, pkg/kubelet/active_deadline.go, which reads the pod as it is now.
BOOST_AUTO_TEST_CASE(the_deadline_of_a_running_pod_can_be_set_and_shortened) {
    kubelet_cluster w;
    w.start();
    for (std::string const name : {"without", "with"}) {
        auto p = shell_pod(name, "exec sleep 600");
        p.spec.termination_grace_period_seconds = 1;
        if (name == "with") p.spec.active_deadline_seconds = 600;
        w.create(p);
        BOOST_REQUIRE(w.until([&] { return w.phase(name) == "Running"; }));
        kube::api<pod> pods(w.user, "default");
        kube::patch_body const sooner(patch_type::merge, R"({"spec":{"activeDeadlineSeconds":1}})");
        pods.async_patch(name, sooner, [](error_code ec, pod const&) { BOOST_TEST(!ec); });
        BOOST_REQUIRE(w.until([&] { return w.phase(name) == "Failed"; }, 20s));
        BOOST_TEST(w.get(name).status.reason == "DeadlineExceeded");
    }
}

BOOST_AUTO_TEST_SUITE_END()
