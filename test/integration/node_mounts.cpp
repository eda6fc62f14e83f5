#include "integration/node_world.hpp"

#include <filesystem>

using namespace node_world;

BOOST_AUTO_TEST_SUITE(integration_node_mounts)

BOOST_AUTO_TEST_CASE(names_and_files_of_the_pod_are_mounted) {
    auto const before = slurp("/etc/hosts");
    started w;
    auto const& dir = w.n.run_directory();
    spill(dir / "hosts", "10.244.0.9 peer-9\n");
    spill(dir / "resolv", "nameserver 10.244.0.1\n");
    std::filesystem::create_directory(dir / "data");
    spill(dir / "data/x", "content\n");
    pod_sandbox p;
    p.id = p.hostname = "a";
    p.address = "10.244.0.2";
    p.hosts_file = dir / "hosts";
    p.resolv_conf = dir / "resolv";
    p.mounts = {bind_mount(dir / "data", "/mnt"), bind_mount(dir / "data", "/opt", true)};
    BOOST_REQUIRE_MESSAGE(!w.create(p), w.detail.message);
    BOOST_TEST(w.output("a", "look", "getent hosts peer-9; cat /etc/resolv.conf /mnt/x /opt/x") ==
               "10.244.0.9      peer-9\nnameserver 10.244.0.1\ncontent\ncontent\n");
    BOOST_TEST(w.output("a", "write", "touch /mnt/y && echo ok; touch /opt/z 2>/dev/null || echo refused") ==
               "ok\nrefused\n");
    std::ofstream(dir / "hosts", std::ios::app) << "10.244.0.10 peer-10\n"; // in place
    BOOST_TEST(w.output("a", "again", "getent hosts peer-10") == "10.244.0.10     peer-10\n");
    BOOST_TEST(slurp("/etc/hosts") == before);
    BOOST_TEST(!std::filesystem::exists("/mnt/x"));

    container_process one;
    one.pod = "a";
    one.container = "own";
    one.argv = {"/bin/cat", "/media/x"};
    one.mounts = {bind_mount(dir / "data", "/media")};
    BOOST_REQUIRE_MESSAGE(!w.run(one), w.detail.message);
    BOOST_TEST(w.wait("a", "own").code == 0);
    BOOST_TEST(w.output("a", "other", "ls /media | grep -c x || true") == "0\n");
}

BOOST_AUTO_TEST_CASE(a_mount_that_cannot_be_is_refused_by_name_and_leaves_no_pod) {
    started w;
    pod_sandbox p;
    p.id = p.hostname = "a";
    p.address = "10.244.0.2";
    p.mounts = {bind_mount("/etc", "/proc/sys/target")};
    BOOST_TEST(w.create(p) == make_error_code(errc::invalid_argument));
    BOOST_TEST(w.detail.message.find("/proc/sys/target") != std::string::npos, w.detail.message);
    p.mounts = {bind_mount("/no/such/source", "/mnt")};
    BOOST_TEST((w.create(p) == boost::system::errc::no_such_file_or_directory));
    BOOST_TEST(w.detail.message.find("/no/such/source") != std::string::npos, w.detail.message);
    BOOST_TEST(!w.create("a", "10.244.0.2"), "the name is free again");
    BOOST_TEST(w.create("a", "10.244.0.3") == make_error_code(errc::invalid_argument));
    BOOST_TEST(w.create("b", "ten") == make_error_code(errc::invalid_argument));
    BOOST_TEST(w.detail.message.find("\"ten\"") != std::string::npos, w.detail.message);
}

BOOST_AUTO_TEST_CASE(names_that_the_host_does_not_have_can_be_mounted_at) {
    started w;
    auto const& dir = w.n.run_directory();
    for (auto const* const name : {"config", "data", "secret"}) std::filesystem::create_directory(dir / name);
    spill(dir / "config/hostfile", "worker-0 slots=1\n");
    spill(dir / "secret/token", "t\n");
    spill(dir / "file", "f\n");
    pod_sandbox p;
    p.id = p.hostname = "a";
    p.address = "10.244.0.2";
    p.mounts = {bind_mount(dir / "data", "/kftrain-data"),
                bind_mount(dir / "secret", "/kftrain-data/sub"), // made inside the volume
                bind_mount(dir / "config", "/etc/kftrain-test", true),
                bind_mount(dir / "config", "/etc/kftrain-test-2/deep"),
                bind_mount(dir / "file", "/usr/share/kftrain-test/file"),
                bind_mount(dir / "secret", "/var/run/kftrain-test/serviceaccount")};
    BOOST_REQUIRE_MESSAGE(!w.create(p), w.detail.message);
    BOOST_TEST(w.output("a", "look",
                        "cat /etc/kftrain-test/hostfile /etc/kftrain-test-2/deep/hostfile "
                        "/usr/share/kftrain-test/file /var/run/kftrain-test/serviceaccount/token "
                        "/kftrain-data/sub/token") == "worker-0 slots=1\nworker-0 slots=1\nf\nt\nt\n");
    BOOST_TEST(w.output("a", "same",
                        "head -c 5 /etc/passwd; ls /usr/share | grep -c . | grep -qv ^0; "
                        "ls -d /dev/shm /proc/1; ls -a / | grep -c kftrain-host || true") ==
               "root:/dev/shm\n/proc/1\n0\n");
    BOOST_TEST(
        w.output("a", "write", "echo 1 > /kftrain-data/result; echo new > /etc/kftrain-made; cat /etc/kftrain-made") ==
        "new\n");
    BOOST_TEST(slurp(dir / "data/result") == "1\n");
    for (auto const* const name :
         {"/kftrain-data", "/etc/kftrain-test", "/etc/kftrain-made", "/usr/share/kftrain-test"})
        BOOST_TEST(!std::filesystem::exists(name), name);

    container_process one; // on top of what the pod has
    one.pod = "a";
    one.container = "own";
    one.argv = {"/bin/cat", "/kftrain-own/hostfile", "/etc/kftrain-own/hostfile", "/etc/kftrain-test/hostfile"};
    one.mounts = {bind_mount(dir / "config", "/kftrain-own"), bind_mount(dir / "config", "/etc/kftrain-own")};
    BOOST_REQUIRE_MESSAGE(!w.run(one), w.detail.message);
    BOOST_TEST(w.wait("a", "own").code == 0);
    BOOST_TEST(w.output("a", "after", "ls / | grep -c kftrain-own || true") == "0\n");
}

BOOST_AUTO_TEST_SUITE_END()
