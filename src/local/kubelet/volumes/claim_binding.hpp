#ifndef KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_CLAIM_BINDING_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_VOLUMES_CLAIM_BINDING_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/objects/core/persistent_volume.hpp>
#include <kftrain/objects/core/persistent_volume_claim.hpp>

#include <vector>

namespace kftrain::local {

/** Finds the volume of a claim: the one that it names, the one that is kept for it, or the smallest available one.
    The last two have its mode, its access modes and at least its size; an available one also has its class and its
    labels. Null if there is none, unless the claim names one.
    @par Errors with the message of the event of a server, if the claim cannot have the volume that it names
    @par Upstream kubernetes `pkg/controller/volume/persistentvolume/pv_controller.go`, `index.go`, v1.31 */
result<core::persistent_volume const*> find_volume(core::persistent_volume_claim const& claim,
                                                   std::vector<core::persistent_volume> const& volumes);

/// Sets what a bound volume and its claim have in common: the reference, the name and the phases.
void bind(core::persistent_volume& volume, core::persistent_volume_claim& claim);

} // namespace kftrain::local

#endif
