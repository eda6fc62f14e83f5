#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_CONTROLLER_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_CONTROLLER_HPP

#include "kinds/volcano_job/names.hpp"

#include <kftrain/job/job_rules.hpp>

namespace kftrain::volcano {

/// Names of what is watched.
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

/** The rules of the controller of Volcano Jobs, for rules::job_rules_of.
    @par Upstream volcano v1.9.0 `pkg/controllers/job/job_controller.go` */
class job_controller {
public:
    using object = job;
    static constexpr std::string_view name = "vc-controller-manager";

    explicit job_controller(volcano_operator_options = volcano_operator_options());

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::job_look<job> const&) const;

protected:
    volcano_operator_options const& options() const noexcept { return options_; }

private:
    volcano_operator_options options_;
    std::vector<rules::watched> rows_;
};

} // namespace kftrain::volcano

#endif
