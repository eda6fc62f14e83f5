#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/manifests/manifests.hpp"
#include "cli/manifests/read_job.hpp"
#include "cli/option_values.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <array>
#include <iostream>

namespace kftrain {
BOOST_DESCRIBE_STRUCT(injected_file, (), (path, mode, source, text))
} // namespace kftrain

namespace kftrain::cli {

struct printed_container {
    std::string name;
    bool init = false;
    std::vector<core::env_var> env;
    std::vector<injected_file> files;
};
BOOST_DESCRIBE_STRUCT(printed_container, (), (name, init, env, files))

struct printed_replica {
    std::optional<std::int32_t> rank;
    std::optional<std::int64_t> first_process;
    std::optional<std::int64_t> last_process;
    std::string type;
    std::int32_t index = 0;
    std::string pod;
    std::string address;
    std::vector<printed_container> containers;
};

} // namespace kftrain::cli

namespace kftrain {
KFTRAIN_REQUIRED(cli::printed_replica, "index")
} // namespace kftrain

namespace kftrain::cli {

BOOST_DESCRIBE_STRUCT(printed_replica, (), (rank, first_process, last_process, type, index, pod, address, containers))

struct printed_variables : rank_variables {};
BOOST_DESCRIBE_STRUCT(printed_variables, (), (rank, world_size, address, port, container))

struct printed_ranks {
    std::string kind;
    std::string job;
    std::string namespace_;
    std::optional<std::int32_t> world_size; ///< number of ranked replicas
    std::optional<std::int64_t> processes;  ///< number of processes
    std::string note;                       ///< why ranks are absent
    printed_variables variables;
    std::vector<printed_replica> replicas;
};
BOOST_DESCRIBE_STRUCT(printed_ranks, (), (kind, job, namespace_, world_size, processes, note, variables, replicas))

namespace {

struct ranks_options {
    std::string file;
    std::vector<std::string> with;
    std::optional<std::string> pod;
    std::optional<std::string> host;
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> process;
    bool environment = false;
    std::string format;
    operator_options flags; ///< of the operator
};

result<std::vector<member>> select(member_lookup const& oracle, ranks_options const& options) {
    std::vector<member> chosen;
    auto const take = [&](result<member> const& r) -> result<std::vector<member>> {
        if (!r) return r.error();
        return std::vector<member>{*r};
    };
    if (options.pod) return take(oracle.of_pod(*options.pod));
    if (options.host) return take(oracle.of_host(*options.host));
    if (options.rank) return take(oracle.of_rank(*options.rank));
    if (options.process) return take(oracle.of_process(*options.process));
    return oracle.layout().members;
}

/// Files are shown for one replica only, since their text may name every replica.
printed_replica printed(member_lookup const& oracle, member const& r, bool environment, bool files) {
    printed_replica out;
    out.rank = r.rank;
    if (auto const range = oracle.processes_of(r)) {
        out.first_process = range->first;
        out.last_process = range->first + range->count - 1;
    }
    out.type = r.role;
    out.index = r.index;
    out.pod = r.pod_name;
    out.address = oracle.address_of(r);
    if (!environment) return out;
    for (auto& c : oracle.environment_of(r)) {
        auto& container = out.containers.emplace_back();
        container.name = c.container;
        container.init = c.init;
        container.env = c.effective();
    }
    if (!files) return out;
    auto found = oracle.files_of(r); // in the order of the containers
    for (std::size_t i = 0; i < found.size(); ++i) out.containers[i].files = std::move(found[i].files);
    return out;
}

using row = std::array<std::string, 6>;

row row_of(printed_replica const& r) {
    std::string processes = "-";
    if (r.first_process) {
        processes = std::to_string(*r.first_process);
        if (*r.last_process != *r.first_process) processes += "-" + std::to_string(*r.last_process);
    }
    return {r.rank ? std::to_string(*r.rank) : "-",
            processes,
            r.type,
            std::to_string(r.index),
            r.pod.empty() ? "-" : r.pod,
            r.address};
}

void print_file(injected_file const& f) {
    std::cout << "  " << f.path << " (" << (f.mode < 0100 ? "00" : "0") << std::oct << f.mode << std::dec << ", "
              << f.source << (f.text ? ")\n" : "; not shown)\n");
    if (!f.text) return;
    for (std::string_view rest = *f.text; !rest.empty();) {
        auto const end = std::min(rest.find('\n'), rest.size());
        std::cout << "    " << on_one_line(rest.substr(0, end)) << '\n';
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

void print_environment(printed_replica const& r) {
    auto const whose =
        r.pod.empty() ? r.type + ' ' + std::to_string(r.index) : r.pod; // the Job controller generates pod names
    for (auto const& c : r.containers) {
        std::cout << '\n' << whose << ", " << (c.init ? "init container " : "container ") << c.name << '\n';
        for (auto const& v : c.env)
            std::cout << "  " << v.name << '='
                      << on_one_line(v.value_from ? "(from " + to_json(*v.value_from) + ")" : v.value) << '\n';
        for (auto const& f : c.files) print_file(f);
    }
}

void print(printed_ranks const& out) {
    std::cout << out.kind << ' ' << out.namespace_ << '/' << out.job << ": ";
    if (out.world_size)
        std::cout << "world size " << *out.world_size;
    else
        std::cout << "no ranks, " << out.note;
    if (out.processes) std::cout << ", " << *out.processes << " processes";
    if (out.world_size && !out.note.empty()) std::cout << "; " << out.note;
    std::cout << "\n\n";

    std::vector<row> rows{{"RANK", "PROCESSES", "TYPE", "INDEX", "POD", "ADDRESS"}};
    for (auto const& r : out.replicas) rows.push_back(row_of(r));
    std::array<std::size_t, std::tuple_size_v<row>> width{};
    for (auto const& r : rows)
        for (std::size_t i = 0; i < r.size(); ++i) width[i] = std::max(width[i], r[i].size());
    for (auto const& r : rows) {
        for (std::size_t i = 0; i + 1 < r.size(); ++i)
            std::cout << r[i] << std::string(width[i] - r[i].size() + 2, ' ');
        std::cout << r.back() << '\n';
    }
    for (auto const& r : out.replicas) print_environment(r);
}

int ranks(ranks_options const& options) {
    auto const job = read_job(options.file, options.flags, options.with);
    if (!job) return bad_usage;
    member_lookup const oracle(*job);
    auto const chosen = select(oracle, options);
    if (!chosen) {
        complain(chosen.error().to_string());
        return bad_usage;
    }
    bool const one = options.pod || options.host || options.rank || options.process;

    printed_ranks out;
    out.kind = (*job)->resource().kind;
    out.job = (*job)->metadata().name;
    out.namespace_ = (*job)->metadata().namespace_;
    out.world_size = oracle.layout().world_size;
    out.note = oracle.layout().rank_note;
    out.variables = {oracle.layout().rank_env};
    if (out.world_size && oracle.layout().processes_per_member)
        out.processes = *out.world_size * *oracle.layout().processes_per_member;
    for (auto const& r : *chosen) out.replicas.push_back(printed(oracle, r, one || options.environment, one));

    if (options.format == "json")
        std::cout << json_output(to_json(out)) << '\n';
    else if (options.format == "yaml")
        std::cout << to_yaml(out);
    else
        print(out);
    return flush_output() ? success : bad_usage;
}

} // namespace

void add_ranks(CLI::App& app, int& exit) {
    auto options = std::make_shared<ranks_options>();
    auto* const command =
        app.add_subcommand("ranks", "Show the rank, pod, address and environment of each replica of a job");
    command->group(offline_commands);
    command->add_option("FILE", options->file, "Read the job from this YAML or JSON file; - reads standard input")
        ->required();
    auto const any_number = number_range(std::numeric_limits<std::int64_t>::min());
    std::array const selections{
        command->add_option("--pod", options->pod, "Show the replica with this pod and its environment")
            ->type_name("NAME"),
        command->add_option("--host", options->host, "Show the replica with this host name or address")
            ->type_name("HOST"),
        add_number(*command, "--rank", options->rank, any_number, "Show the replica with rank N"),
        add_number(*command, "--process", options->process, any_number,
                   "Show the replica that runs process N, if the number of processes per replica is known")};
    for (auto* const a : selections) {
        a->group("Select one replica (at most one of these options)");
        for (auto* const b : selections)
            if (a != b) a->excludes(b);
    }
    command->add_flag("--env", options->environment, "Show the environment of all replicas");
    add_output_flag(*command, options->format, {"text", "json", "yaml"});
    add_reference_files(*command, options->with);
    add_operator_flags(*command, options->flags);
    add_footer(*command,
               {{success, "The replicas were printed."},
                {bad_usage, "The arguments, the file or the job cannot be used, or no replica matches."}},
               {{"Show all replicas", "kftrain ranks job.yaml"},
                {"Show the environment of one replica", "kftrain ranks job.yaml --rank 0"},
                {"Print all replicas with their environment as JSON", "kftrain ranks job.yaml --env -o json"}});
    command->callback([options, &exit] { exit = ranks(*options); });
}

} // namespace kftrain::cli
