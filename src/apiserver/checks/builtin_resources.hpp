#ifndef KFTRAIN_SRC_APISERVER_CHECKS_BUILTIN_RESOURCES_HPP
#define KFTRAIN_SRC_APISERVER_CHECKS_BUILTIN_RESOURCES_HPP

#include <kftrain/apiserver/resource_definition.hpp>

#include <vector>

namespace kftrain::apiserver {

/// The definitions of pods, services, events, namespaces, config maps, secrets, nodes, leases, priority classes,
/// autoscalers and batch Jobs.
std::vector<resource_definition> builtin_resources();

} // namespace kftrain::apiserver

#endif
