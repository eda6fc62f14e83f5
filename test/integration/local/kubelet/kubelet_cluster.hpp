#ifndef KFTRAIN_TEST_INTEGRATION_LOCAL_KUBELET_KUBELET_CLUSTER_HPP
#define KFTRAIN_TEST_INTEGRATION_LOCAL_KUBELET_KUBELET_CLUSTER_HPP

#include "integration/local/sandboxed_cluster.hpp"
#include "support/served_cluster.hpp"
#include "support/temporary_directory.hpp"

#include <kftrain/local/kubelet.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <filesystem>

/// A kubelet and an API server without operators, and what a test puts between the two.
namespace kubelet_tests {

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;

/// A pod of one container that runs `sh -c <script>`.
inline pod shell_pod(std::string const& name, std::string const& script) {
    pod p;
    p.metadata.name = name;
    p.spec.restart_policy = "Never";
    auto& c = p.spec.containers.emplace_back();
    c.name = "main";
    c.image = "none";
    c.command = {"sh", "-c", script};
    return p;
}

/// A folder that a test and its pods share.
struct shared_folder : test::temporary_directory {
    void set(std::string const& name) const { write(name, ""); }
    void clear(std::string const& name) const { std::filesystem::remove(path / name); }
    /// A command that fails while there is no such file.
    std::string test(std::string const& name) const { return "test -e " + (path / name).string(); }
    std::string text(std::string const& name) const { return read(name); }
};

inline core::config_map config(std::string const& name, string_map data) {
    core::config_map m;
    m.metadata.name = name;
    m.data = std::move(data);
    return m;
}

struct kubelet_cluster : test::live_cluster {
    explicit kubelet_cluster(local::isolation mode = local::isolation::namespaces) {
        options.directory = directory;
        options.mode = mode;
        options.logger = logger([this](log_level, std::string_view message, std::initializer_list<log_field>) {
            if (on_log) on_log(message);
        });
    }
    ~kubelet_cluster() {
        stop_.emit(asio::cancellation_type::terminal);
        until([this] { return !running_; });
    }

    void start() {
        node.emplace(kube::client(link), options);
        diagnostics detail;
        auto const started = kube::run_blocking(io.get_executor(), detail, [&](auto h) {
            node->async_start(local::start_options().with_detail(detail), std::move(h));
        });
        BOOST_REQUIRE_MESSAGE(started.has_value(), (started ? "" : started.error().to_string()));
        running_ = true;
        node->async_run(asio::bind_cancellation_slot(stop_.slot(), [this](error_code) { running_ = false; }));
    }
    /// A pod without a name if there is none of this name.
    pod get(std::string const& name) {
        auto p = kube::run_blocking<pod>(io.get_executor(), diagnostics(),
                                         [&](auto h) { objects<pod>().async_get(name, std::move(h)); });
        return p ? *p : pod();
    }
    std::string phase(std::string const& name) { return get(name).status.phase; }
    bool ended(std::string const& name) {
        return until([&] {
            auto const p = phase(name);
            return p == "Succeeded" || p == "Failed";
        });
    }
    /// Of the first container; -1 if it has not ended.
    int exit_code(std::string const& name) {
        auto const p = get(name);
        auto const& state = p.status.container_statuses.at(0).state;
        return state.terminated ? state.terminated->exit_code : -1;
    }
    /// Why the first container waits; empty if it does not.
    core::container_state_waiting waiting(std::string const& name) {
        auto const p = get(name);
        if (p.status.container_statuses.empty()) return {};
        auto const& why = p.status.container_statuses[0].state.waiting;
        return why ? *why : core::container_state_waiting();
    }
    std::vector<core::event> events(std::string const& reason) {
        auto found = all<core::event>();
        std::erase_if(found, [&](core::event const& e) { return e.reason != reason; });
        return found;
    }
    std::filesystem::path directory = local_tests::fresh_folder();
    local::kubelet_options options;
    std::function<void(std::string_view)> on_log;
    std::optional<local::kubelet> node;

private:
    asio::cancellation_signal stop_;
    bool running_ = false;
};

} // namespace kubelet_tests

#endif
