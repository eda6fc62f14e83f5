#ifndef KFTRAIN_CONTROLLERS_REGISTRY_HPP
#define KFTRAIN_CONTROLLERS_REGISTRY_HPP

#include <kftrain/job/controller_rules.hpp>

#include <memory>
#include <span>

namespace kftrain::controllers {

/** Returns the controllers of kinds other than jobs: those that Kubernetes runs itself, and that of JobSets, as far as
    operators need them. A local cluster runs them all. Static storage duration.
    @par Thread safety Safe. */
std::span<std::shared_ptr<rules::controller_rules const> const> known_controllers();

/** Returns substitutes for gang schedulers where none runs: the part that operators wait for. A local cluster runs
    them all, too. Static storage duration.
    @par Thread safety Safe. */
std::span<std::shared_ptr<rules::controller_rules const> const> known_gang_schedulers();

} // namespace kftrain::controllers

#endif
