#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/follow_logs.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/job_words.hpp"
#include "cli/cluster/patient_output.hpp"
#include "cli/cluster/print_jobs.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/cluster/wait_for.hpp"
#include "cli/commands.hpp"
#include "cli/manifests.hpp"
#include "facade/new_job.hpp"
#include "model/json/json_text.hpp"

#include <kftrain/job/job_rules.hpp>

#include <CLI/CLI.hpp>

#include <set>

namespace kftrain::cli {
namespace {

struct submit_arguments {
    submit_arguments() = default;

    connection_options where;
    std::string file;
    submit_options how;
    bool wait = false;
    bool follow = false;
    std::string format;
};

/// As it is told of, though nobody may know its name yet.
std::string told_name(any_job const& job) {
    job_reference reference(job);
    if (is_name_drawn(job)) reference.name = job.metadata().generate_name + "...";
    return reference.to_string();
}

/// What makes two jobs of a file one. Versions of a kind share their jobs. Of a token and the beginning of a name one name is made.
std::string identity_of(any_job const& job) {
    auto const& info = job.resource();
    auto const& m = job.metadata();
    return std::string(info.plural) + "." + std::string(info.group) + " " + m.namespace_ + "/" +
           (m.name.empty() ? m.generate_name + "..." : m.name);
}

/// Whether each can be submitted beside the others, and be found again if it is to be.
bool fit_together(std::vector<any_job> const& jobs, submit_arguments const& arguments) {
    auto const refuse = [&](any_job const& job, std::string const& why) {
        return complain(place(arguments.file, 0, 0) + told_name(job) + ": " + why), false;
    };
    bool fine = true;
    std::set<std::string> seen;
    for (auto const& job : jobs) {
        if (is_name_drawn(job) && arguments.how.idempotent)
            fine = refuse(job, "metadata.generateName: --idempotent finds a job again by its name, expected "
                               "metadata.name, or --token instead");
        bool const one_of_many = is_name_drawn(job) && arguments.how.token.empty();
        if (!one_of_many && !seen.insert(identity_of(job)).second)
            fine = refuse(job, "expected each job once, found it again");
    }
    return fine;
}

/// The jobs of the file, all of which keep to the rules: nothing is submitted of a file that has others.
found<std::vector<any_job>> valid_jobs(connection const& c, submit_arguments const& arguments) {
    auto jobs = read_placed_jobs(c, arguments.file);
    if (!jobs) return jobs;
    bool fine = true;
    for (auto const& job : *jobs) {
        auto as_admitted = with_name(job);
        fine = is_valid(as_admitted, arguments.file) && fine;
    }
    fine = fit_together(*jobs, arguments) && fine;
    if (!fine) return refusal();
    return jobs;
}

/// How the jobs end is told on the standard output, unless that is for their output, or for programs.
int follow_to_the_end(connection& c, std::vector<job_reference> const& jobs, submit_arguments const& arguments) {
    int exit = success;
    c.contact().tell_at_once();
    bool const aside = arguments.follow || arguments.format != "text";
    if (arguments.follow) {
        exit = follow_logs(c, jobs.front(), c.timed(job_log_options()));
        if (exit == interrupted || exit == unread || exit == timed_out || exit == job_failed)
            return exit; // a job that is gone, the last
    }
    patient_streams const streams(c.options().timeout);
    wait_for_jobs(c, jobs, until::finished(), [&](job_reference const& job, wait_outcome const& o) {
        if (o.ec)
            exit = graver(exit, tell_failure(c.followed(failure(o.ec, o.detail)), job.to_string()));
        else if (o.job.phase() == job_phase::failed)
            exit = graver(exit, job_failed);
        if (o.ec) return;
        auto const line = word_of(*job.kind, job.name) + " " + std::string(to_string(o.job.phase()));
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
        return complain("--dry-run stores no job that could be waited for"), bad_usage;
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const jobs = valid_jobs(*c, arguments);
    if (!jobs) return jobs.exit();
    if (arguments.follow && jobs->size() != 1)
        return complain("--follow: expected a file of one job, found " + std::to_string(jobs->size())), bad_usage;

    auto how = arguments.how;
    if (!to_the_end) how = c->timed(how);
    int exit = success;
    std::vector<any_job> stored;
    for (auto const& job : *jobs) {
        auto made = c->jobs().submit(job, how);
        if (!made) {
            exit = graver(exit, tell_failure(made.error(), told_name(job)));
            continue;
        }
        if (arguments.format == "text")
            std::cout << on_one_line(word_of(*made)) << (how.dry_run ? " could be submitted" : " submitted")
                      << std::endl;
        stored.push_back(*std::move(made));
    }
    if (arguments.format != "text") {
        job_print print;
        print.format = arguments.format;
        print.list = jobs->size() > 1;
        if (!stored.empty()) print_jobs(stored, print);
        std::cout.flush();
    }
    if (!to_the_end || stored.empty()) return after_output(exit);
    return graver(exit, follow_to_the_end(*c, {stored.begin(), stored.end()}, arguments));
}

/// Without the token, which may be a secret of whoever made it up.
std::string what_is_wrong_with_token(std::string const& token) {
    if (token.empty()) return "expected a word, found nothing";
    bool const fits = detail::find_invalid_utf8(token) == token.npos && on_one_line(token) == token;
    return fits ? std::string() : "expected UTF-8 without control characters";
}

} // namespace

void add_submit(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<submit_arguments>();
    auto* const command = app.add_subcommand("submit", "Check jobs, then create them on a cluster");
    command->add_option("-f,--filename,FILE", arguments->file, "Jobs as YAML or JSON; - for the standard input")
        ->required();
    auto* const token = command
                            ->add_option("--token", arguments->how.token,
                                         "A word that stands for this submission: whenever it is tried again with it, "
                                         "the job that is there is the answer")
                            ->check(&what_is_wrong_with_token);
    command
        ->add_flag("--idempotent", arguments->how.idempotent,
                   "The same by what is written in the file: the job that was made of it before is the answer")
        ->excludes(token);
    command->add_flag("--dry-run", arguments->how.dry_run, "Let the server check them, and store nothing");
    command->add_flag("--wait", arguments->wait, "Until they are finished");
    command->add_flag("--follow", arguments->follow, "The same, and print the output of the one job of the file");
    add_output_flag(*command, arguments->format, {"text", "name", "json", "yaml"});
    add_connection_flags(
        *command, arguments->where,
        "How long each may take to be submitted [65s]; with --wait or --follow how long these may take");
    command->footer(
        "Of a file with a job that breaks the rules of its kind, or with one job twice, nothing is submitted.\n"
        "Of metadata.generateName the server makes a name, with --token the command; it is printed.\n"
        "Exit code: 0 done, with --wait and --follow all succeeded, 1 a job failed or was deleted,\n"
        "2 a file or a job cannot be used, also one whose name is taken, 3 the cluster cannot be reached or refuses,\n"
        "4 it took too long, 130 interrupted.");
    command->callback([arguments, &exit] { exit = submit(*arguments); });
}

} // namespace kftrain::cli
