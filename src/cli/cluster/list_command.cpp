#include "cli/cluster/connection/job_naming.hpp"
#include "cli/cluster/output/print_jobs.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <limits>

namespace kftrain::cli {
namespace {

struct list_arguments {
    connection_options where;
    std::vector<std::string> kinds;
    bool all_namespaces = false;
    std::string selector;
    std::uint32_t limit = 0;
    std::string continue_;
    std::string format;
};

int list_jobs(list_arguments const& arguments) {
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto options = c->timed(job_list_options());
    for (auto const& name : arguments.kinds) {
        auto const kind = find_kind(*c, name);
        if (!kind) return kind.exit();
        options.kinds.push_back(*kind);
    }
    options.all_namespaces = arguments.all_namespaces;
    options.label_selector = arguments.selector;
    options.limit = arguments.limit;
    options.continue_ = arguments.continue_;
    auto const list = c->jobs().list(std::move(options));
    if (!list) return report_failure(list.error());
    job_print how;
    how.format = arguments.format;
    how.namespaces = arguments.all_namespaces;
    how.list = true;
    how.continue_ = list->continue_;
    // "no jobs" would be wrong if some jobs cannot be read.
    if (!list->items.empty() || list->unread.empty() || how.format != "table") print_jobs(list->items, how);
    if (!list->continue_.empty() && arguments.format != "json" && arguments.format != "yaml")
        complain("more jobs follow: use --continue " + list->continue_);
    for (auto const& what : list->unread) complain(what);
    if (list->unread_jobs != 0)
        complain(std::to_string(list->unread_jobs) + (list->unread_jobs == 1 ? " job" : " jobs") + " cannot be read");
    return list->unread.empty() ? success : cluster_failed;
}

} // namespace

void add_list(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<list_arguments>();
    auto* const command = app.add_subcommand("list", "List jobs of all kinds or of some kinds");
    command->add_option("KIND", arguments->kinds,
                        "List jobs of these kinds only, for example PyTorchJob, pytorchjobs or MPIJob.v2beta1 "
                        "(default: all kinds)");
    command->add_flag("-A,--all-namespaces", arguments->all_namespaces, "List jobs of all namespaces");
    command
        ->add_option("-l,--selector", arguments->selector,
                     "List only jobs with these labels, for example team=vision,tier!=test")
        ->type_name("SELECTOR");
    add_number(*command, "--limit", arguments->limit, {0, std::numeric_limits<std::uint32_t>::max()},
               "Print at most N jobs; 0 for all (default: 0)");
    command
        ->add_option("--continue", arguments->continue_,
                     "Print the next page, with the token from the output of the previous page")
        ->type_name("TOKEN");
    add_output_flag(*command, arguments->format, {"table", "json", "yaml", "name"});
    add_connection_flags(*command, arguments->where);
    add_cluster_footer(
        *command,
        {{success, "All jobs were listed."},
         {cluster_failed, "The cluster cannot be reached, or some jobs or kinds cannot be read; standard error "
                          "names them."}},
        {{"List all jobs of the namespace", "kftrain list"},
         {"List the PyTorchJobs of a team in all namespaces", "kftrain list PyTorchJob -A -l team=vision"}});
    command->callback([arguments, &exit] { exit = list_jobs(*arguments); });
}

} // namespace kftrain::cli
