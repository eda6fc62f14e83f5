#include "cli/commands.hpp"
#include "cli/manifests.hpp"

#include <kftrain/job/rank_oracle.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/reflect.hpp>

#include <algorithm>
#include <array>
#include <iostream>

namespace kftrain {
BOOST_DESCRIBE_STRUCT(told_file, (), (path, mode, source, text))
} // namespace kftrain

namespace kftrain::cli {

struct told_container {
    told_container() = default;

    std::string name;
    bool init = false;
    std::vector<core::env_var> env;
    std::vector<told_file> files;
};
BOOST_DESCRIBE_STRUCT(told_container, (), (name, init, env, files))

struct told_replica {
    told_replica() = default;

    std::optional<std::int32_t> rank;
    std::optional<std::int64_t> first_process;
    std::optional<std::int64_t> last_process;
    std::string type;
    std::int32_t index = 0;
    std::string pod;
    std::string address;
    std::vector<told_container> containers;
};

} // namespace kftrain::cli

namespace kftrain {
KFTRAIN_REQUIRED(cli::told_replica, "index")
} // namespace kftrain

namespace kftrain::cli {

BOOST_DESCRIBE_STRUCT(told_replica, (), (rank, first_process, last_process, type, index, pod, address, containers))

/// rank_variables, as it is written.
struct told_variables {
    told_variables() = default;

    std::string rank, world_size, address, port, container;
};
BOOST_DESCRIBE_STRUCT(told_variables, (), (rank, world_size, address, port, container))

struct told_ranks {
    told_ranks() = default;

    std::string kind;
    std::string job;
    std::string namespace_;
    std::optional<std::int32_t> world_size; ///< ranks of replicas
    std::optional<std::int64_t> processes;  ///< ranks of processes
    std::string note;                       ///< why ranks are absent
    std::optional<told_variables> variables;
    std::vector<told_replica> replicas;
};
BOOST_DESCRIBE_STRUCT(told_ranks, (), (kind, job, namespace_, world_size, processes, note, variables, replicas))

namespace {

result<std::vector<member>> select(rank_oracle const& oracle, ranks_options const& options) {
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

/// Files are told of one replica only: their texts may name every member.
told_replica tell(rank_oracle const& oracle, member const& r, bool environment, bool files) {
    told_replica told;
    told.rank = r.rank;
    if (auto const range = oracle.processes_of(r)) {
        told.first_process = range->first;
        told.last_process = range->first + range->count - 1;
    }
    told.type = r.role;
    told.index = r.index;
    told.pod = r.pod_name;
    told.address = oracle.address_of(r);
    if (!environment) return told;
    for (auto& c : oracle.environment_of(r)) {
        auto& container = told.containers.emplace_back();
        container.name = c.container;
        container.init = c.init;
        container.env = c.effective();
    }
    if (!files) return told;
    auto found = oracle.files_of(r); // of the same containers
    for (std::size_t i = 0; i < found.size(); ++i) told.containers[i].files = std::move(found[i].files);
    return told;
}

std::optional<told_variables> tell(rank_variables const& by) {
    if (by == rank_variables()) return std::nullopt;
    told_variables told;
    told.rank = by.rank;
    told.world_size = by.world_size;
    told.address = by.address;
    told.port = by.port;
    told.container = by.container;
    return told;
}

using row = std::array<std::string, 6>;

row row_of(told_replica const& r) {
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

void print_file(told_file const& f) {
    std::cout << "  " << f.path << " (" << (f.mode < 0100 ? "00" : "0") << std::oct << f.mode << std::dec << ", "
              << f.source << (f.text ? ")\n" : "; not shown)\n");
    if (!f.text) return;
    for (std::string_view rest = *f.text; !rest.empty();) {
        auto const end = std::min(rest.find('\n'), rest.size());
        std::cout << "    " << rest.substr(0, end) << '\n';
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

void print_environment(told_replica const& r) {
    auto const whose = r.pod.empty() ? r.type + ' ' + std::to_string(r.index) : r.pod; // a Job names its pods itself
    for (auto const& c : r.containers) {
        std::cout << '\n' << whose << ", " << (c.init ? "init container " : "container ") << c.name << '\n';
        for (auto const& v : c.env)
            std::cout << "  " << v.name << '=' << (v.value_from ? "(from " + to_json(*v.value_from) + ")" : v.value)
                      << '\n';
        for (auto const& f : c.files) print_file(f);
    }
}

void print(told_ranks const& told) {
    std::cout << told.kind << ' ' << told.namespace_ << '/' << told.job << ": ";
    if (told.world_size)
        std::cout << "world size " << *told.world_size;
    else
        std::cout << "no ranks, " << told.note;
    if (told.processes) std::cout << ", " << *told.processes << " processes";
    if (told.world_size && !told.note.empty()) std::cout << "; " << told.note;
    std::cout << "\n\n";

    std::vector<row> rows{{"RANK", "PROCESSES", "TYPE", "INDEX", "POD", "ADDRESS"}};
    for (auto const& r : told.replicas) rows.push_back(row_of(r));
    std::array<std::size_t, std::tuple_size_v<row>> width{};
    for (auto const& r : rows)
        for (std::size_t i = 0; i < r.size(); ++i) width[i] = std::max(width[i], r[i].size());
    for (auto const& r : rows) {
        for (std::size_t i = 0; i + 1 < r.size(); ++i)
            std::cout << r[i] << std::string(width[i] - r[i].size() + 2, ' ');
        std::cout << r.back() << '\n';
    }
    for (auto const& r : told.replicas) print_environment(r);
}

} // namespace

int ranks(ranks_options const& options) {
    auto const job = read_job(options.file, options.told);
    if (!job) return bad_usage;
    rank_oracle const oracle(*job, options.told);
    auto const chosen = select(oracle, options);
    if (!chosen) {
        complain(chosen.error().to_string());
        return bad_usage;
    }
    bool const one = options.pod || options.host || options.rank || options.process;

    told_ranks told;
    told.kind = job->resource().kind;
    told.job = job->metadata().name;
    told.namespace_ = job->metadata().namespace_;
    told.world_size = oracle.layout().world_size;
    told.note = oracle.layout().rank_note;
    told.variables = tell(oracle.layout().told_by);
    if (told.world_size && oracle.layout().processes_per_member)
        told.processes = *told.world_size * *oracle.layout().processes_per_member;
    for (auto const& r : *chosen) told.replicas.push_back(tell(oracle, r, one || options.environment, one));

    if (options.format == "json")
        std::cout << to_json(told) << '\n';
    else if (options.format == "yaml")
        std::cout << to_yaml(told);
    else
        print(told);
    return flush_output() ? success : bad_usage;
}

} // namespace kftrain::cli
