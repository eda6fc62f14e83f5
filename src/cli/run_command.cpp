#include "base/joined.hpp"
#include "cli/commands.hpp"
#include "cli/live_view.hpp"
#include "cli/log_flush.hpp"
#include "cli/manifests.hpp"
#include "cli/pod_state_text.hpp"
#include "cli/run_checks.hpp"
#include "cli/run_objects.hpp"
#include "local/sandbox/run_directory.hpp"

#include <kftrain/base/backoff.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/local/local_cluster.hpp>

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
#include <set>
#include <span>
#include <tuple>

namespace kftrain::cli {
namespace {

/// Checks that the file has one job. Several would share the screen and the machine.
bool single(std::vector<any_job> const& jobs, std::string const& file) {
    constexpr std::size_t most_named = 5;
    if (jobs.size() == 1) return true;
    auto names = joined(std::span(jobs).first(std::min(jobs.size(), most_named)), ", ", [](any_job const& job) {
        return std::string(job.resource().kind) + " " + job.metadata().namespace_ + "/" + job.metadata().name;
    });
    if (jobs.size() > most_named) names += ", ...";
    complain(place(file, 0, 0) + "expected one job, got " + std::to_string(jobs.size()) + (names.empty() ? "" : ": ") +
             names + "; put each job into its own file");
    return false;
}

/// One run: the cluster, the job and its output.
class session {
public:
    session(asio::io_context& context, run_options const& options, any_job job, other_documents others)
        : context_(context),
          job_(std::move(job)),
          others_(std::move(others)),
          printer_(options.file, job_),
          flush_(context.get_executor()),
          view_(job_.members(), options.colour),
          cluster_(context, cluster_options(options)),
          client_(cluster_.client()),
          pods_(kube::api<pod>(cluster_.client(), job_.metadata().namespace_)),
          signals_(context, SIGINT, SIGTERM),
          quiet_(context) {}

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

    void report(std::string const& text) {
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
            report("the local cluster did not start: " + failure(started, detail).to_string());
            co_return cluster_failed;
        }
        if (!cluster_.fallback_reason().empty()) report("pods run without a sandbox: " + cluster_.fallback_reason());

        cluster_.async_run(asio::bind_cancellation_slot(stop_cluster_.slot(), [this](error_code ec) {
            if (is_cancelled(ec)) return;
            report("the local cluster failed: " + ec.message());
            broken_ = true;
            stop_job_.emit(asio::cancellation_type::terminal);
        }));
        pods_.on_event([this](auto const& e) {
            ++changes_;
            if (e.kind != change_kind::deleted) view_.state(e.object->metadata, describe(*e.object));
        });
        pods_.async_run(asio::bind_cancellation_slot(stop_pods_.slot(), asio::detached));

        int code = bad_usage;
        if (servable(job_, cluster_.mode(), printer_)) {
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
        auto const& client = client_.get_client();
        co_await make_namespace(client, job_);
        auto const skipped = co_await create_other_objects(client, others_);
        for (auto const& note : skipped) report(note);
        if (stopped()) co_return stop_code();
        auto const missing = co_await missing_objects(client, job_);
        if (!missing.empty()) {
            print_references(job_, missing, printer_);
            co_return bad_usage;
        }
        auto const made = co_await create_admission_dependencies(client, job_);
        for (auto const& name : made) report(name + " does not exist: created it for this run");
        if (stopped()) co_return stop_code();
        auto [refused, stored] = co_await client_.async_submit(job_, kube::call_options().with_detail(detail), await);
        if (refused) {
            report(failure(refused, detail).to_string());
            co_return bad_usage;
        }
        job_ = std::move(stored);
        submitted_ = true;
        if (stopped()) co_return stop_code();
        view_.say(std::string(job_.resource().kind) + " " + job_.metadata().name + " submitted to the local cluster");
        asio::co_spawn(context_, explain_silence(), asio::detached);
        int const code = co_await follow_job();
        followed_ = true;
        quiet_.cancel();
        co_return code;
    }

    asio::awaitable<int> follow_job() {
        diagnostics detail;
        std::function<void(log_line const&)> const show = [this](log_line const& line) { print(line); };
        auto [ended] = co_await client_.async_logs(job_, show, job_log_options().with_detail(detail),
                                                   asio::bind_cancellation_slot(stop_job_.slot(), await));
        if (stopped()) co_return stop_code();
        if (ended) {
            report(failure(ended, detail).to_string());
            if (ended != errc::incomplete) co_return cluster_failed; // errc::incomplete: only output is missing
        }
        auto [lost, finished] = co_await client_.async_wait(job_, kube::wait_options().with_detail(detail), await);
        if (lost) {
            report(failure(lost, detail).to_string());
            co_return cluster_failed;
        }
        job_ = std::move(finished);
        co_return job_.phase() == job_phase::succeeded ? success : job_failed;
    }

    void print(log_line const& line) {
        ++changes_;
        view_.log(line);
        flush_.soon();
    }

    /// Prints the causes, each once, while nothing changes.
    asio::awaitable<void> explain_silence() {
        constexpr std::chrono::milliseconds first_pause{3000}, longest_pause{60'000};
        backoff pause(first_pause, longest_pause);
        std::set<std::string> reported;
        while (!followed_) {
            auto const seen = changes_;
            quiet_.expires_after(pause.next());
            co_await quiet_.async_wait(await);
            if (followed_) break;
            if (seen != changes_) {
                pause.reset();
                continue;
            }
            auto const options = explain_options().with_log_lines(0);
            auto [failed, found] = co_await client_.async_explain(job_, options, await);
            if (failed || followed_) continue;
            for (auto const& c : found.causes) {
                auto const text = std::string(to_string(c.kind)) + ": " + c.summary;
                if (c.kind == cause_kind::healthy || !reported.insert(text).second) continue;
                report(text + (c.advice.empty() ? "" : ". " + c.advice));
            }
        }
    }

    /// Whether the job is no longer followed.
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

    /// Reads the events. Operators write events after the status, so this waits for the last one for a limited time.
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
            std::cout << on_one_line("  " + c.type + "=" + c.status + "  " + c.reason + "  " + c.message) << '\n';
        auto list = co_await events();
        if (list) {
            // The names end in a growing number, which orders events of the same second.
            std::sort(list->begin(), list->end(), [](core::event const& a, core::event const& b) {
                return std::tie(a.first_timestamp, a.metadata.name) < std::tie(b.first_timestamp, b.metadata.name);
            });
            std::cout << "Events\n";
            for (auto const& e : *list)
                std::cout << on_one_line("  " + e.type + "  " + e.reason + "  " + e.message) << '\n';
        }
        std::cout << job_.resource().kind << ' ' << job_.metadata().name << ' ' << to_string(job_.phase()) << std::endl;
    }

    asio::io_context& context_;
    any_job job_;
    other_documents others_;
    issue_printer printer_;
    log_flush flush_;
    live_view view_; // outlives the cluster, which writes to it
    local::local_cluster cluster_;
    training_client client_;
    kube::informer<pod> pods_;
    asio::signal_set signals_;
    asio::steady_timer quiet_;
    std::size_t changes_ = 0; ///< log lines and pod changes so far
    asio::cancellation_signal stop_cluster_, stop_pods_, stop_job_;
    int exit_ = cluster_failed;
    bool broken_ = false;
    bool submitted_ = false;
    bool followed_ = false; ///< until the job ended
    bool interrupted_ = false;
};

} // namespace

int run(run_options const& options) {
    other_documents others;
    auto jobs = read_jobs_to_run(options.file, &others);
    if (!jobs || !single(*jobs, options.file)) return bad_usage;
    auto& job = jobs->front();
    issue_printer const printer(options.file, job);
    bool const fine = has_possible_replicas(job, options.file) && startable(job, printer);
    if (!fine || !servable(job, options.mode, printer)) return bad_usage;
    local::sandbox::remove_dead_run_directories();
    asio::io_context context;
    session s(context, options, std::move(job), std::move(others));
    return s.run();
}

} // namespace kftrain::cli
