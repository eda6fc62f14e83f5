#ifndef KFTRAIN_SRC_KINDS_MPI_COMMANDS_HPP
#define KFTRAIN_SRC_KINDS_MPI_COMMANDS_HPP

#include "job/contract/started_programs.hpp"

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

/// The number of processes that the launcher asks for, if it is more than all hosts together have slots.
inline std::optional<std::int64_t> excess_processes(core::container const& launcher, std::int64_t slots) {
    auto const mpirun = mpirun_of(launcher);
    auto const asked = mpirun && !may_oversubscribe(launcher) ? mpirun_processes(*mpirun) : std::nullopt;
    return asked && slots > 0 && *asked > slots ? asked : std::nullopt;
}

/// Whether one process on each host starts the others, so that slots do not count devices.
inline bool starts_own_processes(core::container const& launcher) {
    for (auto const* text :
         {"torchrun", "torch.distributed", "deepspeed", "accelerate", "horovodrun", "--map-by", "-npernode", "-N"})
        if (mentions(launcher, text)) return true;
    return false;
}

/// GPUs in the limits of a container.
inline std::int64_t limited_gpus(core::container const& c) {
    std::int64_t sum = 0;
    for (auto const& [name, amount] : c.resources.limits)
        if (name.ends_with("/gpu")) sum += std::clamp<std::int64_t>(amount.value(), 0, 1'000'000);
    return sum;
}

} // namespace kftrain

#endif
