#include "local/simulation/pod_simulator.hpp"

#include "kube/async/run_scope.hpp"
#include "local/kubelet/pod_report.hpp"
#include "local/node/address_pool.hpp"
#include "objects/pod_resources.hpp"

#include <kftrain/control/event_recorder.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/scalars.hpp>

#include <boost/asio/steady_timer.hpp>

#include <charconv>
#include <map>

namespace kftrain::local {
namespace {

namespace asio = boost::asio;
using simulation_clock = std::chrono::steady_clock;

constexpr std::string_view run_annotation = "kftrain.local/run";
constexpr std::string_view exit_annotation = "kftrain.local/exit-code";
constexpr int highest_exit_code = 255;
constexpr std::chrono::seconds shortest_pause{1}; ///< between two runs of a container
constexpr std::chrono::milliseconds longest_pause = std::chrono::hours(24 * 365);

failure wrong_annotation(std::string_view name, std::string_view expected, std::string const& value) {
    diagnostics d;
    d.message = "annotation " + std::string(name) + ": expected " + std::string(expected) + ", got \"" + value + "\"";
    return {errc::invalid_argument, std::move(d)};
}

} // namespace

result<pod_script> read_pod_script(string_map const& annotations, std::chrono::milliseconds default_run) {
    pod_script script;
    script.run = default_run;
    if (auto const it = annotations.find(run_annotation); it != annotations.end()) {
        duration run{};
        if (!parse_scalar(it->second, run) || run < duration::zero())
            return wrong_annotation(run_annotation, "a duration such as 1m30s", it->second);
        script.run = std::chrono::ceil<std::chrono::milliseconds>(run);
    }
    if (auto const it = annotations.find(exit_annotation); it != annotations.end()) {
        auto const& text = it->second;
        auto const* const end = text.data() + text.size();
        auto const [at, ec] = std::from_chars(text.data(), end, script.exit_code);
        if (ec != std::errc() || at != end || script.exit_code < 0 || script.exit_code > highest_exit_code)
            return wrong_annotation(exit_annotation, "0 to 255", text);
    }
    return script;
}

struct pod_simulator::state : std::enable_shared_from_this<state> {
    struct simulated_pod {
        std::shared_ptr<core::pod const> object;
        pod_script script;
        pod_record record;
        int failures = 0;     ///< in a row
        bool running = false; ///< the containers run
        bool bound = false;   ///< the binding was requested
        bool leaving = false; ///< the deletion was requested
    };

    state(kube::client c, std::chrono::milliseconds r, std::string n, logger l)
        : client(std::move(c)),
          default_run(r),
          node(std::move(n)),
          log(std::move(l)),
          events(client, "kubelet", now),
          pods(kube::api<core::pod>::all_namespaces(client)),
          addresses("10.244"),
          wake(client.get_executor()),
          run(client.get_executor(), [this](error_code ec) { end_run(ec); }) {}

    static time_point now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

    void follow() {
        if (std::exchange(following, true)) return;
        pods.on_event([weak = weak_from_this()](auto const& e) {
            if (auto const self = weak.lock()) self->changed(e.object, e.kind == change_kind::deleted);
        });
    }

    void changed(std::shared_ptr<core::pod const> const& object, bool gone) {
        auto const& uid = object->metadata.uid;
        if (gone) return forget(uid);
        bool const known = simulated.contains(uid);
        if (!known && has_ended(*object) && !object->metadata.deletion_timestamp) return;
        auto& p = simulated[uid];
        p.object = object;
        if (object->metadata.deletion_timestamp) {
            if (!std::exchange(p.leaving, true)) end(*object);
        } else if (!object->spec.node_name.empty()) {
            if (!p.record.started) start(p);
        } else if (!node.empty() && !std::exchange(p.bound, true)) {
            bind(*object);
        }
    }

    void forget(std::string const& uid) {
        auto const it = simulated.find(uid);
        if (it == simulated.end()) return;
        addresses.release(it->second.record.address);
        simulated.erase(it);
    }

    void start(simulated_pod& p) {
        auto const& spec = p.object->spec;
        auto& record = p.record;
        record.started = now();
        record.address = addresses.take().value_or("");
        record.init_containers.resize(spec.init_containers.size());
        record.containers.resize(spec.containers.size());
        auto script = read_pod_script(p.object->metadata.annotations, default_run);
        if (!script) {
            log(log_level::warning, "pod is not simulated",
                {{"pod", p.object->metadata.name}, {"error", script.error().detail.message}});
            events.record(reference_to_pod(p.object->metadata), "Warning", "Invalid", script.error().detail.message);
            return write(*p.object, report_refusal("Invalid", script.error().detail.message, now()));
        }
        p.script = *script;
        for (std::size_t i = 0; i < spec.init_containers.size(); ++i) {
            auto& c = record.init_containers[i];
            if (is_sidecar(spec.init_containers[i]))
                c.state.running.emplace().started_at = now();
            else
                c.state.terminated = terminated(0, 0, now(), now());
        }
        begin(p);
    }

    void begin(simulated_pod& p) {
        p.running = true;
        for (auto& c : p.record.containers) {
            c.last_state = std::exchange(c.state, {});
            c.state.running.emplace().started_at = now();
        }
        publish(p);
        if (p.script.run.count() != 0) call_after(p.script.run, p.object->metadata.uid);
    }

    /// Ends the containers, or starts them again.
    void advance(simulated_pod& p) {
        if (p.leaving) return;
        if (!p.running) {
            for (auto& c : p.record.containers) ++c.restarts;
            return begin(p);
        }
        p.running = false;
        p.failures = p.script.exit_code == 0 ? 0 : p.failures + 1;
        core::container_state_terminated last;
        for (auto& c : p.record.containers) {
            last = terminated(p.script.exit_code, 0, c.state.running->started_at, now());
            c.state = {};
            c.state.terminated = last;
        }
        auto const& policy = p.object->spec.restart_policy;
        bool const repeated = restarts(policy.empty() ? "Always" : policy, last);
        if (!repeated) end_sidecars(p);
        publish(p);
        if (repeated) call_after(std::max(restart_delay(p.failures), shortest_pause), p.object->metadata.uid);
    }

    static void end_sidecars(simulated_pod& p) {
        for (auto& c : p.record.init_containers) {
            if (!c.state.running) continue;
            auto const end = terminated(0, 0, c.state.running->started_at, now());
            c.state = {};
            c.state.terminated = end;
        }
    }

    void call_after(std::chrono::milliseconds pause, std::string uid) {
        due.emplace(simulation_clock::now() + std::min(pause, longest_pause), std::move(uid));
        rearm();
    }
    void rearm() {
        if (due.empty() || !run.going()) return;
        wake.expires_at(due.begin()->first);
        wake.async_wait([weak = weak_from_this()](error_code ec) {
            auto const self = weak.lock();
            if (!self || ec) return;
            self->advance_all();
        });
    }
    void advance_all() {
        auto const reached = simulation_clock::now();
        while (!due.empty() && due.begin()->first <= reached) {
            auto const uid = due.extract(due.begin()).mapped();
            if (auto const it = simulated.find(uid); it != simulated.end()) advance(it->second);
        }
        rearm();
    }

    void publish(simulated_pod const& p) { write(*p.object, report(*p.object, p.record, now())); }

    void write(core::pod const& p, core::pod_status const& status) {
        kube::patch_body const patch(patch_type::merge, R"({"status":)" + to_json(status) + "}");
        kube::api<core::pod>(client, p.metadata.namespace_)
            .async_patch_status(p.metadata.name, patch,
                                [weak = weak_from_this(), name = p.metadata.name](error_code ec, auto&&) {
                                    auto const self = weak.lock();
                                    if (self && ec && !is_not_found(ec))
                                        self->failed("state of a pod could not be written", name, ec);
                                });
    }

    void bind(core::pod const& p) {
        client.async_call(kube::request::bind(p.metadata.namespace_, p.metadata.name, node), kube::call_options(),
                          [weak = weak_from_this(), name = p.metadata.name](error_code ec, auto&&) {
                              auto const self = weak.lock();
                              if (self && ec && !is_not_found(ec)) self->failed("pod could not be bound", name, ec);
                          });
    }

    void end(core::pod const& p) {
        kube::delete_options how;
        how.grace_period_seconds = 0;
        how.precondition_uid = p.metadata.uid;
        kube::api<core::pod>(client, p.metadata.namespace_)
            .async_delete(p.metadata.name, how, [weak = weak_from_this(), name = p.metadata.name](error_code ec) {
                auto const self = weak.lock();
                if (self && ec && !is_not_found(ec)) self->failed("pod could not be deleted", name, ec);
            });
    }

    void failed(std::string const& what, std::string const& name, error_code ec) const {
        if (run.going()) log(log_level::warning, what, {{"name", name}, {"error", ec.message()}});
    }

    /// Otherwise the io_context would wait for the timer.
    void end_run(error_code ec) {
        run.end(ec);
        events.persist(false);
        wake.cancel();
    }

    kube::client client;
    std::chrono::milliseconds default_run;
    std::string node;
    logger log;
    control::event_recorder events;
    kube::informer<core::pod> pods;
    address_pool addresses;
    std::map<std::string, simulated_pod> simulated;               ///< by uid
    std::multimap<simulation_clock::time_point, std::string> due; ///< uids of pods to advance
    asio::steady_timer wake;
    bool following = false;
    kube::run_scope run; ///< its part is the informer
};

pod_simulator::pod_simulator(kube::client client, std::chrono::milliseconds run, std::string node, logger log)
    : state_(std::make_shared<state>(std::move(client), run, std::move(node), std::move(log))) {}

pod_simulator::~pod_simulator() {
    if (!state_) return;
    state_->run.close();
    state_->events.persist(false);
    state_->wake.cancel();
}

void pod_simulator::async_run(kube::any_handler<void(error_code)> handler) {
    if (!state_->run.begin(std::move(handler))) return;
    state_->follow();
    state_->run.add([this](auto h) { state_->pods.async_run(std::move(h)); });
}

} // namespace kftrain::local
