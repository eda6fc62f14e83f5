#ifndef KFTRAIN_SRC_FACADE_CONTAINER_RUNS_HPP
#define KFTRAIN_SRC_FACADE_CONTAINER_RUNS_HPP

#include <kftrain/objects/core.hpp>

#include <cstdint>
#include <string_view>

// The runs of a container by the status of its pod: the first has number 0, each restart begins the next.
namespace kftrain {

/// The container's status, or null.
core::container_status const* status_of(pod const& p, std::string_view container) noexcept;
/// How many runs have begun; the number of the latest is one less.
std::int32_t runs_begun(pod const& p, std::string_view container) noexcept;
/** Whether runs_begun() may miss a run that has ended: while a container waits for its next run for another reason than
    the back-off, the restart may or may not be counted yet. */
bool may_hide_a_run(pod const& p, std::string_view container, std::int32_t read) noexcept;
/// Whether the latest run goes on.
bool is_running(pod const& p, std::string_view container) noexcept;
/// Whether the log of the run before the latest can be requested: not while the container waits for its restart.
bool shows_previous(pod const& p, std::string_view container) noexcept;

} // namespace kftrain

#endif
