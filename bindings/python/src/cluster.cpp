#include "client.hpp"
#include "cluster_clients.hpp"
#include "engine.hpp"
#include "errors.hpp"
#include "options.hpp"

#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/local/described.hpp>

#include <pybind11/stl.h>

#include <string>
#include <vector>

namespace kftrain::python {
namespace {

/// A local cluster and the engine that it runs on.
class core_cluster {
public:
    explicit core_cluster(local::local_cluster_options options)
        : core_cluster(std::make_shared<engine>(), std::move(options)) {}
    core_cluster(core_cluster const&) = delete;
    core_cluster& operator=(core_cluster const&) = delete;
    ~core_cluster() {
        // The thread ends first: a cluster is not used by two threads.
        cluster_.get_engine()->close();
    }

    /// Completes with the text of a kubeconfig, and with the reason why pods run without a sandbox.
    std::shared_ptr<call> start(py::kwargs const& given) {
        auto const o = options_of<local::start_options>(given);
        return cluster_.get_engine()->begin([this, o](std::shared_ptr<call> const& c) {
            auto started = [this, c](error_code ec) {
                if (ec) return c->finish(ec, {});
                auto text = kube::to_kubeconfig(*cluster_->config(), "kftrain", cluster_->user_configs());
                auto why = cluster_->fallback_reason();
                c->finish(ec, [text = std::move(text), why = std::move(why)]() -> py::object {
                    return py::make_tuple(text, why);
                });
            };
            cluster_->async_start(local::start_options(o).with_detail(c->detail),
                                  asio::bind_cancellation_slot(c->signal.slot(), std::move(started)));
        });
    }

    /// Runs the cluster until the call is cancelled; completes when everything was cleaned up. If the cluster ends by
    /// itself, calls of its clients fail.
    std::shared_ptr<call> run() {
        return cluster_.get_engine()->begin([this](std::shared_ptr<call> const& c) {
            cluster_->async_run(asio::bind_cancellation_slot(c->signal.slot(), [this, c](error_code ec) {
                if (is_cancelled(ec)) ec = error_code();
                std::optional<failure> why;
                if (ec) {
                    c->detail.message = "the local cluster has ended: " + ec.message();
                    why.emplace(ec, c->detail);
                }
                c->finish(ec, [] { return py::object(py::none()); }); // before a client notices the end
                if (why) clients_.fail(*std::move(why));
            }));
        });
    }

    /// Completes with the reason why limits of containers are not enforced.
    std::shared_ptr<call> limits_fallback_reason() {
        return cluster_.get_engine()->begin([this](std::shared_ptr<call> const& c) {
            c->finish(error_code(), later(cluster_->limits_fallback_reason()));
        });
    }

    void add_client(std::shared_ptr<engine> const& client) { clients_.add(client); }

    void close() {
        py::gil_scoped_release const released;
        cluster_.get_engine()->close();
    }

private:
    core_cluster(std::shared_ptr<engine> const& e, local::local_cluster_options options)
        : cluster_(e, std::make_unique<local::local_cluster>(e->context(), std::move(options))) {}

    in_engine<local::local_cluster> cluster_;
    cluster_clients clients_;
};

} // namespace

void bind_cluster(py::module_& m) {
    py::class_<core_cluster, std::shared_ptr<core_cluster>>(m, "CoreCluster")
        .def(py::init([](std::vector<std::string> const& operator_flags, py::kwargs const& given) {
            auto options = options_of<local::local_cluster_options>(given);
            for (auto const& flag : operator_flags) unwrap(read_operator_flag(options.rules, flag), "operator_flags");
            return std::shared_ptr<core_cluster>(new core_cluster(std::move(options)),
                                                 &destroy_without_gil<core_cluster>);
        }))
        .def("start", &core_cluster::start)
        .def("run", &core_cluster::run)
        .def("limits_fallback_reason", &core_cluster::limits_fallback_reason)
        .def("add_client", &core_cluster::add_client)
        .def("close", &core_cluster::close);
}

} // namespace kftrain::python
