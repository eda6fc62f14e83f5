#include "cli/cluster/absent_job.hpp"
#include "cli/cluster/cluster_commands.hpp"
#include "cli/cluster/job_naming.hpp"
#include "cli/cluster/remote_command.hpp"
#include "cli/cluster/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/option_values.hpp"

#include <kftrain/facade/job_state.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>

#include <algorithm>
#include <iterator>
#include <limits>

namespace kftrain::cli {
namespace {

struct exec_arguments {
    exec_arguments() = default;

    connection_options where;
    job_naming which;
    std::vector<std::string> command;
    std::optional<std::int32_t> rank;
    std::string role;
    std::int32_t index = 0;
    std::string container;
    bool input = false;
};

using stored_pods = std::vector<std::shared_ptr<core::pod const>>;

/// The pods that may belong to the job.
result<stored_pods> pods_of(connection& c, any_job const& job) {
    stored_pods found;
    kube::api<core::pod> const pods(c.jobs().get_client(), job.metadata().namespace_);
    for (auto const& r : job.members().roles) {
        diagnostics why;
        auto how = c.timed(kube::list_options());
        how.label_selector = r.label_selector();
        how.detail = &why;
        auto listed = kube::run_blocking<object_list<core::pod>>(c.jobs().get_executor(), why,
                                                                 [&](auto h) { pods.async_list(how, std::move(h)); });
        if (!listed) return listed.error();
        for (auto& p : listed->items) found.push_back(std::make_shared<core::pod const>(std::move(p)));
    }
    return found;
}

bool is_selected(member const& m, exec_arguments const& arguments) {
    if (arguments.rank) return m.rank == arguments.rank;
    if (!arguments.role.empty()) return m.role == arguments.role && m.index == arguments.index;
    return m.rank == 0;
}

std::string name_of(member const& m) { return m.role + " " + std::to_string(m.index); }

int exec(exec_arguments const& arguments) {
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const named = find_job(*c, arguments.which);
    if (!named) return named.exit();
    auto const job = c->jobs().get(*named, c->timed(kube::call_options()));
    if (!job) return report_job_failure(*c, job.error(), *named);
    auto const pods = pods_of(*c, *job);
    if (!pods) return report_failure(c->followed(pods.error()));
    auto const ranks = job_state_of(*job, *pods).ranks;
    auto at = std::ranges::find_if(ranks, [&](rank_state const& r) { return is_selected(r.member, arguments); });
    bool const chooses = arguments.rank || !arguments.role.empty();
    if (at == ranks.end() && !chooses) at = ranks.begin(); // a kind without ranks
    if (at == ranks.end()) {
        complain("the job has no replica " +
                 (arguments.rank ? "with rank " + std::to_string(*arguments.rank)
                                 : arguments.role + " " + std::to_string(arguments.index)) +
                 "; \"kftrain ranks\" prints the replicas of a manifest");
        return bad_usage;
    }
    auto const own = [&](auto const& p) { return p->metadata.name == at->member.pod_name; };
    auto const pod = std::ranges::find_if(*pods, own);
    if (pod == pods->end()) {
        complain("the pod of " + name_of(at->member) + " does not exist");
        return job_failed;
    }
    remote_command what;
    what.namespace_ = job->metadata().namespace_;
    what.pod = at->member.pod_name;
    what.words = arguments.command;
    what.how = c->timed(kube::exec_options().with_input(arguments.input));
    what.how.container = arguments.container.empty() ? default_container(**pod) : arguments.container;
    auto const code = run_remote(c->context(), c->jobs().get_client(), what);
    if (!code) return report_failure(c->followed(code.error()), "pod " + what.pod);
    return *code;
}

/// The words of the job come first: KIND/NAME or KIND NAME.
void divide(exec_arguments& arguments) {
    auto& words = arguments.which.words;
    std::size_t const own = words.front().find('/') == std::string::npos ? 2 : 1;
    if (words.size() <= own) return;
    auto const command = words.begin() + static_cast<std::ptrdiff_t>(own);
    arguments.command.assign(command, words.end());
    words.erase(command, words.end());
}

} // namespace

void add_exec(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<exec_arguments>();
    auto* const command = app.add_subcommand(
        "exec", "Run a command in a container of a job\n\n"
                "Without --rank and --role, the command runs in the replica with rank 0, or in the first replica of a "
                "kind without ranks. The exit code is that of the command. No shell is involved.");
    command
        ->add_option("JOB", arguments->which.words,
                     "Select the job by kind and name, KIND/NAME or KIND NAME, and give the command with its "
                     "arguments")
        ->option_text("JOB -- COMMAND...")
        ->required();
    auto* const rank = command->add_option_function<std::string>(
        "--rank",
        [arguments](std::string const& text) {
            arguments->rank =
                static_cast<std::int32_t>(read_number("--rank", text, {0, std::numeric_limits<std::int32_t>::max()}));
        },
        "Run it in the replica with rank N (default: 0)");
    rank->type_name("N");
    auto* const role =
        command->add_option("--role", arguments->role, "Run it in a replica with this role, for example Worker");
    role->type_name("ROLE")->excludes(rank);
    add_number(*command, "--index", arguments->index, {0, std::numeric_limits<std::int32_t>::max()},
               "With --role, run it in the replica with this index (default: 0)")
        ->needs(role);
    command
        ->add_option("-c,--container", arguments->container,
                     "Run it in the container with this name (default: the first container)")
        ->type_name("NAME");
    command->add_flag("-i,--stdin", arguments->input, "Pass the standard input to the command");
    add_connection_flags(*command, arguments->where,
                         "Give up if the command has not started after DURATION, for example 90s (default: no limit)");
    command->group(cluster_commands);
    add_footer(*command,
               {{success, "The command returned 0."},
                {job_failed, "The job or the pod does not exist."},
                {bad_usage, "The arguments cannot be used."},
                {cluster_failed, "The cluster cannot be reached, refused the request or lost the connection."},
                {timed_out, "--timeout expired."}},
               {{"Show the processes of rank 0", "kftrain exec PyTorchJob/mnist -- ps aux"},
                {"Run a shell script in the replica with rank 1",
                 "kftrain exec PyTorchJob/mnist --rank 1 -i -- sh -s <script.sh"}});
    command->callback([arguments, &exit] {
        divide(*arguments);
        if (arguments->command.empty()) {
            complain("exec: expected a command after --, got none");
            exit = bad_usage;
            return;
        }
        exit = kftrain::cli::exec(*arguments);
    });
}

} // namespace kftrain::cli
