#include "integration/local/node/sandbox_node.hpp"
#include "local/node/sandbox_helper.hpp"

#include <filesystem>

BOOST_AUTO_TEST_SUITE(integration_node_life)

using namespace node_tests;

BOOST_AUTO_TEST_CASE(stopping_leaves_no_process_no_mount_and_no_directory) {
    auto const mounts = slurp("/proc/self/mountinfo");
    started w;
    auto const directory = w.n.run_directory();
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    std::filesystem::create_directories(directory / "deep/er");
    spill(directory / "deep/er/file", "x");
    std::filesystem::create_symlink("/etc", directory / "link");
    std::filesystem::permissions(directory / "deep/er", std::filesystem::perms::none);
    BOOST_TEST(!w.shell("a", "main", "sleep 1000 & exec sleep 1000"));
    bool called = false;
    w.n.async_wait("a", "main", nullptr, [&](error_code ec, exit_status) {
        called = true;
        BOOST_TEST(ec == error_code(asio::error::operation_aborted));
    });
    auto const family = family_of(w.n.helper_process());
    BOOST_TEST(family.size() >= 4U); // supervisor, node, pod, container
    BOOST_TEST(!w.stop(), w.detail.message);
    BOOST_TEST(called);
    BOOST_TEST(all_gone(family));
    BOOST_TEST(!std::filesystem::exists(directory));
    BOOST_TEST(std::filesystem::exists("/etc/passwd"));
    BOOST_TEST(slurp("/proc/self/mountinfo") == mounts);
    BOOST_TEST(w.create("b", "10.244.0.3") == make_error_code(errc::helper_failed));
    BOOST_TEST(!w.stop());
}

BOOST_AUTO_TEST_CASE(destroying_a_node_leaves_nothing) {
    std::set<int> family;
    std::filesystem::path directory;
    auto const begin = std::chrono::steady_clock::now();
    {
        started w;
        directory = w.n.run_directory();
        BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
        BOOST_TEST(!w.shell("a", "main", "sleep 1000"));
        family = family_of(w.n.helper_process());
    }
    BOOST_TEST(all_gone(family));
    BOOST_TEST(!std::filesystem::exists(directory));
    BOOST_TEST((std::chrono::steady_clock::now() - begin < 20s));
}

BOOST_AUTO_TEST_CASE(signals_to_the_helper_end_the_node_cleanly) {
    for (int const number : {SIGINT, SIGTERM, SIGKILL}) {
        bool ended = false;
        auto options = started::in_namespaces();
        options.on_end = [&] { ended = true; };
        started w(options);
        auto const directory = w.n.run_directory();
        BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
        BOOST_TEST(!w.shell("a", "main", "sleep 1000"));
        auto const family = family_of(w.n.helper_process());
        ::kill(w.n.helper_process(), number);
        auto const [ec, status] = w.call<exit_status>([&](auto h) { w.n.async_wait("a", "main", &w.detail, h); });
        BOOST_TEST(ec == make_error_code(errc::helper_failed));
        BOOST_TEST(ended);
        BOOST_TEST(eventually([&] { return all_gone(family); }));
        BOOST_TEST(!std::filesystem::exists(directory));
    }
}

BOOST_AUTO_TEST_CASE(a_killed_pod_is_reported_and_can_be_removed) {
    started w;
    auto const before = family_of(w.n.helper_process());
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    auto pods = family_of(w.n.helper_process());
    for (int const pid : before) pods.erase(pid);
    BOOST_REQUIRE(pods.size() == 1U);
    BOOST_TEST(!w.shell("a", "main", "sleep 1000"));
    ::kill(*pods.begin(), SIGKILL);
    BOOST_TEST(w.wait("a", "main").signal == 9);
    BOOST_TEST(!w.remove("a"));
    BOOST_TEST(!w.create("a", "10.244.0.2"));
}

void kill_a_user_of_the_node(isolation mode, char const* address) {
    std::array<int, 2> ends{};
    BOOST_REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    auto const child = ::fork();
    if (child == 0) { // the program that gets killed
        try {
            node_options o;
            o.mode = mode;
            sandbox_node w(o);
            if (w.start() || w.create("a", address) || w.shell("a", "main", "setsid sleep 1000 & sleep 1000"))
                ::_exit(1);
            auto const text = std::to_string(w.n.helper_process()) + " " + w.n.run_directory().string() + "\n";
            if (::write(ends[1], text.data(), text.size()) < 0) ::_exit(1);
            ::pause();
        } catch (...) {
            ::_exit(2);
        }
        ::_exit(0);
    }
    ::close(ends[1]);
    std::array<char, 4096> buffer{};
    auto const size = ::read(ends[0], buffer.data(), buffer.size());
    BOOST_REQUIRE(size > 0);
    std::istringstream text(std::string(buffer.data(), static_cast<std::size_t>(size)));
    int helper = 0;
    std::filesystem::path directory;
    text >> helper >> directory;
    auto const directory_name = std::filesystem::path(directory);
    BOOST_TEST(eventually([&] { return family_of(helper).size() >= 6U; }));
    auto const family = family_of(helper);
    BOOST_TEST(std::filesystem::exists(directory_name));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    BOOST_TEST(eventually([&] { return all_gone(family); }));
    BOOST_TEST(eventually([&] { return !std::filesystem::exists(directory_name); }));
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {}
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
    ::close(ends[0]);
}

BOOST_AUTO_TEST_CASE(killing_the_program_leaves_nothing) {
    kill_a_user_of_the_node(isolation::namespaces, "10.244.0.2");
}

BOOST_AUTO_TEST_CASE(killing_the_program_ends_plain_processes) {
    kill_a_user_of_the_node(isolation::processes, "127.0.1.2");
}

BOOST_AUTO_TEST_CASE(start_rejects_invalid_options) {
    node_options o;
    o.helper = "/no/such/helper";
    sandbox_node missing(o);
    BOOST_TEST(missing.start() == make_error_code(errc::helper_failed));
    BOOST_TEST(missing.detail.message.find("/no/such/helper") != std::string::npos);
    o = node_options();
    o.run_directory = "/etc";
    sandbox_node precious(o);
    BOOST_TEST(precious.start() == make_error_code(errc::invalid_argument));
    BOOST_TEST(std::filesystem::exists("/etc/passwd"));
    o.run_directory = "relative";
    sandbox_node relative(o);
    BOOST_TEST(relative.start() == make_error_code(errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(plain_processes_listen_on_loopback_addresses) {
    started w(as_processes());
    BOOST_TEST((w.n.mode() == isolation::processes));
    BOOST_REQUIRE_MESSAGE(!w.create("a", "127.0.1.2"), w.detail.message);
    BOOST_REQUIRE(!w.create("b", "127.0.1.3"));
    auto const serve = [](std::string const& address) {
        return python("import socket\ns=socket.create_server((\"" + address +
                      "\",23456))\nprint(1,flush=True)\n"
                      "s.accept()[0].sendall(b\"" +
                      address + "\")");
    };
    BOOST_TEST(!w.shell("a", "main", serve("127.0.1.2")));
    BOOST_TEST(!w.shell("b", "main", serve("127.0.1.3")));
    for (auto const* const pod : {"a", "b"}) BOOST_TEST(eventually([&] { return slurp(w.log(pod, "main")) == "1\n"; }));
    BOOST_TEST(w.output("a", "client",
                        python("import socket\ns=socket.create_connection((\"127.0.1.3\",23456))\n"
                               "print(s.makefile().read())")) == "127.0.1.3\n");
    BOOST_TEST(w.create("c", "10.244.0.2") == make_error_code(errc::invalid_argument));
    pod_sandbox p;
    p.id = "d";
    p.address = "127.0.1.4";
    p.mounts = {bind_mount("/etc", "/mnt")};
    BOOST_TEST(w.create(p) == make_error_code(errc::invalid_argument));
    BOOST_TEST(w.detail.message.find("requires namespaces") != std::string::npos, w.detail.message);
}

BOOST_AUTO_TEST_CASE(plain_processes_end_with_their_pod_even_in_their_own_sessions) {
    started w(as_processes());
    auto const directory = w.n.run_directory();
    BOOST_REQUIRE(!w.create("a", "127.0.1.2"));
    BOOST_TEST(!w.shell("a", "main", "setsid sh -c \"setsid sleep 1000 & sleep 1000\" & echo up; sleep 1000"));
    BOOST_TEST(eventually([&] { return family_of(w.n.helper_process()).size() >= 7U; }));
    auto const family = family_of(w.n.helper_process());
    BOOST_TEST(!w.remove("a"));
    BOOST_TEST(family_of(w.n.helper_process()).size() == 2U);
    BOOST_TEST(!w.create("b", "127.0.1.2"));
    BOOST_TEST(!w.shell("b", "main", "setsid sleep 1000 & exit 5"));
    BOOST_TEST(w.wait("b", "main").code == 5);
    auto const rest = family_of(w.n.helper_process());
    BOOST_TEST(!w.stop());
    BOOST_TEST(all_gone(family));
    BOOST_TEST(all_gone(rest));
    BOOST_TEST(!std::filesystem::exists(directory));
}

BOOST_AUTO_TEST_CASE(a_host_without_namespaces_is_detected_and_causes_the_fallback) {
    // A user namespace whose limits forbid mount namespaces, as hardened hosts do.
    auto const helper = find_sandbox_helper();
    BOOST_REQUIRE(helper.has_value());
    std::filesystem::path const wrapper = "/tmp/kftrain-test-wrapper-" + std::to_string(::getpid());
    spill(wrapper, "#!/bin/sh\nexec unshare -Ur sh -c 'echo 0 > /proc/sys/user/max_mnt_namespaces && exec \"$@\"' sh " +
                       helper->string() + " \"$@\"\n");
    std::filesystem::permissions(wrapper, std::filesystem::perms::owner_all);
    node_options o;
    o.helper = wrapper;
    {
        o.mode = isolation::namespaces;
        sandbox_node w(o);
        BOOST_TEST(w.start() == make_error_code(errc::not_supported));
        BOOST_TEST(w.detail.message.find("create the node's namespaces") != std::string::npos, w.detail.message);
        BOOST_TEST(!std::filesystem::exists(w.n.run_directory()));
    }
    {
        o.mode = isolation::automatic;
        started w(o);
        BOOST_TEST((w.n.mode() == isolation::processes));
        for (auto const* const part : {"create the node's namespaces", "a limit of the kernel"})
            BOOST_TEST(w.n.fallback_reason().find(part) != std::string::npos, w.n.fallback_reason());
        BOOST_TEST(!w.create("a", "127.0.1.2"), w.detail.message);
        BOOST_TEST(w.output("a", "c", "echo hi") == "hi\n");
    }
    std::filesystem::remove(wrapper);
}

BOOST_AUTO_TEST_SUITE_END()
