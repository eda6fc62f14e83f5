#include "local/scheduler/scheduler.hpp"

#include "kube/async/run_scope.hpp"
#include "local/kubelet/pod_report.hpp"
#include "local/scheduler/placement.hpp"

#include <kftrain/control/event_recorder.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/request.hpp>

#include <boost/asio/steady_timer.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <sys/utsname.h>
#include <thread>
#include <tuple>
#include <unistd.h>

namespace kftrain::local {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;

/// Changes come in groups, for example the pods of a job.
constexpr std::chrono::milliseconds shortest_pause_before_pass{5};
/// A pause is as long as this number of passes, so that large clusters do not spend their time on scheduling.
constexpr int passes_per_pause = 4;
constexpr std::chrono::seconds pause_after_failure{1};

time_point seconds_now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

json::object condition(std::string_view type, std::string_view status, std::string_view reason,
                       std::string_view message) {
    std::string now;
    print_scalar(seconds_now(), now);
    return {{"type", type}, {"status", status}, {"lastTransitionTime", now}, {"reason", reason}, {"message", message}};
}

kube::patch_body status_patch(json::object status) {
    return {patch_type::strategic, json::serialize(json::object{{"status", std::move(status)}})};
}

kube::patch_body merge_patch(json::object const& status) {
    return {patch_type::merge, json::serialize(json::object{{"status", status}})};
}

/// The GPUs that the driver of NVIDIA shows: `nvidia0`, `nvidia1`, ..., besides files such as `nvidiactl`.
std::int64_t count_gpus(std::filesystem::path const& devices) {
    constexpr std::string_view prefix = "nvidia";
    std::int64_t count = 0;
    std::error_code ignored;
    for (auto const& entry : std::filesystem::directory_iterator(devices, ignored)) {
        auto const name = entry.path().filename().string();
        bool const is_gpu = name.size() > prefix.size() && name.starts_with(prefix) &&
                            name.find_first_not_of("0123456789", prefix.size()) == name.npos;
        if (is_gpu) ++count;
    }
    return count;
}

} // namespace

struct scheduler::state : std::enable_shared_from_this<state> {
    state(kube::client c, logger l)
        : client(std::move(c)),
          log(std::move(l)),
          events(client, "default-scheduler", seconds_now),
          nodes(all<core::node>()),
          pods(all<core::pod>()),
          volcano_groups(all<volcano::pod_group>()),
          coscheduling_groups(all<coscheduling::pod_group>()),
          queues(all<volcano::queue>()),
          wake(client.get_executor()),
          run(client.get_executor(), [this](error_code ec) { end_run(ec); }) {
        events.persist(false); // the server is in this process: a write that fails once fails again
    }

    template <class K> kube::api<K> all() const { return kube::api<K>::all_namespaces(client); }

    template <class K> void follow(kube::informer<K>& informer) {
        informer.on_event([weak = weak_from_this()](auto const&) {
            if (auto const self = weak.lock()) self->pass_after(self->pause_before_pass);
        });
    }

    void follow_all() {
        if (std::exchange(following, true)) return;
        std::apply([this](auto&... each) { (follow(each), ...); }, informers());
    }
    std::tuple<kube::informer<core::node>&, kube::informer<core::pod>&, kube::informer<volcano::pod_group>&,
               kube::informer<coscheduling::pod_group>&, kube::informer<volcano::queue>&>
    informers() {
        return {nodes, pods, volcano_groups, coscheduling_groups, queues};
    }

    void pass_after(std::chrono::milliseconds pause) {
        if (!run.going() || std::exchange(waits_for_pass, true)) return;
        wake.expires_after(pause);
        wake.async_wait([weak = weak_from_this()](error_code ec) {
            auto const self = weak.lock();
            if (!self) return;
            self->waits_for_pass = false;
            if (!ec) self->pass();
        });
    }

    void pass() {
        bool const synced = std::apply([](auto&... each) { return (each.has_synced() && ...); }, informers());
        if (!synced || !run.going()) return;
        auto const begun = std::chrono::steady_clock::now();
        cluster_objects objects;
        objects.nodes = nodes.list();
        objects.pods = pods.list();
        objects.volcano_groups = volcano_groups.list();
        objects.coscheduling_groups = coscheduling_groups.list();
        objects.queues = queues.list();
        forget(objects.pods);
        objects.bound = bound;
        objects.evicted = evicted;
        for (auto const& [uid, r] : reported) objects.nominated[uid] = r.nominated;
        auto const result = place_pods(objects);
        for (auto const& p : result.placed) bind(*p.pod, p.node);
        for (auto const& w : result.waiting) report(*w.pod, w.message, w.nominated);
        for (auto const& p : result.preemptions) preempt(p);
        for (auto const& g : result.gangs) report(*g.group, g.message);
        for (auto const& p : result.evicted) evict(*p);
        auto const took = std::chrono::steady_clock::now() - begun;
        pause_before_pass =
            std::max(shortest_pause_before_pass, std::chrono::ceil<std::chrono::milliseconds>(took * passes_per_pause));
    }

    /// Forgets pods that are gone or whose node the informer shows.
    void forget(shared_list<core::pod> const& present) {
        std::set<std::string_view> unbound;
        std::set<std::string_view> known;
        for (auto const& p : present) {
            known.insert(p->metadata.uid);
            if (p->spec.node_name.empty()) unbound.insert(p->metadata.uid);
        }
        std::erase_if(bound, [&](auto const& b) { return !unbound.contains(b.first); });
        std::erase_if(reported, [&](auto const& r) { return !unbound.contains(r.first); });
        std::erase_if(evicted, [&](auto const& uid) { return !known.contains(uid); });
    }

    auto logged(std::string what, std::string name) {
        return [weak = weak_from_this(), what = std::move(what), name = std::move(name)](error_code ec, auto&&) {
            auto const self = weak.lock();
            if (self && ec && !is_not_found(ec)) self->failed(what, name, ec);
        };
    }
    void failed(std::string const& what, std::string const& name, error_code ec) {
        if (!run.going()) return;
        log(log_level::warning, what, {{"name", name}, {"error", ec.message()}});
        pass_after(pause_after_failure);
    }

    void bind(core::pod const& p, std::string const& node) {
        bound[p.metadata.uid] = node;
        reported.erase(p.metadata.uid);
        auto const done = [weak = weak_from_this(), uid = p.metadata.uid, name = p.metadata.name](error_code ec,
                                                                                                  auto&&) {
            auto const self = weak.lock();
            if (!self || !ec) return;
            self->bound.erase(uid);
            self->failed("pod could not be bound", name, ec);
        };
        client.async_call(kube::request::bind(p.metadata.namespace_, p.metadata.name, node), kube::call_options(),
                          done);
    }

    void report(core::pod const& p, std::string const& message, std::string const& nominated) {
        auto const [known, added] = reported.try_emplace(p.metadata.uid);
        auto& last = known->second;
        auto const& written = added ? p.status.nominated_node_name : last.nominated;
        json::object status;
        if (nominated != written)
            status["nominatedNodeName"] = nominated.empty() ? json::value() : json::value(nominated);
        last.nominated = nominated;
        if (added || message != last.message) {
            last.message = message;
            events.record(reference_to_pod(p.metadata), "Warning", "FailedScheduling", message);
            status["conditions"] =
                json::array{json::value(condition("PodScheduled", "False", "Unschedulable", message))};
        }
        if (status.empty()) return;
        kube::api<core::pod>(client, p.metadata.namespace_)
            .async_patch_status(p.metadata.name, status_patch(std::move(status)),
                                logged("state of a pod could not be written", p.metadata.name));
    }

    /// Writes the condition of each victim, so that its job knows why it ends, and then deletes it.
    void preempt(preemption const& made) {
        auto const& by = made.pod->spec.scheduler_name;
        for (auto const& v : made.victims) {
            if (!evicted.insert(v->metadata.uid).second) continue;
            events.record(reference_to_pod(v->metadata), "Normal", "Preempted",
                          "Preempted by pod " + made.pod->metadata.uid + " on node " + made.node);
            json::object status;
            status["conditions"] = json::array{json::value(condition(
                "DisruptionTarget", "True", "PreemptionByScheduler",
                (by.empty() ? "default-scheduler" : by) + ": preempting to accommodate a higher priority pod"))};
            auto const then_delete = [weak = weak_from_this(), v](error_code ec, auto&&) {
                auto const self = weak.lock();
                if (!self) return;
                if (!ec) return self->remove(*v);
                self->evicted.erase(v->metadata.uid);
                if (!is_not_found(ec)) self->failed("pod could not be preempted", v->metadata.name, ec);
            };
            kube::api<core::pod>(client, v->metadata.namespace_)
                .async_patch_status(v->metadata.name, status_patch(std::move(status)), then_delete);
        }
    }

    /// Volcano's PodGroup has no subresource: the status is a field like others.
    void report(volcano::pod_group const& g, std::string const& message) {
        json::object status;
        auto const& phase = g.status.phase;
        if (message.empty()) {
            bool const stale =
                std::ranges::any_of(g.status.conditions, [](auto const& c) { return c.type == "Unschedulable"; });
            if (phase != "Inqueue" && phase != "Unknown" && !(phase == "Running" && stale)) return;
            status["phase"] = "Running";
            json::array conditions;
            conditions.push_back(condition("Scheduled", "True", "tasks in gang are ready to be scheduled", ""));
            status["conditions"] = conditions;
        } else {
            auto const& all = g.status.conditions;
            bool const known = std::ranges::any_of(
                all, [&](auto const& c) { return c.type == "Unschedulable" && c.message == message; });
            if (known) return;
            json::array conditions;
            conditions.push_back(condition("Unschedulable", "True", "NotEnoughResources", message));
            status["conditions"] = conditions;
        }
        kube::api<volcano::pod_group>(client, g.metadata.namespace_)
            .async_patch(g.metadata.name, merge_patch(status),
                         logged("state of a PodGroup could not be written", g.metadata.name));
    }

    void evict(core::pod const& p) {
        if (evicted.insert(p.metadata.uid).second) remove(p);
    }
    /// The pod is in `evicted`.
    void remove(core::pod const& p) {
        kube::delete_options how;
        how.precondition_uid = p.metadata.uid;
        // Without its node, no kubelet ends the pod within its grace period.
        if (nodes.find("", p.spec.node_name) == nullptr) how.grace_period_seconds = 0;
        kube::api<core::pod>(client, p.metadata.namespace_)
            .async_delete(p.metadata.name, how,
                          [weak = weak_from_this(), uid = p.metadata.uid, name = p.metadata.name](error_code ec) {
                              auto const self = weak.lock();
                              if (!self || !ec || is_not_found(ec)) return;
                              self->evicted.erase(uid);
                              self->failed("pod could not be evicted", name, ec);
                          });
    }

    /// Otherwise the io_context would wait for the timer.
    void end_run(error_code ec) {
        run.end(ec);
        wake.cancel();
    }

    kube::client client;
    logger log;
    control::event_recorder events;
    kube::informer<core::node> nodes;
    kube::informer<core::pod> pods;
    kube::informer<volcano::pod_group> volcano_groups;
    kube::informer<coscheduling::pod_group> coscheduling_groups;
    kube::informer<volcano::queue> queues;
    std::map<std::string, std::string, std::less<>> bound; ///< nodes by uid, until the informer shows them
    /// The last report about a waiting pod.
    struct report_of_pod {
        std::string message;
        std::string nominated;
    };
    std::map<std::string, report_of_pod> reported; ///< by uid
    std::set<std::string> evicted;                 ///< uids of pods whose deletion was requested
    asio::steady_timer wake;
    std::chrono::milliseconds pause_before_pass = shortest_pause_before_pass;
    bool waits_for_pass = false;
    bool following = false;
    kube::run_scope run; ///< its parts are the informers
};

scheduler::scheduler(kube::client client, logger log)
    : state_(std::make_shared<state>(std::move(client), std::move(log))) {}

scheduler::~scheduler() {
    if (!state_) return;
    state_->run.close();
    state_->wake.cancel();
}

void scheduler::async_run(kube::any_handler<void(error_code)> handler) {
    if (!state_->run.begin(std::move(handler))) return;
    state_->follow_all();
    std::apply([this](auto&... each) { (state_->run.add([&](auto h) { each.async_run(std::move(h)); }), ...); },
               state_->informers());
}

std::vector<core::node> make_nodes(std::int32_t number, resource_list const& resources, time_point now,
                                   std::filesystem::path const& devices) {
    auto capacity = resources;
    auto const set_default = [&](char const* name, std::int64_t value, quantity::format format) {
        if (!capacity.contains(name)) capacity[name] = quantity::from(value, format);
    };
    set_default("cpu", std::max(1U, std::thread::hardware_concurrency()), quantity::format::decimal_si);
    set_default("memory", std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE),
                quantity::format::binary_si);
    set_default("pods", 110, quantity::format::decimal_si);
    if (auto const gpus = count_gpus(devices); gpus != 0)
        set_default("nvidia.com/gpu", gpus, quantity::format::decimal_si);
    ::utsname system{};
    ::uname(&system);

    std::vector<core::node> nodes(static_cast<std::size_t>(std::max(number, 0)));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        auto& n = nodes[i];
        n.metadata.name = "local-" + std::to_string(i);
        n.metadata.labels = {{"kubernetes.io/hostname", n.metadata.name},
                             {"kubernetes.io/os", "linux"},
                             {"kubernetes.io/arch", std::string(system.machine) == "aarch64" ? "arm64" : "amd64"}};
        n.status.capacity = capacity;
        n.status.allocatable = capacity;
        auto& ready = n.status.conditions.emplace_back();
        ready.type = "Ready";
        ready.status = "True";
        ready.reason = "KubeletReady";
        ready.message = "kubelet is posting ready status";
        ready.last_transition_time = now;
        ready.last_heartbeat_time = now;
        auto& address = n.status.addresses.emplace_back();
        address.type = "Hostname";
        address.address = n.metadata.name;
        auto& info = n.status.node_info;
        info.kernel_version = system.release;
        info.operating_system = "linux";
        info.architecture = n.metadata.labels["kubernetes.io/arch"];
    }
    return nodes;
}

} // namespace kftrain::local
