#ifndef KFTRAIN_SRC_CONTROL_LEADERSHIP_LEADER_RECORD_HPP
#define KFTRAIN_SRC_CONTROL_LEADERSHIP_LEADER_RECORD_HPP

#include <kftrain/control/leader_election.hpp>
#include <kftrain/objects/coordination/lease.hpp>

#include <chrono>

namespace kftrain::control {

// The fields of a Lease that candidates write. All other content stays.

/// The Lease of a candidate that found none; `before` is the last observed one, if any: the count of leaders continues.
coordination::lease first_lease(leader_election_options const& by, coordination::lease const& before);
/// `observed`, held by this candidate: still, or again.
coordination::lease held_by(coordination::lease observed, leader_election_options const& by, bool again);
/// `observed`, given back.
coordination::lease held_by_nobody(coordination::lease observed);

/// How long a lease is held after its last observed change.
std::chrono::milliseconds duration_of(coordination::lease const& observed, leader_election_options const& by);

} // namespace kftrain::control

#endif
