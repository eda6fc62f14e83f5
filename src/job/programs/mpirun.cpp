#include "job/programs/mpirun.hpp"

#include "base/is_one_of.hpp"
#include "base/whole_number.hpp"

#include <algorithm>

namespace kftrain {
namespace {

/// Whether an option of mpirun determines the hosts or the slots.
bool determines_slots(std::string_view option) {
    return is_one_of(option, {"H", "host", "hosts", "hostfile", "machinefile", "default-hostfile", "f", "app",
                              "configfile", "oversubscribe", "use-hwthread-cpus"});
}

/// The number of words behind an option of mpirun of Open MPI, PRRTE or Hydra that are its value; 0 for other words.
std::size_t values_of_mpirun(std::string_view option) {
    if (is_one_of(option, {"mca", "gmca", "omca", "prtemca", "pmixmca", "genv", "env"})) return 2;
    return is_one_of(option, {"np",
                              "n",
                              "c",
                              "x",
                              "N",
                              "npernode",
                              "npersocket",
                              "ppn",
                              "perhost",
                              "grr",
                              "map-by",
                              "rank-by",
                              "bind-to",
                              "binding",
                              "cpu-set",
                              "cpu-list",
                              "slot-list",
                              "cpus-per-proc",
                              "cpus-per-rank",
                              "rankfile",
                              "rf",
                              "am",
                              "tune",
                              "wdir",
                              "wd",
                              "gwdir",
                              "path",
                              "prefix",
                              "output",
                              "output-filename",
                              "stdin",
                              "timeout",
                              "report-pid",
                              "report-uri",
                              "launch-agent",
                              "personality",
                              "display",
                              "runtime-options",
                              "genvlist",
                              "envlist",
                              "iface",
                              "launcher",
                              "launcher-exec",
                              "bootstrap",
                              "bootstrap-exec",
                              "rmk",
                              "tmpdir",
                              "outfile-pattern",
                              "errfile-pattern"})
               ? 1
               : 0;
}

bool is_flag_of_mpirun(std::string_view option) {
    return is_one_of(option, {"allow-run-as-root",
                              "display-map",
                              "display-allocation",
                              "display-topo",
                              "display-devel-map",
                              "tag-output",
                              "timestamp-output",
                              "merge-stderr-to-stdout",
                              "nolocal",
                              "report-bindings",
                              "report-child-jobs-separately",
                              "verbose",
                              "v",
                              "q",
                              "quiet",
                              "l",
                              "bynode",
                              "byslot",
                              "bind-to-core",
                              "bind-to-socket",
                              "bind-to-none",
                              "nooversubscribe",
                              "continuous",
                              "enable-recovery",
                              "disable-recovery",
                              "do-not-launch",
                              "get-stack-traces",
                              "stop-on-exec",
                              "genvall",
                              "genvnone",
                              "envall",
                              "envnone",
                              "prepend-rank",
                              "print-all-exitcodes",
                              "rr"});
}

} // namespace

bool is_mpirun(started_program const& p) noexcept {
    return is_one_of(p.name, {"mpirun", "mpirun.real", "mpiexec", "mpiexec.hydra", "orterun", "prterun"});
}

std::optional<std::int64_t> mpirun_processes(started_program const& p) {
    std::optional<std::int64_t> requested;
    for (std::size_t i = 0; i < p.arguments.size() && p.arguments[i].starts_with('-'); ++i) {
        std::string_view option = p.arguments[i];
        option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
        if (option.find("OVERSUBSCRIBE") != option.npos) return std::nullopt; // as in --map-by=:OVERSUBSCRIBE
        if (determines_slots(option.substr(0, option.find('=')))) return std::nullopt;
        auto const values = std::min(values_of_mpirun(option), p.arguments.size() - i - 1);
        if (values == 0) {
            bool const ends = i + 1 == p.arguments.size() || p.arguments[i + 1].starts_with('-');
            if (ends || is_flag_of_mpirun(option) || option.find('=') != option.npos) continue;
            return std::nullopt; // the next word is its value or the program
        }
        auto const& value = p.arguments[i + 1];
        if (value.find("OVERSUBSCRIBE") != value.npos || value.find("oversubscribe") != value.npos) return std::nullopt;
        if (is_one_of(option, {"np", "n", "c"})) requested = read_whole_number<std::int64_t>(value);
        i += values;
    }
    bool const has_parts = std::ranges::find(p.arguments, ":") != p.arguments.end(); // each with a number of its own
    return has_parts ? std::nullopt : requested;
}

} // namespace kftrain
