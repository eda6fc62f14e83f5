#ifndef KFTRAIN_JOB_SCALING_HPP
#define KFTRAIN_JOB_SCALING_HPP

#include <kftrain/base/diagnostics.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::rules {

/// A role whose number of members may be changed.
struct scale_place {
    scale_place() = default;

    std::string role;
    std::int32_t now = 0;              ///< members that the job asks for
    std::optional<std::int32_t> least; ///< absent: 0
    std::optional<std::int32_t> most;  ///< absent: no limit is known
    std::string effect;                ///< one sentence: what a change does to ranks and to what runs
};

/// How a job may grow and shrink as it stands.
struct scaling {
    scaling() = default;

    std::vector<scale_place> places; ///< empty: it cannot be scaled
    std::string refused;             ///< one clause that says why it cannot; empty if it can
};

/// Whether a job may be suspended and resumed.
struct suspending {
    suspending() = default;

    bool suspended = false; ///< what the job asks for now
    std::string refused;    ///< one clause that says why it cannot be changed; empty if it can
};

/// The refusal of what scaling or suspending say cannot be done: `errc::invalid_argument` at this path.
failure cannot(std::string path, std::string why);

/** The place of this role, which may get this number of members.
    @par Errors `errc::invalid_argument` at the path if the job cannot be scaled, has no such place, or the number is out of its range. */
result<scale_place> checked_place(scaling const& now, std::string_view role, std::int32_t replicas,
                                  std::string const& path);

/// Whether a job of this kind may be suspended and resumed: while it is not finished.
suspending suspending_of(bool suspended, bool finished);

} // namespace kftrain::rules

#endif
