#ifndef KFTRAIN_JOB_SCALING_HPP
#define KFTRAIN_JOB_SCALING_HPP

#include <kftrain/base/diagnostics.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kftrain::rules {

struct create; // kftrain/job/plan.hpp
struct patch;
/// A write by which a client scales or suspends a job.
using job_write = std::variant<patch, create>;

/// A role whose number of members can be changed.
struct scale_place {
    scale_place() = default;

    std::string role;                  ///< as the job names it: a replica type, e.g. `Worker`
    std::int32_t now = 0;              ///< the requested number of members
    std::optional<std::int32_t> least; ///< absent: 0
    std::optional<std::int32_t> most;  ///< absent: no known limit
    std::string path;                  ///< of the number in the job, e.g. `spec.mpiReplicaSpecs[Worker].replicas`
    std::string effect;                ///< one sentence about the effect of a change on ranks and running members
    bool has_subresource = false;      ///< the subresource `scale`, which autoscalers use, sets this number
};

/// How a job may currently be scaled.
struct scaling {
    scaling() = default;

    std::vector<scale_place> places; ///< empty: the job cannot be scaled
    std::string refused;             ///< the reason why scaling is impossible, in one clause; empty if it is possible
};

/// Whether a job can be suspended and resumed.
struct suspending {
    suspending() = default;

    bool suspended = false; ///< the current request of the job
    std::string refused;    ///< the reason why the change is impossible, in one clause; empty if it is possible
};

/// Returns the failure of an impossible scaling or suspension: `errc::invalid_argument` at this path.
failure cannot(std::string path, std::string why);

/** Returns the place of this role if it may have this number of members.
    @par Errors `errc::invalid_argument` at the path if the job cannot be scaled, has no such place, or the number is
    out of range. */
[[nodiscard]] result<scale_place> checked_place(scaling const& now, std::string_view role, std::int32_t replicas,
                                                std::string const& path);

/// Returns the answer for kinds whose jobs can be suspended and resumed until they finish.
suspending suspending_of(bool suspended, bool finished);

} // namespace kftrain::rules

#endif
