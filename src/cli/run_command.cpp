#include "base/joined.hpp"
#include "cli/commands.hpp"
#include "cli/live_view.hpp"
#include "cli/manifests.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/local/kubelet.hpp>
#include <kftrain/local/local_cluster.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <span>
#include <tuple>

namespace kftrain::cli {
namespace {

namespace asio = boost::asio;

constexpr auto await = asio::as_tuple(asio::use_awaitable);

/// Why a container that ended did not do so well: with what code, or why it never ran.
std::string reason_of(core::container_state_terminated const& ended) {
    if (ended.reason == "StartError") return "StartError: " + on_one_line(ended.message);
    return "exit " + std::to_string(ended.exit_code);
}

/// `Running`, `Succeeded`, `Failed (exit 3)`, `Pending (ContainerCreating)`, ...
std::string describe(pod const& p) {
    std::string text = p.status.phase.empty() ? "Pending" : p.status.phase;
    auto const& list = p.status.phase == "Pending" && !p.status.init_container_statuses.empty()
                           ? p.status.init_container_statuses
                           : p.status.container_statuses;
    std::int32_t restarts = 0;
    std::string why = p.status.reason;
    for (auto const& c : list) {
        restarts += c.restart_count;
        if (c.state.terminated && c.state.terminated->exit_code != 0)
            why = reason_of(*c.state.terminated);
        else if (c.state.waiting && why.empty() && p.status.phase != "Running")
            why = c.state.waiting->reason;
        else if (c.state.running && p.status.phase == "Pending")
            why = c.name;
    }
    if (!why.empty()) text += " (" + why + ")";
    if (restarts != 0) text += ", " + std::to_string(restarts) + " restarts";
    return text;
}

/// Pods that a server refuses are told of before anything starts: the job would wait for them for ever.
bool startable(any_job const& job, std::string const& file) {
    bool fine = true;
    for (auto const& i : job.lint()) {
        if (!i.keeps_from_starting) continue;
        complain(place(file, 0, 0) + "error: " + i.message + " [" + i.rule + "]");
        fine = false;
    }
    return fine;
}

/// What the local cluster cannot serve is told before anything starts.
bool servable(any_job const& job, local::isolation mode) {
    auto const found = local::unsupported_parts(job, mode, operator_options());
    for (auto const& i : found) complain(i.message);
    return found.empty();
}

/// Several jobs would share the screen and the machine: which one is meant is for the user to say.
bool single(std::vector<any_job> const& jobs, std::string const& file) {
    constexpr std::size_t most_named = 5;
    if (jobs.size() == 1) return true;
    auto names = joined(std::span(jobs).first(std::min(jobs.size(), most_named)), ", ", [](any_job const& job) {
        return std::string(job.resource().kind) + " " + job.metadata().namespace_ + "/" + job.metadata().name;
    });
    if (jobs.size() > most_named) names += ", ...";
    complain(place(file, 0, 0) + "expected one job, found " + std::to_string(jobs.size()) +
             (names.empty() ? "" : ": ") + names + "; run each from a file of its own");
    return false;
}

/// One run: the cluster, the job on it, and what is shown of it.
class session {
public:
    session(asio::io_context& context, run_options const& options, any_job job)
        : context_(context),
          job_(std::move(job)),
          view_(job_.lay_out(), options.colour),
          cluster_(context, cluster_options(options)),
          client_(cluster_.client()),
          pods_(kube::api<pod>(cluster_.client(), job_.metadata().namespace_)),
          signals_(context, SIGINT, SIGTERM) {}

    int run() {
        asio::co_spawn(context_, main(), [this](std::exception_ptr e, int code) {
            exit_ = code;
            if (e) std::rethrow_exception(e);
        });
        context_.run();
        return exit_;
    }

private:
    local::local_cluster_options cluster_options(run_options const& options) {
        local::local_cluster_options o;
        o.mode = options.mode;
        o.directory = options.directory;
        if (options.verbose)
            o.logger = logger([this](log_level, std::string_view message, std::initializer_list<log_field> fields) {
                view_.aside([&] {
                    std::cerr << "kftrain: " << message;
                    for (auto const& [key, value] : fields) std::cerr << ' ' << key << '=' << value;
                    std::cerr << std::endl;
                });
            });
        return o;
    }

    void tell(std::string const& text) {
        view_.aside([&] { complain(text); });
    }

    asio::awaitable<int> main() {
        watch_signals();
        diagnostics detail;
        auto [started] = co_await cluster_.async_start(local::start_options().with_detail(detail),
                                                       asio::bind_cancellation_slot(stop_job_.slot(), await));
        if (started) {
            signals_.cancel();
            if (interrupted_) co_return interrupted;
            tell("the local cluster did not start: " + failure(started, detail).to_string());
            co_return cluster_failed;
        }
        if (!cluster_.fallback_reason().empty()) tell("pods run without sandbox: " + cluster_.fallback_reason());

        cluster_.async_run(asio::bind_cancellation_slot(stop_cluster_.slot(), [this](error_code ec) {
            if (is_cancelled(ec)) return;
            tell("the local cluster broke: " + ec.message());
            broken_ = true;
            stop_job_.emit(asio::cancellation_type::terminal);
        }));
        pods_.on_event([this](auto const& e) {
            if (e.kind != kube::event_kind::deleted) view_.state(e.object->metadata, describe(*e.object));
        });
        pods_.async_run(asio::bind_cancellation_slot(stop_pods_.slot(), asio::detached));

        int code = bad_usage;
        if (servable(job_, cluster_.mode())) {
            code = co_await run_job();
            view_.close();
            if (!stopped() && submitted_) co_await print_outcome();
        }
        stop_pods_.emit(asio::cancellation_type::terminal);
        stop_cluster_.emit(asio::cancellation_type::terminal);
        signals_.cancel();
        co_return stopped() ? stop_code() : code;
    }

    asio::awaitable<int> run_job() {
        diagnostics detail;
        if (stopped()) co_return stop_code();
        co_await make_namespace();
        auto [refused, stored] = co_await client_.async_submit(job_, kube::call_options().with_detail(detail), await);
        if (refused) {
            tell(failure(refused, detail).to_string());
            co_return bad_usage;
        }
        job_ = std::move(stored);
        submitted_ = true;
        if (stopped()) co_return stop_code();
        view_.say(std::string(job_.resource().kind) + " " + job_.metadata().name + " submitted to the local cluster");
        auto [ended] = co_await client_.async_logs(
            job_, [this](log_line const& line) { view_.log(line); }, job_log_options().with_detail(detail),
            asio::bind_cancellation_slot(stop_job_.slot(), await));
        if (stopped()) co_return stop_code();
        if (ended) {
            tell(failure(ended, detail).to_string());
            if (ended != errc::incomplete) co_return cluster_failed; // else it tells of output only
        }
        auto [lost, finished] = co_await client_.async_wait(job_, kube::wait_options().with_detail(detail), await);
        if (lost) {
            tell(failure(lost, detail).to_string());
            co_return cluster_failed;
        }
        job_ = std::move(finished);
        co_return job_.phase() == job_phase::succeeded ? success : job_failed;
    }

    /// The cluster is the command's own, so that the job finds its namespace there as it is. A failure shows when it is submitted.
    asio::awaitable<void> make_namespace() {
        core::namespace_ ns;
        ns.metadata.name = job_.metadata().namespace_;
        if (ns.metadata.name == "default") co_return;
        auto request = kube::request::create(core::namespace_::resource, "", to_json(ns));
        if (!request) co_return;
        auto [failed, stored] = co_await client_.get_client().async_call(*request, kube::call_options(), await);
        (void)failed;
        (void)stored;
    }

    /// Whether the job is not to be followed to its end.
    bool stopped() const { return interrupted_ || broken_; }
    int stop_code() const { return interrupted_ ? interrupted : cluster_failed; }

    void watch_signals() {
        signals_.async_wait([this](error_code ec, int) {
            if (ec) return;
            interrupted_ = true;
            view_.say("interrupted: stopping");
            stop_job_.emit(asio::cancellation_type::terminal);
        });
    }

    /// Operators write events behind their status: the one about how the job ended is waited for, a while.
    asio::awaitable<std::optional<std::vector<core::event>>> events() {
        kube::api<core::event> all(client_.get_client(), job_.metadata().namespace_);
        kube::list_options about;
        about.field_selector = "involvedObject.uid=" + job_.metadata().uid;
        auto const conditions = job_.conditions();
        std::string const last =
            is_finished(job_.phase()) && !conditions.empty() ? conditions.back().reason : std::string();
        asio::steady_timer pause(context_);
        for (int tries = 0;; ++tries) {
            auto [ec, list] = co_await all.async_list(about, await);
            if (ec) co_return std::nullopt;
            bool const complete =
                last.empty() || std::ranges::any_of(list.items, [&](core::event const& e) { return e.reason == last; });
            if (complete || tries == 100) co_return std::move(list.items);
            pause.expires_after(std::chrono::milliseconds(20));
            co_await pause.async_wait(await);
        }
    }

    asio::awaitable<void> print_outcome() {
        std::cout << "\nConditions\n";
        for (auto const& c : job_.conditions())
            std::cout << "  " << c.type << '=' << c.status << "  " << c.reason << "  " << c.message << '\n';
        auto list = co_await events();
        if (list) {
            // The names end in a number that grows, which orders events of the same second.
            std::sort(list->begin(), list->end(), [](core::event const& a, core::event const& b) {
                return std::tie(a.first_timestamp, a.metadata.name) < std::tie(b.first_timestamp, b.metadata.name);
            });
            std::cout << "Events\n";
            for (auto const& e : *list) std::cout << "  " << e.type << "  " << e.reason << "  " << e.message << '\n';
        }
        std::cout << job_.resource().kind << ' ' << job_.metadata().name << ' ' << to_string(job_.phase()) << std::endl;
    }

    asio::io_context& context_;
    any_job job_;
    live_view view_; // outlives the cluster, whose parts write by it
    local::local_cluster cluster_;
    training_client client_;
    kube::informer<pod> pods_;
    asio::signal_set signals_;
    asio::cancellation_signal stop_cluster_, stop_pods_, stop_job_;
    int exit_ = cluster_failed;
    bool broken_ = false;
    bool submitted_ = false;
    bool interrupted_ = false;
};

} // namespace

int run(run_options const& options) {
    auto jobs = read_jobs(options.file);
    if (!jobs || !single(*jobs, options.file)) return bad_usage;
    auto& job = jobs->front();
    if (!startable(job, options.file) || !servable(job, options.mode)) return bad_usage;
    asio::io_context context;
    session s(context, options, std::move(job));
    int const code = s.run();
    std::cout.flush();
    if (std::cout || code != success) return code;
    complain("cannot write to the standard output");
    return bad_usage;
}

} // namespace kftrain::cli
