#include <kftrain/local/local_cluster.hpp>

#include "kube/pending_handler.hpp"
#include "local/cluster_listener.hpp"
#include "local/job_resources.hpp"
#include "local/log_files.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/job_operator.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/local/kubelet.hpp>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <atomic>
#include <list>

namespace kftrain::local {
namespace {

kubelet_options kubelet_options_of(local_cluster_options const& o) {
    kubelet_options k;
    k.directory = o.directory;
    std::error_code ignored; // without a current folder containers start in `/`
    k.working_directory = o.working_directory.empty() ? std::filesystem::current_path(ignored) : o.working_directory;
    k.helper = o.helper;
    k.mode = o.mode;
    k.logger = o.logger;
    return k;
}

kube::client client_of(apiserver::api_server& server, logger l) {
    kube::client_options o;
    o.logger = std::move(l);
    return kube::client(server.transport(), std::move(o));
}

} // namespace

struct local_cluster::state : std::enable_shared_from_this<state> {
    state(asio::any_io_executor ex, local_cluster_options o)
        : executor(ex),
          options(std::move(o)),
          server(ex),
          client(client_of(server, options.logger)),
          node(client, kubelet_options_of(options)) {
        server.set_log_source(std::make_shared<log_files>(ex, node.find_logs()));
        // The server is part of this state, and asks while it lives only.
        auto const limits = [this](any_job const& job) { return unsupported_parts(job, node.mode(), options.rules); };
        for (auto const* kind : job_kinds()) {
            // The definitions are the library's own, so none can be refused.
            server.register_resource(resource_for(*kind, limits)).value();
            for (auto& d : child_resources_for(*kind, options.rules)) server.register_resource(std::move(d)).value();
            control::job_operator_options operator_options;
            operator_options.rules = options.rules;
            operator_options.controller.logger = options.logger;
            operators.emplace_back(*kind, client, std::move(operator_options));
        }
    }

    /// Starts one of the operations that make up async_run().
    template <class Start> void run_part(Start start) {
        ++running;
        start(asio::bind_cancellation_slot(
            signals.emplace_back().slot(),
            asio::bind_executor(executor, [self = shared_from_this()](error_code ec) { self->part_ended(ec); })));
    }

    void part_ended(error_code ec) {
        if (!outcome) outcome = ec;
        cancel();
        if (--running != 0) return;
        ended = true;
        if (handler) kube::complete_later(executor, handler.take(), outcome);
    }

    void cancel() {
        for (auto& s : signals) s.emit(asio::cancellation_type::terminal);
    }

    asio::any_io_executor executor;
    local_cluster_options options;
    apiserver::api_server server;
    kube::client client;
    kubelet node;
    std::list<control::any_job_operator> operators;
    std::optional<apiserver::listener> listener;
    std::optional<kube::config> config;

    std::list<asio::cancellation_signal> signals;
    kube::pending_handler<void(error_code)> handler;
    error_code outcome;
    std::size_t running = 0;
    bool own_run = false;           ///< start() was used
    std::atomic<bool> ended{false}; ///< async_run() is over
};

local_cluster::local_cluster(asio::any_io_executor executor, local_cluster_options options)
    : state_(std::make_shared<state>(std::move(executor), std::move(options))) {}

local_cluster::~local_cluster() {
    if (!state_) return;
    try {
        if (state_->own_run) {
            stop();
            return;
        }
    } catch (...) {
        // A handler of the caller threw while the io_context ran here: the parts end when it runs on, or die with it.
        state_->cancel();
        return;
    }
    state_->cancel();
}

asio::any_io_executor local_cluster::get_executor() const noexcept { return state_->executor; }
kube::client local_cluster::client() const { return state_->client; }
isolation local_cluster::mode() const noexcept { return state_->node.mode(); }
std::string const& local_cluster::fallback_reason() const noexcept { return state_->node.fallback_reason(); }
std::optional<kube::config> const& local_cluster::config() const noexcept { return state_->config; }

void local_cluster::start(std::shared_ptr<state> const& s, diagnostics* detail, any_handler<void(error_code)> handler) {
    if (s->options.listen) {
        auto listening = open_cluster_listener(s->server, *s->options.listen, s->options.logger);
        if (!listening) {
            if (detail != nullptr) *detail = listening.error().detail;
            kube::complete_later(s->executor, std::move(handler), listening.error().code);
            return;
        }
        s->config = std::move(listening->config);
        s->listener.emplace(std::move(listening->listener));
    }
    s->node.async_start(detail, std::move(handler));
}

void local_cluster::run(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler) {
    if (s->running != 0) {
        kube::complete_later(s->executor, std::move(handler), make_error_code(errc::invalid_argument));
        return;
    }
    asio::cancellation_slot slot;
    if (handler) slot = asio::get_associated_cancellation_slot(handler);
    s->handler.put(std::move(handler));
    s->outcome = {};
    s->run_part([&](auto h) { s->node.async_run(std::move(h)); });
    for (auto& o : s->operators) s->run_part([&](auto h) { o.async_run(std::move(h)); });
    if (s->listener) s->run_part([&](auto h) { s->listener->async_run(std::move(h)); });
    if (slot.is_connected())
        slot.assign([weak = std::weak_ptr<state>(s)](asio::cancellation_type) {
            if (auto const self = weak.lock()) self->cancel();
        });
}

result<void> local_cluster::start() {
    diagnostics detail;
    auto started = kube::run_blocking(get_executor(), detail,
                                      [&](any_handler<void(error_code)> h) { start(state_, &detail, std::move(h)); });
    if (!started) return started;
    state_->own_run = true;
    run(state_, {});
    return {};
}

void local_cluster::stop() {
    if (!std::exchange(state_->own_run, false)) return;
    asio::post(state_->executor, [s = state_] { s->cancel(); });
    // Inside the io_context nobody can be waited for; there the parts end when it runs on.
    [[maybe_unused]] auto const cannot_wait = kube::run_until(state_->executor, state_->ended);
}

} // namespace kftrain::local
