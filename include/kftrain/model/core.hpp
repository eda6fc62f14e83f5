#ifndef KFTRAIN_MODEL_CORE_HPP
#define KFTRAIN_MODEL_CORE_HPP

/** @file
    Objects of the core group `v1`. Sources that need little of it include the headers below one by one.
    @par Upstream k8s.io/api `core/v1/types.go`, v0.31 */

#include <kftrain/model/config_map.hpp>
#include <kftrain/model/event.hpp>
#include <kftrain/model/namespace.hpp>
#include <kftrain/model/node.hpp>
#include <kftrain/model/persistent_volume_claim.hpp>
#include <kftrain/model/pod.hpp>
#include <kftrain/model/service.hpp>

#endif
