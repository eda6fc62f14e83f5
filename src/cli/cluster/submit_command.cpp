#include "base/utf8.hpp"
#include "cli/cluster/connection/following.hpp"
#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/job_names.hpp"
#include "cli/cluster/output/patient_output.hpp"
#include "cli/cluster/output/print_jobs.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/manifests/read_job.hpp"
#include "cli/option_values.hpp"
#include "cli/run/run_checks.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/job/job_rules.hpp>

#include <set>

namespace kftrain::cli {
namespace {

struct submit_arguments {
    connection_options where;
    jobs_file from;
    submit_options how;
    bool wait = false;
    bool follow = false;
    std::string format;
};

/// The job in messages; the name may not be generated yet.
std::string display_name(any_job const& job) {
    job_reference reference(job);
    if (has_generated_name(job)) reference.name = job.metadata().generate_name + "...";
    return reference.to_string();
}

/// Equal for two entries that are the same job. The versions of a kind share their jobs; a key and a name prefix
/// yield one name.
std::string identity_of(any_job const& job) {
    auto const& info = job.resource();
    auto const& m = job.metadata();
    return std::string(info.plural) + "." + std::string(info.group) + " " + m.namespace_ + "/" +
           (m.name.empty() ? m.generate_name + "..." : m.name);
}

/// Whether no job occurs twice, and each job can be found again if the submission is idempotent.
bool fit_together(std::vector<any_job> const& jobs, submit_arguments const& arguments) {
    auto const refuse = [&](any_job const& job, std::string const& why) {
        return complain(place(arguments.from.file, 0, 0) + display_name(job) + ": " + why), false;
    };
    bool fine = true;
    std::set<std::string> seen;
    for (auto const& job : jobs) {
        if (has_generated_name(job) && arguments.how.idempotent)
            fine = refuse(job, "metadata.generateName: --idempotent finds the job by its name, expected "
                               "metadata.name; use --idempotency-key for a generated name");
        bool const one_of_many = has_generated_name(job) && arguments.how.idempotency_key.empty();
        if (!one_of_many && !seen.insert(identity_of(job)).second)
            fine = refuse(job, "expected each job once, got it twice");
    }
    return fine;
}

/// Prints what lint finds, except for infos. Of several jobs the lines in the file are not known.
void print_warnings(prepared_job const& job, std::string const& file) {
    issue_printer printer(file, *job);
    for (auto i : job.lint()) {
        if (i.level == issue::severity::info) continue;
        if (file == "-") i.message.insert(0, display_name(*job) + ": ");
        printer.print(i);
    }
}

/// The jobs of the file, if all of them are valid.
found<std::vector<any_job>> valid_jobs(connection const& c, submit_arguments const& arguments) {
    auto jobs = read_placed_jobs(c, arguments.from);
    if (!jobs) return jobs;
    bool fine = true;
    std::vector<prepared_job> checked;
    for (auto const& job : *jobs) {
        auto one = checked_job(job, arguments.from.file);
        fine = one && has_possible_replicas(job, arguments.from.file) && fine;
        if (one) checked.push_back(*std::move(one));
    }
    fine = fit_together(*jobs, arguments) && fine;
    if (!fine) return reported();
    for (auto const& job : checked) print_warnings(job, checked.size() == 1 ? arguments.from.file : "-");
    return jobs;
}

/// Waits for the jobs. Prints how each ended; to standard error if standard output carries job output or JSON.
int follow_to_the_end(connection& c, std::vector<job_reference> const& jobs, submit_arguments const& arguments) {
    int exit = success;
    c.contact().report_at_once();
    bool const aside = arguments.follow || arguments.format != "text";
    if (arguments.follow) {
        exit = follow_logs(c, jobs.front(), c.timed(job_log_options()));
        if (exit == interrupted || exit == unread || exit == timed_out || exit == job_failed)
            return exit; // job_failed: the job was deleted
    }
    patient_streams const streams(c.end());
    wait_for_jobs(c, jobs, until::finished(), [&](job_reference const& job, wait_outcome const& o) {
        if (o.ec)
            exit = graver(exit, report_failure(c.followed(failure(o.ec, o.detail)), job.to_string()));
        else if (o.job.phase() == job_phase::failed)
            exit = graver(exit, job_failed);
        if (o.ec) return;
        auto const line = qualified_name(*job.kind, job.name) + " " + std::string(to_string(o.job.phase()));
        if (aside)
            complain(line);
        else
            std::cout << on_one_line(line) << std::endl;
    });
    return after_output(exit);
}

int submit(submit_arguments const& arguments) {
    bool const to_the_end = arguments.wait || arguments.follow;
    if (to_the_end && arguments.how.dry_run)
        return complain("--dry-run cannot be combined with --wait or --follow: it creates no job"), bad_usage;
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const jobs = valid_jobs(*c, arguments);
    if (!jobs) return jobs.exit();
    if (arguments.follow && jobs->size() != 1)
        return complain("--follow: expected a file with one job, got " + std::to_string(jobs->size())), bad_usage;

    int exit = success;
    std::vector<any_job> stored;
    for (auto const& job : *jobs) {
        // valid_jobs() has checked the job, except for a generated name and for objects that only the server has.
        bool const unchecked = has_generated_name(job) || !job.references().empty();
        auto made = c->jobs().submit(job, c->timed(arguments.how).with_validate(unchecked));
        if (!made) {
            exit = graver(exit, report_failure(made.error(), display_name(job)));
            continue;
        }
        if (arguments.format == "text")
            std::cout << on_one_line(qualified_name(*made))
                      << (arguments.how.dry_run ? " submitted (dry run)" : " submitted") << std::endl;
        stored.push_back(*std::move(made));
    }
    if (arguments.format != "text") {
        job_print print;
        print.format = arguments.format;
        print.list = jobs->size() > 1;
        if (!stored.empty()) print_jobs(stored, print);
        std::cout.flush();
    }
    if (!to_the_end || stored.empty() || !std::cout) return exit;
    return graver(exit, follow_to_the_end(*c, {stored.begin(), stored.end()}, arguments));
}

/// Checks an idempotency key. The message does not repeat the key, which may be a secret.
std::string fault_of_key(std::string const& key) {
    if (key.empty()) return "expected a text, got an empty one";
    bool const fits = detail::find_invalid_utf8(key) == key.npos && on_one_line(key) == key;
    return fits ? std::string() : "expected UTF-8 without control characters";
}

} // namespace

void add_submit(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<submit_arguments>();
    auto* const command = app.add_subcommand(
        "submit",
        "Check jobs and create them on a cluster\n\n"
        "If a job violates the rules of its kind, or occurs twice, no job of the file is created. If a job "
        "has metadata.generateName, the server generates its name; with --idempotency-key, the command derives the "
        "name from the key. The name is printed.");
    add_jobs_file(*command, arguments->from);
    auto* const key = command
                          ->add_option("--idempotency-key", arguments->how.idempotency_key,
                                       "Use this idempotency key: submitting again with the same key returns the "
                                       "existing job")
                          ->check(&fault_of_key)
                          ->type_name("KEY");
    command
        ->add_flag("--idempotent", arguments->how.idempotent,
                   "Use a hash of each job as its idempotency key: submitting the job again returns the existing job")
        ->excludes(key);
    command->add_flag("--dry-run", arguments->how.dry_run, "Validate the jobs on the server without creating them");
    command->add_flag("--wait", arguments->wait, "Wait until the jobs have finished");
    command->add_flag("--follow", arguments->follow,
                      "Print the output of the job until it has finished; the file must contain one job");
    add_output_flag(*command, arguments->format, {"text", "name", "json", "yaml"});
    add_connection_flags(*command, arguments->where,
                         "Give up after DURATION, for example 90s or 5m; with --wait and --follow this includes the "
                         "run of the jobs; 0 for no limit (default: 65s for the creation of each job, no limit for "
                         "its run)");
    add_cluster_footer(*command,
                       {{success, "All jobs were created; with --wait and --follow, all succeeded."},
                        {job_failed, "A job failed or was deleted."},
                        {bad_usage, "A file or a job cannot be used, or the name of a job is taken."},
                        {interrupted, "The command was interrupted."}},
                       {{"Create a job", "kftrain submit job.yaml"},
                        {"Create a job, print its output and wait for its end", "kftrain submit job.yaml --follow"},
                        {"Create a job once, even if the command is repeated",
                         "kftrain submit job.yaml --idempotency-key nightly-42"}});
    command->callback([arguments, &exit] { exit = submit(*arguments); });
}

} // namespace kftrain::cli
