#include <kftrain/local/local_cluster.hpp>

#include "base/make_failure.hpp"
#include "kube/async/blocking_form.hpp"
#include "kube/async/run_scope.hpp"
#include "local/cluster/job_resources.hpp"
#include "local/cluster/pod_issues.hpp"
#include "local/scheduler/scheduler.hpp"
#include "local/simulation/pod_simulator.hpp"
#include "model/rules/label_syntax.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/apiserver/listener.hpp>
#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/control/controller_operator.hpp>
#include <kftrain/control/job_operator.hpp>
#include <kftrain/controllers/autoscaler.hpp>
#include <kftrain/controllers/endpoint_slice.hpp>
#include <kftrain/controllers/registry.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/then_complete.hpp>
#include <kftrain/local/kubelet.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <list>
#include <memory>
#include <random>
#include <set>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace kftrain::local {
namespace {

/// The HTTPS front of a cluster, and how others reach it.
struct cluster_listener {
    apiserver::listener listener;
    kube::config config;
    std::vector<kube::config> user_configs; ///< of listen_options::users
};

/// 256 bits from the system's generator, in hexadecimal.
std::string random_token() {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::random_device system;
    std::string token;
    while (token.size() < 64) {
        auto bits = system();
        for (int i = 0; i < 8; ++i, bits >>= 4U) token += digits[bits & 0xFU];
    }
    return token;
}

/// The key of the authority is not kept: it signs nothing else.
result<void> add_certificates(std::vector<apiserver::user_info> const& users, apiserver::listener_options& options,
                              std::vector<kube::config>& configs) {
    auto const authority = apiserver::make_client_authority();
    if (!authority) return authority.error();
    options.client_ca_pem = authority->certificate_pem;
    for (std::size_t i = 0; i < users.size(); ++i) {
        auto made = apiserver::make_client_identity(*authority, users[i]);
        if (!made) return made.error();
        configs[i].client_certificate_pem = std::move(made->certificate_pem);
        configs[i].client_key_pem = std::move(made->key_pem);
    }
    return {};
}

/// Listens with a fresh certificate and fresh random tokens. `native_socket`: instead of a new one, for this address.
result<cluster_listener> open_cluster_listener(apiserver::api_server& server, listen_options const& options, logger log,
                                               std::optional<int> native_socket = {}) {
    auto identity = apiserver::make_self_signed_identity({options.address});
    if (!identity) {
        if (native_socket) ::close(*native_socket);
        return identity.error();
    }
    kube::config config;
    config.ca_pem = identity->certificate_pem;
    config.token = random_token();

    apiserver::listener_options o;
    o.address = options.address;
    o.port = options.port;
    o.native_socket = native_socket;
    o.tls = std::move(*identity);
    o.bearer_token = config.token;
    o.log = std::move(log);
    std::vector<kube::config> others(options.users.size());
    if (options.user_certificates) {
        auto const added = add_certificates(options.users, o, others);
        if (!added) {
            if (native_socket) ::close(*native_socket);
            return added.error();
        }
    } else {
        for (std::size_t i = 0; i < others.size(); ++i) {
            others[i].token = random_token();
            o.users.emplace_back(others[i].token, options.users[i]);
        }
    }
    auto listening = apiserver::listener::open(server, std::move(o));
    if (!listening) return listening.error();
    config.server = listening->url();
    for (std::size_t i = 0; i < others.size(); ++i) {
        others[i].server = config.server;
        others[i].ca_pem = config.ca_pem;
        others[i].context = others[i].context_user = options.users[i].name;
    }
    return cluster_listener{std::move(*listening), std::move(config), std::move(others)};
}

kubelet_options kubelet_options_of(local_cluster_options const& o, kube::shared_informers informers) {
    kubelet_options k;
    static_cast<pod_options&>(k) = static_cast<pod_options const&>(o);
    k.directory = o.directory;
    std::error_code ignored; // without a current folder containers start in `/`
    k.working_directory =
        o.working_directory.empty() ? std::filesystem::current_path(ignored).string() : o.working_directory;
    k.helper = o.helper;
    k.mode = o.mode;
    k.logs = o.logs;
    k.binds_pods = o.nodes == 0;
    k.informers = std::move(informers);
    k.logger = o.logger;
    return k;
}

kube::client client_of(apiserver::api_server& server, logger l) {
    kube::client_options o;
    o.logger = std::move(l);
    return kube::client(server.transport(), std::move(o));
}

template <class Rules> std::shared_ptr<rules::controller_rules const> made(Rules rules) {
    return std::make_shared<rules::controller_of<Rules>>(std::move(rules));
}

constexpr std::int32_t most_nodes = 5000;
constexpr std::int64_t largest_amount = 1'000'000'000'000'000; // a petabyte, and far more cores than exist

bool is_resource_name(std::string_view name) {
    if (name == "cpu" || name == "memory" || name == "pods" || name == "ephemeral-storage") return true;
    bool const is_known = name.find('/') != name.npos || name.starts_with("hugepages-");
    return is_known && label_key_faults(name).empty();
}

bool has_kubelet(local_cluster_options const& o) { return o.run_pods && !o.simulate; }

job_kinds kinds_of(local_cluster_options const& o) { return o.kinds.empty() ? known_job_rules() : job_kinds(o.kinds); }

/// Returns the fault of the options of kinds, nodes, simulated pods and users; empty if there is none.
std::string fault_of_options(local_cluster_options const& o) {
    std::set<std::pair<std::string, std::string_view>> kinds, paths;
    for (auto const* kind : o.kinds) {
        if (kind == nullptr) return "kinds: expected job kinds, got null";
        auto const& info = *kind->primary().info;
        if (!kinds.emplace(info.api_version(), info.kind).second)
            return "kinds: expected each kind once, got " + std::string(info.kind) + " of " + info.api_version() +
                   " twice";
        if (!paths.emplace(info.api_version(), info.plural).second)
            return "kinds: expected another plural than " + std::string(info.plural) + " of " + info.api_version() +
                   " for " + std::string(info.kind);
    }
    if (o.simulate && o.simulate->count() < 0)
        return "simulate: expected a time of at least 0, got " + std::to_string(o.simulate->count()) + " ms";
    if (o.simulate && !o.run_pods) return "simulate: expected run_pods, which is false";
    if (o.nodes < 0 || o.nodes > most_nodes)
        return "nodes: expected 0 to " + std::to_string(most_nodes) + ", got " + std::to_string(o.nodes);
    if (o.nodes == 0 && !o.node_resources.empty()) return "node_resources: expected nodes, which is 0";
    if (auto const checked = check_node_resources(o.node_resources); !checked)
        return "node_resources: " + checked.error().detail.message;
    std::set<std::string_view> names{"kftrain"}; // of the entries of a kubeconfig
    for (auto const& user : o.listen ? o.listen->users : std::vector<apiserver::user_info>())
        if (user.name.empty() || !names.insert(user.name).second)
            return "users: expected a new name, got \"" + user.name + "\"";
    return {};
}

} // namespace

result<void> check_node_resources(resource_list const& resources) {
    for (auto const& [name, amount] : resources) {
        auto const refuse = [&name](std::string const& why) {
            return make_failure(errc::invalid_argument, name + ": expected " + why);
        };
        auto const got = ", got \"" + amount.text() + "\"";
        if (!is_resource_name(name))
            return refuse("cpu, memory, pods, or a name with a domain, such as nvidia.com/gpu");
        if (!quantity::why_invalid(amount.text()).empty() || amount.sign() < 0)
            return refuse("a quantity of at least 0" + got);
        bool const fractional = name == "cpu" || name == "memory";
        if (!fractional && quantity::from(amount.value()) != amount) return refuse("a whole number" + got);
        if (amount.value() > largest_amount) return refuse("at most " + std::to_string(largest_amount) + got);
    }
    return {};
}

/// Between the loss of the data directory and the end of the cluster.
constexpr std::chrono::milliseconds farewell_time(500);

struct local_cluster::state : std::enable_shared_from_this<state> {
    state(asio::any_io_executor ex, local_cluster_options o)
        : executor(ex),
          options(std::move(o)),
          server(ex, server_options()),
          client(client_of(server, options.logger)),
          informers(client),
          node(client, node_options()),
          run(ex, [this](error_code ec) { end(ec); }),
          farewell(ex) {
        server.set_log_source(node.log_source());
        server.set_exec_source(node.exec_source());
        // The server is part of this state, and calls this only while it lives.
        job_limits limits;
        if (has_kubelet(options))
            limits = [this](prepared_job const& job) { return unsupported_parts(job, node.mode(), options); };
        std::vector<kftrain::controllers::scalable_kind> scalable;
        for (auto const* kind : kinds_of(options)) {
            if (kind == nullptr) continue; // reported by the start
            auto const& rules = *rules_of_kinds.emplace_back(kind->with(options.rules));
            if (auto served = serve_kind(server, rules, limits); !served && fault_of_kinds.empty())
                fault_of_kinds = "kinds: " + served.error().to_string();
            if (auto const& scale = rules.schema().scale()) scalable.emplace_back(rules.primary(), *scale);
            control::job_operator_options operator_options;
            operator_options.rules = options.rules;
            operator_options.controller.logger = options.logger;
            operator_options.informers = informers;
            operators.emplace_back(*kind, client, std::move(operator_options));
        }
        for (auto const& rules : kftrain::controllers::known_controllers()) add_controller(rules);
        for (auto const& rules : kftrain::controllers::known_gang_schedulers()) add_controller(rules);
        add_controller(made(kftrain::controllers::endpoint_slice_rules()));
        add_controller(made(kftrain::controllers::autoscaler_rules(std::move(scalable))));
        if (options.simulate)
            simulated.emplace(client, *options.simulate, options.nodes == 0 ? "local" : "", options.logger);
        if (options.nodes == 0 || !fault_of_options(options).empty()) return;
        auto const now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
        for (auto& n : make_nodes(options.nodes, options.node_resources, now))
            server.add_object(any_object(std::move(n))).value();
        // Groups of coscheduling are served only with an operator that creates them; the scheduler follows them always.
        apiserver::resource_definition groups(coscheduling::pod_group::resource);
        groups.has_status = true;
        server.register_resource(std::move(groups)).value();
        places.emplace(client, options.logger);
    }

    apiserver::api_server_options server_options() {
        apiserver::api_server_options o;
        o.on_lost_directory = [this](failure const& why) {
            options.logger(log_level::error, "the data directory is lost", {{"error", why.to_string()}});
            lost = why.code;
            // Not at once: the client of this write gets its answer.
            farewell.expires_after(farewell_time);
            farewell.async_wait([weak = weak_from_this()](error_code ec) {
                if (auto const self = weak.lock(); self && !ec) self->run.cancel();
            });
        };
        return o;
    }

    /// The directory may have the nodes of an earlier cluster, which must be those of this one.
    result<void> keep_objects() {
        if (auto kept = server.keep_in(options.data_directory); !kept) {
            auto why = std::move(kept).error();
            why.detail.message.insert(0, "data_directory: ");
            return why;
        }
        auto const& store = server.store();
        auto const kind = store.find("", "v1", "nodes");
        auto const listed =
            kind ? store.list(*kind, apiserver::list_query()) : apiserver::answer<apiserver::list_page>();
        if (!listed) return {};
        auto const wrong = [](std::string const& what) {
            return make_failure(errc::invalid_argument, "data_directory: " + what);
        };
        for (auto const& object : listed->items) {
            auto const n = from_json<core::node>(object->text());
            if (!n || !n->metadata.name.starts_with("local-")) continue;
            auto const& name = n->metadata.name;
            std::int32_t number = 0;
            auto const* const end = name.data() + name.size();
            if (std::from_chars(name.data() + 6, end, number).ptr != end) continue;
            if (number >= options.nodes)
                return wrong("the earlier cluster had a node " + name + ", expected at least " +
                             std::to_string(number + 1) + " nodes, got " + std::to_string(options.nodes));
            for (auto const& [resource, amount] : options.node_resources) {
                auto const at = n->status.capacity.find(resource);
                if (at == n->status.capacity.end() || at->second != amount)
                    return wrong(
                        "the node " + name + " of the earlier cluster has " +
                        (at == n->status.capacity.end() ? "no " + resource : resource + "=" + at->second.canonical()) +
                        ", got " + resource + "=" + amount.canonical());
            }
        }
        return {};
    }

    kubelet_options node_options() {
        auto o = kubelet_options_of(options, informers);
        o.serve_pods = [this](int socket) { return serve_pods(socket); };
        return o;
    }

    result<pod_api_access> serve_pods(int socket) {
        listen_options where;
        where.address = "10.244.0.1";
        auto opened = open_cluster_listener(server, where, options.logger, socket);
        if (!opened) return opened.error();
        pod_listener.emplace(std::move(opened->listener));
        pod_api_access access;
        access.ca_pem = std::move(opened->config.ca_pem);
        access.make_token = [this](pod const& p) {
            return server.service_account_token(p.metadata.namespace_, p.spec.service_account_name, p.metadata);
        };
        return access;
    }

    void add_controller(std::shared_ptr<rules::controller_rules const> const& rules) {
        control::controller_operator_options controller_options;
        controller_options.controller.logger = options.logger;
        controller_options.informers = informers;
        controllers.emplace_back(rules, client, std::move(controller_options));
    }

    void end(error_code ec) {
        if (lost) ec = lost;
        ended = true;
        run.end(ec);
        // No pods exist any more, so a waiter for a change of them would wait forever.
        if (ec != asio::error::operation_aborted) server.close(ec);
    }

    /// Notes the outcome of the start.
    void prepared(error_code ec) {
        started = !ec;
        if (started) return;
        listener.reset();
        pod_listener.reset();
        config.reset();
        user_configs.clear();
    }

    asio::any_io_executor executor;
    local_cluster_options options;
    // The resources of the server refer to them.
    std::vector<std::shared_ptr<rules::job_rules const>> rules_of_kinds;
    std::string fault_of_kinds;
    apiserver::api_server server;
    kube::client client;
    kube::shared_informers informers; ///< of the kubelet and all operators
    kubelet node;
    std::list<control::any_job_operator> operators;
    std::list<control::controller_operator> controllers; ///< of what is no job kind
    std::optional<scheduler> places;                     ///< absent: the kubelet takes all pods
    std::optional<pod_simulator> simulated;              ///< in place of the kubelet
    std::optional<apiserver::listener> listener;
    std::optional<apiserver::listener> pod_listener; ///< in the network of the pods
    std::optional<kube::config> config;
    std::vector<kube::config> user_configs;

    kube::run_scope run;
    asio::steady_timer farewell;    ///< runs from the loss of the data directory on
    error_code lost;                ///< why the data directory cannot be written
    bool begun = false;             ///< async_start() was called
    bool started = false;           ///< and succeeded
    bool own_run = false;           ///< start() was used
    std::atomic<bool> ended{false}; ///< async_run() is over
};

KFTRAIN_DEFINE_SPECIAL_MEMBERS(local_cluster_options);

local_cluster::local_cluster(asio::any_io_executor executor, local_cluster_options options)
    : state_(std::make_shared<state>(std::move(executor), std::move(options))) {}

local_cluster::~local_cluster() {
    if (!state_) return;
    try {
        stop();
    } catch (...) {
        state_->ended = true; // a handler of the caller's threw while the io_context ran here
    }
    state_.reset(); // ends the parts one by one: no pending operation keeps them
}

asio::any_io_executor local_cluster::get_executor() const noexcept { return state_->executor; }
kube::client local_cluster::client() const { return state_->client; }
result<void> local_cluster::register_resource(apiserver::resource_definition definition) {
    return state_->server.register_resource(std::move(definition));
}
isolation local_cluster::mode() const noexcept { return state_->node.mode(); }
std::string const& local_cluster::fallback_reason() const noexcept { return state_->node.fallback_reason(); }
std::string const& local_cluster::limits_fallback_reason() const noexcept {
    return state_->node.limits_fallback_reason();
}
std::optional<kube::config> const& local_cluster::config() const noexcept { return state_->config; }

std::vector<kube::config> const& local_cluster::user_configs() const noexcept { return state_->user_configs; }

void local_cluster::start(std::shared_ptr<state> const& s, start_options const& options,
                          any_handler<void(error_code)> handler) {
    auto const refuse = [&](failure const& why) {
        if (options.detail != nullptr) *options.detail = why.detail;
        kube::complete_later(s->executor, std::move(handler), why.code);
    };
    if (std::exchange(s->begun, true)) {
        diagnostics once;
        once.message = "a local cluster can be started only once";
        return refuse(failure(errc::invalid_argument, std::move(once)));
    }
    auto fault = fault_of_options(s->options);
    if (fault.empty()) fault = s->fault_of_kinds;
    if (!fault.empty()) {
        diagnostics wrong;
        wrong.message = std::move(fault);
        return refuse(failure(errc::invalid_argument, std::move(wrong)));
    }
    if (!s->options.data_directory.empty())
        if (auto kept = s->keep_objects(); !kept) return refuse(kept.error());
    if (s->options.listen) {
        auto listening = open_cluster_listener(s->server, *s->options.listen, s->options.logger);
        if (!listening) return refuse(listening.error());
        s->config = std::move(listening->config);
        s->user_configs = std::move(listening->user_configs);
        s->listener.emplace(std::move(listening->listener));
    }
    if (!has_kubelet(s->options)) {
        s->prepared({});
        return kube::complete_later(s->executor, std::move(handler), error_code());
    }
    auto const conclude = [weak = std::weak_ptr<state>(s)](any_handler<void(error_code)> h, error_code ec) {
        if (auto const self = weak.lock()) self->prepared(ec);
        std::move(h)(ec);
    };
    s->node.async_start(options, kube::detail::then_complete(std::move(handler), conclude));
}

void local_cluster::run(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler) {
    if (s->ended) return s->run.refuse(std::move(handler), errc::ended);
    if (!s->started) return s->run.refuse(std::move(handler), errc::invalid_argument);
    if (!s->run.begin(std::move(handler))) return;
    if (has_kubelet(s->options)) s->run.add([&](auto h) { s->node.async_run(std::move(h)); });
    if (s->simulated) s->run.add([&](auto h) { s->simulated->async_run(std::move(h)); });
    if (s->places) s->run.add([&](auto h) { s->places->async_run(std::move(h)); });
    for (auto& o : s->operators) s->run.add([&](auto h) { o.async_run(std::move(h)); });
    for (auto& c : s->controllers) s->run.add([&](auto h) { c.async_run(std::move(h)); });
    if (s->pod_listener) s->run.add([&](auto h) { s->pod_listener->async_run(std::move(h)); });
    if (s->listener) s->run.add([&](auto h) { s->listener->async_run(std::move(h)); });
}

result<void> local_cluster::start(start_options options) {
    auto started = kube::detail::blocking_form<void>(get_executor(), std::move(options),
                                                     [&](auto h, auto o) { start(state_, o, std::move(h)); });
    if (!started) return started;
    state_->own_run = true;
    run(state_, {});
    return {};
}

void local_cluster::stop() {
    if (!std::exchange(state_->own_run, false)) return;
    asio::post(state_->executor, [weak = std::weak_ptr<state>(state_)] {
        if (auto const self = weak.lock()) self->run.cancel();
    });
    // A thread of the io_context cannot wait; then the parts end when it runs on, or are destroyed.
    [[maybe_unused]] auto const cannot_wait = kube::run_until(state_->executor, state_->ended);
}

} // namespace kftrain::local
