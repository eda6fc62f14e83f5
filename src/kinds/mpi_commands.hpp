#ifndef KFTRAIN_SRC_KINDS_MPI_COMMANDS_HPP
#define KFTRAIN_SRC_KINDS_MPI_COMMANDS_HPP

#include "job/programs/mpirun.hpp"

#include <algorithm>

namespace kftrain {

/// The first MPI launcher among the programs of a container; absent if there is none.
inline std::optional<started_program> mpirun_of(core::container const& c) {
    for (auto& p : started_programs(c))
        if (is_mpirun(p)) return std::move(p);
    return std::nullopt;
}

/// Whether a variable or an export lets Open MPI start more processes than there are slots.
inline bool may_oversubscribe(core::container const& launcher) {
    if (mentions(launcher, "MCA_rmaps")) return true;
    return std::ranges::any_of(launcher.env, [](core::env_var const& v) {
        if (v.name == "OMPI_MCA_rmaps_base_oversubscribe") return v.value != "0" && v.value != "false";
        bool const maps = v.name.starts_with("OMPI_MCA_rmaps") || v.name.starts_with("PRTE_MCA_rmaps");
        return maps && (v.value.find("OVERSUBSCRIBE") != v.value.npos || v.value.find("oversubscribe") != v.value.npos);
    });
}

/// The most processes that the launcher starts at once, if its commands show them all.
inline std::optional<std::int64_t> most_processes(core::container const& launcher) {
    std::optional<std::int64_t> most;
    for (auto const& p : started_programs(launcher)) {
        if (is_shell(p.name) || p.in_background) return std::nullopt;
        if (!is_mpirun(p)) continue;
        auto const requested = mpirun_processes(p);
        if (!requested) return std::nullopt;
        most = std::max(most.value_or(0), *requested);
    }
    return most;
}

/// The number of processes that the launcher requests, if it is more than all hosts together have slots.
inline std::optional<std::int64_t> excess_processes(core::container const& launcher, std::int64_t slots) {
    auto const mpirun = mpirun_of(launcher);
    auto const requested = mpirun && !may_oversubscribe(launcher) ? mpirun_processes(*mpirun) : std::nullopt;
    return requested && slots > 0 && *requested > slots ? requested : std::nullopt;
}

/// Whether options place processes otherwise, or one process on each host starts the others, so that slots do not count
/// devices.
inline bool starts_own_processes(core::container const& launcher) {
    for (auto const* text :
         {"torchrun", "torch.distributed", "deepspeed", "accelerate", "horovodrun", "--map-by", "-npernode", "-N"})
        if (mentions(launcher, text)) return true;
    return false;
}

/** The number of processes that the launcher requests, if it is less than all hosts together have slots. Absent if the
    launcher may place or start processes otherwise. */
inline std::optional<std::int64_t> too_few_processes(core::container const& launcher, std::int64_t slots) {
    if (may_oversubscribe(launcher) || starts_own_processes(launcher)) return std::nullopt;
    for (auto const* text : {"-ppn", "-perhost", "pernode", "--rank-by", "cpus-per"})
        if (mentions(launcher, text)) return std::nullopt;
    auto const requested = most_processes(launcher);
    return requested && *requested > 0 && *requested < slots ? requested : std::nullopt;
}

/// `2 hosts with 4 slots each`
inline std::string hosts_text(std::int64_t hosts, std::int64_t slots) {
    return std::to_string(hosts) + (hosts == 1 ? " host with " : " hosts with ") + std::to_string(slots) +
           (slots == 1 ? " slot" : " slots") + (hosts == 1 ? "" : " each");
}

/// `mpirun starts 6 processes on 2 hosts with 4 slots each, so 2 slots stay idle; expected 8 processes`
inline std::string idle_slots_text(std::int64_t requested, std::int64_t hosts, std::int64_t slots) {
    auto const idle = hosts * slots - requested;
    return "mpirun starts " + std::to_string(requested) + (requested == 1 ? " process on " : " processes on ") +
           hosts_text(hosts, slots) + ", so " + std::to_string(idle) + (idle == 1 ? " slot stays" : " slots stay") +
           " idle; expected " + std::to_string(hosts * slots) + " processes";
}

} // namespace kftrain

#endif
