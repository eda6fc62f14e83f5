#ifndef KFTRAIN_TEST_INTEGRATION_LOCAL_NODE_SANDBOX_NODE_HPP
#define KFTRAIN_TEST_INTEGRATION_LOCAL_NODE_SANDBOX_NODE_HPP

#include "local/node/node.hpp"

#include <boost/test/unit_test.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <set>
#include <sstream>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Runs the real helper beside this program, as the user who runs the test: root and ordinary users take different ways.

namespace node_tests {

using namespace kftrain;
using namespace kftrain::local;
using namespace std::chrono_literals;

inline std::string slurp(std::filesystem::path const& file) {
    std::ifstream in(file);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

inline void spill(std::filesystem::path const& file, std::string const& text) { std::ofstream(file) << text; }

template <class Condition> bool eventually(Condition condition) {
    for (int i = 0; i < 1000; ++i) {
        if (condition()) return true;
        ::usleep(10'000);
    }
    return false;
}

inline bool alive(int pid) {
    auto const stat = slurp("/proc/" + std::to_string(pid) + "/stat");
    auto const end_of_name = stat.rfind(')');
    return end_of_name != std::string::npos && stat.compare(end_of_name + 2, 1, "Z") != 0;
}

/// Host process ids of a process and everything below it.
inline std::set<int> family_of(int root) {
    std::set<int> family{root};
    for (std::size_t before = 0; before != family.size();) {
        before = family.size();
        for (auto const& entry : std::filesystem::directory_iterator("/proc")) {
            auto const name = entry.path().filename().string();
            if (name.find_first_not_of("0123456789") != std::string::npos) continue;
            auto const stat = slurp(entry.path() / "stat");
            auto const end_of_name = stat.rfind(')');
            if (end_of_name == std::string::npos) continue;
            if (family.contains(std::stoi(stat.substr(end_of_name + 4)))) family.insert(std::stoi(name));
        }
    }
    return family;
}

inline bool all_gone(std::set<int> const& family) {
    return std::none_of(family.begin(), family.end(), [](int pid) { return alive(pid); });
}

inline std::string python(std::string const& program) { return "/usr/bin/python3 -c '" + program + "'"; }

struct sandbox_node {
    asio::io_context io;
    diagnostics detail;
    local::node n;

    explicit sandbox_node(node_options o = node_options()) : n(io.get_executor(), std::move(o)) {}

    template <class... Values, class Operation> std::tuple<error_code, Values...> call(Operation operation) {
        std::optional<std::tuple<error_code, Values...>> answer;
        detail = diagnostics();
        operation([&](error_code ec, Values... values) { answer.emplace(ec, values...); });
        BOOST_TEST(!answer.has_value(), "completed from inside the initiating function");
        io.restart();
        auto const deadline = std::chrono::steady_clock::now() + 30s;
        while (!answer && std::chrono::steady_clock::now() < deadline) io.run_one_for(1s);
        BOOST_REQUIRE(answer.has_value());
        return *answer;
    }

    error_code start() {
        return std::get<0>(call([&](auto h) { n.async_start(&detail, h); }));
    }
    error_code stop() {
        return std::get<0>(call([&](auto h) { n.async_stop(&detail, h); }));
    }
    error_code create(pod_sandbox p) {
        return std::get<0>(call([&](auto h) { n.async_create_pod(p, &detail, h); }));
    }
    error_code create(std::string id, std::string address) {
        pod_sandbox p;
        p.id = id;
        p.hostname = id;
        p.address = address;
        return create(p);
    }
    error_code remove(std::string id) {
        return std::get<0>(call([&](auto h) { n.async_delete_pod(id, &detail, h); }));
    }
    error_code signal(std::string pod, std::string container, int number) {
        return std::get<0>(call([&](auto h) { n.async_signal(pod, container, number, &detail, h); }));
    }
    std::filesystem::path log(std::string const& pod, std::string const& container) const {
        return n.run_directory() / (pod + "." + container + ".log");
    }
    error_code run(container_process p) {
        int const fd = ::open(log(p.pod, p.container).c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
        BOOST_REQUIRE(fd >= 0);
        p.output_fd = fd;
        auto const ec = std::get<0>(call([&](auto h) { n.async_start_container(p, &detail, h); }));
        ::close(fd);
        return ec;
    }
    error_code shell(std::string pod, std::string container, std::string script) {
        container_process p;
        p.pod = pod;
        p.container = container;
        p.argv = {"sh", "-c", script};
        p.env = {"PATH=/usr/bin:/bin"};
        return run(p);
    }
    exit_status wait(std::string pod, std::string container) {
        auto const [ec, status] = call<exit_status>([&](auto h) { n.async_wait(pod, container, &detail, h); });
        BOOST_TEST(!ec, ec.message() << ": " << detail.message);
        return status;
    }
    /// Runs a script to its end and returns what it wrote.
    std::string output(std::string pod, std::string container, std::string script) {
        BOOST_REQUIRE_MESSAGE(!shell(pod, container, script), detail.message);
        auto const status = wait(pod, container);
        auto const text = slurp(log(pod, container));
        BOOST_TEST(status.code == 0, text);
        return text;
    }
};

struct started : sandbox_node {
    explicit started(node_options o = in_namespaces()) : sandbox_node(std::move(o)) {
        auto const ec = start();
        BOOST_REQUIRE_MESSAGE(!ec, ec.message() << ": " << detail.message);
    }
    static node_options in_namespaces() {
        node_options o;
        o.mode = isolation::namespaces;
        return o;
    }
};

inline node_options as_processes() {
    node_options o;
    o.mode = isolation::processes;
    return o;
}

} // namespace node_tests

#endif
