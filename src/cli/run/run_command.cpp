#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/local/local_options.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/manifests/read_job.hpp"
#include "cli/option_values.hpp"
#include "cli/run/job_run.hpp"
#include "cli/run/live_view.hpp"
#include "cli/run/run_checks.hpp"
#include "cli/run/run_input.hpp"
#include "cli/run/run_objects.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/local/leftovers.hpp>
#include <kftrain/local/local_cluster.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <list>

namespace kftrain::cli {
namespace {

struct run_options {
    run_options() = default;

    std::vector<std::string> files; ///< `-` reads standard input, here and below
    local::isolation mode = local::isolation::automatic;
    local::pod_options pods;
    std::int32_t nodes = 0;
    resource_list node_resources;
    operator_options flags; ///< of the operators
    std::filesystem::path directory;
    std::filesystem::path timeline; ///< file for the timeline; empty: none
    bool verbose = false;
    bool colour = true; ///< use colours on a terminal
};

/// The jobs as the screen shows them. Of several, each line names its job.
std::vector<viewed_job> viewed(std::vector<job_to_run> const& jobs) {
    std::vector<viewed_job> all;
    for (auto const& one : jobs) {
        auto const& ns = one.job->metadata().namespace_;
        auto const& name = one.job->metadata().name;
        auto const same_name = [&](job_to_run const& other) { return other.job->metadata().name == name; };
        std::string label;
        if (jobs.size() > 1) label = name;
        if (std::ranges::count_if(jobs, same_name) > 1)
            label = ns + "/" + std::string(one.job->resource().kind) + "/" + name;
        all.emplace_back(ns, std::move(label), one.job.layout());
    }
    return all;
}

/// One run: the cluster, the jobs and their output.
class session {
public:
    session(asio::io_context& context, run_options const& options, run_input input)
        : context_(context),
          objects_(std::move(input.objects)),
          pod_options_(options.pods),
          timeline_file_(options.timeline),
          mode_(options.mode),
          view_(viewed(input.jobs), options.colour),
          cluster_(context, cluster_options(options)),
          client_(cluster_.client()),
          screen_(client_, view_, input.jobs.size() > 1),
          pods_(kube::api<pod>::all_namespaces(cluster_.client())),
          signals_(context, SIGINT, SIGTERM),
          followed_(context) {
        screen_.timelines = !timeline_file_.empty();
        screen_.look_at_output = [this] {
            if (std::cout || unwritable_) return;
            unwritable_ = true;
            stop_jobs();
        };
        for (auto& job : input.jobs) jobs_.emplace_back(screen_, jobs_.size(), std::move(job));
    }

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
        static_cast<local::pod_options&>(o) = options.pods;
        o.mode = options.mode;
        o.rules = options.flags;
        o.nodes = options.nodes;
        o.node_resources = options.node_resources;
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

    /// Returns false after a message if the file cannot be written.
    bool write_timeline(job_run const& job) {
        auto const& t = job.timeline();
        if (!t) return true;
        auto const type = timeline_file_.extension();
        auto file = timeline_file_;
        if (jobs_.size() > 1) file.replace_filename(timeline_file_.stem().string() + "-" + t->job.name + type.string());
        std::ofstream out(file, std::ios::binary);
        out << (type == ".svg"    ? t->to_svg()
                : type == ".html" ? t->to_html()
                : type == ".json" ? t->to_json() + '\n'
                                  : t->to_text());
        if (out.flush()) return true;
        report("cannot write the timeline to " + file.string());
        return false;
    }

    void report(std::string const& text) {
        view_.aside([&] { complain(text); });
    }

    void report_unlimited() {
        auto const& why = cluster_.limits_fallback_reason();
        if (why.empty() || std::exchange(unlimited_reported_, true)) return;
        report("limits of containers are not enforced: " + why);
    }

    asio::awaitable<int> main() {
        watch_signals();
        diagnostics detail;
        auto [started] = co_await cluster_.async_start(local::start_options().with_detail(detail),
                                                       asio::bind_cancellation_slot(stop_start_.slot(), await));
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
            stop_jobs();
        }));
        pods_.on_event([this](auto const& e) {
            ++screen_.changes;
            if (e.kind != change_kind::deleted) view_.state(e.object->metadata, describe(*e.object));
            if (e.kind != change_kind::deleted)
                for (auto& job : jobs_) job.look_at(*e.object);
            screen_.look_at_output();
            report_unlimited();
        });
        pods_.async_run(asio::bind_cancellation_slot(stop_pods_.slot(), asio::detached));

        int code = bad_usage;
        // Without a sandbox the cluster serves less than what run() checked.
        auto const servable_here = [this](job_run& r) {
            return cluster_.mode() == mode_ || servable(r.job(), cluster_.mode(), pod_options_, r.printer());
        };
        if (std::ranges::count_if(jobs_, servable_here) == std::ssize(jobs_)) {
            code = co_await run_jobs();
            view_.close();
            for (auto& job : jobs_)
                if (!stopped()) co_await job.print_outcome();
            for (auto const& job : jobs_)
                if (!write_timeline(job) && code == success) code = bad_usage;
        }
        stop_pods_.emit(asio::cancellation_type::terminal);
        stop_cluster_.emit(asio::cancellation_type::terminal);
        signals_.cancel();
        co_return stopped() ? stop_code() : code;
    }

    asio::awaitable<int> run_jobs() {
        if (stopped()) co_return stop_code();
        auto const& client = client_.get_client();
        auto const skipped = co_await create_other_objects(client, objects_);
        for (auto const& note : skipped) report(note);
        bool complete = true;
        for (auto& job : jobs_) {
            co_await make_namespace(client, job.job()->metadata().namespace_);
            if (stopped()) co_return stop_code();
            auto const missing = co_await missing_objects(client, job.job(), pod_options_);
            print_references(job.job(), missing, job.printer());
            report_other_namespaces(*job.job(), missing);
            complete = complete && missing.empty();
        }
        if (!complete) co_return bad_usage;
        for (auto& job : jobs_) {
            if (stopped()) co_return stop_code();
            bool const submitted = co_await job.submit();
            if (submitted && !stopped()) follow(job);
        }
        while (following_ != 0) {
            followed_.expires_after(std::chrono::hours(1));
            co_await followed_.async_wait(await);
        }
        int worst = success;
        for (auto const& job : jobs_) worst = std::max(worst, job.exit_code());
        co_return worst;
    }

    /// Names the missing objects that the files have in a namespace where the job cannot use them.
    void report_other_namespaces(any_job const& job, std::set<local::named_object> const& missing) {
        auto const& ns = job.metadata().namespace_;
        for (auto const& o : objects_)
            for (auto const& [type, name] : missing)
                if (o.document.type.kind == type->kind && o.document.name == name)
                    report(place(o.file, o.document.line, 0) + std::string(type->kind) + " \"" + name +
                           "\" is in another namespace than the job, " + ns + ": set metadata.namespace");
    }

    /// Prints the output of the job while others are submitted and run.
    void follow(job_run& job) {
        ++following_;
        asio::co_spawn(context_, job.follow(), [this](std::exception_ptr e) {
            --following_;
            followed_.cancel();
            if (e) std::rethrow_exception(e);
        });
    }

    /// Whether the jobs are no longer followed.
    bool stopped() const { return interrupted_ || broken_ || unwritable_; }
    int stop_code() const { return interrupted_ ? interrupted : broken_ ? cluster_failed : bad_usage; }

    void stop_jobs() {
        stop_start_.emit(asio::cancellation_type::terminal);
        for (auto& job : jobs_) job.stop();
    }

    void watch_signals() {
        signals_.async_wait([this](error_code ec, int) {
            if (ec) return;
            interrupted_ = true;
            view_.print_line("interrupted: stopping");
            stop_jobs();
        });
    }

    asio::io_context& context_;
    std::vector<object_to_create> objects_;
    local::pod_options pod_options_;
    std::filesystem::path timeline_file_;
    local::isolation mode_; ///< as requested
    live_view view_;        // outlives the cluster, which writes to it
    local::local_cluster cluster_;
    training_client client_;
    run_screen screen_;
    kube::informer<pod> pods_;
    asio::signal_set signals_;
    asio::steady_timer followed_; ///< cancelled when a job has ended
    std::list<job_run> jobs_;
    std::size_t following_ = 0; ///< submitted jobs that have not ended
    asio::cancellation_signal stop_cluster_, stop_pods_, stop_start_;
    int exit_ = cluster_failed;
    bool broken_ = false;
    bool unlimited_reported_ = false;
    bool interrupted_ = false;
    bool unwritable_ = false; ///< standard output is full or closed
};

/// Prints a message and returns false for a file of another format, and in a directory that does not exist.
bool can_write_timeline(std::filesystem::path const& file) {
    if (file.empty()) return true;
    auto const type = file.extension();
    std::error_code ec;
    if (type != ".svg" && type != ".html" && type != ".json" && type != ".txt")
        complain("--timeline: expected a file that ends in .svg, .html, .json or .txt, got " + file.string());
    else if (!std::filesystem::is_directory(file.parent_path(), ec))
        complain("--timeline: expected a file in an existing directory, got " + file.string());
    else
        return true;
    return false;
}

int run(run_options const& options) {
    if (!can_write_timeline(options.timeline)) return bad_usage;
    auto input = read_run_input(options.files, options.flags);
    if (!input) return bad_usage;
    bool fine = true;
    for (auto const& [file, job] : input->jobs) {
        issue_printer printer(file, *job);
        bool const sound = has_possible_replicas(*job, file) && startable(job, printer);
        fine = sound && servable(job, options.mode, options.pods, printer) && fine;
    }
    if (!fine) return bad_usage;
    local::remove_leftovers();
    asio::io_context context;
    session s(context, options, *std::move(input));
    return s.run();
}

bool is_set(char const* variable) {
    char const* const value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

} // namespace

void add_run(CLI::App& app, int& exit) {
    auto const options = std::make_shared<run_options>();
    options->colour = !is_set("NO_COLOR");
    auto* const command = app.add_subcommand(
        "run",
        "Run jobs on a local cluster in this process\n\n"
        "Run only jobs that you trust: a job has all your permissions, and the sandbox is no protection against "
        "hostile code. Several jobs run side by side. Other objects in the files, such as ConfigMaps, are created "
        "before the jobs; objects that the local cluster does not serve are skipped with a message. On a "
        "terminal the output is coloured, unless the environment variable NO_COLOR is set and not empty.");
    command->group(offline_commands);
    command
        ->add_option("FILE", options->files,
                     "Read jobs and other objects from these YAML or JSON files or directories; - reads standard input")
        ->required();
    add_isolation_option(*command, options->mode);
    add_pod_options(*command, options->pods);
    add_node_options(*command, options->nodes, options->node_resources);
    add_operator_flags(*command, options->flags, "Run the operators with this flag");
    command
        ->add_option("--directory", options->directory,
                     "Use DIR for logs and pod files; it must be new or empty, and it is removed at the end "
                     "(default: a new directory in /tmp)")
        ->type_name("DIR");
    command
        ->add_option("--timeline", options->timeline,
                     "Draw pods, conditions and progress over time into FILE, which ends in .svg, .html, .json or "
                     ".txt; with several jobs, into one file for each job: NAME-JOB.svg")
        ->type_name("FILE");
    command->add_flag("-v,--verbose", options->verbose, "Print what the local cluster does");
    add_footer(*command,
               {{success, "All jobs succeeded."},
                {job_failed, "A job failed."},
                {bad_usage, "A file or a job cannot be used."},
                {cluster_failed, "The local cluster did not start or failed."},
                {interrupted, "The command was interrupted."}},
               {{"Run a job and print the output of all replicas", "kftrain run job.yaml"},
                {"Run several jobs side by side and give their images a command",
                 "kftrain run jobs.yaml --command 'example.com/*=true'"},
                {"Use a directory for a PersistentVolumeClaim", "kftrain run job.yaml --volume data=."}});
    command->callback([options, &exit] {
        if (!options->timeline.empty()) options->timeline = std::filesystem::absolute(options->timeline);
        if (!options->directory.empty()) options->directory = std::filesystem::absolute(options->directory);
        exit = run(*options);
    });
}

} // namespace kftrain::cli
