#include "integration/local/node/sandbox_node.hpp"
#include "local/sandbox/mounts/mount_point_record.hpp"
#include "local/sandbox/run_directory.hpp"
#include "support/temporary_directory.hpp"

#include <filesystem>
#include <grp.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>

BOOST_AUTO_TEST_SUITE(integration_node_mounts)

using namespace node_tests;

namespace {

/// A working directory of containers, in which they mount a volume at `scratch`, a directory that does not exist.
struct beside {
    explicit beside(sandbox_node& w) : here(w) { spill(volume / "x", "x\n"); }

    container_process process(std::string pod, std::string name, std::string script) const {
        container_process p;
        p.pod = std::move(pod);
        p.container = std::move(name);
        p.argv = {"sh", "-c", std::move(script)};
        p.env = {"PATH=/usr/bin:/bin"};
        p.working_dir = work;
        p.mounts = {bind_mount(volume, work / "scratch")};
        return p;
    }
    std::string output(std::string const& pod, std::string const& name, std::string const& script) const {
        BOOST_REQUIRE_MESSAGE(!here.run(process(pod, name, script)), here.detail.message);
        BOOST_TEST(here.wait(pod, name).code == 0);
        return slurp(here.log(pod, name));
    }

    sandbox_node& here;
    test::temporary_directory work_directory, volume_directory;
    std::filesystem::path const& work = work_directory.path;
    std::filesystem::path const& volume = volume_directory.path;
};

/// Returns the text that a function returns in a process of its own.
template <class Function> std::string in_child(Function function) {
    std::array<int, 2> ends{};
    BOOST_REQUIRE(::pipe(ends.data()) == 0);
    auto const child = ::fork();
    if (child == 0) {
        std::string text = "it ended early";
        try {
            text = function();
        } catch (...) {}
        ::_exit(::write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
    }
    ::close(ends[1]);
    std::string all;
    std::array<char, 1024> piece{};
    for (ssize_t n = 0; (n = ::read(ends[0], piece.data(), piece.size())) > 0;)
        all.append(piece.data(), std::size_t(n));
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return all;
}

/// Returns the text that a function returns for an ordinary user, in a process of its own if we are root.
template <class Function> std::string as_ordinary_user(Function function) {
    if (::geteuid() != 0) return function();
    return in_child([&] {
        constexpr unsigned nobody = 65534;
        bool const changed = ::setgroups(0, nullptr) == 0 && ::setgid(nobody) == 0 && ::setuid(nobody) == 0;
        return changed ? function() : "cannot change the user";
    });
}

/// Makes namespaces of users and mounts, in which every user may mount.
bool enter_own_mounts() {
    auto const user = std::to_string(::geteuid());
    auto const group = std::to_string(::getegid());
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    spill("/proc/self/uid_map", user + " " + user + " 1");
    spill("/proc/self/setgroups", "deny");
    spill("/proc/self/gid_map", group + " " + group + " 1");
    return true;
}

/// Starts a container of an ordinary user with a volume at `target`; returns the detail and the container's output.
std::string mount_output(std::string const& target, std::string const& working_directory, std::string const& script) {
    return as_ordinary_user([&] {
        started w;
        beside const place(w);
        if (w.create("a", "10.244.0.2")) return w.detail.message;
        auto p = place.process("a", "c", script);
        p.working_dir = working_directory;
        p.mounts = {bind_mount(place.volume, target)};
        bool const failed = bool(w.run(p));
        auto output = w.detail.message;
        if (failed) return "refused: " + output;
        if (!output.empty()) output += "\n";
        output += w.wait("a", "c").code == 0 ? "" : "failed: ";
        return output + slurp(w.log("a", "c")); // only now is it complete
    });
}

} // namespace

BOOST_AUTO_TEST_CASE(hosts_and_resolv_conf_of_the_pod_are_mounted) {
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

BOOST_AUTO_TEST_CASE(an_impossible_mount_is_rejected_by_name_and_leaves_no_pod) {
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

// As if a container put the link there after the check of the path.
BOOST_AUTO_TEST_CASE(a_source_without_permission_for_links_is_not_mounted_through_a_link) {
    started w;
    auto const dir = std::filesystem::canonical(w.n.run_directory());
    std::filesystem::create_directories(dir / "data/inner");
    std::filesystem::create_directory_symlink(dir / "data", dir / "link");
    for (auto const* const source : {"link", "link/inner"}) {
        pod_sandbox p;
        p.id = p.hostname = "a";
        p.address = "10.244.0.2";
        p.mounts = {bind_mount(dir / source, "/mnt")};
        BOOST_TEST(!w.create(p));
        BOOST_TEST(!w.remove("a"));
        p.mounts[0].follows_links = false;
        BOOST_TEST((w.create(p) == boost::system::errc::too_many_symbolic_link_levels), w.detail.message);
        p.mounts[0].source = dir / "data/inner";
        BOOST_TEST(!w.create(p), w.detail.message);
        BOOST_TEST(!w.remove("a"));
    }
}

BOOST_AUTO_TEST_CASE(missing_mount_points_are_created_on_the_host) {
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
    BOOST_TEST(w.output("a", "write", "echo 1 > /kftrain-data/result") == "");
    BOOST_TEST(slurp(dir / "data/result") == "1\n");

    container_process one; // in addition to those of the pod
    one.pod = "a";
    one.container = "own";
    one.argv = {"/bin/cat", "/kftrain-own/hostfile", "/etc/kftrain-own/hostfile", "/etc/kftrain-test/hostfile"};
    one.mounts = {bind_mount(dir / "config", "/kftrain-own"), bind_mount(dir / "config", "/etc/kftrain-own")};
    BOOST_REQUIRE_MESSAGE(!w.run(one), w.detail.message);
    BOOST_TEST(w.wait("a", "own").code == 0);
    BOOST_TEST(w.output("a", "after", "ls /kftrain-own 2>/dev/null | grep -c . || true") == "0\n");
    BOOST_TEST(!w.remove("a"));
    for (auto const* const name : {"/kftrain-data", "/etc/kftrain-test", "/etc/kftrain-test-2",
                                   "/usr/share/kftrain-test", "/run/kftrain-test", "/kftrain-own", "/etc/kftrain-own"})
        BOOST_TEST(!std::filesystem::exists(name), name);
}

BOOST_AUTO_TEST_CASE(files_next_to_a_mount_point_are_kept) {
    started w;
    beside const place(w);
    for (auto const* const pod : {"a", "b"})
        BOOST_REQUIRE(!w.create(pod, std::string("10.244.0.") + (*pod == 'a' ? '2' : '3')));
    spill(place.work / "old", "old\n");
    BOOST_TEST(place.output("a", "write",
                            "cat scratch/x; echo new > made; echo newer > draft; mv draft old; echo y > scratch/y") ==
               "x\n");
    BOOST_TEST(place.output("b", "read", "cat made old scratch/y") == "new\nnewer\ny\n");
    BOOST_TEST(w.detail.message == "");
    BOOST_TEST(!w.remove("a"));
    BOOST_TEST(std::filesystem::exists(place.work / "scratch"), "the other pod needs it");
    BOOST_TEST(!w.remove("b"));
    BOOST_TEST(!std::filesystem::exists(place.work / "scratch"));
    BOOST_TEST(slurp(place.work / "made") == "new\n");
    BOOST_TEST(slurp(place.work / "old") == "newer\n");
    BOOST_TEST(slurp(place.volume / "y") == "y\n");
}

BOOST_AUTO_TEST_CASE(a_node_that_ends_keeps_mount_points_of_other_nodes) {
    started first;
    beside const place(first);
    started second;
    BOOST_REQUIRE(!first.create("a", "10.244.0.2"));
    BOOST_REQUIRE(!first.create("b", "10.244.0.3"));
    BOOST_REQUIRE(!second.create("c", "10.244.0.2"));
    BOOST_TEST(place.output("a", "look", "cat scratch/x") == "x\n");
    auto const waiting = "while ! test -e " + (place.volume / "go").string() + "; do sleep 0.02; done; cat scratch/x";
    for (auto const& [w, pod] : {std::pair<sandbox_node*, std::string>{&first, "b"}, {&second, "c"}})
        BOOST_REQUIRE_MESSAGE(!w->run(place.process(pod, "wait", waiting)), w->detail.message);
    BOOST_TEST(!first.remove("a"));
    spill(place.volume / "go", "");
    BOOST_TEST(first.wait("b", "wait").code == 0);
    std::filesystem::remove(place.volume / "go");
    // The file is the signal here, too, for which the second has to see the volume of the first.
    BOOST_REQUIRE_MESSAGE(!second.run(place.process("c", "again", waiting)), second.detail.message);
    BOOST_TEST(!first.remove("b"));
    spill(place.volume / "go", "");
    BOOST_TEST(second.wait("c", "again").code == 0);
    BOOST_TEST(slurp(second.log("c", "again")) == "x\n");
    BOOST_TEST(std::filesystem::exists(place.work / "scratch"));
    BOOST_TEST(!second.stop());
    BOOST_TEST(!std::filesystem::exists(place.work / "scratch"));
}

BOOST_AUTO_TEST_CASE(killing_the_node_removes_its_mount_points) {
    started w;
    beside const place(w);
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    BOOST_REQUIRE(!w.run(place.process("a", "sleep", "sleep 600")));
    BOOST_TEST(std::filesystem::exists(place.work / "scratch"));
    for (int const pid : family_of(w.n.helper_process()))
        if (pid != w.n.helper_process()) ::kill(pid, SIGKILL);
    BOOST_TEST(eventually([&] { return !std::filesystem::exists(place.work / "scratch"); }));
}

BOOST_AUTO_TEST_CASE(only_created_and_empty_directories_are_removed) {
    started w;
    beside const place(w);
    std::filesystem::create_directories(place.work / "own");
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    auto both = place.process("a", "both", "cat own/x scratch/x deep/er/x");
    both.mounts.emplace_back(place.volume.string(), (place.work / "own/").string());
    both.mounts.emplace_back(place.volume.string(), (place.work / "deep/er").string());
    both.mounts.emplace_back((place.volume / "x").string(), (place.work / "file").string());
    BOOST_REQUIRE_MESSAGE(!w.run(both), w.detail.message);
    BOOST_TEST(w.wait("a", "both").code == 0);
    BOOST_TEST(slurp(w.log("a", "both")) == "x\nx\nx\n");
    BOOST_TEST(std::filesystem::exists(place.work / "file"));
    spill(place.work / "scratch/kept", "of the machine\n");
    BOOST_TEST(!w.remove("a"));
    BOOST_TEST(std::filesystem::exists(place.work / "own"));
    BOOST_TEST(slurp(place.work / "scratch/kept") == "of the machine\n");
    BOOST_TEST(!std::filesystem::exists(place.work / "deep"));
    BOOST_TEST(!std::filesystem::exists(place.work / "file"));
}

BOOST_AUTO_TEST_CASE(killing_the_helper_removes_its_mount_points) {
    started w;
    beside const place(w);
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    BOOST_REQUIRE(!w.run(place.process("a", "sleep", "sleep 600")));
    BOOST_TEST(std::filesystem::exists(place.work / "scratch"));
    ::kill(w.n.helper_process(), SIGKILL);
    w.call<exit_status>([&](auto h) { w.n.async_wait("a", "sleep", &w.detail, h); });
    BOOST_TEST(!std::filesystem::exists(place.work / "scratch"));
}

// A mount makes a directory busy, as processes that were killed a moment ago do with their control group.
BOOST_AUTO_TEST_CASE(a_killed_helper_keeps_its_record_of_what_is_busy) {
    auto const report = in_child([] {
        if (!enter_own_mounts()) return std::string("cannot make namespaces");
        started w(as_processes());
        auto const directory = w.n.run_directory().string();
        test::temporary_directory const made;
        auto const busy = made.path.string();
        ::chmod(busy.c_str(), 0755 | sandbox::mount_point_mark);
        if (::mount(busy.c_str(), busy.c_str(), nullptr, MS_BIND, nullptr) != 0) return std::string("cannot mount");
        sandbox::record_mount_point(directory, busy);
        BOOST_REQUIRE(!w.create("a", "127.0.1.2"));
        BOOST_REQUIRE(!w.shell("a", "main", "sleep 600"));
        ::kill(w.n.helper_process(), SIGKILL);
        w.call<exit_status>([&](auto h) { w.n.async_wait("a", "main", &w.detail, h); });
        auto const is_there = [](std::string const& path) { return std::filesystem::exists(path) ? "kept" : "gone"; };
        std::string text = is_there(directory);
        ::umount(busy.c_str());
        bool const removed = eventually([&] { return sandbox::remove_dead_run_directory(directory); });
        text.append(removed ? ", removed" : ", not removed");
        return text + ", " + is_there(busy) + ", " + is_there(directory);
    });
    BOOST_TEST(report == "kept, removed, gone, gone");
}

// Files that a container writes beside a mount point must not be lost, so a mount that would hide them is refused.
BOOST_AUTO_TEST_CASE(containers_cannot_write_where_the_user_cannot) {
    auto const script = [](std::string const& directory) {
        return "cat " + directory + "/kftrain-at/x; ls -d " + directory + "/share /usr/bin; cat x; echo y > " +
               directory + "/kftrain-at/y && echo in; (echo 1 > " + directory +
               "/kftrain-made) 2>/dev/null || echo refused";
    };
    BOOST_TEST(mount_output("/usr/kftrain-at", "/usr/kftrain-at", script("/usr")) ==
               "x\n/usr/bin\n/usr/share\nx\nin\nrefused\n");
    BOOST_TEST(mount_output("/kftrain-at/deep", "/tmp",
                            "cat /kftrain-at/deep/x; ls -d /usr; (echo 1 > /kftrain-made) 2>/dev/null || echo refused; "
                            "(echo 1 > /kftrain-at/made) 2>/dev/null || echo refused; echo 1 > /tmp/kftrain-own-$$ && "
                            "rm /tmp/kftrain-own-$$ && echo own") == "x\n/usr\nrefused\nrefused\nown\n");
    for (auto const* const name : {"/usr/kftrain-at", "/kftrain-at", "/kftrain-made"})
        BOOST_TEST(!std::filesystem::exists(name), name);
}

BOOST_AUTO_TEST_CASE(a_volume_can_be_mounted_below_an_unreadable_directory) {
    std::error_code failed;
    auto const rights = std::filesystem::status("/root", failed).permissions();
    if (failed || (rights & std::filesystem::perms::others_exec) != std::filesystem::perms::none) return;
    BOOST_TEST(mount_output("/root/.ssh", "/tmp", "cat /root/.ssh/x; ls -A /root") == "x\n.ssh\n");
}

BOOST_AUTO_TEST_SUITE_END()
