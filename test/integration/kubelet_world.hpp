#ifndef KFTRAIN_TEST_INTEGRATION_KUBELET_WORLD_HPP
#define KFTRAIN_TEST_INTEGRATION_KUBELET_WORLD_HPP

#include "integration/cluster_world.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/local/kubelet.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <filesystem>

/// A kubelet and an API server without operators, and what a test puts between the two.
namespace kubelet_world {

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;

/// Changes requests and answers on their way.
class meddler final : public kube::transport {
public:
    explicit meddler(std::shared_ptr<kube::transport> next) : next_(std::move(next)) {}

    std::function<void(kube::http_request&)> on_request;
    std::function<void(std::string& piece)> on_answer;

    asio::any_io_executor get_executor() const noexcept override { return next_->get_executor(); }
    void async_open(kube::http_request request,
                    kube::any_handler<void(error_code, kube::streamed_response)> handler) override {
        if (on_request) on_request(request);
        auto const slot = asio::get_associated_cancellation_slot(handler);
        next_->async_open(std::move(request),
                          asio::bind_cancellation_slot(
                              slot, [this, h = std::move(handler)](error_code ec, kube::streamed_response r) mutable {
                                  if (r.body) r.body = std::make_unique<changed>(std::move(r.body), on_answer);
                                  std::move(h)(ec, std::move(r));
                              }));
    }

private:
    class changed final : public kube::body_stream {
    public:
        changed(std::unique_ptr<body_stream> next, std::function<void(std::string&)> change)
            : next_(std::move(next)), change_(std::move(change)) {}
        void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
            auto const slot = asio::get_associated_cancellation_slot(handler);
            next_->async_read(asio::bind_cancellation_slot(
                slot, [change = change_, h = std::move(handler)](error_code ec, std::string piece) mutable {
                    if (change) change(piece);
                    std::move(h)(ec, std::move(piece));
                }));
        }

    private:
        std::unique_ptr<body_stream> next_;
        std::function<void(std::string&)> change_;
    };

    std::shared_ptr<kube::transport> next_;
};

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
struct shared_folder {
    shared_folder() : path(cluster_world::fresh_folder()) { std::filesystem::create_directory(path); }
    shared_folder(shared_folder const&) = delete;
    shared_folder& operator=(shared_folder const&) = delete;
    ~shared_folder() { std::filesystem::remove_all(path); }

    void set(std::string const& name) const { std::ofstream(path / name) << ""; }
    void clear(std::string const& name) const { std::filesystem::remove(path / name); }
    /// A command that fails while there is no such file.
    std::string test(std::string const& name) const { return "test -e " + (path / name).string(); }
    std::string text(std::string const& name) const {
        std::ifstream in(path / name);
        std::ostringstream out;
        out << in.rdbuf();
        return out.str();
    }

    std::filesystem::path path;
};

inline core::config_map config(std::string const& name, string_map data) {
    core::config_map m;
    m.metadata.name = name;
    m.data = std::move(data);
    return m;
}

struct world {
    explicit world(local::isolation mode = local::isolation::namespaces)
        : link(std::make_shared<meddler>(server.transport())), directory(cluster_world::fresh_folder()) {
        options.directory = directory;
        options.mode = mode;
        options.logger = logger([this](log_level, std::string_view message, std::initializer_list<log_field>) {
            if (on_log) on_log(message);
        });
    }
    world(world const&) = delete;
    world& operator=(world const&) = delete;
    ~world() {
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
    template <class K> K create(K object) {
        kube::api<K> objects(direct, "default");
        diagnostics detail;
        kube::call_options o;
        o.detail = &detail;
        auto stored = kube::run_blocking<K>(io.get_executor(), detail,
                                            [&](auto h) { objects.async_create(object, o, std::move(h)); });
        BOOST_REQUIRE_MESSAGE(stored.has_value(), (stored ? "" : stored.error().to_string()));
        return *stored;
    }
    pod get(std::string const& name) {
        kube::api<pod> pods(direct, "default");
        auto p = kube::run_blocking<pod>(io.get_executor(), diagnostics(),
                                         [&](auto h) { pods.async_get(name, std::move(h)); });
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
        kube::api<core::event> all(direct, "default");
        auto list = kube::run_blocking<object_list<core::event>>(io.get_executor(), diagnostics(),
                                                                 [&](auto h) { all.async_list(std::move(h)); });
        std::vector<core::event> found;
        if (list)
            for (auto const& e : list->items)
                if (e.reason == reason) found.push_back(e);
        return found;
    }
    template <class Condition> bool until(Condition condition, std::chrono::seconds limit = 40s) {
        auto const deadline = std::chrono::steady_clock::now() + limit;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            io.restart();
            io.run_for(20ms);
        }
        return true;
    }

    asio::io_context io;
    apiserver::api_server server{io.get_executor()};
    kube::client direct{server.transport()};
    std::shared_ptr<meddler> link; ///< the kubelet's way to the server
    std::filesystem::path directory;
    local::kubelet_options options;
    std::function<void(std::string_view)> on_log;
    std::optional<local::kubelet> node;

private:
    asio::cancellation_signal stop_;
    bool running_ = false;
};

} // namespace kubelet_world

#endif
