#include "local/kubelet/pod_worker.hpp"

#include <boost/asio/co_spawn.hpp>

namespace kftrain::local {
/// Begins to probe the container that has just been started; null if it has no probes.
std::shared_ptr<container_prober> pod_worker::probe(core::container const& spec, container_record& record,
                                                    container_process const& started) {
    record.unstarted = spec.startup_probe.has_value();
    record.unready = spec.readiness_probe.has_value();
    if (!spec.startup_probe && !spec.liveness_probe && !spec.readiness_probe) return nullptr;
    container_prober::callbacks handlers;
    // `spec` and `record` live as long as the worker runs the container, and it stops the prober before that ends.
    handlers.judged = [this, &spec, &record](probe_kind kind, bool succeeded) {
        judged(kind, succeeded, spec, record);
    };
    handlers.noted = [this, &spec](probe_kind kind, probe_result const& r) {
        warn(r.success ? "ProbeWarning" : "Unhealthy",
             std::string(name_of(kind)) + (r.success ? " probe warning: " : " probe failed: ") + r.output, &spec);
    };
    auto prober = std::make_shared<container_prober>(owner_, started, spec, record_.address, std::move(handlers));
    probers_[&record] = prober;
    prober->start();
    return prober;
}

void pod_worker::judged(probe_kind kind, bool succeeded, core::container const& spec, container_record& record) {
    if (leaving()) return;
    bool changed = false;
    if (kind == probe_kind::readiness) changed = std::exchange(record.unready, !succeeded) == succeeded;
    if (kind == probe_kind::startup && succeeded) {
        changed = std::exchange(record.unstarted, false);
        wake(); // the next init container may wait for this start
    }
    if (kind != probe_kind::readiness && !succeeded) {
        auto const& failed = kind == probe_kind::startup ? spec.startup_probe : spec.liveness_probe;
        auto const grace = failed->termination_grace_period_seconds;
        warn("Killing",
             "Container " + spec.name + " failed " + (kind == probe_kind::startup ? "startup" : "liveness") +
                 " probe, will be restarted",
             &spec);
        if (auto const prober = probers_[&record].lock()) prober->end();
        stop_container(spec, moment_in(grace ? std::chrono::seconds(*grace) : usual_grace()), false);
    }
    if (!changed) return;
    asio::co_spawn(owner_.client.get_executor(), publish(),
                   [self = shared_from_this(), kept = owner_.shared_from_this()](std::exception_ptr e) {
                       if (e) self->break_down("the status could not be written");
                   });
}

} // namespace kftrain::local
