#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/print_jobs.hpp"
#include "cli/cluster/tell_failure.hpp"
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

namespace kftrain::cli {
namespace {

struct list_arguments {
    list_arguments() = default;

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
    if (!list) return tell_failure(list.error());
    job_print how;
    how.format = arguments.format;
    how.namespaces = arguments.all_namespaces;
    how.list = true;
    how.continue_ = list->continue_;
    print_jobs(list->items, how);
    if (!list->continue_.empty() && arguments.format != "json" && arguments.format != "yaml")
        complain("there are more jobs: --continue " + list->continue_);
    for (auto const& unread_kind : list->unread) complain(unread_kind);
    return after_output(list->unread.empty() ? success : cluster_failed);
}

} // namespace

void add_list(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<list_arguments>();
    auto* const command = app.add_subcommand("list", "List jobs of all kinds, or of some");
    command->add_option("KIND", arguments->kinds, "Kinds, as PyTorchJob, pytorchjobs or MPIJob.v2beta1; else all");
    command->add_flag("-A,--all-namespaces", arguments->all_namespaces, "Of all namespaces");
    command->add_option("-l,--selector", arguments->selector, "Labels of the jobs, as team=vision,tier!=test");
    command->add_option("--limit", arguments->limit, "Jobs on a page; 0 for all [0]");
    command->add_option("--continue", arguments->continue_, "The next page, as the last one told");
    add_output_flag(*command, arguments->format, {"table", "json", "yaml", "name"});
    add_connection_flags(*command, arguments->where);
    command->footer("Exit code: 0 done, 2 the arguments cannot be used, 3 the cluster cannot be reached, or jobs of a "
                    "kind\ncannot be read, 4 it took too long.");
    command->callback([arguments, &exit] { exit = list_jobs(*arguments); });
}

} // namespace kftrain::cli
