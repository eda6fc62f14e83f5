#include "integration/local/node/sandbox_node.hpp"

#include <filesystem>

BOOST_AUTO_TEST_SUITE(integration_node)

using namespace node_tests;

BOOST_AUTO_TEST_CASE(two_pods_can_listen_on_the_same_port_and_reach_each_other) {
    started w;
    auto const serve = [](std::string const& greeting) {
        return python("import socket\n"
                      "s=socket.create_server((\"\",23456))\n"
                      "c,a=s.accept()\n"
                      "c.sendall((\"" +
                      greeting + " to \"+a[0]).encode())");
    };
    auto const connect_to = [](std::string const& address) {
        return python("import socket,time\n"
                      "for i in range(300):\n"
                      "  try:\n"
                      "    s=socket.create_connection((\"" +
                      address +
                      "\",23456)); break\n"
                      "  except ConnectionRefusedError: time.sleep(.02)\n"
                      "print(s.makefile().read())");
    };
    BOOST_REQUIRE_MESSAGE(!w.create("a", "10.244.0.2"), w.detail.message);
    BOOST_REQUIRE_MESSAGE(!w.create("b", "10.244.3.4"), w.detail.message);
    BOOST_TEST(!w.shell("a", "server", serve("a")));
    BOOST_TEST(!w.shell("b", "server", serve("b")));
    BOOST_TEST(w.output("a", "client", connect_to("10.244.3.4")) == "b to 10.244.0.2\n");
    BOOST_TEST(w.output("b", "client", connect_to("10.244.0.2")) == "a to 10.244.3.4\n");
    BOOST_TEST(w.wait("a", "server").code == 0);
}

BOOST_AUTO_TEST_CASE(a_pod_has_its_own_host_name_addresses_and_process_ids) {
    std::array<char, 256> before{};
    ::gethostname(before.data(), before.size() - 1);
    started w;
    BOOST_REQUIRE(!w.create("trainer-worker-0", "10.244.0.7"));
    BOOST_TEST(w.output("trainer-worker-0", "name", "hostname; uname -n") == "trainer-worker-0\ntrainer-worker-0\n");
    BOOST_TEST(w.output("trainer-worker-0", "pids", "ls -d /proc/1; ls /proc | grep -c ^[0-9]") ==
               "/proc/1\n5\n"); // those of the pod and of the container, shell, ls, grep
    BOOST_TEST(w.output("trainer-worker-0", "links", "ls /sys/class/net") == "eth0\nlo\n");
    BOOST_TEST(w.output("trainer-worker-0", "lo",
                        python("import socket\ns=socket.create_server((\"127.0.0.1\",1))\n"
                               "socket.create_connection((\"127.0.0.1\",1))\nprint(1)")) == "1\n");
    BOOST_TEST(w.output("trainer-worker-0", "shm", "ls /dev/shm; touch /dev/shm/x && echo made") == "made\n");
    std::array<char, 256> after{};
    ::gethostname(after.data(), after.size() - 1);
    BOOST_TEST(std::string(before.data()) == std::string(after.data()));
}

BOOST_AUTO_TEST_CASE(a_container_inherits_no_descriptors) {
    int const leaky = ::open("/etc/passwd", O_RDONLY); // deliberately without O_CLOEXEC
    started w;
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    BOOST_TEST(w.output("a", "fds", "ls /proc/self/fd") == "0\n1\n2\n3\n"); // 3 is the listing itself
    for (int const pid : family_of(w.n.helper_process())) {
        auto const fds = "/proc/" + std::to_string(pid) + "/fd";
        for (auto const& entry : std::filesystem::directory_iterator(fds))
            BOOST_TEST(std::filesystem::read_symlink(entry.path()) != "/etc/passwd");
    }
    ::close(leaky);
}

BOOST_AUTO_TEST_CASE(exit_codes_and_signals_are_distinguished) {
    started w;
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    BOOST_TEST(!w.shell("a", "zero", "exit 0"));
    BOOST_TEST(!w.shell("a", "three", "exit 3"));
    BOOST_TEST(!w.shell("a", "nine", "kill -9 $$"));
    auto const zero = w.wait("a", "zero");
    auto const three = w.wait("a", "three");
    auto const nine = w.wait("a", "nine");
    BOOST_TEST((zero.code == 0 && zero.signal == 0));
    BOOST_TEST((three.code == 3 && three.signal == 0));
    BOOST_TEST(nine.signal == 9);
    BOOST_TEST(w.wait("a", "three").code == 3, "the answer stays");
}

BOOST_AUTO_TEST_CASE(a_command_that_cannot_run_exits_with_127_or_126_and_a_message) {
    started w;
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    container_process p;
    p.pod = "a";
    p.container = "missing";
    p.argv = {"no-such-command"};
    p.env = {"PATH=/usr/bin:/bin"};
    BOOST_TEST(!w.run(p));
    BOOST_TEST(w.wait("a", "missing").code == 127);
    BOOST_TEST(slurp(w.log("a", "missing")).find("\"no-such-command\"") != std::string::npos);
    p.container = "data";
    p.argv = {"/etc/passwd"};
    BOOST_TEST(!w.run(p));
    BOOST_TEST(w.wait("a", "data").code == 126);
    p.container = "lost";
    p.argv = {"true"};
    p.working_dir = "/no/such/directory";
    BOOST_TEST(w.run(p));
    BOOST_TEST(w.detail.message.find("/no/such/directory") != std::string::npos, w.detail.message);
}

BOOST_AUTO_TEST_CASE(the_environment_is_exactly_what_was_given) {
    started w;
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    container_process p;
    p.pod = "a";
    p.container = "env";
    p.argv = {"/usr/bin/env"};
    p.env = {"RANK=0", "EMPTY=", "TEXT=a b\nc", "LONG=" + std::string(100'000, 'x')};
    p.working_dir = "/usr";
    BOOST_REQUIRE_MESSAGE(!w.run(p), w.detail.message);
    BOOST_TEST(w.wait("a", "env").code == 0);
    BOOST_TEST((slurp(w.log("a", "env")) == "RANK=0\nEMPTY=\nTEXT=a b\nc\n" + p.env.back() + "\n"));
    p.container = "where";
    p.argv = {"pwd"};
    p.env = {"PATH=/usr/bin:/bin"};
    BOOST_TEST(!w.run(p));
    w.wait("a", "where");
    BOOST_TEST(slurp(w.log("a", "where")) == "/usr\n");
}

BOOST_AUTO_TEST_CASE(a_signal_reaches_the_program_with_the_default_action) {
    started w;
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    BOOST_TEST(!w.shell("a", "plain", "exec sleep 1000"));
    BOOST_TEST(!w.shell("a", "trap", "trap \"exit 7\" TERM; echo set; while :; do sleep .02; done"));
    BOOST_TEST(eventually([&] { return slurp(w.log("a", "trap")) == "set\n"; }));
    BOOST_TEST(!w.signal("a", "plain", SIGTERM));
    BOOST_TEST(!w.signal("a", "trap", SIGTERM));
    BOOST_TEST(w.wait("a", "plain").signal == SIGTERM);
    BOOST_TEST(w.wait("a", "trap").code == 7);
    BOOST_TEST(w.signal("a", "trap", SIGTERM) == make_error_code(errc::invalid_argument));
    BOOST_TEST(w.detail.message == "container \"trap\" is not running");
}

BOOST_AUTO_TEST_CASE(removing_a_pod_kills_its_processes_and_frees_its_address) {
    started w;
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    auto const empty = family_of(w.n.helper_process());
    BOOST_TEST(!w.shell("a", "main", "setsid sleep 1000 & trap \"\" TERM; echo up; sleep 1000; sleep 1000"));
    BOOST_TEST(eventually([&] { return slurp(w.log("a", "main")) == "up\n"; }));
    auto const full = family_of(w.n.helper_process());
    BOOST_TEST(full.size() >= empty.size() + 3);
    std::optional<exit_status> seen;
    w.n.async_wait("a", "main", nullptr, [&](error_code, exit_status s) { seen = s; });
    BOOST_TEST(!w.remove("a"));
    BOOST_REQUIRE(seen.has_value());
    BOOST_TEST(seen->signal == 9);
    auto left = family_of(w.n.helper_process());
    BOOST_TEST(left.size() == empty.size() - 1); // the pod's first process went too
    BOOST_TEST(!w.create("c", "10.244.0.2"));
    BOOST_TEST(w.remove("a") == make_error_code(errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(child_processes_end_with_the_first_process_of_their_container) {
    started w;
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    auto const before = family_of(w.n.helper_process());
    BOOST_TEST(w.output("a", "main", "sleep 1000 >/dev/null 2>&1 & echo left") == "left\n");
    BOOST_TEST(eventually([&] { return family_of(w.n.helper_process()).size() == before.size(); }));
}

BOOST_AUTO_TEST_CASE(the_host_can_listen_and_connect_in_the_network_of_the_node) {
    started w;
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    auto const [ec, fd] = w.call<int>([&](auto h) { w.n.async_listen("tcp", "10.244.0.1", 80, &w.detail, h); });
    BOOST_REQUIRE_MESSAGE(!ec, w.detail.message);
    BOOST_TEST(!w.shell("a", "client",
                        python("import socket\ns=socket.create_connection((\"10.244.0.1\",80))\n"
                               "print(s.makefile().read())")));
    int const peer = ::accept(fd, nullptr, nullptr);
    BOOST_REQUIRE(peer >= 0);
    BOOST_TEST(::send(peer, "hello", 5, 0) == 5);
    ::close(peer);
    ::close(fd);
    w.wait("a", "client");
    BOOST_TEST(slurp(w.log("a", "client")) == "hello\n");

    auto const [udp, datagrams] = w.call<int>([&](auto h) { w.n.async_listen("udp", "0.0.0.0", 53, &w.detail, h); });
    BOOST_REQUIRE_MESSAGE(!udp, w.detail.message);
    w.output("a", "connect_to",
             python("import socket\ns=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)\n"
                    "s.sendto(b\"q\",(\"10.244.0.1\",53))"));
    std::array<char, 8> byte{};
    BOOST_TEST(::recv(datagrams, byte.data(), byte.size(), MSG_DONTWAIT) == 1);
    ::close(datagrams);

    BOOST_TEST(!w.shell("a", "server",
                        python("import socket\ns=socket.create_server((\"\",8080))\nprint(1,flush=True)\n"
                               "s.accept()[0].sendall(b\"probe\")")));
    BOOST_TEST(eventually([&] { return slurp(w.log("a", "server")) == "1\n"; }));
    auto const connect = [&](std::string address, std::uint16_t port) {
        return w.call<int>([&](auto h) { w.n.async_connect(address, port, &w.detail, h); });
    };
    auto const [connected, probe] = connect("10.244.0.2", 8080);
    BOOST_REQUIRE_MESSAGE(!connected, w.detail.message);
    pollfd readable{probe, POLLIN, 0};
    ::poll(&readable, 1, 5000);
    std::array<char, 8> text{};
    BOOST_TEST(::recv(probe, text.data(), text.size(), 0) == 5);
    ::close(probe);
    auto const [refused, none] = connect("10.244.0.2", 8081);
    BOOST_TEST((refused == boost::system::errc::connection_refused));
    BOOST_TEST(w.detail.message.find("10.244.0.2:8081") != std::string::npos, w.detail.message);
}

BOOST_AUTO_TEST_CASE(waiting_and_connecting_can_be_cancelled) {
    started w;
    BOOST_REQUIRE(!w.create("a", "10.244.0.2"));
    BOOST_TEST(!w.shell("a", "main", "sleep 1000"));
    asio::cancellation_signal cancel;
    asio::steady_timer soon(w.io, 50ms);
    soon.async_wait([&](error_code) { cancel.emit(asio::cancellation_type::total); });
    auto const [waited, status] = w.call<exit_status>(
        [&](auto h) { w.n.async_wait("a", "main", &w.detail, asio::bind_cancellation_slot(cancel.slot(), h)); });
    BOOST_TEST(waited == error_code(asio::error::operation_aborted));
    soon.expires_after(50ms);
    soon.async_wait([&](error_code) { cancel.emit(asio::cancellation_type::total); });
    auto const [connected, fd] = w.call<int>([&](auto h) { // no pod has this address
        w.n.async_connect("10.244.9.9", 1, &w.detail, asio::bind_cancellation_slot(cancel.slot(), h));
    });
    BOOST_TEST(connected == error_code(asio::error::operation_aborted));
    auto const [unknown, nothing] = w.call<exit_status>([&](auto h) { w.n.async_wait("a", "other", &w.detail, h); });
    BOOST_TEST(unknown == make_error_code(errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(many_pods_can_start_at_once) {
    started w;
    int done = 0;
    for (int i = 0; i < 40; ++i) {
        pod_sandbox p;
        p.id = p.hostname = "p" + std::to_string(i);
        p.address = "10.244.1." + std::to_string(i + 1);
        w.n.async_create_pod(p, &w.detail, [&](error_code ec) {
            BOOST_TEST(!ec, w.detail.message);
            ++done;
        });
    }
    while (done < 40) w.io.run_one();
    BOOST_TEST(w.output("p39", "c", "hostname") == "p39\n");
}

BOOST_AUTO_TEST_SUITE_END()
