#ifndef KFTRAIN_CONTROLLERS_REGISTRY_HPP
#define KFTRAIN_CONTROLLERS_REGISTRY_HPP

#include <kftrain/job/controller_rules.hpp>

#include <memory>
#include <span>

namespace kftrain::controllers {

/** The controllers of what is no job kind: those that a cluster of Kubernetes runs itself, as far as operators need them.
    A local cluster runs them all. They live as long as the program.
    @par Thread safety Safe. */
std::span<std::shared_ptr<rules::controller_rules const> const> known_controllers();

/** What stands in for the schedulers of gangs where none runs: the part of them that operators wait for. A local cluster runs them all, too.
    They live as long as the program.
    @par Thread safety Safe. */
std::span<std::shared_ptr<rules::controller_rules const> const> known_gang_schedulers();

} // namespace kftrain::controllers

#endif
