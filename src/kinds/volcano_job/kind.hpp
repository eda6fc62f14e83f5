#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_KIND_HPP

#include "kinds/volcano_job/names.hpp"
#include "kinds/volcano_job/plugins/plugins.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/membership.hpp>

namespace kftrain::volcano {

/// Returns the members of a valid job with defaults.
membership lay_out(job const&, volcano_operator_options const& = volcano_operator_options());

/// The names of the watches.
namespace row {
inline constexpr std::string_view pods = "pods";
inline constexpr std::string_view groups = "pod groups";
inline constexpr std::string_view commands = "commands";
inline constexpr std::string_view queue = "queue";
inline constexpr std::string_view hosts = "config map";
inline constexpr std::string_view services = "services";
inline constexpr std::string_view network_policy = "network policy";
inline constexpr std::string_view secret = "secret";
inline constexpr std::string_view claims = "claims";
inline constexpr std::string_view priorities = "priority classes";
} // namespace row

/// Returns the objects that an operator with these options watches.
std::vector<rules::watched> watched_rows(volcano_operator_options const&);
/** Returns the next plan for a stored job; `rows` are those of the operator.
    @par Upstream volcano v1.9.0 `pkg/controllers/job/job_controller.go` */
rules::plan make_plan(rules::job_look<job> const&, std::span<rules::watched const> rows,
                      volcano_operator_options const&);

} // namespace kftrain::volcano

#endif
