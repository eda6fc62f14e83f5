#ifndef KFTRAIN_OBJECTS_COORDINATION_LEASE_HPP
#define KFTRAIN_OBJECTS_COORDINATION_LEASE_HPP

/** @file
    Leases of `coordination.k8s.io/v1`.
    @par Upstream k8s.io/api `coordination/v1/types.go`, v0.31 */

#include <kftrain/base/special_members.hpp>
#include <kftrain/model/meta.hpp>

namespace kftrain::coordination {

/// The holder of a lease, and how long the lease is valid.
struct lease_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(lease_spec);

    std::optional<std::string> holder_identity; ///< the process that holds the lease; empty or absent: nobody
    /// Time in seconds after `renew_time` when another process may take it.
    std::optional<std::int32_t> lease_duration_seconds;
    std::optional<micro_time> acquire_time;        ///< when the holder got the lease
    std::optional<micro_time> renew_time;          ///< when the holder last renewed it
    std::optional<std::int32_t> lease_transitions; ///< how often the holder changed
    std::optional<std::string> strategy;           ///< e.g. OldestEmulationVersion
    /// A better candidate, for which the holder should give it up; only with `strategy`.
    std::optional<std::string> preferred_holder;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(lease_spec, (holder_identity, lease_duration_seconds, acquire_time, renew_time, lease_transitions,
                              strategy, preferred_holder))

/// A lock that expires: for leader election and node heartbeats.
struct lease {
    lease() = default;

    static constexpr resource_info resource{"coordination.k8s.io", "v1", "Lease", "leases"};

    object_meta metadata; ///< candidates of one election use the same name and namespace
    lease_spec spec;      ///< the current holder
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(lease, (metadata, spec))

} // namespace kftrain::coordination

#endif
