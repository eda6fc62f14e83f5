#include "client.hpp"
#include "engine.hpp"
#include "limits.hpp"

#include <kftrain/kube/config.hpp>
#include <kftrain/local/local_cluster.hpp>

#include <array>
#include <filesystem>
#include <string_view>

namespace kftrain::python {
namespace {

local::isolation isolation_of(std::string_view name) {
    if (name == "automatic") return local::isolation::automatic;
    if (name == "namespaces") return local::isolation::namespaces;
    if (name == "processes") return local::isolation::processes;
    throw py::value_error("isolation: expected automatic, namespaces or processes, got " + std::string(name));
}

/// A local cluster and the engine that it runs on.
class core_cluster {
public:
    core_cluster(std::string const& directory, std::string const& working_directory, std::string const& isolation,
                 std::uint16_t port, bool run_pods)
        : core_cluster(std::make_shared<engine>(),
                       options_of(directory, working_directory, isolation, port, run_pods)) {}
    core_cluster(core_cluster const&) = delete;
    core_cluster& operator=(core_cluster const&) = delete;
    ~core_cluster() {
        // The thread ends first: a cluster is not used by two threads.
        cluster_.get_engine()->close();
    }

    std::shared_ptr<call> start(double timeout) {
        auto const milliseconds = milliseconds_of(timeout);
        return cluster_.get_engine()->begin([this, milliseconds](std::shared_ptr<call> const& c) {
            cluster_->async_start(local::start_options().with_timeout(milliseconds).with_detail(c->detail),
                                  asio::bind_cancellation_slot(c->signal.slot(), [this, c](error_code ec) {
                                      if (ec) return c->finish(ec, {});
                                      auto text = kube::to_kubeconfig(*cluster_->config(), "kftrain");
                                      auto why = cluster_->fallback_reason();
                                      c->finish(ec, [text = std::move(text), why = std::move(why)]() -> py::object {
                                          return py::make_tuple(text, why);
                                      });
                                  }));
        });
    }

    /// Runs the cluster until the call is cancelled; completes when everything was cleaned up.
    std::shared_ptr<call> run() {
        return cluster_.get_engine()->begin([this](std::shared_ptr<call> const& c) {
            cluster_->async_run(asio::bind_cancellation_slot(c->signal.slot(), [c](error_code ec) {
                c->finish(is_cancelled(ec) ? error_code() : ec, [] { return py::object(py::none()); });
            }));
        });
    }

    void close() {
        py::gil_scoped_release const released;
        cluster_.get_engine()->close();
    }

private:
    core_cluster(std::shared_ptr<engine> const& e, local::local_cluster_options options)
        : cluster_(e, std::make_unique<local::local_cluster>(e->context(), std::move(options))) {}

    static local::local_cluster_options options_of(std::string const& directory, std::string const& working_directory,
                                                   std::string const& isolation, std::uint16_t port, bool run_pods) {
        local::local_cluster_options o;
        o.directory = directory;
        o.working_directory = working_directory;
        o.mode = isolation_of(isolation);
        o.listen.emplace().port = port;
        o.run_pods = run_pods;
        return o;
    }

    in_engine<local::local_cluster> cluster_;
};

} // namespace

void bind_cluster(py::module_& m) {
    py::class_<core_cluster, std::shared_ptr<core_cluster>>(m, "CoreCluster")
        .def(py::init([](std::string const& directory, std::string const& working_directory,
                         std::string const& isolation, std::uint16_t port, bool run_pods) {
            return std::shared_ptr<core_cluster>(
                new core_cluster(directory, working_directory, isolation, port, run_pods),
                &destroy_without_gil<core_cluster>);
        }))
        .def("start", &core_cluster::start)
        .def("run", &core_cluster::run)
        .def("close", &core_cluster::close);
}

} // namespace kftrain::python
