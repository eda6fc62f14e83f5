#ifndef KFTRAIN_OBJECTS_CORE_HPP
#define KFTRAIN_OBJECTS_CORE_HPP

/** @file Objects of the core group `v1`. Sources that need only a few of them include the headers below one by one.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/core/event.hpp>
#include <kftrain/objects/core/namespace.hpp>
#include <kftrain/objects/core/node.hpp>
#include <kftrain/objects/core/persistent_volume_claim.hpp>
#include <kftrain/objects/core/pod.hpp>
#include <kftrain/objects/core/service.hpp>

#endif
